"""In: what a model writes at the cursor. Out: its first statement, where such an answer should end.

Models that fill a gap seldom end by themselves: they go on to the end of their tokens. A statement ends with the line
that closes all brackets which it has opened; brackets in strings count as others.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from redraft.engines import Chunk

_OPEN, _CLOSED = "([{", ")]}"


def first_statement(chunks: Iterable[Chunk], behind: str = "") -> Iterator[Chunk]:
    """The chunks up to its end; the last one keeps all of its ids, as they were written.

    Statements that only repeat `behind`, the text behind the cursor, do not count.
    """
    text = ""
    for chunk in chunks:
        written = text + chunk.text
        end = next((end for end in _ends(written) if not behind.startswith(written[:end])), None)
        if end is not None:
            yield _cut(chunk, end - len(text))
            return
        yield chunk
        text = written


def _ends(text: str) -> Iterator[int]:
    """Where statements end; blank lines in front of the first belong to it."""
    depth, begin = 0, len(text) - len(text.lstrip("\n"))
    for at in range(begin, len(text)):
        if text[at] == "\n" and not depth:
            yield at
        depth = max(0, depth + (text[at] in _OPEN) - (text[at] in _CLOSED))  # what it closes may be open before it


def _cut(chunk: Chunk, length: int) -> Chunk:
    """A chunk with so many characters of its text, as the last one."""
    runs, left = [], length
    for origin, text in chunk.runs:
        if text[:left]:
            runs.append((origin, text[:left]))
        left = max(0, left - len(text))
    return replace(chunk, runs=tuple(runs), finish="stop")
