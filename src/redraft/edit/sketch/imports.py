"""In: an import that the file does not have, and the file. Out: the patch that brings it in, among those like it."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.text.lines import is_comment

_WORD = re.compile(r"\w+")
_OF_GO = "import ("
_BRACKETS = str.maketrans("{}(,", "    ")
_QUOTES = ('"""', "'''")
_OPENS_FILE = re.compile(r"#!|<\?php$|package\b|[\"']use \w+[\"'];?$|#pragma once|module\b")


def imported(file: Outline, new: Sequence[str]) -> Patch | None:
    """A union with the file's imports; None where it has this one.

    Where those of the file are sorted it goes to its place, else behind the last.
    """
    text = _joined(new)
    nodes = (file.nodes[at] for at in file.top())
    own = [(_text(file, node), node) for node in nodes if node.kind == "import"]
    if not own or text in (old for old, _ in own):
        return None
    kin = [(old, node) for old, node in own if _begins(old) == _begins(text)] or own
    at = _place([old for old, _ in kin], text)
    line = kin[at - 1][1].end if at else kin[0][1].start
    return Patch(line, line, tuple(new))


def _place(texts: Sequence[str], text: str) -> int:
    """The place of a text among several where these are sorted, else behind the last."""
    is_sorted = len(texts) > 1 and [*texts] == sorted(texts)
    return bisect_left(texts, text) if is_sorted else len(texts)


def first_imports(file: Outline, new: Sequence[str]) -> Patch:
    """The first imports of a file: below its header, a blank line above what it declares; in Python two."""
    lines = file.lines
    at = next((at for at in range(_header(lines), len(lines)) if lines[at].strip()), len(lines))
    below = "".join(lines[at : at + 1])
    is_apart = file.language == "python" and below.startswith(("def ", "async def ", "class ", "@"))
    above = [""] if at and lines[at - 1].strip() else []
    return Patch(at, at, (*above, *new, *[""] * (bool(below) + is_apart)))


def _header(lines: Sequence[str]) -> int:
    """Where the lines end that stand above all code: comments apart from it, a docstring, the name of the package."""
    end = 0
    for at, text in enumerate(map(str.strip, lines)):
        if text.startswith(_QUOTES) and not end:
            closing = (n for n in range(at, len(lines)) if lines[n].count(text[:3]) > (n == at))
            if (last := next(closing, None)) is None:
                raise Doubt("a text of the file does not end")
            return last + 1
        if _OPENS_FILE.match(text) is not None:
            end = at + 1
        elif not text:
            end = at
        elif not is_comment(text):
            break
    return end


def is_import(outline: Outline, line: int) -> bool:
    """Whether a line is an import of its own."""
    return any(node.kind == "import" and node.head == line == node.end - 1 for node in outline.nodes)


def brings_more(old: str, new: str) -> bool:
    """Whether an import brings all that another one brings, from the same place, and more."""
    one, other = ({*_WORD.findall(text)} for text in (old, new))
    return (
        _is_list(new) and one < other and _begins(old.strip()) == _begins(new.strip()) and _module(old) == _module(new)
    )


def same_import(file: Outline, new: Sequence[str]) -> int | None:
    """The import of the file that an import is, or is more than: it has all words of it."""
    text = _joined(new)
    words = {*_WORD.findall(text)}
    own = [(at, _text(file, node)) for at, node in enumerate(file.nodes) if node.kind == "import"]
    alike = [(at, old) for at, old in own if _is_list(text) and _begins(old) == _begins(text)]
    ways = (
        [at for at, old in own if old == text],
        [at for at, old in own if _OF_GO == text[: len(_OF_GO)] == old[: len(_OF_GO)]],
        [at for at, old in alike if words.issuperset(_WORD.findall(old))],
    )
    found = next(filter(None, ways), [])
    return found[0] if len(found) == 1 else None


def _is_list(text: str) -> bool:
    """Whether an import may bring several names."""
    return "{" in text or text.startswith(("from ", _OF_GO))


def _text(file: Outline, node: Node) -> str:
    return _joined(file.lines[node.head : node.end])


def _joined(lines: Sequence[str]) -> str:
    return " ".join(map(str.strip, lines))


def _begins(text: str) -> str:
    """The first word, and of an include whether it is one of the project's own."""
    first, _, rest = text.partition(" ")
    return first + rest[:1] * (first == "#include")


def _module(text: str) -> str:
    """What is imported from: the string of it, or the word behind `from`, `import`, `use`."""
    words = text.translate(_BRACKETS).split()
    if "from" in words[:1]:
        return words[1] if len(words) > 1 else text
    quoted = [word for word in words if word.strip(";")[:1] in "\"'"]
    return quoted[-1].strip(";") if quoted and "from" in words else text
