"""In: a place told in words, and a file's outline. Out: the line before which new lines go."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, filterfalse

from msgspec.structs import replace

from redraft.edit.merge.lines.insertion import Spot
from redraft.edit.merge.lines.lookup import Found, nodes_of, single, stands
from redraft.edit.merge.lines.written import first_below, first_written
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import lead_of, written
from redraft.edit.words import Directive, Place
from redraft.edit.words.grammar import THINGS

_QUOTED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")
_LINE = re.compile(r"line (\d+)")
_RANKS = {"start": 1, "end": 1, "inside": 2, "instead": 2}  # a neighbour tells more than what both are in


def spot_of(places: Sequence[Place], file: Outline) -> Spot | None:
    """The spot of a sentence that tells one or more places; None where nothing of the file is named, or several things.

    Of "in `load`, after the line `x = 1`" the first says where the second is looked for; of two neighbours that stand
    in several places each, the one place where they are neighbours is meant; else the first below a line that is
    quoted, too.
    """
    span = span_of(places, file)
    placed = [(relation, list(_spots(relation, name, file, span))) for relation, name in _pairs(places)]
    beside = [(relation, spots) for relation, spots in placed if relation in ("before", "after") and spots]
    sure = [spots for spots in (*_agreeing(beside, file), *(spots for _, spots in beside)) if len(spots) == 1]
    since = len(file.lines) + 1 if (line := line_of(places, file)) is None else line
    later = [[spot for spot in spots if spot.at >= since] for _, spots in beside]
    alone = (spots for _, spots in placed if len(spots) == 1)
    return next((spots[0] for spots in (*sure, *later, *alone) if spots), None)


def _pairs(places: Sequence[Place]) -> Iterator[tuple[str, str]]:
    """Each relation and a thing that it is told of, neighbours first; a start or end that is told without its owner is
    that of what the sentence says it is in."""
    inner = next((place.names for place in places if place.relation == "inside" and place.names), ())
    for place in sorted(places, key=lambda place: _RANKS.get(place.relation, 0)):
        names = place.names or inner * (place.relation in ("start", "end"))
        relations = ("after", "before") if place.relation == "between" else (place.relation,) * len(names)
        yield from zip(relations, names, strict=False)


def span_of(places: Sequence[Place], file: Outline) -> range:
    """The lines in which a sentence says that something is: of a declaration, or from a line that it quotes on."""
    if (scope := scope_of(places, file)) is not None:
        return range(scope.start, scope.end)
    return range(line_of(places, file) or 0, len(file.lines))


def line_of(places: Sequence[Place], file: Outline) -> int | None:
    """The one line in or under which a sentence says that something is."""
    names = filterfalse(THINGS.__contains__, named_in(places, "inside"))
    found = (single(stands(name, file)) for name in names)
    return next((each.start for each in found if each is not None and each.node is None), None)


def scope_of(places: Sequence[Place], file: Outline) -> Node | None:
    """The declaration in which a sentence says that something is, the first of several."""
    found = (nodes_of(name, file) for name in named_in(places, "inside", "start", "end"))
    return next((file.nodes[nodes[0]] for nodes in found if len(nodes) == 1), None)


def named_in(places: Sequence[Place], *relations: str) -> Iterator[str]:
    """The things that are told in some relations."""
    return chain.from_iterable(place.names for place in places if place.relation in relations)


def mentioned(prose: str, file: Outline) -> Node | None:
    """The one declaration of several lines that the last sentences before a block name in ticks or in bold."""
    last = written(prose.split("\n"))[-2:]
    quoted = ["".join(pair) for line in last for pair in _QUOTED.findall(line)]
    found = {at for text in quoted for at in _called(text, file) if file.nodes[at].body is not None}
    return file.nodes[found.pop()] if len(found) == 1 else None


def _called(text: str, file: Outline) -> list[int]:
    """The declarations that quoted text means, by their name, with those they are in, or by a header."""
    named = ((at, node.name) for at, node in enumerate(file.nodes) if node.name and node.name in text)
    headed = (at for at, name in named if re.search(rf"(?<![\w$-]){re.escape(name)}(?![\w$-])", text))
    return nodes_of(text, file) or [*headed]


def replaced(directives: Sequence[Directive], file: Outline) -> tuple[int, int] | None:
    """The lines of the one declaration, without its comments, or of the one line that sentences say is replaced."""
    directive = next((directive for directive in reversed(directives) if directive.verb or directive.places), None)
    if directive is None or (name := _given_up(directive, file)) is None:
        return None
    found = single(stands(name, file, span_of(directive.places, file)))
    return None if found is None else (found.head(file), found.end)


def _given_up(directive: Directive, file: Outline) -> str | None:
    """What a sentence says is replaced, by nothing that it names; new lines come "instead of" whole lines alone."""
    if directive.verb == "replace":
        return directive.names[0] if len(directive.names) == 1 and not directive.to else None
    if directive.verb not in ("add", "") or directive.names:
        return None
    lines = (place.names[0] for place in directive.places if place.relation == "instead" and len(place.names) == 1)
    return next(filter({*map(str.strip, file.lines)}.__contains__, lines), None)


def _agreeing(beside: Sequence[tuple[str, list[Spot]]], file: Outline) -> Iterator[list[Spot]]:
    """The spots of one neighbour between which and those of another are only blank lines."""
    for (relation, spots), (other, others) in combinations(beside, 2):
        if {relation, other} == {"before", "after"}:
            upper, lower = (spots, others) if relation == "after" else (others, spots)
            ends = {at for spot in lower for at in _fronts(spot, file)}
            yield [spot for spot in upper if first_below(file.lines, spot.at) in ends]


def _fronts(spot: Spot, file: Outline) -> range:
    """The lines before which something stands in front of a spot, or between a declaration's comments and its head."""
    at = first_below(file.lines, spot.at)
    return range(at, max(at, at if spot.like is None else file.nodes[spot.like].head) + 1)


def _spots(relation: str, name: str, file: Outline, span: range) -> Iterator[Spot]:
    if name == "file":
        yield from () if relation == "inside" else [Spot(0 if relation in ("start", "before") else len(file.lines))]
    elif name == "imports":
        yield _by_imports(relation, file)
    elif name in ("class", "tests") and not nodes_of(name, file):
        whole = [at for at in file.top() if file.nodes[at].is_container]
        if len(whole) == 1 and relation in ("start", "end"):
            yield from filter(None, [_within(relation, whole[0], file)])
    elif match := _LINE.fullmatch(name):
        at = min(int(match[1]), len(file.lines))
        yield Spot(at if relation != "before" else max(0, at - 1), lead=_lead_at(file, at))
    else:
        yield from filter(None, (_beside(relation, found, file) for found in stands(name, file, span)))


def _by_imports(relation: str, file: Outline) -> Spot:
    imports = [node for node in file.nodes if node.parent is None and node.kind == "import"]
    if not imports:
        return Spot(0)
    return Spot(imports[0].start if relation == "before" else imports[-1].end)


def _beside(relation: str, found: Found, file: Outline) -> Spot | None:
    if relation not in ("before", "after") and found.node is None:
        found = replace(found, node=Found.headed(found.start, file).node)
    at = found.start if relation == "before" else found.end
    if found.node is None:
        return None if relation in ("inside", "instead") else Spot(at, lead=_lead_at(file, found.start))
    return Spot(at, found.node) if relation in ("before", "after") else _within(relation, found.node, file)


def _within(relation: str, at: int, file: Outline) -> Spot | None:
    node = file.nodes[at]
    if node.body is None:
        return None
    if node.is_container and node.children:
        return Spot.above(node.children[0], file) if relation == "start" else Spot.below(node.children[-1], file)
    inner = first_written(file.lines[slice(*node.body)])
    return Spot(node.body[0] if relation == "start" else node.body[1], lead=lead_of(inner) if inner else None)


def _lead_at(file: Outline, at: int) -> str | None:
    line = "".join(file.lines[at : at + 1])
    return lead_of(line) if line.strip() else None
