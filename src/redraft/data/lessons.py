"""In: an edit told with drift. Out: pairs of the right file and a wrong one, as careless readers would write it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from redraft.data.anchors import is_telling
from redraft.data.drift import Drifted
from redraft.data.edits import Edit
from redraft.data.enclosing import block, is_header
from redraft.data.segments import ELIDED, GONE, KEPT, NEW, Segment
from redraft.edit.align.spelling import lead_of
from redraft.edit.text.changes import LineChange

Wrong = Callable[[Sequence[Segment], Random], list[str] | None]


@dataclass(frozen=True)
class Lesson:
    """Two files that an answer might mean: the ranker learns to prefer the right one. `kind`: what is wrong."""

    path: str
    original: str
    update: str
    instruction: str
    right: str
    wrong: str
    kind: str


@dataclass
class Teacher:
    """Makes lessons, kinds of errors evenly."""

    seed: int = 0
    used: Counter[str] = field(default_factory=Counter)

    def lesson(self, edit: Edit, told: Drifted, instruction: str = "") -> Lesson | None:
        """One lesson of an edit, of the kind least used so far that it allows; None where it allows none."""
        rng = Random(f"lesson {self.seed} {edit.path} {edit.after_blob}")
        for kind in sorted(WRONGS, key=lambda kind: (self.used[kind] / WEIGHTS.get(kind, 1), rng.random())):
            if kind == "sign left" and told.style not in SIGNED:
                continue
            lines = WRONGS[kind](told.segments, rng)
            text = None if lines is None else "\n".join(lines) + ("\n" if edit.after.endswith("\n") else "")
            if text is not None and not same_lines(text, edit.after):
                self.used[kind] += 1
                return Lesson(edit.path, edit.before, told.update, instruction, edit.after, text, kind)
        return None


def same_lines(one: str, other: str) -> bool:
    """Equal but for blank lines: where one of these stands is seldom right or wrong."""
    first, second = ([line.rstrip() for line in text.split("\n") if line.strip()] for text in (one, other))
    return first == second


def _lines(segment: Segment) -> Sequence[str]:
    return () if segment.role == GONE else segment.lines


def _with(found: Sequence[Segment], at: int, lines: Sequence[str]) -> list[str]:
    """The file after the edit with other lines for one of its segments."""
    return [line for number, s in enumerate(found) for line in (lines if number == at else _lines(s))]


def _spot(found: Sequence[Segment], rng: Random, fits: Callable[[int], bool]) -> int | None:
    spots = [number for number in range(len(found)) if fits(number)]
    return rng.choice(spots) if spots else None


def _beside(found: Sequence[Segment], at: int) -> set[str]:
    return {found[number].role for number in (at - 1, at + 1) if 0 <= number < len(found)}


def _retelling(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """Context is written as it was retold."""
    if not any(segment.is_retold for segment in found):
        return None
    every = rng.random() < 0.6
    at = _spot(found, rng, lambda number: found[number].is_retold)
    return [
        line
        for number, s in enumerate(found)
        for line in (s.told if s.is_retold and (every or number == at) else _lines(s))
    ]


def _leftover(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """The old version stands beside the new one."""
    at = _spot(found, rng, lambda n: found[n].role == GONE and NEW in _beside(found, n) and _tells(found[n]))
    return None if at is None else _with(found, at, found[at].lines)


def _predecessor(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """A function under a new name is put beside the old one."""
    at = _spot(found, rng, lambda n: found[n].role == NEW and GONE in _beside(found, n) and _heads(found, n))
    if at is None:
        return None
    old = [line for segment in found if segment.role != NEW for line in segment.lines]
    new = [line for segment in found for line in _lines(segment)]
    was = sum(len(s.lines) for s in found[: at - 1] if s.role != NEW) + _head_in(found[at - 1])
    now = sum(len(_lines(s)) for s in found[:at]) + _head_in(found[at])
    whole = block(old, LineChange(was + 1, was + 1, 0, 0))
    return None if whole is None or whole.start != was else [*new[:now], *old[was : whole.stop], "", *new[now:]]


def _heads(found: Sequence[Segment], at: int) -> bool:
    """Whether a head of a function comes in place of another."""
    return at > 0 and found[at - 1].role == GONE and min(_head_in(found[at - 1]), _head_in(found[at])) >= 0


def _head_in(segment: Segment) -> int:
    return next((number for number, line in enumerate(segment.lines) if is_header(line)), -1)


def _undeleted(found: Sequence[Segment], rng: Random) -> list[str] | None:
    at = _spot(found, rng, lambda n: found[n].role == GONE and NEW not in _beside(found, n) and _tells(found[n]))
    return None if at is None else _with(found, at, found[at].lines)


def _unedited(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """One of the changes is taken for a retelling: the old lines stay, the new ones do not come."""
    at = _spot(found, rng, lambda n: found[n].role == NEW)
    if at is None or sum(segment.role in (NEW, GONE) for segment in found) < 2:
        return None
    near = [n for n in (at - 1, at + 1) if 0 <= n < len(found) and found[n].role == GONE]
    return [
        line
        for number, s in enumerate(found)
        for line in ((() if number == at else s.lines) if number == at or number in near else _lines(s))
    ]


def _lost(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """What was left out is gone: all of it, or up to a blank line."""
    at = _spot(found, rng, lambda n: found[n].role == ELIDED and _tells(found[n]))
    if at is None:
        return None
    lines = found[at].lines
    blanks = [number for number, line in enumerate(lines) if not line.strip()]
    if 0 < at < len(found) - 1 and rng.random() < 0.5:
        blanks = []
    if not blanks:
        return _with(found, at, ())
    cut = rng.choice(blanks)
    return _with(found, at, lines[cut:] if at else lines[:cut])


def _elsewhere(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """New lines come in at another place of the same depth."""
    at = _spot(found, rng, lambda n: found[n].role == NEW and GONE not in _beside(found, n) and _tells(found[n]))
    if at is None:
        return None
    new = found[at].lines
    lead = lead_of(next(filter(is_telling, new)))
    rest = _with(found, at, ())
    here = sum(len(_lines(segment)) for segment in found[:at])
    places = [n for n, line in enumerate(rest) if n != here and is_telling(line) and lead_of(line) == lead]
    near = sorted(places, key=lambda n: abs(n - here))[:8]
    if not near:
        return None
    place = rng.choice(near)
    return [*rest[:place], *new, *rest[place:]]


def _swallowed(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """A line beside the change goes with it."""
    at = _spot(found, rng, lambda n: found[n].role == KEPT and _beside(found, n) & {NEW, GONE} != set())
    return None if at is None or not _with(found, at, ()) else _with(found, at, ())


def _doubled(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """A line of context is written once more, or what a declaration begins with."""
    at = _spot(found, rng, lambda n: found[n].role == KEPT and bool(_beside(found, n) & {NEW, GONE}))
    if at is None:
        return None
    told = found[at].told or found[at].lines
    return _with(found, at, [*found[at].lines, *told])


def _marker_left(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """The marker is written: in place of what it stands for, or beside it."""
    at = _spot(found, rng, lambda n: found[n].role == ELIDED and bool(found[n].told))
    if at is None:
        return None
    lines = found[at].lines
    kept = [*lines, *found[at].told] if at == 0 else [*found[at].told, *lines]
    return _with(found, at, kept if rng.random() < 0.5 else found[at].told)


def _note_left(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """The note on a deletion is written, and the lines are gone or stay."""
    at = _spot(found, rng, lambda n: found[n].role == GONE and bool(found[n].told) and found[n].told != found[n].lines)
    if at is None:
        return None
    return _with(found, at, [*found[at].told, *(found[at].lines if rng.random() < 0.5 else ())])


def _sign_left(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """Diff signs are written into the file."""
    at = _spot(found, rng, lambda n: found[n].role == NEW)
    space = rng.choice(("", " "))
    return None if at is None else _with(found, at, [f"+{space}{line}" for line in found[at].lines])


def _shallow(found: Sequence[Segment], rng: Random) -> list[str] | None:
    """New lines stand at the left margin."""
    at = _spot(found, rng, lambda n: found[n].role == NEW and found[n].lines[0][:1].isspace())
    if at is None:
        return None
    depth = len(lead_of(found[at].lines[0]))
    return _with(found, at, [line[min(depth, len(lead_of(line))) :] for line in found[at].lines])


def _tells(segment: Segment) -> bool:
    return any(map(is_telling, segment.lines))


# The errors that readers make most, and that are hard to tell from what was meant.
WEIGHTS = {
    "retelling written": 3,
    "change not done": 3,
    "old version left": 2,
    "neighbours lost": 2,
    "at another place": 2,
    "sign left": 0.5,
    "indentation lost": 0.5,
}
SIGNED = tuple(f"drift-{style}" for style in ("signed", "patch", "hunks"))
WRONGS: dict[str, Wrong] = {
    "retelling written": _retelling,
    "old version left": _leftover,
    "predecessor left": _predecessor,
    "deletion not done": _undeleted,
    "change not done": _unedited,
    "neighbours lost": _lost,
    "at another place": _elsewhere,
    "neighbour swallowed": _swallowed,
    "context doubled": _doubled,
    "marker left": _marker_left,
    "note left": _note_left,
    "sign left": _sign_left,
    "indentation lost": _shallow,
}
