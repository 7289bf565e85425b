"""In: nothing. Out: `Replacement` and `Whole`, what every format is read into, and `RefusedError`, why one is not."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from redraft.errors import RedraftError

Kept = tuple[tuple[int, int], ...]


class RefusedError(RedraftError):
    """An answer that its format's owner would not apply either; `is_cut` says that it ends too soon."""

    def __init__(self, message: str, is_cut: bool = False) -> None:
        super().__init__(" ".join(message.splitlines()))
        self.is_cut = is_cut


def refused(what: str, line: int, why: str) -> RefusedError:
    """Why something at a line of an answer is refused."""
    return RefusedError(f"the {what} at line {line} of the answer {why}")


def refused_line(line: int, why: str) -> RefusedError:
    """Why a line of an answer is refused."""
    return RefusedError(f"line {line} of the answer {why}")


def cut_off(what: str, line: int, lacks: str) -> RefusedError:
    """Why an answer is refused that ends within something that begins at a line of it."""
    message = f"the answer is cut off: the {what} at its line {line} {lacks}; ask for the rest of it"
    return RefusedError(message, is_cut=True)


class Replacement(Struct, frozen=True):
    """Old text that becomes new text, as line `line` of the answer says.

    A text of whole lines ends in a newline; `is_piece` says that it may stand within lines. What tells the place:
    `number` is the line of the file, from 1, at which the old text begins, `moved` by how many lines the new text is
    further below once all steps are made, `scopes` are the lines below which it stands, `is_last` that the file ends
    with it. `span` is a place by numbers alone, lines `start:end` from 0. `count` is how many places change, 0 all of
    them. `kept` pairs the lines that are in both texts, where signs say so; `others` are the ways in which it may be
    read else, each with the slip that it mends. `is_loose` says that it is no edit but a sketch where the file does not
    have the old text. `slips` are those that were mended to read it.
    """

    old: str
    new: str
    line: int
    path: str = ""
    is_piece: bool = False
    number: int | None = None
    moved: int = 0
    scopes: tuple[str, ...] = ()
    is_last: bool = False
    span: tuple[int, int] | None = None
    count: int = 1
    kept: Kept | None = None
    others: tuple[tuple[str, "Replacement"], ...] = ()
    is_call: bool = False
    is_loose: bool = False
    slips: tuple[str, ...] = ()
    final_newline: bool | None = None


class Whole(Struct, frozen=True):
    """The text of a whole file, None where it goes; `is_new` says that there may be none yet."""

    text: str | None
    line: int
    path: str = ""
    is_new: bool = False


Step = Replacement | Whole


def of_file(step: Step, path: str) -> Step:
    """The step with the file that it is for, where it names none itself."""
    return step if step.path else replace(step, path=path)


def moved(steps: Sequence[Step]) -> list[Step]:
    """The steps, told how many lines those above them bring."""
    numbered = sorted(
        (step.number, step.new.count("\n") - step.old.count("\n"))
        for step in steps
        if isinstance(step, Replacement) and step.number is not None
    )
    sums = [0, *accumulate(more for _, more in numbered)]
    return [
        step
        if isinstance(step, Whole) or step.number is None
        else replace(step, moved=sums[bisect_left(numbered, (step.number, -inf))])
        for step in steps
    ]


class Found(Struct, frozen=True):
    """What a format makes of lines of an answer that end before `end`."""

    end: int
    steps: tuple[Step, ...]


class SketchError(Exception):
    """The answer holds code that no exact format places: all the `code` that a call gives, and its `explanation`."""

    def __init__(self, code: str = "", explanation: str = "") -> None:
        super().__init__(code)
        self.code, self.explanation = code, explanation
