"""In: a plan and its path. Out: patches to the original, which keep its bytes where the sketch means no change."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.likeness import head, indent, is_slip, version
from redraft.edit.align.paths_table import Step
from redraft.edit.align.plan import Hunk, Plan
from redraft.edit.align.quotes import differ_in_quotes, is_quoted_otherwise
from redraft.edit.answer.block import Block, Line
from redraft.edit.text.lines import is_separated_otherwise, written


class Out(Struct, frozen=True):
    """A line of the output; `source`: the line that it keeps or changes; `sloppy`: how the sketch spells a kept one."""

    text: str
    source: int | None
    changed: bool
    sloppy: str | None = None


class Patch(Struct, frozen=True):
    """Lines start..end become `lines`; `gain` is what known lines weigh, `deleted` counts the lines dropped unsaid."""

    hunk: Hunk
    start: int
    end: int
    lines: tuple[Out, ...]
    gain: int
    deleted: int

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines)


def patches(plan: Plan, steps: Sequence[Step], lines: Sequence[str], block: Block) -> tuple[Patch, ...]:
    """One patch for each hunk of a block, in order."""
    is_one_sided = block.explicit and not any(line.kind == "removed" for line in block.lines)
    kind = _Kind(block, is_one_sided)
    found = [_patch(plan, number, hunk, steps, lines, kind) for number, hunk in enumerate(plan.hunks)]
    alone = not any(out.changed for patch in found for out in patch.lines) and not any(p.deleted for p in found)
    return tuple(replace(patch, lines=_settled(patch, alone)) for patch in found)


class _Kind(Struct, frozen=True):
    """What a sketch says of lines that it does not show: a diff keeps them, any other sketch drops them.

    `is_one_sided`: a diff that shows no removed line means that each new line takes the place of an older version.
    """

    block: Block
    is_one_sided: bool

    def is_careless(self, new: str, old: str) -> bool:
        """Whether a sketch spells a line of the file otherwise without meaning to."""
        if self.block.is_quoted and differ_in_quotes(new, old):
            return False
        if self.block.is_faithful:
            return is_quoted_otherwise(new, old)
        if self.block.is_separated and is_separated_otherwise(new, old):
            return False
        return is_slip(new, old) and abs((indent(new) or 0) - (indent(old) or 0)) <= 1


def apply(lines: Sequence[str], found: Sequence[Patch]) -> list[tuple[str, int | None]]:
    """The new lines, each with the line before that it stands for."""
    out: list[tuple[str, int | None]] = []
    at = 0
    for patch in found:
        out += [(lines[kept], kept) for kept in range(at, patch.start)]
        out += [(line.text, line.source) for line in patch.lines]
        at = patch.end
    return out + [(lines[kept], kept) for kept in range(at, len(lines))]


def _patch(plan: Plan, number: int, hunk: Hunk, steps: Sequence[Step], lines: Sequence[str], kind: _Kind) -> Patch:
    rows = [at for at, place in enumerate(plan.places) if place is not None and place[0] == number]
    start, end = steps[rows[0] - 1].end, steps[rows[-1] + 1].start
    out: list[Out] = []
    deleted = gain = 0
    cursor = start
    for row, line in zip(rows, hunk.lines, strict=True):
        step = steps[row]
        deleted += _step_over(out, cursor, step.start, lines, kind)
        cursor = step.end
        if step.match is not None:
            gain += dict(plan.rows[row].matches)[step.match]
        out += _outcome(line, step, lines, kind)
    deleted += _step_over(out, cursor, end, lines, kind)
    start, end, out = _spaced(hunk, start, end, out, lines)
    return Patch(hunk, start, end, tuple(out), gain, deleted)


def _step_over(out: list[Out], start: int, end: int, lines: Sequence[str], kind: _Kind) -> int:
    """How many written lines go between two lines of a hunk: a diff leaves them, any other sketch drops them."""
    if kind.block.explicit:
        new = [line.text.strip() for line in _new(reversed(out))] if kind.is_one_sided else []
        out += [
            line
            for line in _kept(start, end, lines)
            if not any(version(text, line.text.strip(), alone=True) for text in new)
        ]
        return 0
    if out and end > start:
        last = out[-1]
        kept = last.sloppy if last.sloppy is not None and _is_spacing(last.sloppy, last.text) else last.text
        out[-1] = replace(last, text=kept, changed=True)
    return len(written(lines[start:end]))


def _new(out: Iterable[Out]) -> Iterable[Out]:
    """The lines at the beginning that the file does not have."""
    return takewhile(lambda line: line.source is None, out)


def _kept(start: int, end: int, lines: Sequence[str]) -> list[Out]:
    return [Out(lines[at], at, False) for at in range(start, end)]


def _outcome(line: Line, step: Step, lines: Sequence[str], kind: _Kind) -> list[Out]:
    if step.marker:
        return _kept(step.start, step.end, lines)
    if line.kind == "removed":
        return []
    if step.match is None:
        return [Out(line.text, None, True)]
    old = lines[step.match]
    if line.text == old or kind.block.explicit:
        return [Out(old, step.match, False)]  # context of a diff is never rewritten
    if kind.is_careless(line.text, old):
        return [Out(old, step.match, False, sloppy=line.text)]
    return [Out(line.text, step.match, True)]


def _settled(patch: Patch, alone: bool) -> tuple[Out, ...]:
    """Slips keep the original's bytes, unless nothing else changes or spacing goes with the change beside it."""
    out = list(patch.lines)
    dropped = sum(line.sloppy is not None and _drops_semicolon(line.sloppy, line.text) for line in out)
    for _ in range(2):
        for at, line in enumerate(out):
            if line.sloppy is None or line.changed:
                continue
            beside = any(near.changed for near in out[max(at - 1, 0) : at + 2])
            is_style = dropped > 1 and _drops_semicolon(line.sloppy, line.text)
            if alone or (beside and _is_spacing(line.sloppy, line.text) and not is_style):
                out[at] = replace(line, text=line.sloppy, changed=True)
        out.reverse()
    return tuple(out)


def _drops_semicolon(new: str, old: str) -> bool:
    return old.rstrip().endswith(";") and not new.rstrip().endswith(";")


def _is_spacing(new: str, old: str) -> bool:
    """True when two lines differ in white space or in the separator at the end."""
    return "".join(new.split()).rstrip(",;") == "".join(old.split()).rstrip(",;")


def _spaced(hunk: Hunk, start: int, end: int, out: list[Out], lines: Sequence[str]) -> tuple[int, int, list[Out]]:
    """Blank lines between new code and a marker separate it from what is kept; they are not doubled."""
    if not out:
        return start, end, out
    begins, ends = out[0].source is None, out[-1].source is None
    if start == end and begins and ends:
        start = end = _settle_among_blanks(hunk, start, lines)
    blank = Out("", None, True)
    if begins and start and lines[start - 1].strip():
        out = [blank] * (hunk.blank_before * _is_parted(out, lines[start - 1])) + out
    if ends and end < len(lines) and lines[end].strip():
        out = out + [blank] * (hunk.blank_after * _is_parted(out[::-1], lines[end]))
    return start, end, out


def _is_parted(new: Iterable[Out], beside: str) -> bool:
    """Whether new lines are parted from the line of the file beside them: not where they are more imports, say."""
    own = written(line.text for line in _new(new))
    listed = head(beside.strip())
    is_list = all(head(text.strip()) == listed and indent(text) == indent(beside) for text in own)
    return not (is_list and listed.kind == "word")


def _settle_among_blanks(hunk: Hunk, at: int, lines: Sequence[str]) -> int:
    """Where among blank lines an insertion stands: after them if it has a blank line before it."""
    if hunk.blank_before:
        return next((here for here in range(at, len(lines)) if lines[here].strip()), len(lines))
    return next((here for here in range(at, 0, -1) if lines[here - 1].strip()), 0)
