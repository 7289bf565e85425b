"""In: edits. Out: a manifest that lists them, each told by a sketch: its new lines between markers."""

from collections.abc import Iterable
from itertools import count
from pathlib import Path

from redraft.data.edits import Edit
from redraft.data.tasks import Written
from redraft.edit.text.changes import line_changes, split_lines
from redraft.measure.sets.answers import Answer, stored, write_answers

MARKER = "# ... existing code ..."


def sketch(before: str, after: str) -> str:
    """The changed lines with their neighbours, and markers for all else."""
    old, new = split_lines(before), split_lines(after)
    shown: list[str] = []
    at = 0
    for change in line_changes(old, new):
        start, end = max(change.after_start - 2, at), min(change.after_end + 2, len(new))
        shown += [MARKER] * (start > at) + new[start:end]
        at = end
    return "".join(f"{line}\n" for line in shown + [MARKER] * (at < len(new)))


def listed(edits: Iterable[Edit]) -> list[Answer]:
    """Each edit as a careful answer of its file's name and a number."""
    numbers = count()
    ordered = sorted(edits, key=lambda edit: (edit.repository, edit.path, edit.commit))
    return [
        stored(
            Written(
                id=f"{next(numbers):03}-{edit.path}",
                edit=edit,
                instruction="",
                answer=f"```\n{sketch(edit.before, edit.after)}```\n",
                also=(),
                tidy=True,
                manner="plain",
                abilities=(),
                as_data=False,
            )
        )
        for edit in ordered
    ]


def write_listed(path: Path, edits: Iterable[Edit]) -> list[Answer]:
    found = listed(edits)
    write_answers(path, found)
    return found
