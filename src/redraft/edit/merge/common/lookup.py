"""In: a name, a line or a part of a line that words quote, and a file's outline. Out: where the file has it."""

import re
from collections.abc import Collection, Sequence
from itertools import islice

from msgspec import Struct

from redraft.edit.align.likeness import indent
from redraft.edit.outline import Outline
from redraft.edit.text.lines import lead_of
from redraft.edit.words.known import is_import, is_word, whole_piece
from redraft.edit.words.phrases import names_all_of

_OPENS = re.compile(
    r"(?:[{(\[:]|=>|->|\b(?:do|then|begin)|\|)\s*$|^\s*(?:if|unless|while|until|for|case|switch|when)\b"
)
_CLOSES = re.compile(r"\s*(?:[)}\]]+[;,]?|(?:end|fi|done|esac)[;)]?)\s*")
_BRANCH = re.compile(r"\s*(?:[)}\]]\s*)?(?:else|elif|elsif|elseif|catch|except|rescue|finally|ensure)\b")
_STEP = re.compile(r"::|#|->")
_MOST = 40  # places of one thing that are looked at


class Found(Struct, frozen=True):
    """Lines `start:end` of the file: a declaration, `node`, or a line."""

    start: int
    end: int
    node: int | None = None


def stands(name: str, file: Outline, span: range | None = None, in_parts: bool = True) -> list[Found]:
    """Where a thing stands: as a declaration, else as a line, else as a part of lines; in a span, else in the file."""
    every = range(len(file.lines))
    found = _stands(name, file, every if span is None else span, in_parts)
    return found if found or span in (None, every) else _stands(name, file, every, in_parts)


def _stands(name: str, file: Outline, span: range, in_parts: bool) -> list[Found]:
    if nodes := [at for at in nodes_of(name, file) if file.nodes[at].head in span]:
        return [Found(file.nodes[at].start, file.nodes[at].end, at) for at in nodes]
    found = list(islice((at for at in span if file.lines[at].strip() == name), _MOST))
    if not found and name and in_parts:
        piece = whole_piece(name)
        found = list(islice((at for at in span if name in file.lines[at] and piece.search(file.lines[at])), _MOST))
        begun = [at for at in found if file.lines[at].lstrip().startswith(name)]
        found = begun if len(begun) == 1 and not is_word(name) else found
        heads = {file.nodes[at].head: at for at in reversed(range(len(file.nodes)))}
        return [_headed(heads[at], file) if at in heads else Found(at, at + 1) for at in found]
    return [Found(at, at + 1) for at in found]


def unused_local(name: str, file: Outline, gone: Collection[int]) -> list[Found]:
    """The line that declares a local, or imports one name alone, where no other one has it, but for those that go."""
    if not name.isidentifier():
        return []
    word = whole_piece(name)
    found = [at for at, line in enumerate(file.lines) if name in line and at not in gone and word.search(line)]
    declares = re.compile(rf"\s*(?:[\w<>\[\]*&.:]+\s+){{0,3}}?[*&]?{name}(?:\s*,\s*\w+)*\s*(?::?=(?!=)|;|:\s)")
    if len(found) != 1:
        return []
    line = file.lines[found[0]]
    is_needless = is_import(line) and re.fullmatch(rf"\s*\w[^,{{}}()]*(?<!\w){name}\s*;?\s*", line)
    return [Found(found[0], found[0] + 1)] if is_needless or declares.match(line) else []


def statement_end(start: int, file: Outline, with_branches: bool = False) -> int:
    """The line behind a statement: behind what its line opens, unless it goes on at its level with another branch, or
    with all of its branches."""
    lines = file.lines
    width, end = indent(lines[start]) or 0, start + 1
    while end < len(lines) and (not lines[end].strip() or (indent(lines[end]) or 0) > width):
        end += 1
    goes_on = end < len(lines) and indent(lines[end]) == width and _BRANCH.match(lines[end])
    opens = _OPENS.search(lines[start]) or (with_branches and _BRANCH.match(lines[start]))
    if goes_on and opens and with_branches and end > start + 1:
        return statement_end(end, file, with_branches)
    if end == start + 1 or goes_on or not opens:
        return start + 1
    if end < len(lines) and _CLOSES.fullmatch(lines[end]) and indent(lines[end]) == width:
        return end + 1
    while not lines[end - 1].strip():
        end -= 1
    return end


def behind_all(at: int, new: str, lead: str | None, said: str, file: Outline) -> int:
    """The line behind the one above, or behind all that this opens, where what comes begins as it does, or the words
    are about all of it."""
    above = file.lines[at - 1] if at else ""
    is_intended = names_all_of(said, above) and lead_of(new) <= lead_of(above)
    is_like = new.split()[:1] == above.split()[:1]
    is_behind = lead_of(above) == lead and (is_like or is_intended)
    return statement_end(at - 1, file, is_intended) if is_behind and at else at


def item_of(at: int, new: str, file: Outline) -> range | None:
    """The lines of the item of a list that holds a line, the innermost or the one that stands as deep as a new item."""
    widths = [indent(line) for line in file.lines]
    heads, width = list[int](), (widths[at] or 0) + 1
    for number in range(at, -1, -1):
        if (own := widths[number]) is not None and own < width:
            width = own
            heads += [number] * file.lines[number].lstrip().startswith("- ")
    head = next((number for number in heads if widths[number] == indent(new)), next(iter(heads), None))
    if head is None:
        return None
    below = range(head + 1, len(file.lines))
    end = next((n for n in below if (own := widths[n]) is not None and own <= (widths[head] or 0)), len(file.lines))
    while not file.lines[end - 1].strip():
        end -= 1
    return range(head, end)


def nodes_of(name: str, file: Outline) -> list[int]:
    """The declarations that a name means, `Class.method` in its class; the nearest owner that is right will do."""
    owner, _, last = _STEP.sub(".", name).rpartition(".")
    found = [at for at, node in enumerate(file.nodes) if node.name in (last, name) and node.name]
    for near in reversed(owner.split(".") if owner else ()):
        inside = [at for at in found if any(each.endswith(near) for each in _owners(at, file))]
        found = inside or found
        if len(found) == 1:
            break
    return found


def single(found: Sequence[Found]) -> Found | None:
    """The one thing that is found; of a class and its constructors the class."""
    outer = max(found, key=lambda each: each.end - each.start, default=None)
    if outer is None or len(found) == 1:
        return outer
    is_one = outer.node is not None and all(outer.start <= each.start and each.end <= outer.end for each in found)
    return outer if is_one else None


def _headed(node: int, file: Outline) -> Found:
    """The declaration whose head has a part that is quoted."""
    return Found(file.nodes[node].start, file.nodes[node].end, node)


def _owners(at: int, file: Outline) -> list[str]:
    """The names of what a declaration is in, the innermost first."""
    names, parent = [], file.nodes[at].parent
    while parent is not None:
        names.append(file.nodes[parent].name)
        parent = file.nodes[parent].parent
    return names
