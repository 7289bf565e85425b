"""In: declarations that a file does not have, and what the words say of their place. Out: the patches that add them."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from redraft.edit.outline.nodes import Node
from redraft.edit.sketch.declared import Sketch
from redraft.edit.sketch.fit import fitted
from redraft.edit.sketch.items import Item, body, inner, items, width
from redraft.edit.sketch.keys import is_renumbered
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.scope import Scope
from redraft.edit.text.lines import lead_of
from redraft.edit.words.directive import Place

_FREE = (
    *("function", "class", "type", "interface", "enum", "trait"),
    *("impl", "struct", "namespace", "rule", "section", "module"),
)
CLAUSES = ("elixir", "erlang", "haskell")  # of a function, each a declaration of its own
_FLAT = ("json", "ini")
_WORD = re.compile(r"[\w.@/-]+")
_GENERIC = {"class": ("class", "struct", "interface", "trait", "record")}
_OF_MEMBERS = ("function",)


class Placement(Struct, frozen=True):
    """What the sentences before a block say of where it goes; `is_open` where they say it in words that are not read.

    `is_new`: they say that something is added, or nothing. `line` is the one below which they put it (`is_above`:
    above).
    """

    places: tuple[Place, ...] = ()
    is_open: bool = False
    is_new: bool = True
    line: int | None = None
    is_above: bool = False


def placed(sketch: Sketch, placement: Placement, new: Sequence[Item], shown: Sequence[Item]) -> Iterator[Patch]:
    """New declarations of which the block shows no neighbour."""
    if place := _named_place(sketch, placement):
        relation, node = place
        yield from _by_word(sketch, relation, node, new)
        return
    if placement.line is not None:
        yield _by_line(sketch, placement.line, placement.is_above, new)
        return
    if any(is_end_of_file(each) for each in placement.places):
        yield _at_end(sketch, new)
        return
    if placement.is_open or any(set(place.names) - {"file"} for place in placement.places):
        raise Doubt(f"the words say where {new[0].name!r} goes, but not by a name that the file has once: name it")
    if placement.is_new and (patch := _behind_alike(sketch, new)) is not None:
        yield patch
        return
    if placement.is_new and _is_flat(sketch, new):
        yield from _at_end_of(sketch, None, new)
        return
    if not placement.is_new or any(item.node is None or item.kind not in _FREE for item in new):
        raise Doubt(f"the answer shows no place for {new[0].name!r}: show the line of the file above or below it")
    _refuse_known(sketch, new)
    parent = _parent(sketch, new)
    yield _behind_last(sketch, parent, new, shown)


def _is_flat(sketch: Sketch, new: Sequence[Item]) -> bool:
    """Whether new keys can only be keys of the file itself, a JSON object or a list of keys without sections: no
    words name an object of it, and they stand no deeper."""
    words = {*_WORD.findall(sketch.block.prose)}
    if sketch.file.language not in _FLAT or any(node.name in words for node in sketch.file.nodes if node.children):
        return False
    tops = [sketch.file.nodes[at] for at in sketch.file.top()]
    is_keyed = {node.kind for node in tops} | {item.kind for item in new} == {"key"}
    return is_keyed and all(new[0].depth <= width(sketch.file.lines[node.head]) for node in tops if node.children)


def _refuse_known(sketch: Sketch, new: Sequence[Item]) -> None:
    """A head that stands in the file is that of a declaration there, whatever its grammar makes of it."""
    heads = {line.strip(): at for at, line in enumerate(sketch.file.lines)}
    for node in (sketch.outline.nodes[item.node] for item in new if item.node is not None):
        line = sketch.outline.lines[node.head].strip()
        if line in heads:
            raise Doubt(f"{line!r} stands in line {heads[line] + 1} of the file: show the lines around it")


def listed(sketch: Sketch) -> Patch | None:
    """New lines of a file that is a plain list go to its end, where the words add them."""
    lines = [line for line in sketch.file.lines if line.strip()]
    new = [line for line in sketch.outline.lines if line.strip()]
    is_list = not any(
        line[:1].isspace() or line.rstrip().endswith((":", "{")) or " " in line.strip() for line in lines + new
    )
    if not lines or not is_list or not sketch.adds or {*lines} & {*new}:
        return None
    if any(is_renumbered(old, line) for old in lines for line in new):
        return None
    last = max(at for at, line in enumerate(sketch.file.lines) if line.strip()) + 1
    return Patch(last, last, tuple(new))


def _behind_alike(sketch: Sketch, new: Sequence[Item]) -> Patch | None:
    """Behind the last of several declarations of one kind and shape: calls of one receiver, keys of several lines."""
    kinds = {(item.kind, item.name.partition(" ")[2].partition(".")[0] if item.kind == "call" else "") for item in new}
    if len(kinds) != 1 or any(item.node is None or item.end - item.start < 2 for item in new):
        return None
    ((kind, receiver),) = kinds
    if kind not in ("call", "key"):
        return None
    scope = _scope(sketch, None, new)
    own = [item for item in scope.held if item.kind == kind and item.end - item.start > 1]
    own = [item for item in own if kind != "call" or item.name.partition(" ")[2].startswith(f"{receiver}.")]
    others = [item for item in scope.held if item.node is not None and item.kind == kind and item not in own]
    if len(own) < 2 or (kind == "key" and others):
        return None
    scope = _as_deep(sketch, scope, own[-1].start, new)
    blanks = own[-1].blanks
    lines = scope.texts(new, blanks)
    return Patch(own[-1].end, own[-1].end, lines)


def _named_place(sketch: Sketch, placement: Placement) -> tuple[str, int] | None:
    """The one declaration beside or in which the words put what is new."""
    places = [
        (place.relation, name)
        for place in placement.places
        for name in place.names[:1]
        if place.relation in ("after", "below", "before", "above", "inside", "end")
    ]
    own = [(relation, name) for relation, name in places if name not in _GENERIC and _named(sketch, name)]
    found = [(relation, at) for relation, name in own or places if len(ats := _named(sketch, name)) == 1 for at in ats]
    if len({*found}) == 2:
        (one, at), (other, below) = sorted({*found})
        nodes = sketch.file.nodes
        level = [n for n, node in enumerate(nodes) if node.parent == nodes[at].parent]
        if (one, other) == ("after", "before") and at in level and level[level.index(at) + 1 :][:1] == [below]:
            return one, at
    return found[0] if len({*found}) == 1 else None


def is_end_of_file(place: Place) -> bool:
    return place.relation == "end" and {*place.names} == {"file"}


def _named(sketch: Sketch, name: str) -> Sequence[int]:
    """The declarations that words mean by a name, by the only class, or by the imports, of which it is the last."""
    nodes = sketch.file.nodes
    found = sketch.file.named(name)
    if name == "imports":
        return [at for at in sketch.file.top() if nodes[at].kind == "import"][-1:]
    if name in _GENERIC and not found:
        return [at for at in sketch.file.top() if nodes[at].kind in _GENERIC[name]]
    own = [at for at in found if nodes[at].parent is None and nodes[at].kind not in ("import", "package")]
    return own if len(found) > 1 and len(own) == 1 else found


def _by_word(sketch: Sketch, relation: str, at: int, new: Sequence[Item]) -> Iterator[Patch]:
    node = sketch.file.nodes[at]
    if relation in ("inside", "end"):
        if not node.is_container:
            raise Doubt(f"the answer shows no place for {new[0].name!r} inside of {node.name!r}")
        yield from _at_end_of(sketch, at, new)
        return
    scope = _scope(sketch, node.parent, new)
    below = relation in ("after", "below")
    blanks = scope.apart(new[0])
    if blanks is None:
        own = next((item.blanks for item in scope.held if item.start == node.start), 0)
        blanks = max(new[0].blanks, own if any(item.end - item.start > 1 for item in new) else 0)
    lines = _as_deep(sketch, scope, node.head, new).texts(new, 0)
    if below:
        is_parted = node.end - node.head > 1 and not "".join(sketch.file.lines[node.end : node.end + 1]).strip()
        yield Patch(node.end, node.end, (*[""] * max(blanks, int(is_parted)), *lines))
    else:
        yield Patch(node.start, node.start, (*lines, *[""] * blanks))


def _by_line(sketch: Sketch, line: int, is_above: bool, new: Sequence[Item]) -> Patch:
    """New items beside a line of the file, as deep as it stands."""
    scope = _as_deep(sketch, _scope(sketch, None, new), line, new)
    lines, is_long = scope.texts(new, 0), any(item.end - item.start > 1 for item in new)
    if is_above:
        is_apart = is_long and line > 0 and not sketch.file.lines[line - 1].strip()
        return Patch(line, line, (*lines, *[""] * is_apart))
    is_followed = line + 1 < len(sketch.file.lines) and not sketch.file.lines[line + 1].strip()
    is_apart = is_long and (is_followed or any(item.kind in _FREE for item in new))
    return Patch(line + 1, line + 1, (*[""] * is_apart, *lines))


def _as_deep(sketch: Sketch, scope: Scope, line: int, new: Sequence[Item]) -> Scope:
    """The scope, with new items as deep as a line of the file."""
    base, indent = min(item.depth for item in new), lead_of(sketch.file.lines[line])
    return structs.replace(scope, fit=fitted(base, indent, sketch.outline.lines, sketch.file.lines))


def _at_end_of(sketch: Sketch, at: int | None, new: Sequence[Item]) -> Iterator[Patch]:
    scope = _scope(sketch, at, new)
    last = next((item for item in reversed(scope.held) if item.node is not None or not item.is_closer), None)
    if last is not None and at is None:
        scope = _as_deep(sketch, scope, last.start, new)
    where = last.end if last else scope.start
    blanks = scope.apart(new[0]) if last else 0
    yield from scope.comma(last)
    yield Patch(where, where, scope.texts(new, blanks or 0))


def _scope(sketch: Sketch, parent: int | None, new: Sequence[Item]) -> Scope:
    start, end, nodes, indent = 0, len(sketch.file.lines), sketch.file.top(), ""
    if parent is not None:
        node = sketch.file.nodes[parent]
        (start, end), nodes = body(sketch.file, node), inner(sketch.file, parent)
    held = items(sketch.file, start, end, nodes)
    if held:
        indent = lead_of(sketch.file.lines[min(held, key=lambda item: item.depth).start])
    elif parent is not None:
        indent = lead_of(sketch.file.lines[sketch.file.nodes[parent].head]) + "    "
    base = min(item.depth for item in new)
    fit = fitted(base, indent, sketch.outline.lines, sketch.file.lines)
    return Scope(sketch.file, sketch.outline, sketch.block, start, end, held, new, fit, sketch.adds)


def _parent(sketch: Sketch, new: Sequence[Item]) -> int | None:
    """The declaration that new ones belong into: the only class of a file that has functions in classes alone."""
    tops = [sketch.file.nodes[at] for at in sketch.file.top()]
    is_member = all(item.kind in _OF_MEMBERS for item in new) and (
        any(item.depth for item in new) or _is_method(sketch, new) or not any(node.kind == "function" for node in tops)
    )
    if not is_member:
        return None
    holders = [at for at in sketch.file.top() if _holds_functions(sketch, sketch.file.nodes[at])]
    if len(holders) == 1:
        return holders[0]
    if any(item.depth for item in new) or _is_method(sketch, new) or holders:
        raise Doubt(f"nothing says into which declaration {new[0].name!r} goes: show its head around it")
    return None


def _is_method(sketch: Sketch, new: Sequence[Item]) -> bool:
    heads = (sketch.outline.lines[sketch.outline.nodes[item.node].head] for item in new if item.node is not None)
    return any("(self" in head or "(cls" in head or "(&self" in head or "(&mut self" in head for head in heads)


def _holds_functions(sketch: Sketch, node: Node) -> bool:
    return node.is_container and any(sketch.file.nodes[child].kind == "function" for child in node.children)


def _behind_last(sketch: Sketch, parent: int | None, new: Sequence[Item], shown: Sequence[Item]) -> Patch:
    """Behind the last declaration of their kind, else behind the last of any."""
    scope = _scope(sketch, parent, new)
    if sketch.file.language == "" or not scope.held:
        raise Doubt(f"the answer shows no place for {new[0].name!r}: show the line of the file above or below it")
    kinds = {item.kind for item in new}
    kin = [item for item in scope.held if item.kind in kinds] or [item for item in scope.held if item.kind in _FREE]
    kin = kin or list(scope.held)
    at = kin[-1].end
    blanks = scope.apart(new[0], kin[-1])
    return Patch(at, at, scope.texts(new, 1 if blanks is None else blanks))


def _at_end(sketch: Sketch, new: Sequence[Item]) -> Patch:
    scope = _scope(sketch, None, new)
    last = max((item.end for item in scope.held), default=0)
    blanks = scope.apart(new[0]) if scope.held else 0
    is_long = any(item.end - item.start > 1 for item in new)
    return Patch(last, last, scope.texts(new, int(is_long) if blanks is None else blanks))
