"""In: the sentences of an answer and a file. Out: the places in the file that they name."""

import re
from collections.abc import Iterator

from redraft.edit.outline.nodes import Outline
from redraft.edit.region.chain import Lines
from redraft.edit.region.spots import Spot

_QUOTED = re.compile(r"`([^`\n]{2,160})`|\"([^\"\n]{3,80})\"")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*")
_NUMBER = re.compile(r"\blines? (\d{1,5})(?:\s*(?:-|to|and|through|\u2013)\s*(\d{1,5}))?", re.IGNORECASE)
_GONE = re.compile(r"\b(?:remov|delet|drop|gone|goes|get rid|no longer|obsolete|unused|cut|eliminat)", re.IGNORECASE)
_LONG = 70  # lines of a declaration that may go
_MOST = 4  # places of one name; more say nothing
_SHORTEST = 8  # characters of a piece that is looked for within lines
_SMALL = 14  # lines of a declaration that is shown whole


def mentioned(prose: str, file: Lines, known: Outline, weight: float) -> Iterator[Spot]:
    """Lines and declarations that sentences quote or name, and numbers of lines."""
    most = _LONG if _GONE.search(prose) else _SMALL
    pieces = dict.fromkeys(one or other for one, other in _QUOTED.findall(prose))
    for piece in pieces:
        lines = _lines(piece, file)
        yield from (Spot(at, at, weight * 1.5 / len(lines)) for at in lines)
        if not lines:
            yield from _declared(piece.strip().removesuffix("()"), file, known, weight, most)
    for name in dict.fromkeys(_NAME.findall(prose)):
        if name not in pieces and ("_" in name or re.search(r"[a-z][A-Z]|[.:#]", name)):
            yield from _declared(name, file, known, weight * 0.8, most)
    for first, last in _NUMBER.findall(prose):
        if 0 < int(first) <= len(file.lines):
            yield Spot(int(first) - 1, min(len(file.lines), int(last or first)) - 1, weight)


def _lines(piece: str, file: Lines) -> list[int]:
    bare = piece.strip()
    found = file.places.get(bare, [])
    if not found and len(bare) >= _SHORTEST and (" " in bare or "(" in bare):
        found = [at for at, line in enumerate(file.lines) if bare in line]
    return found if len(found) <= _MOST else []


def _declared(name: str, file: Lines, known: Outline, weight: float, most: int) -> Iterator[Spot]:
    last = re.split(r"\.|::|#|->", name)[-1]
    nodes = [known.nodes[at] for at in known.named(name) or known.named(last)]
    if 0 < len(nodes) <= _MOST:
        share = weight / len(nodes)
        for node in nodes:
            if node.end - node.start <= most:
                yield Spot(node.start, node.end - 1, share)
            else:
                yield Spot(node.start, min(node.end - 1, node.head + 3), share)
                yield Spot(node.end - 2, node.end - 1, share / 2)
        return
    lines = file.by_word.get(last, ())
    if 0 < len(lines) <= _MOST:
        yield from (Spot(at, at, weight * 0.9 / len(lines)) for at in lines)
