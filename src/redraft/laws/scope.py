"""In: a change. Out: the first new line that the answer shows in what a line opens, and that comes to lie outside."""

from collections.abc import Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.answer.block import Line
from redraft.edit.text.lines import is_comment, is_telling, width_of
from redraft.laws.change import Broken, Change, Place, has_marker

_DATA = ("yaml", "json", "toml", "hcl", "css", "scss", "less")


def outside_of_its_head(change: Change) -> Broken | None:
    """None where each new line lies in what the answer shows it in, by their indentation."""
    for at in change.arrived:
        place = change.shown.get(at)
        head = None if place is None else _head(change, place)
        if head is None or head >= at:
            continue
        width = width_of(change.after[head])
        end = next((n for n in range(head + 1, at) if _is_beside(change.after[n], width)), None)
        if end is not None and width_of(change.after[at]) > width_of(change.after[end]):
            shown = f"{quoted(change.after[at])} in {quoted(change.after[head])}, line {head + 1} of the new file"
            below = f"below line {end + 1}, {quoted(change.after[end])}"
            return Broken("scope", f"the answer shows {shown}, and it would come {below}: show the line above it")
    return None


def _is_beside(line: str, width: int) -> bool:
    """Whether a line ends what a line so wide opens: it is no comment, no label and no directive."""
    is_label = line.lstrip().startswith(("#", ")", "]", "}")) or is_comment(line)
    return is_telling(line) and width_of(line) <= width and not is_label


def _head(change: Change, place: Place) -> int | None:
    """Where the line stands that opens what the answer shows a line in; None where there is none.

    In code a marker may stand for the end of a function and the beginning of the next one; in data it does not.
    """
    lines = change.answer.blocks[place.block].lines
    width = width_of(lines[place.line].text)
    above = range(place.line - 1, -1, -1)
    at = next((n for n in above if lines[n].text.strip() and width_of(lines[n].text) < width), None)
    if at is None or not _opens(lines[at], lines[at + 1 :]):
        return None
    if change.new.language not in _DATA and has_marker(lines[at : place.line]):
        return None
    return change.standing.get(Place(place.block, at))


def _opens(line: Line, below: Sequence[Line]) -> bool:
    """Whether a line is followed by a deeper one."""
    first = next((each for each in below if each.text.strip()), line)
    is_code = line.kind == "code" and is_telling(line.text) and not is_comment(line.text)
    return is_code and width_of(first.text) > width_of(line.text)
