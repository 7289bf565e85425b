"""In: a place told in words, and a file's outline. Out: the line before which new lines go."""

import re

from redraft.edit.align.likeness import indent
from redraft.edit.merge.insertion import Spot
from redraft.edit.outline.outline import Outline
from redraft.edit.words import Place

_LINE = re.compile(r"line (\d+)")
_LAST = ("end", "inside")


def spot_of(place: Place, file: Outline) -> Spot | None:
    """None where the words name nothing of the file, or several things."""
    found = [spot for name in place.names if (spot := _spot(place.relation, name, file)) is not None]
    return found[-1] if place.relation == "between" and found else found[0] if found else None


def _spot(relation: str, name: str, file: Outline) -> Spot | None:
    if name == "file":
        return Spot(0) if relation in ("start", "before") else Spot(len(file.lines))
    if name == "imports":
        imports = [at for at in file.top() if file.nodes[at].kind == "import"]
        if not imports:
            return Spot(0)
        at = imports[0] if relation == "before" else imports[-1]
        return Spot(file.nodes[at].start if relation == "before" else file.nodes[at].end, None, at)
    if match := _LINE.fullmatch(name):
        at = min(int(match[1]), len(file.lines))
        return Spot(at if relation != "before" else max(0, at - 1), indent=_indent_at(file, at))
    nodes = nodes_of(name, file)
    if len(nodes) == 1:
        return _beside(relation, nodes[0], file)
    lines = [at for at, line in enumerate(file.lines) if line.strip() == name]
    if len(lines) == 1 and not nodes:
        at = lines[0]
        return Spot(at if relation == "before" else at + 1, indent=_indent_at(file, at))
    return None


def nodes_of(name: str, file: Outline) -> list[int]:
    """The declarations that a name means, `Class.method` in its class."""
    owner, _, last = name.rpartition(".")
    found = [at for at, node in enumerate(file.nodes) if node.name in (last, name) and node.name]
    if owner and (inside := [at for at in found if _owner(at, file).endswith(owner.rpartition(".")[2])]):
        return inside
    return found


def _owner(at: int, file: Outline) -> str:
    parent = file.nodes[at].parent
    return "" if parent is None else file.nodes[parent].name


def _beside(relation: str, at: int, file: Outline) -> Spot | None:
    node = file.nodes[at]
    if relation == "before":
        return Spot(node.start, at, at)
    if relation in ("after", "between"):
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
