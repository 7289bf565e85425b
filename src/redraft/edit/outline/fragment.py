"""In: the lines of a snippet of code. Out: its outline, in whatever surroundings it reads best."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.outline.grammars import grammar, parse
from redraft.edit.outline.naming import spans_lines
from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.outline.outline import read
from redraft.edit.outline.surroundings import COMMENTS, PAGES, SURROUNDINGS, UNLIKELY
from redraft.edit.text.lines import width_of, written

_TAG = re.compile(r"\s*(?:<[\w/!]|---\s*$|\{[#/:@])")


class _Reading(Struct, frozen=True):
    """A way to read a snippet: its language, and the line before and after it."""

    language: str
    before: str = ""
    after: str = ""

    def text(self, lines: Sequence[str]) -> tuple[str, ...]:
        return (self.before, *lines, self.after) if self.before else tuple(lines)


def fragment(lines: Sequence[str], path: str, markers: Collection[int] = ()) -> Outline:
    """The outline of a snippet; `markers` are lines that stand for code left out."""
    language = grammar(path)
    readings = list(_readings(lines, language))
    text = _prepared(lines, markers, readings[0].language)
    best = _best(text, readings)
    return _read(tuple(lines), text, best)


def _readings(lines: Sequence[str], language: str) -> Iterator[_Reading]:
    """What the snippet may be, likeliest first: a script or a style of a page is read by its own grammar."""
    script = PAGES.get(language)
    is_page = script is None or any(map(_TAG.match, lines))
    if script is not None and not is_page:
        yield from _in_surroundings(script, _is_item(lines))
        yield from _in_surroundings("scss")
    elif _is_inside(lines, language):
        yield from _around(language)
        yield _Reading(language)
    else:
        yield from _in_surroundings(language, _is_item(lines))


def _is_inside(lines: Sequence[str], language: str) -> bool:
    """Whether the snippet as it is would read as something else: PHP as text, keys as commands."""
    if language == "php":
        return not any("<?" in line for line in lines)
    first = next(filter(str.strip, lines), "")
    return language in UNLIKELY and re.match(UNLIKELY[language], first) is not None


def _is_item(lines: Sequence[str]) -> bool:
    """Whether the snippet is objects of a list: their braces would read as blocks."""
    solid = written(lines)
    return bool(solid) and solid[0].lstrip().startswith("{") and solid[-1].rstrip().endswith("},")


def _in_surroundings(language: str, is_item: bool = False) -> Iterator[_Reading]:
    if is_item and "[|]" in SURROUNDINGS.get(language, ()):
        yield _Reading(language, "[", "]")
    yield _Reading(language)
    yield from _around(language)


def _around(language: str) -> Iterator[_Reading]:
    for around in SURROUNDINGS.get(language, ()):
        before, _, after = around.partition("|")
        yield _Reading(language, before, after)


def _prepared(lines: Sequence[str], markers: Collection[int], language: str) -> list[str]:
    """The snippet with comments for markers, and without the indentation that all its lines share."""
    opening, closing = COMMENTS.get(language, ("//", ""))
    width = min((width_of(line) for at, line in enumerate(lines) if line.strip() and at not in markers), default=0)
    text = [line[min(width, width_of(line)) :] for line in lines]
    for at, line in enumerate(text):
        if at in markers:
            text[at] = f"{' ' * width_of(line)}{opening} ...{closing}"
    return _without_last_commas(text, markers) if language in ("json", "sql") else text


def _without_last_commas(text: list[str], markers: Collection[int]) -> list[str]:
    """JSON and SQL have no comma before a closing bracket, a snippet that leaves lines out may have."""
    solid = [at for at, line in enumerate(text) if line.strip() and at not in markers]
    below = [*(text[at].lstrip() for at in solid[1:]), "}"]
    for at, after in zip(solid, below, strict=False):
        if text[at].rstrip().endswith(",") and after.startswith(("}", "]", ")")):
            text[at] = text[at].rstrip()[:-1]
    return text


def _best(text: list[str], readings: Sequence[_Reading]) -> _Reading:
    costs: list[int] = []
    for reading in readings:
        source = "\n".join((*reading.text(text), "")).encode(errors="replace")
        costs.append(_cost(parse(source, reading.language)))
        if not costs[-1]:
            break
    return readings[costs.index(min(costs))]


def _cost(root: Any) -> int:
    """Lines that a grammar cannot read, or reads as what nobody writes."""
    cost, nodes = 0, [] if root is None else [root]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            cost += 1 + node.end_point[0] - node.start_point[0]
        for child in node.children:
            cost += child.type in _UNLIKELY or (node.type, child.type) in _UNLIKELY_IN
            if child.has_error or child.is_missing or spans_lines(child) or node.type in _LOOKED_AT:
                nodes.append(child)
    return cost


_UNLIKELY = {"labeled_statement", "match_pattern"}
_UNLIKELY_IN = {("type_annotation", "literal_type"), ("class_body", ",")}
_LOOKED_AT = {"class_body", "public_field_definition", "field_definition"}


def _read(lines: tuple[str, ...], text: list[str], reading: _Reading) -> Outline:
    found = read(reading.text(text), reading.language)
    if not reading.before:
        return replace(found, lines=lines)
    kept = [at for at, node in enumerate(found.nodes) if node.head > 0]
    places = {at: number for number, at in enumerate(kept)}
    nodes = tuple(_shifted(found.nodes[at], places, len(lines)) for at in kept)
    faults = tuple(line - 1 for line in found.faults if 0 < line <= len(lines))
    return Outline(lines, reading.language, nodes, faults)


def _shifted(node: Node, places: dict[int, int], last: int) -> Node:
    return replace(
        node,
        start=max(0, node.start - 1),
        head=node.head - 1,
        end=min(node.end - 1, last),
        body=None if node.body is None else (node.body[0] - 1, node.body[1] - 1),
        parent=None if node.parent is None else places.get(node.parent),
        children=tuple(places[child] for child in node.children),
    )
