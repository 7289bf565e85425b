"""In: the words around a block, and a file with the block in it. Out: the file without what the words cut off.

Who shows how the file begins or ends, or says that everything below goes, means that nothing else stands there.
"""

import re
from collections.abc import Collection, Sequence
from itertools import takewhile

from msgspec import Struct

from redraft.edit.answer.block import Block, Line
from redraft.edit.text.lines import words_in
from redraft.edit.words.hints import last_line, speaks_of

_RUN = 3  # written lines at an end of a block that tell its place
_SENTENCE = re.compile(r"(?<=[.!?:])\s|\n")


class Ends(Struct, frozen=True):
    """The written lines with which a file begins, and ends, stripped; empty where nothing is said of that."""

    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()

    def cut(self, lines: tuple[str, ...], gone: Collection[str]) -> tuple[str, ...]:
        """The lines without those above the first and below the last; as they are where these have words, and none is
        one of `gone`."""
        start = _place(lines, self.first) if self.first else None
        behind = _place(lines[::-1], self.last[::-1]) if self.last else None
        if start and any(map(str.strip, lines[:start])) and not _names(lines[:start], gone):
            start = None
        end = None if behind is None else len(lines) - behind
        if end is not None and not _names(lines[end:], gone):
            end = None
        blanks = lines[len(lines) - next((n for n, line in enumerate(lines[::-1]) if line.strip()), 0) :]
        return lines[start or 0 :] if end is None else (*lines[start or 0 : end], *blanks)


NO_ENDS = Ends()


def ends_of(block: Block, then: str) -> Ends:
    """What the words before a block, and those right behind it, `then`, say of the file's ends."""
    label = last_line(block.prose).rstrip(" *:.\u2026\uff1a")
    begins = bool(label) and speaks_of("begins", label)
    ends = bool(label) and speaks_of("ends", label)
    sentence = next((text for text in _SENTENCE.split(then) if text.strip()), "")
    ends = ends or speaks_of("all below", sentence) or speaks_of("ended", sentence)
    return Ends(_run(block.lines) if begins else (), _run(block.lines[::-1])[::-1] if ends else ())


def _run(lines: Sequence[Line]) -> tuple[str, ...]:
    written = [line for line in lines if line.text.strip()]
    return tuple(line.text.strip() for line in takewhile(lambda line: line.kind == "code", written))[:_RUN]


def _place(lines: Sequence[str], run: Sequence[str]) -> int | None:
    """The one line with which a run of written lines begins."""
    written = [at for at, line in enumerate(lines) if line.strip()]
    texts = [lines[at].strip() for at in written]
    found = [written[n] for n in range(len(texts)) if texts[n : n + len(run)] == [*run]]
    return found[0] if len(found) == 1 else None


def _names(lines: Sequence[str], gone: Collection[str]) -> bool:
    return any(word in gone for line in lines for word in words_in(line))
