"""In: the lines of a block and the file. Out: documentations of which the block shows the beginning, as in the file."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from redraft.edit.answer.block import Line
from redraft.edit.merge.common.indentation import reindented
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import is_comment

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


def with_documentations(lines: Sequence[Line], file: Outline) -> Iterator[Line]:
    """The lines; comments above the head of a declaration that only begin as those of the file go on as these do."""
    heads: dict[str, list[Node]] = {}
    for node in file.nodes:
        heads.setdefault(_named(file.lines[node.head], node.name), []).append(node)
    for at, line in enumerate(lines):
        nodes = heads.get(_begun(line.text, heads), ()) if line.kind == "code" else ()
        if len(nodes) == 1:
            yield from (Line(text, "code") for text in _rest(lines[:at], nodes[0], file, line.text))
        yield line


def _named(head: str, name: str) -> str:
    """The head of a declaration up to its name."""
    before, found, _ = head.strip().partition(name)
    return f"{before}{name}" if name and found else head.strip()


def _begun(text: str, heads: Collection[str]) -> str:
    """The words, of which a line begins with some, that some heads have up to their names."""
    ends = (match.end() for match in _WORD.finditer(text.strip()))
    return next((begun for end in ends if (begun := text.strip()[:end]) in heads), text.strip())


def _rest(above: Sequence[Line], node: Node, file: Outline, head: str) -> Sequence[str]:
    """What the file's comments have more than those shown, at the indentation of a head; nothing where they differ, or
    speak of what the head has lost."""
    there = file.lines[node.start : node.head]
    shown = [*takewhile(lambda line: line.kind == "code" and is_comment(line.text), reversed(above))][::-1]
    texts = [line.text.strip() for line in shown]
    is_begun = texts and texts == [line.strip() for line in there[: len(texts)]] and all(map(is_comment, there))
    rest = reindented((*there, file.lines[node.head]), there[:1], head)[len(texts) : -1]
    gone = {*_WORD.findall(file.lines[node.head])} - {*_WORD.findall(head)}
    return rest if is_begun and gone.isdisjoint(word for line in rest for word in _WORD.findall(line)) else ()


def is_documentation(gone: Sequence[str]) -> bool:
    """Whether lines are one whole comment or string that documents a declaration."""
    texts = [line.strip() for line in gone if line.strip()] or [""]
    is_string = _OPENED.match(texts[0]) is not None and texts[-1].endswith(texts[0].lstrip("rRuUbB")[:3])
    is_comment = texts[0].startswith("/**") and all(text.startswith("*") for text in texts[1:])
    return is_string or is_comment or all(text.startswith("///") for text in texts)
