"""In: a block of an answer that ends inside of what it opens, and the file. Out: the block with what closes it.

What the file has between the last line that is shown and the closing line stays: a marker stands for it.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from redraft.edit.align.likeness import form, indent, without_comment
from redraft.edit.answer.block import Block, Line
from redraft.edit.outline import Outline
from redraft.edit.words.hints import speaks_of

_CLOSING = {"{": "}", "(": ")", "[": "]"}
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")
WORDS = ("ruby", "elixir", "lua", "crystal", "julia")  # languages whose constructs end in a word
_END = re.compile(r"\s*end\b")


def closed(block: Block, file: Outline) -> Block:
    """The block with what closes the constructs of the file that it begins, and a marker before that."""
    written = [line for line in block.lines if line.kind == "code" and line.text.strip()]
    if block.explicit or not written or _is_open_ended(block):
        return block
    texts = [line.text for line in written]
    if (lead := _begun(texts, file)) is not None and not speaks_of("removal", block.prose):
        return replace(block, lines=(*block.lines, Line(lead + "...", "marker")))
    opened = _by_words(texts, file) if file.language in WORDS else _by_brackets(texts)
    if not opened or not indent(opened[-1]) == indent(texts[0]) == min(indent(text) or 0 for text in texts):
        return block  # it begins inside of something, too
    found = [line for text in opened if (line := _closing(text, file)) is not None]
    if len(found) < len(opened):
        return block
    marker = Line(texts[-1][: indent(texts[-1])] + "...", "marker")
    return replace(block, lines=(*block.lines, marker, *(Line(text, "code") for text in found)))


def _begun(texts: Sequence[str], file: Outline) -> str | None:
    """The indentation in what the last lines, below others, show the beginning of as the file has it, where no line
    closes it."""
    bare = [text.strip() for text in texts]
    for node in file.nodes:
        own = [line for line in file.lines[node.head : node.end] if line.strip()]
        starts = [at for at, text in enumerate(bare) if at and text == own[0].strip()] if node.body else []
        shown = bare[starts[-1] :] if starts else []
        is_cut = 1 < len(shown) < len(own) and shown == [line.strip() for line in own[: len(shown)]]
        if is_cut and (indent(own[-1]) or 0) > (indent(own[0]) or 0):
            below = texts[starts[-1] + 1]
            return below[: indent(below)]
    return None


def _is_open_ended(block: Block) -> bool:
    """Whether a block ends in a marker that is not inside of what its last line opens."""
    *above, last = (line for line in block.lines if line.text.strip() or line.kind == "marker")
    if last.kind != "marker":
        return False
    return not above or (indent(last.text) or 0) <= (indent(above[-1].text) or 0)


def _by_brackets(texts: Sequence[str]) -> list[str]:
    """The lines whose braces are not closed below, the innermost first; none where another bracket is not, either."""
    stack: list[tuple[str, str]] = []
    for text in texts:
        for sign in _STRING.sub("", without_comment(text)):
            if sign in _CLOSING:
                stack.append((sign, text))
            elif stack and sign == _CLOSING[stack[-1][0]]:
                stack.pop()
    if any(sign != "{" and "{" not in text for sign, text in stack):
        return []
    return list(dict.fromkeys(text for _, text in reversed(stack)))


def _by_words(texts: Sequence[str], file: Outline) -> list[str]:
    """The lines below which deeper lines end the block without an `end`, the innermost first."""
    if _END.match(texts[-1]):
        return []
    begins = any(file.lines[node.head].strip() == texts[-1].strip() and node.body is not None for node in file.nodes)
    return [texts[-1]] * begins + list(_above(texts))


def _above(texts: Sequence[str]) -> Iterator[str]:
    """The lines in which the last of lines lies, the innermost first."""
    width = indent(texts[-1]) or 0
    for text in reversed(texts):
        if (own := indent(text) or 0) < width:
            width = own
            yield text


def _closing(text: str, file: Outline) -> str | None:
    """The line that closes what a line of the file opens, indented as the block is; None where none is known."""
    found = {
        file.lines[end].strip()
        for at, line in enumerate(file.lines)
        if form(line) == form(text) and (end := _end(at, file)) is not None
    }
    return text[: indent(text)] + found.pop() if len(found) == 1 else None


def _end(at: int, file: Outline) -> int | None:
    width = indent(file.lines[at]) or 0
    below = (n for n in range(at + 1, len(file.lines)) if (own := indent(file.lines[n])) is not None and own <= width)
    end = next(below, None)
    return end if end is not None and re.match(r"\s*(?:[}\])]|end\b)", file.lines[end]) else None
