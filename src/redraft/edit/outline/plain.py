"""In: lines that no grammar reads. Out: their declarations, as headers and indentation show them."""

import re
from collections.abc import Sequence

from redraft.edit.outline.nodes import Node, nested
from redraft.edit.text.lines import width_of

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
    starts = set(heads)
    open_heads: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        text = line.strip()
        if not text:
            continue
        width = width_of(line)
        while open_heads and width <= open_heads[-1][1]:
            head, own = open_heads[-1]
            if width == own and _OPEN_ALONE.match(line) and not any(map(str.strip, lines[head + 1 : at])):
                break
            open_heads.pop()
            closes = width == own and _CLOSE.match(line)
            if closes and (ends[head] < at or not text.startswith(("end", "fi"))):
                ends[head] = at + 1
            if closes:
                break
        for head, _ in open_heads[-1:]:
            ends[head] = at + 1
        if at in starts and not (text.endswith("}") and "{" in text):
            open_heads.append((at, width))
        for inner, outer in zip(reversed(open_heads), reversed(open_heads[:-1]), strict=False):
            if ends[outer[0]] >= ends[inner[0]]:
                break
            ends[outer[0]] = ends[inner[0]]
    return [ends[at] for at in heads]


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
    written = [line for line in lines[head:end] if line.strip()]
    if len(written) < 2:
        return True
    width = width_of(written[0])
    inside = all(width_of(line) > width or _INNER.match(line) for line in written[1:-1])
    if not inside or min(map(width_of, written)) < width:
        return False
    closes = _CLOSE.match(written[-1]) is not None and width_of(written[-1]) == width
    return closes or (language in _OFFSIDE and width_of(written[-1]) > width)
