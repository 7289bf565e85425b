"""In: a case, and a text for it. Out: which changes of the file are not meant."""

from redraft.edit.merge.retelling import taken_back
from redraft.edit.merge.signs import stretches
from redraft.edit.text.changes import changed_lines, line_changes
from redraft.measure.cases import Case


def unmeant(case: Case, text: str) -> list[bool]:
    """For each change of the file, in order: whether the text is nearer to what is right without it."""
    before, after = _lines(case.request.original), _lines(text)
    right = (_lines(each) for each in (case.expected, *case.accepted))
    nearest = min(right, key=lambda lines: changed_lines(line_changes(after, lines)))
    far = changed_lines(line_changes(after, nearest))
    changes = stretches(before, after)
    return [changed_lines(line_changes(taken_back(before, after, [each]), nearest)) < far for each in changes]


def _lines(text: str) -> tuple[str, ...]:
    """Without what a reader does not see: a byte order mark, carriage returns."""
    return tuple(text.removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\n").split("\n"))
