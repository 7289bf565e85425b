"""In: declarations that a file does not have, and what the words say of their place. Out: the patches that add them."""

import re
from collections.abc import Sequence

from msgspec import Struct, structs

from redraft.edit.outline.nodes import Node
from redraft.edit.sketch.added import UNPLACED
from redraft.edit.sketch.fit import fitted
from redraft.edit.sketch.items import Item, items_in, width
from redraft.edit.sketch.keys import is_renumbered
from redraft.edit.sketch.patch import Doubt, Patch, written_end
from redraft.edit.sketch.scope import Scope, Sketch
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
_RELATIONS = ("after", "below", "before", "above", "inside", "end")


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


def placed(sketch: Sketch, placement: Placement, new: Sequence[Item]) -> list[Patch]:
    """New declarations of which the block shows no neighbour."""
    if place := _named_place(sketch, placement):
        return _by_word(sketch, *place, new)
    if placement.line is not None:
        return [_by_line(sketch, placement.line, placement.is_above, new)]
    if any(is_end_of_file(each) for each in placement.places):
        return [_at_end(sketch, new)]
    if placement.is_open or any({*place.names} - {"file"} for place in placement.places):
        raise Doubt("the words say where something goes, but not by a name that the file has once")
    if placement.is_new:
        if patch := _behind_alike(sketch, new):
            return [patch]
        if _is_flat(sketch, new):
            return _at_end_of(sketch, None, new)
    if not placement.is_new or any(item.kind not in _FREE for item in new):
        raise Doubt(UNPLACED)
    _refuse_known(sketch, new)
    return [_behind_last(sketch, _parent(sketch, new), new)]


def _is_flat(sketch: Sketch, new: Sequence[Item]) -> bool:
    """Whether new keys can only be keys of the file itself, a JSON object or a list of keys without sections: no
    words name an object of it, and they stand no deeper."""
    words = {*_WORD.findall(sketch.block.prose)}
    holders = [node for node in sketch.file.nodes if node.children]
    if sketch.file.language not in _FLAT or any(node.name in words for node in holders):
        return False
    tops = [sketch.file.nodes[at] for at in sketch.file.top()]
    is_keyed = {node.kind for node in tops} | {item.kind for item in new} == {"key"}
    return is_keyed and all(new[0].depth <= width(sketch.file.lines[node.head]) for node in tops if node.children)


def _refuse_known(sketch: Sketch, new: Sequence[Item]) -> None:
    """A head that stands in the file is that of a declaration there, whatever its grammar makes of it."""
    nodes = (sketch.outline.nodes[item.node] for item in new if item.node is not None)
    heads = {sketch.outline.lines[node.head].strip() for node in nodes}
    if not heads.isdisjoint(map(str.strip, sketch.file.lines)):
        raise Doubt("the head of what is new stands in the file")


def listed(sketch: Sketch) -> Patch | None:
    """New lines of a file that is a plain list go to its end, where the words add them."""
    lines, new = ([line for line in side.lines if line.strip()] for side in (sketch.file, sketch.outline))
    if not lines or not sketch.adds or not all(map(_is_plain, lines + new)):
        return None
    if {*lines} & {*new} or any(is_renumbered(old, line) for old in lines for line in new):
        return None
    last = written_end(sketch.file.lines)
    return Patch(last, last, tuple(new))


def _is_plain(line: str) -> bool:
    """Whether a line holds one word, and opens nothing."""
    return not (line[:1].isspace() or " " in line.strip() or line.rstrip().endswith((":", "{")))


def _behind_alike(sketch: Sketch, new: Sequence[Item]) -> Patch | None:
    """Behind the last of several declarations of one kind and shape: calls of one receiver, keys of several lines."""
    kinds = {(item.kind, _called(item).partition(".")[0] if item.kind == "call" else "") for item in new}
    if len(kinds) != 1 or not all(item.is_long for item in new):
        return None
    ((kind, receiver),) = kinds
    if kind not in ("call", "key"):
        return None
    scope = _scope(sketch, None, new)
    alike = [item for item in scope.held if item.kind == kind]
    if kind == "call":
        alike = [item for item in alike if item.is_long and _called(item).startswith(f"{receiver}.")]
    if len(alike) < 2 or not all(item.is_long for item in alike):
        return None
    last = alike[-1]
    return Patch(last.end, last.end, _as_deep(sketch, scope, last.start, new).texts(new, last.blanks))


def _called(item: Item) -> str:
    return item.name.partition(" ")[2]


def _named_place(sketch: Sketch, placement: Placement) -> tuple[str, int] | None:
    """The one declaration beside or in which the words put what is new."""
    places = [(each.relation, each.names[0]) for each in placement.places if each.names and each.relation in _RELATIONS]
    own = [(relation, name) for relation, name in places if name not in _GENERIC and _named(sketch, name)]
    found = {(relation, ats[0]) for relation, name in own or places if len(ats := _named(sketch, name)) == 1}
    return found.pop() if len(found) == 1 else None


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


def _by_word(sketch: Sketch, relation: str, at: int, new: Sequence[Item]) -> list[Patch]:
    node = sketch.file.nodes[at]
    if relation in ("inside", "end"):
        if not node.is_container:
            raise Doubt("the words put something inside of what holds nothing")
        return _at_end_of(sketch, at, new)
    scope = _scope(sketch, node.parent, new)
    blanks = scope.apart(new[0])
    if blanks is None:
        own = next((item.blanks for item in scope.held if item.start == node.start), 0)
        blanks = max(new[0].blanks, own if any(item.is_long for item in new) else 0)
    lines = _as_deep(sketch, scope, node.head, new).texts(new)
    if relation in ("before", "above"):
        return [Patch(node.start, node.start, (*lines, *[""] * blanks))]
    is_parted = node.end - node.head > 1 and not "".join(sketch.file.lines[node.end : node.end + 1]).strip()
    return [Patch(node.end, node.end, (*[""] * max(blanks, int(is_parted)), *lines))]


def _by_line(sketch: Sketch, line: int, is_above: bool, new: Sequence[Item]) -> Patch:
    """New items beside a line of the file, as deep as it stands."""
    lines = _as_deep(sketch, _scope(sketch, None, new), line, new).texts(new)
    is_long = any(item.is_long for item in new)
    if is_above:
        is_apart = is_long and line > 0 and not sketch.file.lines[line - 1].strip()
        return Patch(line, line, (*lines, *[""] * is_apart))
    is_followed = [text.strip() for text in sketch.file.lines[line + 1 : line + 2]] == [""]
    is_apart = is_long and (is_followed or any(item.kind in _FREE for item in new))
    return Patch(line + 1, line + 1, (*[""] * is_apart, *lines))


def _as_deep(sketch: Sketch, scope: Scope, line: int, new: Sequence[Item]) -> Scope:
    """The scope, with new items as deep as a line of the file."""
    return structs.replace(scope, fit=sketch.fit(min(item.depth for item in new), line))


def _at_end_of(sketch: Sketch, at: int | None, new: Sequence[Item]) -> list[Patch]:
    scope = _scope(sketch, at, new)
    last = next((item for item in reversed(scope.held) if not item.is_closer), None)
    if last is None:
        return [Patch(scope.start, scope.start, scope.texts(new))]
    if at is None:
        scope = _as_deep(sketch, scope, last.start, new)
    return [*scope.comma(last), Patch(last.end, last.end, scope.texts(new, scope.apart(new[0]) or 0))]


def _scope(sketch: Sketch, parent: int | None, new: Sequence[Item]) -> Scope:
    start, end, held = items_in(sketch.file, parent)
    indent = ""
    if held:
        indent = lead_of(sketch.file.lines[min(held, key=lambda item: item.depth).start])
    elif parent is not None:
        indent = lead_of(sketch.file.lines[sketch.file.nodes[parent].head]) + "    "
    fit = fitted(min(item.depth for item in new), indent, sketch.outline.lines, sketch.file.lines)
    return Scope(sketch.file, sketch.outline, sketch.block, start, end, held, new, fit, sketch.adds)


def _parent(sketch: Sketch, new: Sequence[Item]) -> int | None:
    """The declaration that new ones belong into: the only class of a file that has functions in classes alone."""
    nodes = sketch.file.nodes
    is_deep = any(item.depth for item in new) or _is_method(sketch, new)
    is_member = is_deep or all(nodes[at].kind != "function" for at in sketch.file.top())
    if not is_member or any(item.kind != "function" for item in new):
        return None
    holders = [at for at in sketch.file.top() if _holds_functions(sketch, nodes[at])]
    if len(holders) == 1:
        return holders[0]
    if is_deep or holders:
        raise Doubt("nothing says into which declaration something goes")
    return None


def _is_method(sketch: Sketch, new: Sequence[Item]) -> bool:
    heads = (sketch.outline.lines[sketch.outline.nodes[item.node].head] for item in new if item.node is not None)
    return any("(self" in head or "(cls" in head or "(&self" in head or "(&mut self" in head for head in heads)


def _holds_functions(sketch: Sketch, node: Node) -> bool:
    return node.is_container and any(sketch.file.nodes[child].kind == "function" for child in node.children)


def _behind_last(sketch: Sketch, parent: int | None, new: Sequence[Item]) -> Patch:
    """Behind the last declaration of their kind, else behind the last of any."""
    scope = _scope(sketch, parent, new)
    if sketch.file.language == "" or not scope.held:
        raise Doubt(UNPLACED)
    kinds = {item.kind for item in new}
    kin = [item for item in scope.held if item.kind in kinds] or [item for item in scope.held if item.kind in _FREE]
    last = (kin or scope.held)[-1]
    blanks = scope.apart(new[0], last)
    return Patch(last.end, last.end, scope.texts(new, 1 if blanks is None else blanks))


def _at_end(sketch: Sketch, new: Sequence[Item]) -> Patch:
    scope = _scope(sketch, None, new)
    last = max((item.end for item in scope.held), default=0)
    blanks = scope.apart(new[0]) if scope.held else 0
    return Patch(last, last, scope.texts(new, any(item.is_long for item in new) if blanks is None else blanks))
