"""In: a change. Out: new lines that are indented by another unit of spaces than all of the file, in the file's."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from redraft.edit.align.indents import in_units, step
from redraft.edit.text.lines import width_of, written
from redraft.laws.change import Change

_FREE = ("yaml", "markdown")  # in which what stands in a list may be indented by any number
_OPEN = ("{", ":", "do", "then", "else", "=>", "->", ">")  # below which a line stands one unit deeper


def reindented(change: Change) -> dict[int, str]:
    """The lines of the new text that differ then; none where the file or what comes is indented in several ways."""
    own = step(change.before)
    if len(own) < 2 or own.strip(" ") or change.old.language in _FREE:
        return {}
    if any(width_of(line) % len(own) for line in written(change.before)):
        return {}
    found = ((at, text) for gap in change.gaps for at, text in _respelled(change, gap.come, own))
    return {at: text for at, text in found if text != change.after[at]}


def _respelled(change: Change, come: Sequence[int], own: str) -> Iterator[tuple[int, str]]:
    lines = {at: change.after[at] for at in come if change.after[at].strip()}
    base = min(map(width_of, lines.values()), default=0)
    units = {*_steps([*lines.values()])}
    unit = " " * units.pop() if len(units) == 1 else own
    if unit in ("", own) or base % len(own) or any((width_of(line) - base) % len(unit) for line in lines.values()):
        return
    for at, line in lines.items():
        yield at, line[:base] + in_units(unit, own, line[base:])


def _steps(lines: Sequence[str]) -> Iterator[int]:
    """By how much lines stand deeper than what opens above them; 0 where nothing opens."""
    for above, line in pairwise(lines):
        if (deeper := width_of(line) - width_of(above)) > 0:
            yield deeper if above.rstrip().endswith(_OPEN) else 0
