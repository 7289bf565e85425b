"""In: a block, and the words before it. Out: the lines that these tell by number and that it certainly replaces."""

from collections.abc import Sequence

from redraft.edit.answer.block import Block
from redraft.edit.outline import Outline
from redraft.edit.text.lines import words_in
from redraft.edit.words.hints import last_lines
from redraft.edit.words.numbers import line_numbers


def suggested(block: Block, file: Outline, before: Sequence[str]) -> tuple[int, int] | None:
    """The lines that a suggestion of a review takes the place of, or a block that has all their words and more, as the
    file has them now; they are counted `before`."""
    told = line_numbers(last_lines(block.prose))
    if len(told) != 1 or block.has_markers or told[0][1] > len(before):
        return None
    start, end = told[0][0] - 1, told[0][1]
    had, has = ({*words_in("\n".join(lines))} for lines in (before[start:end], [line.text for line in block.lines]))
    if block.info != "suggestion" and not (had and had < has and len(block.lines) == end - start):
        return None
    if before[:end] == file.lines[:end]:
        return start, end
    by = len(file.lines) - len(before)
    return (start + by, end + by) if before[start:] == file.lines[start + by :] and start + by >= 0 else None
