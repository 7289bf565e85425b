"""In: lines that no grammar reads. Out: their declarations, as headers and indentation show them."""

import re
from collections.abc import Sequence
from itertools import pairwise

from redraft.edit.outline.nodes import Node, nested
from redraft.edit.text.lines import width_of, written

_COMMENT = re.compile(r"\s*(?:#|//|--|;|/?\*|%|<!--|@\w|\[\w)")
_CLOSE = re.compile(r"\s*(?:[}\])]|end\b|fi\b|done\b|esac\b|</)", re.IGNORECASE)
_OPEN_ALONE = re.compile(r"\s*(?:\{|begin|do|then)\s*$", re.IGNORECASE)
_KEYWORDS = {
    **dict.fromkeys(["def", "function", "func", "fun", "fn", "sub", "proc", "procedure", "method"], "function"),
    **dict.fromkeys(["class", "struct", "record", "object", "protocol", "actor"], "class"),
    **dict.fromkeys(["interface", "trait"], "interface"),
    **dict.fromkeys(["module", "namespace"], "namespace"),
    "package": "package",
    "enum": "enum",
    "impl": "impl",
    "type": "type",
    "#define": "macro",
}
_DECLARATION = re.compile(
    r"\s*(?:[\w@().<>,*&\[\]?]+\s+){0,5}?(" + "|".join(map(re.escape, _KEYWORDS)) + r")\*?\s+"
    r"(?:\([^)]*\)\s*)?([\w$.?!:]+)"
)
_METHOD = re.compile(r"\s*(?:[\w<>\[\],.*&?]+\s+){1,5}([\w$~]+)\s*\([^;]*\)?\s*(?:const|throws [\w., ]+)?\s*\{\s*$")
_BLOCK = re.compile(r"\s*([\w.$-]+(?:\s+[\w.$-]+)?)(?:[\s(]+[\"']([^\"']*)[\"'])?[^=;]*\{\s*$")
_CONTROL = {"if", "for", "while", "switch", "catch", "else", "elif", "try", "do", "return", "match", "with", "when"}
_CONTAINERS = {"class", "interface", "enum", "namespace", "impl"}
_LONG = 400


def plain(lines: Sequence[str]) -> tuple[Node, ...]:
    """Declarations by their headers, each up to the line that closes it at its own indentation."""
    found = [(at, *about) for at, line in enumerate(lines) if (about := _about(line)) is not None]
    spans = _ends(lines, [at for at, _, _ in found])
    return nested([_node(lines, about, end) for about, end in zip(found, spans, strict=True)])


def _about(line: str) -> tuple[str, str] | None:
    text = line[:_LONG]
    if not text.strip() or _COMMENT.match(text):
        return None
    if (match := _DECLARATION.match(text)) is not None:
        is_value = match[1] == "def" and text[match.end() :].lstrip()[:1] == "="
        return "variable" if is_value else _KEYWORDS[match[1]], match[2]
    if (match := _METHOD.match(text)) is not None and text.split()[0] not in _CONTROL and match[1] not in _CONTROL:
        return "function", match[1]
    if (match := _BLOCK.match(text)) is not None and match[1].split()[0] not in _CONTROL:
        return "call", " ".join(f"{match[1]} {match[2] or ''}".split())
    return None


def _ends(lines: Sequence[str], heads: Sequence[int]) -> list[int]:
    """For each header the line behind the last that belongs to it."""
    ends = {at: at + 1 for at in heads}
    around: list[int] = []
    for at, line in enumerate(lines):
        text = line.strip()
        if not text:
            continue
        _close(around, ends, lines, at)
        for head in around[-1:]:
            ends[head] = at + 1
        if at in ends and not (text.endswith("}") and "{" in text):
            around.append(at)
        for inner, outer in pairwise(reversed(around)):
            if ends[outer] >= ends[inner]:
                break
            ends[outer] = ends[inner]
    return [ends[at] for at in heads]


def _close(around: list[int], ends: dict[int, int], lines: Sequence[str], at: int) -> None:
    """Takes the headers away that end above a line, or with it."""
    line, width = lines[at], width_of(lines[at])
    while around and width <= width_of(lines[around[-1]]):
        is_level = width == width_of(lines[around[-1]])
        if is_level and _OPEN_ALONE.match(line) and not any(map(str.strip, lines[around[-1] + 1 : at])):
            return
        head = around.pop()
        if is_level and _CLOSE.match(line):
            if ends[head] < at or not line.lstrip().startswith(("end", "fi")):
                ends[head] = at + 1
            return


def _node(lines: Sequence[str], found: tuple[int, str, str], end: int) -> Node:
    head, kind, name = found
    start = head
    while start and _COMMENT.match(lines[start - 1]) and width_of(lines[start - 1]) == width_of(lines[head]):
        start -= 1
    body = None
    if end - head > 1:
        opens = head + 1 < end and _OPEN_ALONE.match(lines[head + 1])
        closes = _CLOSE.match(lines[end - 1]) is not None
        body = (head + 1 + bool(opens), max(end - closes, head + 1 + bool(opens)))
    signature = " ".join(lines[head].split()).rstrip("{: ")
    return Node(kind, name, signature, start, head, end, body, kind in _CONTAINERS, None, ())


_INNER = re.compile(
    r"\s*(?:[{}\])]|#|//|/?\*|[\w ]+:\s*$|"
    r"(?:else|elif|elsif|except|catch|finally|rescue|ensure|case|default|when)\b)"
)
_OFFSIDE = {"python", "starlark", "yaml", "nim", "gdscript", "haskell", "elm", "fsharp", "make", "scala"}


def is_whole(lines: Sequence[str], head: int, end: int, language: str) -> bool:
    """Whether indentation says, too, that a declaration ends where a tree with faults says it does."""
    solid = written(lines[head:end])
    if len(solid) < 2:
        return True
    width = width_of(solid[0])
    inside = all(width_of(line) > width or _INNER.match(line) for line in solid[1:-1])
    if not inside or min(map(width_of, solid)) < width:
        return False
    closes = _CLOSE.match(solid[-1]) is not None and width_of(solid[-1]) == width
    return closes or (language in _OFFSIDE and width_of(solid[-1]) > width)
