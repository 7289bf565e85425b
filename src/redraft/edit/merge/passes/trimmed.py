"""In: the lines of a file, the blocks of an answer and its words. Out: the lines that end as shown or told, where the
words speak of spaces at the ends of lines."""

from collections.abc import Iterator, Sequence

from redraft.edit.answer.block import Block
from redraft.edit.text.lines import is_telling
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.sentences import CODE

_SHORTEST = 4  # characters that tell a line by its beginning

_Place = tuple[str, str, str]  # a line between its neighbours, none where it may be any


def trimmed(lines: tuple[str, ...], blocks: Sequence[Block], said: str) -> tuple[str, ...]:
    """The lines, without spaces at the ends of those that a block shows without, and of blank lines beside quoted ones,
    where the words speak of such spaces."""
    if not speaks_of("line ends", said) or not any(line != line.rstrip() for line in lines):
        return lines
    shown = (line for block in blocks for line in _bare(block))
    bare = {place for line in shown for place in _told_by(line)}
    quoted = [text.strip() for text in CODE.findall(said) if len(text.strip()) >= _SHORTEST]
    out = list(lines)
    for at, line in enumerate(_places(lines)):
        is_named = not line[1] and any(text.startswith(piece) for piece in quoted for text in (line[0], line[2]))
        if is_named or not bare.isdisjoint(_told_by(line)):
            out[at] = lines[at].rstrip()
    return tuple(out)


def _bare(block: Block) -> Iterator[_Place]:
    """The lines of a block without spaces at their ends."""
    texts = ["" if line.kind == "marker" else line.text for line in block.lines if line.kind != "removed"]
    yield from (line for text, line in zip(texts, _places(texts), strict=True) if text == text.rstrip())


def _places(lines: Sequence[str]) -> Iterator[_Place]:
    texts = [line.strip() for line in lines]
    return zip(["", *texts[:-1]], texts, [*texts[1:], ""], strict=True)


def _told_by(line: _Place) -> Iterator[_Place]:
    """What tells a line: itself, or that it is the blank one above or below another."""
    above, own, below = line
    if is_telling(own):
        yield ("", own, "")
    if not own and is_telling(above):
        yield (above, "", "")
    if not own and is_telling(below):
        yield ("", "", below)
