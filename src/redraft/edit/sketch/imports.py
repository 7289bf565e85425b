"""In: an import that the file does not have, and the file. Out: the patch that brings it in, among those like it."""

import re
from collections.abc import Sequence

from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.text.lines import is_comment

_WORD = re.compile(r"\w+")
_QUOTES = ('"""', "'''")
_OPENS_FILE = re.compile(r"#!|<\?php$|package\b|[\"']use \w+[\"'];?$|#pragma once|module\b")


def imported(file: Outline, new: Sequence[str], adds: bool) -> Patch | None:
    """A union with the file's imports; None where it has this one. Raises Doubt for what may be a new version of one.

    Where those of the file are sorted it goes to its place, else behind the last.
    """
    text = " ".join(line.strip() for line in new)
    own = [node for node in file.nodes if node.kind == "import" and node.parent is None]
    if any(_text(file, node) == text for node in own):
        return None
    same = [node for node in own if node.name and _module(_text(file, node)) == _module(text)]
    if same and not adds:
        if len(same) > 1 or not _names(_text(file, same[0])) <= _names(text):
            raise Doubt(f"{text!r} may come beside line {same[0].head + 1} of the file, or in its place")
        return Patch(same[0].head, same[0].end, tuple(new))
    kin = [node for node in own if _begins(_text(file, node)) == _begins(text)] or own
    if not kin:
        return None
    texts = [_text(file, node) for node in kin]
    if texts == sorted(texts) and len(texts) > 1:
        behind = [node for node, other in zip(kin, texts, strict=True) if other < text]
        if not behind:
            return Patch(kin[0].start, kin[0].start, tuple(new))
        return Patch(behind[-1].end, behind[-1].end, tuple(new))
    return Patch(kin[-1].end, kin[-1].end, tuple(new))


def first_imports(file: Outline, new: Sequence[str]) -> Patch:
    """The first imports of a file: below its header, a blank line above what it declares; in Python two."""
    lines = file.lines
    at = _header(lines)
    below = next((line for line in lines[at:] if line.strip()), "")
    is_apart = file.language == "python" and below.startswith(("def ", "async def ", "class ", "@"))
    while at < len(lines) and not lines[at].strip():
        at += 1
    above = [""] if at and lines[at - 1].strip() else []
    return Patch(at, at, (*above, *new, *[""] * (bool(below) + is_apart)))


def _header(lines: Sequence[str]) -> int:
    """Where the lines end that stand above all code: comments apart from it, a docstring, the name of the package."""
    end = 0
    for at, text in enumerate(map(str.strip, lines)):
        if text.startswith(_QUOTES) and not end:
            closing = (n for n in range(at, len(lines)) if lines[n].count(text[:3]) > (n == at))
            if (last := next(closing, None)) is None:
                raise Doubt(f"the text that begins in line {at + 1} of the file does not end")
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
    text = " ".join(line.strip() for line in new)
    own = [(at, _text(file, node)) for at, node in enumerate(file.nodes) if node.kind == "import"]
    words = {*_WORD.findall(text)}
    for found in (
        [at for at, other in own if other == text],
        [at for at, other in own if text.startswith("import (") and other.startswith("import (")],
        [
            at
            for at, other in own
            if _is_list(text) and _begins(other) == _begins(text) and {*_WORD.findall(other)} <= words
        ],
    ):
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _is_list(text: str) -> bool:
    """Whether an import may bring several names."""
    return "{" in text or text.startswith(("from ", "import ("))


def _text(file: Outline, node: Node) -> str:
    return " ".join(line.strip() for line in file.lines[node.head : node.end])


def _begins(text: str) -> str:
    """The first word, and of an include whether it is one of the project's own."""
    first, _, rest = text.partition(" ")
    return first + rest[:1] * (first == "#include")


def _module(text: str) -> str:
    """What is imported from: the string of it, or the word behind `from`, `import`, `use`."""
    words = text.replace("{", " ").replace("}", " ").replace("(", " ").replace(",", " ").split()
    if "from" in words[:1]:
        return words[1] if len(words) > 1 else text
    quoted = [word for word in words if word.strip(";")[:1] in "\"'"]
    return quoted[-1].strip(";") if quoted and "from" in words else text


def _names(text: str) -> set[str]:
    return {word.strip(",;{}()") for word in text.replace("{", " ").replace("}", " ").split()} - {"", "import", "from"}
