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
    before, depth, is_begun = "", 0, False
    for chunk in chunks:
        text = chunk.text
        for at, sign in enumerate(text):
            if sign == "\n" and is_begun and not depth and not behind.startswith(before + text[:at]):
                yield _cut(chunk, at)
                return
            is_begun = is_begun or sign != "\n"  # blank lines in front belong to it
            depth = max(0, depth + (sign in _OPEN) - (sign in _CLOSED))  # what it closes may be open before it
        yield chunk
        before += text


def _cut(chunk: Chunk, length: int) -> Chunk:
    """A chunk with so many characters of its text, as the last one."""
    runs, left = [], length
    for origin, text in chunk.runs:
        if text[:left]:
            runs.append((origin, text[:left]))
        left = max(0, left - len(text))
    return replace(chunk, runs=tuple(runs), finish="stop")
