"""In: the outlines of a file before and after an edit, and its path. Out: the lines that the edit made unreadable."""

from pathlib import PurePosixPath

from redraft.edit.guard.brackets import PAGES, imbalance
from redraft.edit.guard.exact import exact_fault
from redraft.edit.outline import Outline
from redraft.edit.text.changes import line_changes, surplus

# Their grammars stumble over macros and over what is newer than they are: brackets have to be out of balance, too.
_UNSURE = frozenset(
    (
        *("astro", "c", "cpp", "csharp", "css", "ini", "kotlin", "make", "objc", "powershell", "scss", "sql", "svelte"),
        *("swift", "typescript", "vim"),
    )
)
_PROSE = frozenset(("", ".txt", ".rst", ".adoc", ".tex", ".org", ".log", ".csv", ".tsv", ".diff", ".patch", ".po"))
_NEAR = 3  # lines from a fault to a change that may have made it, in a file that had faults before


def new_faults(before: Outline, after: Outline, path: str = "") -> list[int]:
    """Lines of the output, from 0, that cannot be read and could be before; by an exact parser where there is one."""
    if not after.lines:
        return []  # an empty file is seen by another guard
    exact = exact_fault(before.lines, after.lines, path)
    if exact is not None:
        return [exact]
    if not after.language or after.language in PAGES:
        alone = imbalance(before, after)
        if alone is not None:
            return [] if _is_prose(path) else [alone]
    return _unread(before, after) if after.language else []


def _unread(before: Outline, after: Outline) -> list[int]:
    """The lines that the grammar cannot read, and read before."""
    new, old = ([each.lines[line].strip() for line in each.faults] for each in (after, before))
    found = [after.faults[at] for at in surplus(new, old)]
    if found and after.language in _UNSURE and imbalance(before, after) is None:
        return []
    if not old:
        return found
    return [line for line in found if len(new) > len(old) and _is_touched(line, before, after)]


def _is_prose(path: str) -> bool:
    return not path or PurePosixPath(path).suffix.lower() in _PROSE


def _is_touched(line: int, before: Outline, after: Outline) -> bool:
    """Whether the outermost declaration of a line, or the lines beside it, are not as they were."""
    first, last = line - _NEAR, line + _NEAR + 1
    for at in [*after.around(line)][-1:]:
        first, last = min(first, after.nodes[at].start), max(last, after.nodes[at].end)
    changes = line_changes(before.lines, after.lines)
    return any(first <= each.after_end and each.after_start < last for each in changes)
