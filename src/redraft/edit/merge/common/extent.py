"""In: quoted code in which dots stand for the rest, and the file. Out: the lines of the file that it stands for."""

import re
from collections.abc import Iterator

from redraft.edit.outline import Outline

_DOTS = re.compile(r"\.{3}|\u2026")
_SPACE = re.compile(r"\s+")
_SEPARATORS = ",;"
_SHORTEST = 4  # signs in front of the dots that tell which line it is
_LONGEST = 400  # lines of a statement that are looked at


def is_abbreviated(quote: str) -> bool:
    """Whether dots stand for some of quoted code; `...args` and `0...9` are code."""
    return re.search(r"(?<![\w.])(?:\.{3}|\u2026)(?![\w.])|\u2026", quote) is not None


def extents(quote: str, file: Outline) -> list[tuple[int, int]]:
    """The lines that begin and end as a quote with dots does, and between which every bracket has its partner."""
    first, *_, last = (_SPACE.sub("", piece) for piece in _DOTS.split(quote))
    if len(first) < _SHORTEST:
        return []
    last = last.rstrip(_SEPARATORS)
    return [found for at in _beginnings(first, file) if (found := _extent(at, last, file)) is not None]


def _beginnings(first: str, file: Outline) -> Iterator[int]:
    for at, line in enumerate(file.lines):
        begun = _SPACE.sub("", line)
        more = at + 1
        while begun and len(begun) < len(first) and first.startswith(begun) and more < len(file.lines):
            begun += _SPACE.sub("", file.lines[more])
            more += 1
        if begun.startswith(first):
            yield at


def _extent(at: int, last: str, file: Outline) -> tuple[int, int] | None:
    open_ = 0
    for end in range(at, min(len(file.lines), at + _LONGEST)):
        line = _SPACE.sub("", file.lines[end])
        open_ += sum(line.count(sign) for sign in "([{") - sum(line.count(sign) for sign in ")]}")
        if open_ < 0:
            return None
        if open_ == 0 and line.rstrip(_SEPARATORS).endswith(last):
            return at, end + 1
    return None
