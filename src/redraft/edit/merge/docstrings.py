"""In: the lines of a block and the file. Out: docstrings shown on one line as the file has them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.edit.answer.block import Line
from redraft.edit.merge.indentation import reindented
from redraft.edit.outline import Outline

_ON_ONE_LINE = re.compile(r"\s*[rRuU]?(\"\"\"|''')(.+?)\1\s*")
_OPENED = re.compile(r"\s*[rRuU]?(\"\"\"|''')")
_WORD = re.compile(r"\w+")
_LEAST = 2  # words that tell which docstring is meant


def with_docstrings(lines: Sequence[Line], file: Outline) -> Iterator[Line]:
    """The lines; a docstring that only gives the words with which one of the file begins is that one."""
    known = {line.strip() for line in file.lines}
    for at, line in enumerate(lines):
        short = _ON_ONE_LINE.fullmatch(line.text) if line.kind == "code" and line.text.strip() not in known else None
        meant = _meant(short[2], _above(lines, at), file) if short else ()
        yield from (replace(line, text=text) for text in reindented(meant, meant[:1], line.text) or (line.text,))


def _meant(said: str, above: str, file: Outline) -> tuple[str, ...]:
    """The lines of the one docstring that begins with words, or of the one below the same line."""
    words = _WORD.findall(said)
    found = [lines for top, lines in _docstrings(file) if _WORD.findall(" ".join(lines))[: len(words)] == words]
    beside = [lines for top, lines in _docstrings(file) if lines in found and top == above] or found
    return beside[0] if len(beside) == 1 and len(words) >= _LEAST else ()


def _docstrings(file: Outline) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The docstrings of several lines, each behind the line above it."""
    start = -1
    for at, line in enumerate(file.lines):
        count = line.count('"""') + line.count("'''")
        if start < 0 and count == 1 and _OPENED.match(line):
            start = at
        elif start >= 0 and count:
            yield file.lines[start - 1].strip() if start else "", file.lines[start : at + 1]
            start = -1


def _above(lines: Sequence[Line], at: int) -> str:
    return lines[at - 1].text.strip() if at else ""
