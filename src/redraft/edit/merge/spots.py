"""In: a place told in words, and a file's outline. Out: the line before which new lines go."""

import re
from collections.abc import Sequence

from redraft.edit.align.likeness import indent
from redraft.edit.merge.insertion import Spot
from redraft.edit.outline import Outline
from redraft.edit.words import Place, Saying

_LINE = re.compile(r"line (\d+)")
_RANKS = {"start": 1, "end": 1, "inside": 2, "instead": 2}  # a neighbour tells more than what both are in


def spot_of(places: Sequence[Place], file: Outline) -> Spot | None:
    """The spot of a sentence that tells one or more places; None where nothing of the file is named, or several things.

    Of "in `load`, after the line `x = 1`" the first says where the second is looked for.
    """
    scope = scope_of(places, file)
    ranked = sorted(places, key=lambda place: _RANKS.get(place.relation, 0))
    for place in ranked:
        relations = ("after", "before") if place.relation == "between" else (place.relation,) * len(place.names)
        pairs = zip(relations, place.names, strict=False)
        found = next((spot for pair in pairs if (spot := _spot(*pair, file, scope)) is not None), None)
        if found is not None:
            return found
    return None


def scope_of(places: Sequence[Place], file: Outline) -> int | None:
    """The declaration in which a sentence says that something is."""
    names = (name for place in places if place.relation in ("inside", "start", "end") for name in place.names)
    return next((nodes[0] for name in names if len(nodes := nodes_of(name, file)) == 1), None)


def _spot(relation: str, name: str, file: Outline, scope: int | None) -> Spot | None:
    if name == "file":
        return Spot(0) if relation in ("start", "before") else Spot(len(file.lines))
    if name == "imports":
        return _by_imports(relation, file)
    if match := _LINE.fullmatch(name):
        at = min(int(match[1]), len(file.lines))
        return Spot(at if relation != "before" else max(0, at - 1), indent=_indent_at(file, at))
    nodes = nodes_of(name, file)
    if len(nodes) == 1:
        return _beside(relation, nodes[0], file)
    span = range(len(file.lines)) if scope is None else range(file.nodes[scope].start, file.nodes[scope].end)
    lines = [at for at in span if file.lines[at].strip() == name]
    if len(lines) == 1 and not nodes:
        at = lines[0]
        return Spot(at if relation == "before" else at + 1, indent=_indent_at(file, at))
    return None


def _by_imports(relation: str, file: Outline) -> Spot:
    imports = [at for at in file.top() if file.nodes[at].kind == "import"]
    if not imports:
        return Spot(0)
    if relation == "before":
        return Spot(file.nodes[imports[0]].start, None, imports[0])
    return Spot(file.nodes[imports[-1]].end, None, imports[-1])


def nodes_of(name: str, file: Outline) -> list[int]:
    """The declarations that a name means, `Class.method` in its class."""
    owner, _, last = name.rpartition(".")
    found = [at for at, node in enumerate(file.nodes) if node.name in (last, name) and node.name]
    if owner and (inside := [at for at in found if _owner(at, file).endswith(owner.rpartition(".")[2])]):
        return inside
    return found


def replaced(said: Sequence[Saying], file: Outline) -> tuple[int, int] | None:
    """The lines of the one declaration, without its comments, or of the one line that sentences say is replaced."""
    saying = next((saying for saying in reversed(said) if saying.verb), None)
    if saying is None or saying.verb != "replace" or saying.to or len(saying.names) != 1:
        return None
    spans = [(file.nodes[at].head, file.nodes[at].end) for at in nodes_of(saying.names[0], file)]
    spans = spans or [(at, at + 1) for at, line in enumerate(file.lines) if line.strip() == saying.names[0]]
    return spans[0] if len(spans) == 1 else None


def _owner(at: int, file: Outline) -> str:
    parent = file.nodes[at].parent
    return "" if parent is None else file.nodes[parent].name


def _beside(relation: str, at: int, file: Outline) -> Spot | None:
    node = file.nodes[at]
    if relation == "before":
        return Spot(node.start, at, at)
    if relation == "after":
        return Spot(node.end, at, at)
    if node.body is None:
        return None
    children = node.children
    if node.is_container and children:
        child = children[0] if relation == "start" else children[-1]
        return Spot(file.nodes[child].start if relation == "start" else file.nodes[child].end, child, child)
    inner = next((line for line in file.lines[slice(*node.body)] if line.strip()), "")
    return Spot(node.body[0] if relation == "start" else node.body[1], indent=indent(inner))


def _indent_at(file: Outline, at: int) -> int | None:
    return indent(file.lines[at]) if at < len(file.lines) else None
