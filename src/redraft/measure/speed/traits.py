"""In: a case. Out: the names of what makes its edit hard, of which it may have several."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import is_telling
from redraft.measure.cases import Case

NEAR = 2
LONG = 200
SEVERAL = 3


@dataclass(frozen=True)
class _Edit:
    """The lines of the original, where they change, and the style of the sketch."""

    lines: Sequence[str]
    hunks: Sequence[LineChange]
    style: str


def traits(case: Case) -> list[str]:
    """Those of `NAMES` that the case has, in their order."""
    before = split_lines(case.request.original)
    edit = _Edit(before, line_changes(before, split_lines(case.expected)), case.style)
    return [name for name, holds in _TRAITS.items() if holds(edit)]


def _is_near_duplicates(edit: _Edit) -> bool:
    """Whether a line that stands there more than once changes, or is at most `NEAR` lines away from a change."""
    counts = Counter(filter(is_telling, edit.lines))
    around = (edit.lines[max(0, hunk.start - NEAR) : hunk.end + NEAR] for hunk in edit.hunks)
    return any(counts[line] > 1 for lines in around for line in lines)


def _deletes(edit: _Edit) -> bool:
    """Whether a line that is not blank goes and nothing new stands in its place."""
    gone = (edit.lines[hunk.start : hunk.end] for hunk in edit.hunks if hunk.after_start == hunk.after_end)
    return any(line.strip() for lines in gone for line in lines)


_TRAITS: dict[str, Callable[[_Edit], bool]] = {
    "near-duplicate lines": _is_near_duplicates,
    "long files": lambda edit: len(edit.lines) > LONG,
    "deletions": _deletes,
    "dedented snippets": lambda edit: edit.style == "dedented",
    "several hunks": lambda edit: len(edit.hunks) >= SEVERAL,
}
NAMES = tuple(_TRAITS)
