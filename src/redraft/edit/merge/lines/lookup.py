"""In: a name, a line, a part of one or a comment that words quote, and a file's outline. Out: where the file has it."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from redraft.edit.align.likeness import indent
from redraft.edit.merge.lines.written import depth, last_above
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_comment
from redraft.edit.words import Place
from redraft.edit.words.known import is_word, whole_piece

_OPENS = re.compile(
    r"(?:[{(\[:]|=>|->|\b(?:do|then|begin)|\|)\s*$|^\s*(?:if|unless|while|until|for|case|switch|when)\b"
)
_CLOSES = re.compile(r"\s*(?:[)}\]]+[;,]?|(?:end|fi|done|esac)[;)]?)\s*")
_BRANCH = re.compile(r"\s*(?:[)}\]]\s*)?(?:else|elif|elsif|elseif|catch|except|rescue|finally|ensure)\b")
_STEP = re.compile(r"::|#|->")
_ENDS = {"/*": "*/", "<!--": "-->"}  # how comments of several lines begin and end
_MOST = 40  # places of one thing that are looked at


class Found(Struct, frozen=True):
    """Lines `start:end` of the file: a declaration, `node`, or a line."""

    start: int
    end: int
    node: int | None = None

    def head(self, file: Outline) -> int:
        """The line itself, or the one on which the declaration begins behind its comments."""
        return self.start if self.node is None else file.nodes[self.node].head

    @staticmethod
    def whole(node: int, file: Outline) -> "Found":
        """A declaration with its comments."""
        return Found(file.nodes[node].start, file.nodes[node].end, node)

    @staticmethod
    def headed(line: int, file: Outline) -> "Found":
        """The declaration of which a line is the head, else the line."""
        node = next((at for at, node in enumerate(file.nodes) if node.head == line), None)
        return Found(line, line + 1) if node is None else Found.whole(node, file)


def stands(name: str, file: Outline, span: range | None = None, in_parts: bool = True) -> list[Found]:
    """Where a thing stands: as a declaration, else as a line, else as a part of lines; in a span, else in the file."""
    every = range(len(file.lines))
    found = _stands(name, file, every if span is None else span, in_parts)
    return found if found or span in (None, every) else _stands(name, file, every, in_parts)


def _stands(name: str, file: Outline, span: range, in_parts: bool) -> list[Found]:
    if nodes := [at for at in nodes_of(name, file) if file.nodes[at].head in span]:
        return [Found.whole(at, file) for at in nodes]
    found = [Found(at, at + 1) for at in span if file.lines[at].strip() == name][:_MOST]
    if found or not name or not in_parts:
        return found
    return [Found.headed(at, file) for at in _with_part(name, file, span)]


def _with_part(name: str, file: Outline, span: range) -> list[int]:
    """The lines that have a piece of code, or the one of them that begins with it."""
    piece = whole_piece(name)
    found = [at for at in span if name in file.lines[at] and piece.search(file.lines[at])][:_MOST]
    begun = [at for at in found if file.lines[at].lstrip().startswith(name)]
    return begun if len(begun) == 1 and not is_word(name) else found


def statement_end(start: int, file: Outline) -> int:
    """The line behind a statement: behind what its line opens, unless it goes on at its level with another branch."""
    lines, end = file.lines, _inside_end(start, file)
    below = "".join(lines[end : end + 1])
    below = below if depth(below) == depth(lines[start]) else ""
    if end == start + 1 or not _OPENS.search(lines[start]) or _BRANCH.match(below):
        return start + 1
    return end + 1 if _CLOSES.fullmatch(below) else last_above(lines, end) + 1


def _inside_end(start: int, file: Outline) -> int:
    """The line behind all that stands deeper below a line, and blank lines."""
    width, below = depth(file.lines[start]), range(start + 1, len(file.lines))
    return next((at for at in below if file.lines[at].strip() and depth(file.lines[at]) <= width), len(file.lines))


def item_of(at: int, new: str, file: Outline) -> range | None:
    """The lines of the item of a list that holds a line, the innermost or the one that stands as deep as a new item."""
    heads, width = list[int](), depth(file.lines[at]) + 1
    for number in range(at, -1, -1):
        line = file.lines[number]
        if line.strip() and depth(line) < width:
            width = depth(line)
            heads += [number] * line.lstrip().startswith("- ")
    head = next((number for number in heads if indent(file.lines[number]) == indent(new)), next(iter(heads), None))
    return None if head is None else range(head, last_above(file.lines, _inside_end(head, file)) + 1)


def nodes_of(name: str, file: Outline) -> list[int]:
    """The declarations that a name means; `Class.method` all methods that are called so."""
    names = {_STEP.sub(".", name).rpartition(".")[2], name} - {""}
    return [at for at, node in enumerate(file.nodes) if node.name in names]


def single(found: Sequence[Found]) -> Found | None:
    """The one thing that is found; of a class and its constructors the class."""
    outer = max(found, key=lambda each: each.end - each.start, default=None)
    if outer is None or len(found) == 1:
        return outer
    is_one = outer.node is not None and all(outer.start <= each.start and each.end <= outer.end for each in found)
    return outer if is_one else None


def comment_of(place: Place, file: Outline) -> Found | None:
    """The one comment in which a text stands, or that of the one declaration; None where there are several or none."""
    runs = list(_comments(file))
    if place.relation == "comment":
        piece = whole_piece(place.names[0])
        return single([run for run in runs if any(map(piece.search, file.lines[run.start : run.end]))])
    nodes = [file.nodes[at] for at in nodes_of(place.names[0], file)]
    return single([run for node in nodes for run in runs if node.start <= run.start and run.end <= node.head])


def _comments(file: Outline) -> Iterator[Found]:
    """Comments of whole lines, those below each other as one."""
    start, closing = None, ""
    for at, line in enumerate((*file.lines, "")):
        text = line.strip()
        if start is not None and not (closing or is_comment(text)):
            yield Found(start, at)
            start = None
        if not closing and is_comment(text):
            start = at if start is None else start
            closing = next((end for sign, end in _ENDS.items() if text.startswith(sign)), "")
        if closing and closing in text:
            closing = ""
