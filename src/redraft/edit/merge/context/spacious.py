"""In: the blocks of an answer and a file's lines. Out: whether the blocks keep the file's blank lines."""

from collections.abc import Sequence
from itertools import pairwise

from redraft.edit.answer.block import Block, Line

_LEAST = 2  # blank lines kept between the same two lines that tell that others are meant, too


def keeps_blanks(blocks: Sequence[Block], file: Sequence[str]) -> bool:
    """Whether blocks have the file's blank lines wherever they show lines that follow each other there."""
    if file and not file[-1].strip():  # what nobody shows
        return False
    gaps = {(over, under): gap for over, under, gap in _gaps([line.strip() for line in file])}
    shown = [each for block in blocks for each in _gaps([_text(line) for line in block.lines])]
    found = [(gaps[over, under], gap) for over, under, gap in shown if (over, under) in gaps]
    return all(had == has for had, has in found) and sum(had > 0 for had, _ in found) >= _LEAST


def _text(line: Line) -> str:
    return "" if line.kind == "marker" and not line.text.strip() else line.text.strip()


def _gaps(lines: Sequence[str]) -> list[tuple[str, str, int]]:
    """Neighbouring written lines, and how many blank lines are between them."""
    written = [at for at, line in enumerate(lines) if line]
    return [(lines[over], lines[under], under - over - 1) for over, under in pairwise(written)]
