"""In: a change. Out: law 4: the first marker of the answer that would stand for no line of the file."""

from collections.abc import Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.words import deletion, tells_removal
from redraft.laws.change import Broken, Change, Place


def empty_marker(change: Change) -> Broken | None:
    """None where each marker between two lines that the answer shows has a line of the file between them."""
    for number, block in enumerate(change.answer.blocks):
        if block.explicit:
            continue
        for at, line in enumerate(block.lines):
            if line.kind != "marker" or deletion(line.text, change.known) or tells_removal(line.text, change.known):
                continue
            above = _standing(change, number, range(at - 1, -1, -1))
            below = _standing(change, number, range(at + 1, len(block.lines)))
            if above is None or below is None or below <= above:
                continue
            if not any(text.strip() for text in change.after[above + 1 : below]):
                where = quoted(change.after[above])
                return Broken(
                    "marker",
                    f"{quoted(line.text)} would stand for nothing below line {above + 1}, {where}: show which lines stay"
                    " there",
                )
    return None


def _standing(change: Change, block: int, lines: Sequence[int]) -> int | None:
    """Where the next written line of a block stands in the text; None where it stands nowhere."""
    for at in lines:
        line = change.answer.blocks[block].lines[at]
        if line.kind == "marker":
            return None
        if line.text.strip() and line.kind == "code":
            return change.standing.get(Place(block, at))
    return None
