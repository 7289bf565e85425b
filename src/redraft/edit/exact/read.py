"""In: a file and an answer. Out: `Exact`, what the answer's own format makes of the file; None for a sketch."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.calls import PATH, SKETCH, WHOLE, likeness, plain
from redraft.edit.exact.calls import steps as steps_of
from redraft.edit.exact.forms import NO_BREAK, spaced
from redraft.edit.exact.leaks import placeholder
from redraft.edit.exact.page import Page
from redraft.edit.exact.parse import parse
from redraft.edit.exact.place import Draft
from redraft.edit.exact.steps import RefusedError, Replacement, SketchError, Step, Whole, moved, refused, refused_line
from redraft.edit.prompts.fence import fence
from redraft.edit.text.newlines import newlined, with_newlines
from redraft.edit.text.thoughts import without_thoughts

_CLOSING = ("```", "~~~", ">>>>>>>", "*** End Patch", "</")  # what a block ends with
_NAMES = re.compile(r"\"(\w{2,30})\"\s*:|<(?:parameter(?:=|\s+name=\"))?(\w{2,30})\"?>")


class Exact(Struct, frozen=True):
    """The new file, None with a `message` where it is refused; `healed` names each slip that was mended."""

    text: str | None
    message: str = ""
    healed: tuple[str, ...] = ()
    is_cut: bool = False


def read_exact(original: str, update: str, path: str = "") -> Exact | None:
    """None where the answer is in no exact format; lines end in newlines alone."""
    try:
        steps = read_steps(original, update, path)
        return _applied(original, steps, _lines(original, update)) if steps else None
    except SketchError:
        return None
    except RefusedError as refused:
        return Exact(None, str(refused), is_cut=refused.is_cut)


def behind(update: str) -> str:
    """What an answer says behind its last block."""
    lines = update.split("\n")
    last = max((at for at, line in enumerate(lines) if line.lstrip().startswith(_CLOSING)), default=len(lines))
    return "\n".join(lines[last + 1 :])


def read_diff(original: str, hunks: str) -> Exact | None:
    """The same of the hunks of a diff without a fence around them."""
    ticks = fence(hunks)
    return read_exact(original, f"{ticks}diff\n{hunks}\n{ticks}\n")


def read_steps(original: str, update: str, path: str = "") -> list[Step]:
    """What an answer in exact formats does to the file; raises RefusedError, and SketchError for other code."""
    return [replace(step, path=path) for step in _own(parse(_lines(original, update), Page.of(original), path), path)]


def call_steps(original: str, value: Any, path: str = "") -> list[Step]:
    """What the arguments of a call do to the file, whatever the file holds; raises as `read_steps` does."""
    return [replace(step, path=path) for step in _own([*steps_of(value, 1, Page.of(original), path)], path)]


def apply_steps(original: str, steps: Sequence[Step], answer: Sequence[str] = ()) -> Exact:
    """What steps make of the file; the lines of the answer are named where it is given."""
    try:
        return _applied(original, steps, answer)
    except (RefusedError, SketchError) as refused:
        return Exact(None, str(refused), is_cut=isinstance(refused, RefusedError) and refused.is_cut)


def _lines(original: str, update: str) -> list[str]:
    return without_thoughts(newlined(update, original).split("\n"), original.split("\n"))


def files_of(update: str) -> tuple[str, ...]:
    """The files that an answer edits all of whose code is in exact formats; none where it has other code."""
    steps = steps_with_files(update)
    are_edits = all(isinstance(step, Replacement) for step in steps)
    return tuple(dict.fromkeys(step.path for step in steps)) if are_edits else ()


def steps_with_files(update: str) -> Sequence[Step]:
    """The steps of an answer all of whose code is in exact formats, each of which names its file; else none."""
    try:
        steps = parse(without_thoughts(with_newlines(update).split("\n")), Page.of(""), "")
    except (SketchError, RefusedError):
        return ()
    return steps if all(step.path for step in steps) else ()


def as_sketch(update: str, original: str, path: str) -> str:
    """A sketch without the call around it, with blanks for no-break spaces; any other answer as it is."""
    is_led = any(line[:1] in NO_BREAK for line in update.split("\n") if line)
    if is_led and not any(sign in original for sign in NO_BREAK) and read_exact(original, update, path) is None:
        update = spaced(update)
    return _unwrapped(update, path)


def _unwrapped(update: str, path: str) -> str:
    """An answer that is nothing but a call with a sketch, as words and a fence."""
    named = [plain(one or other) for one, other in _NAMES.findall(update)]
    if sum(name in SKETCH or name in WHOLE for name in named) != 1 or not {*named} & PATH:
        return update
    try:
        parse(with_newlines(update).split("\n"), Page.of(""), "")
    except SketchError as sketch:
        ticks, code = fence(sketch.code), sketch.code.removesuffix("\n")
        return f"{sketch.explanation}\n\n{ticks}{PurePosixPath(path).suffix[1:]}\n{code}\n{ticks}\n" if code else update
    except RefusedError:
        pass
    return update


def _own(steps: Sequence[Step], file: str) -> list[Step]:
    """The steps for a file: those without a path, and those whose path is the most like its own."""
    if file.startswith("*"):
        return list(steps)
    paths = {step.path for step in steps}
    near = {path: likeness(path, file) for path in paths - {""}}
    best = max(near.values(), default=0)
    nearest = sorted(path for path, like in near.items() if like == best > 0)
    if near and not nearest and "" not in paths:
        raise RefusedError(f"the answer changes {min(near)}, not {file}")
    if len({PurePosixPath(path) for path in nearest}) > 1:
        raise RefusedError(f"the answer changes {nearest[0]} and {nearest[1]}, and either may be {file}")
    return [step for step in steps if not step.path or step.path in nearest]


def _applied(original: str, steps: Sequence[Step], answer: Sequence[str]) -> Exact:
    draft = Draft(original, answer)
    ends: bool | None = None
    for step in moved(steps):
        if isinstance(step, Whole):
            return _whole(original, step, len(steps) == 1)
        draft.add(step)
        ends = step.final_newline if ends is None else ends
    text = draft.text()
    if ends is not None and text.rstrip("\n") and text.endswith("\n") != ends:
        text = f"{text}\n" if ends else text.removesuffix("\n")
    return Exact(text, healed=tuple(draft.healed))


def _whole(original: str, step: Whole, is_alone: bool) -> Exact:
    if step.text is None:
        raise SketchError
    if not is_alone:
        why = "writes the whole file, and other edits change it, too: give one of both"
        raise refused_line(step.line, why)
    if step.is_new and original.strip() and original != step.text:
        why = "says that the file is new, and it is there already: show the lines that change"
        raise refused_line(step.line, why)
    if shown := placeholder(step.text, original):
        why = f"leaves code out, {quoted(shown)}: write it out, or edit fewer lines"
        raise refused("whole file", step.line, why)
    return Exact(step.text)
