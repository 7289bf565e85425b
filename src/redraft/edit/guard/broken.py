"""In: a file before and after an edit, a line that cannot be read any more, and the answer. Out: why, in a sentence."""

from collections.abc import Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.outline import Outline
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling, width_of
from redraft.edit.text.standing import Standing, standing

_WHAT = "the file parses and would not with this change, at line {} of the new file, {}"
_BEGINNING = 5  # characters by which a line is told as the version of one of the file


def why_broken(before: Outline, after: Outline, fault: int, answer: Sequence[str], is_exact: bool) -> str:
    """`is_exact`: the answer said itself which lines are replaced."""
    gaps = line_changes(before.lines, after.lines)
    nearest = sorted((at for gap in gaps for at in gap.come), key=lambda at: abs(at - fault))
    if reason := _moved_left(before, after, gaps, answer):
        return reason
    come = next((at for at in nearest if standing(answer, after.lines[at])), None)
    if come is None or is_exact:
        what = _WHAT.format(fault + 1, quoted(after.lines[fault]))
        if come is None:
            return f"{what}: show all that it opens and closes, or the whole declaration around it"
        return f"{what}: check what {_line(answer, after, come)} opens and closes"
    inside = after.at(come)
    name = after.nodes[inside].name if inside is not None else ""
    what = f"could not tell which lines of {name or 'the file'} stay beside {_line(answer, after, come)}"
    return f"{what}, {quoted(after.lines[come])}, so that the file parses: give the change as SEARCH/REPLACE"


def _line(answer: Sequence[str], after: Outline, at: int) -> str:
    where = standing(answer, after.lines[at])
    return f"line {where.number} of the answer" if where else f"line {at + 1} of the new file"


def torn_string(where: Standing | None, text: str, number: int) -> str:
    """For a line, the `number`th of the new file, on which a string breaks off."""
    if where is not None and where.is_escaped:
        said = rf"in line {where.number} of the answer '\n' is a real line break in JSON"
        return rf"{said}, and breaks a string off, {quoted(text)}: write '\\n'"
    place = f"line {where.number} of the answer" if where else f"line {number} of the new file"
    return rf"{place} breaks off inside a string, {quoted(text)}: write the line break as \n"


def _moved_left(before: Outline, after: Outline, gaps: Sequence[LineChange], answer: Sequence[str]) -> str:
    """The first new line of a change that is a version of the old one, and less deep than it, while others are not."""
    for gap in gaps if after.language in ("python", "yaml") else ():
        old = next((at for at in gap.gone if is_telling(before.lines[at])), None)
        new = [at for at in gap.come if is_telling(after.lines[at])]
        if old is None or not new or width_of(after.lines[new[0]]):
            continue
        width, text = width_of(before.lines[old]), after.lines[new[0]].strip()
        if width and text[:_BEGINNING] == before.lines[old].strip()[:_BEGINNING]:
            lost = f"{_line(answer, after, new[0])}, {quoted(text)}, lost its indentation"
            return f"{lost}, {width} blanks in the file: indent it like line {old + 1} of the file"
    return ""
