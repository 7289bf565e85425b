"""In: a place told in words, and a file's outline. Out: the line before which new lines go."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from redraft.edit.merge.common.insertion import Spot
from redraft.edit.merge.common.lookup import Found, nodes_of, single, stands
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import is_comment, is_telling, lead_of
from redraft.edit.words import Directive, Place
from redraft.edit.words.grammar import THINGS

_QUOTED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")
_LINE = re.compile(r"line (\d+)")
_RANKS = {"start": 1, "end": 1, "inside": 2, "instead": 2}  # a neighbour tells more than what both are in


def spot_of(places: Sequence[Place], file: Outline, since: int | None = None) -> Spot | None:
    """The spot of a sentence that tells one or more places; None where nothing of the file is named, or several things.

    Of "in `load`, after the line `x = 1`" the first says where the second is looked for; of two neighbours that stand
    in several places each, the one place where they are neighbours is meant; else the first from line `since` on.
    """
    span = span_of(places, file)
    ranked = sorted(_owned(places), key=lambda place: _RANKS.get(place.relation, 0))
    placed = [(pair, list(_spots(*pair, file, span))) for place in ranked for pair in _pairs(place)]
    beside = [(relation, spots) for (relation, _), spots in placed if relation in ("before", "after") and spots]
    for spots in (*_agreeing(beside, file), *(spots for _, spots in beside)):
        if len(spots) == 1:
            return spots[0]
    since = line_of(places, file) if since is None else since
    for spots in (spots for _, spots in beside if since is not None):
        if later := [spot for spot in spots if spot.at >= (since or 0)]:
            return later[0]
    return next((spots[0] for _, spots in placed if len(spots) == 1), None)


def _owned(places: Sequence[Place]) -> list[Place]:
    """The places, the start or end that is told without its owner being that of what the sentence says it is in."""
    inner = next((place.names for place in places if place.relation == "inside" and place.names), ())
    return [
        Place(place.relation, inner) if place.relation in ("start", "end") and not place.names else place
        for place in places
    ]


def span_of(places: Sequence[Place], file: Outline) -> range:
    """The lines in which a sentence says that something is: of a declaration, or from a line that it quotes on."""
    if (scope := scope_of(places, file)) is not None:
        return range(file.nodes[scope].start, file.nodes[scope].end)
    return range(line_of(places, file) or 0, len(file.lines))


def line_of(places: Sequence[Place], file: Outline) -> int | None:
    """The one line in or under which a sentence says that something is."""
    names = (name for place in places if place.relation == "inside" for name in place.names if name not in THINGS)
    found = (single(stands(name, file)) for name in names)
    return next((each.start for each in found if each is not None and each.node is None), None)


def scope_of(places: Sequence[Place], file: Outline) -> int | None:
    """The declaration in which a sentence says that something is, the first of several."""
    return next(scopes_of(places, file), None)


def scopes_of(places: Sequence[Place], file: Outline) -> Iterator[int]:
    """The declarations in which a sentence says that something is."""
    names = (name for place in places if place.relation in ("inside", "start", "end") for name in place.names)
    return (nodes[0] for name in names if len(nodes := nodes_of(name, file)) == 1)


def mentioned(prose: str, file: Outline) -> int | None:
    """The one declaration of several lines that the last sentences before a block name in ticks or in bold."""
    last = [line for line in prose.split("\n") if line.strip()][-2:]
    quoted = ["".join(pair) for line in last for pair in _QUOTED.findall(line)]
    found = {at for text in quoted for at in _called(text, file) if file.nodes[at].body is not None}
    return found.pop() if len(found) == 1 else None


def _called(text: str, file: Outline) -> list[int]:
    """The declarations that quoted text means, by their name, with those they are in, or by a header."""
    found = nodes_of(text, file)
    return found or [at for at, node in enumerate(file.nodes) if node.name and _is_name(node.name, text)]


def _is_name(name: str, text: str) -> bool:
    """Whether quoted text is a header with a name in it."""
    return re.search(rf"(?<![\w$-]){re.escape(name)}(?![\w$-])", text) is not None


def replaced(said: Sequence[Directive], file: Outline) -> tuple[int, int] | None:
    """The lines of the one declaration, without its comments, or of the one line that sentences say is replaced."""
    directive = next((directive for directive in reversed(said) if directive.verb or directive.places), None)
    name = None if directive is None else _given_up(directive, file)
    if directive is None or name is None:
        return None
    found = single(stands(name, file, span_of(directive.places, file)))
    if found is None:
        return None
    return found.start if found.node is None else file.nodes[found.node].head, found.end


def _given_up(directive: Directive, file: Outline) -> str | None:
    """What a sentence says is replaced, by nothing that it names; new lines come "instead of" whole lines alone."""
    if directive.verb == "replace":
        return directive.names[0] if len(directive.names) == 1 and not directive.to else None
    places = [place for place in directive.places if place.relation == "instead" and len(place.names) == 1]
    lines = (place.names[0] for place in places if directive.verb in ("add", "") and not directive.names)
    return next((line for line in lines if any(line == text.strip() for text in file.lines)), None)


def _pairs(place: Place) -> Iterator[tuple[str, str]]:
    relations = ("after", "before") if place.relation == "between" else (place.relation,) * len(place.names)
    return zip(relations, place.names, strict=False)


def _agreeing(beside: Sequence[tuple[str, list[Spot]]], file: Outline) -> Iterator[list[Spot]]:
    """The spots of one neighbour between which and those of another are only blank lines."""
    for (relation, spots), (other, others) in combinations(beside, 2):
        if {relation, other} == {"before", "after"}:
            upper, lower = (spots, others) if relation == "after" else (others, spots)
            ends = {at for spot in lower for at in _fronts(spot, file)}
            yield [spot for spot in upper if _behind_blanks(spot.at, file) in ends]


def _fronts(spot: Spot, file: Outline) -> range:
    """The lines before which something stands in front of a spot, or between a declaration's comments and its head."""
    at = _behind_blanks(spot.at, file)
    return range(at, max(at, at if spot.like is None else file.nodes[spot.like].head) + 1)


def _behind_blanks(at: int, file: Outline) -> int:
    while at < len(file.lines) and not file.lines[at].strip():
        at += 1
    return at


def _spots(relation: str, name: str, file: Outline, span: range) -> Iterator[Spot]:
    if name == "file":
        yield from () if relation == "inside" else [Spot(0 if relation in ("start", "before") else len(file.lines))]
    elif name == "imports":
        yield _by_imports(relation, file)
    elif name in ("class", "tests") and not nodes_of(name, file):
        whole = [at for at in file.top() if file.nodes[at].is_container]
        yield from filter(
            None, [_within(relation, whole[0], file)] if len(whole) == 1 and relation in ("start", "end") else ()
        )
    elif match := _LINE.fullmatch(name):
        at = min(int(match[1]), len(file.lines))
        yield Spot(at if relation != "before" else max(0, at - 1), lead=_lead_at(file, at))
    else:
        yield from filter(None, (_beside(relation, found, file) for found in stands(name, file, span)))


def _by_imports(relation: str, file: Outline) -> Spot:
    imports = [at for at in file.top() if file.nodes[at].kind == "import"]
    if not imports:
        return Spot(0)
    if relation == "before":
        return Spot(file.nodes[imports[0]].start, None, imports[0])
    return Spot(file.nodes[imports[-1]].end, None, imports[-1])


def _beside(relation: str, found: Found, file: Outline) -> Spot | None:
    at = found.start if relation == "before" else found.end
    node = found.node if relation in ("before", "after") else _opened(found, file)
    if node is None:
        return None if relation in ("inside", "instead") else Spot(at, lead=_lead_at(file, found.start))
    if relation in ("before", "after"):
        return Spot(at, node, node)
    return _within(relation, node, file)


def _opened(found: Found, file: Outline) -> int | None:
    """The declaration that is found, or of which the line that is found is the head."""
    headed = (at for at, node in enumerate(file.nodes) if node.head == found.start)
    return next(headed, None) if found.node is None else found.node


def _within(relation: str, at: int, file: Outline) -> Spot | None:
    node = file.nodes[at]
    if node.body is None:
        return None
    if node.is_container and node.children and not _holds_unnamed(node, file):
        child = node.children[0] if relation == "start" else node.children[-1]
        return Spot(file.nodes[child].start if relation == "start" else file.nodes[child].end, child, child)
    inner = next((line for line in file.lines[slice(*node.body)] if line.strip()), None)
    return Spot(node.body[0] if relation == "start" else node.body[1], lead=inner and lead_of(inner))


def _holds_unnamed(node: Node, file: Outline) -> bool:
    """Whether what is in a container is in brackets without names: a list of records."""
    first = next((line.strip() for line in file.lines[slice(*node.body or (0, 0))] if line.strip()), "")
    return bool(first) and not is_telling(first) and not is_comment(first)


def _lead_at(file: Outline, at: int) -> str | None:
    return lead_of(file.lines[at]) if at < len(file.lines) and file.lines[at].strip() else None
