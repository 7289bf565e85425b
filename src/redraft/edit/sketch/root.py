"""In: a file and a block of whole declarations, lines and markers. Out: the patches that it calls for."""

from collections.abc import Iterator, Mapping, Sequence

from redraft.edit.outline.nodes import Node
from redraft.edit.sketch.declared import changed, changed_in
from redraft.edit.sketch.imports import first_imports, imported, same_import
from redraft.edit.sketch.items import Item, items, items_in, known_by, width
from redraft.edit.sketch.patch import Doubt, Patch, written_end
from redraft.edit.sketch.places import CLAUSES, Placement, placed
from redraft.edit.sketch.scope import Scope, Sketch
from redraft.edit.sketch.spoken import puts_beside
from redraft.edit.sketch.stretch import between, in_stretch
from redraft.edit.text.lines import stripped

_BESIDE = ("after", "before", "above", "below")
_OTHER_ORDER = "the answer shows declarations in another order than the file has them, and new ones among them"


def by_declarations(sketch: Sketch, placement: Placement) -> Iterator[Patch] | None:
    """None where the block is no list of declarations; raises Doubt."""
    shown = _shown(sketch)
    real = [item for item in shown if not item.is_marker]
    known = {item.start: old for item in real if (old := _counterpart(sketch, item)) is not None}
    if len(shown) == len(real) == len(known) == 1 and _is_second(sketch, real[0]):
        return iter([_behind_its_like(sketch, real[0], placement)])
    names = {sketch.file.nodes[at].name for at in known.values()}
    if any(_puts_by_known(place.relation, place.names, names) for place in placement.places):
        raise Doubt("the words put it beside a declaration of the same name, or at the end of a file that has one")
    if not known and any(item.node is None for item in real):
        return None
    return _patches(sketch, placement, shown, known)


def _puts_by_known(relation: str, where: Sequence[str], known: set[str]) -> bool:
    """Whether words put what is shown beside what is known of it, or to the end of the file."""
    if relation == "end":
        return bool(known) and "file" in " ".join(where)
    return relation in _BESIDE and not known.isdisjoint(where)


def _is_second(sketch: Sketch, item: Item) -> bool:
    """Whether words put a declaration beside those of its name, and it is none of them with more in it."""
    new = {*stripped(sketch.outline.lines[item.start : item.end])}
    if sketch.block.has_markers or not puts_beside(sketch.block):
        return False
    return not any(new.issuperset(stripped(sketch.file.lines[old.head : old.end])) for old in _alike(sketch, item))


def _alike(sketch: Sketch, item: Item) -> list[Node]:
    return [old for old in sketch.file.nodes if known_by(old) == item.name]


def _behind_its_like(sketch: Sketch, item: Item, placement: Placement) -> Patch:
    """A further declaration of a name, behind the last of the file; raises Doubt where words put it above."""
    if placement.is_above or any(place.relation in ("before", "above") for place in placement.places):
        raise Doubt("the words put it above a declaration of the same name")
    last = _alike(sketch, item)[-1]
    lines = sketch.fit(item.depth, last.head).lines(sketch.outline.lines[item.start : item.end])
    end = last.head + written_end(sketch.file.lines[last.head : last.end])
    return Patch(end, end, ("", *lines) if len(lines) > 1 else lines)


def _shown(sketch: Sketch) -> list[Item]:
    """The items of the block; brackets around keys, of which a file has its own, are none."""
    outline = sketch.outline
    found = items(outline, 0, len(outline.lines), outline.top(), sketch.marks)
    if outline.language not in ("json", "yaml", "toml"):
        return found
    return [item for item in found if item.is_marker or not (item.is_closer or item.name in ("{", "["))]


def _counterpart(sketch: Sketch, item: Item) -> int | None:
    """The declaration of the file that an item shows; raises Doubt where there are several."""
    if item.node is None:
        return None
    if item.kind == "import":
        return same_import(sketch.file, sketch.outline.lines[item.start : item.end])
    found = [at for at, old in enumerate(sketch.file.nodes) if known_by(old) == item.name]
    if len(found) > 1:
        found = _closest(sketch, found, sketch.outline.nodes[item.node].signature, item.depth)
    if len(found) > 1:
        raise Doubt("a declaration stands several times in the file")
    return found[0] if found else None


def _closest(sketch: Sketch, found: list[int], signature: str, depth: int) -> list[int]:
    """Of several declarations the one of a signature, the one at a depth, or the one that lies in no other."""
    nodes, lines = sketch.file.nodes, sketch.file.lines
    same = [at for at in found if nodes[at].signature == signature]
    if not same and sketch.file.language in CLAUSES:
        return []
    level = [at for at in same or found if width(lines[nodes[at].head]) == depth]
    top = [at for at in same or found if nodes[at].parent is None and not depth]
    return next((ats for ats in (same, level, top) if len(ats) == 1), found)


def _patches(sketch: Sketch, placement: Placement, shown: Sequence[Item], known: Mapping[int, int]) -> Iterator[Patch]:
    if sketch.is_whole and not sketch.adds and not {*sketch.file.top()} <= {*known.values()}:
        raise Doubt("the answer is to be the whole file, and lacks a declaration")
    kinds = {sketch.file.nodes[at].kind for at in known.values()}
    imports = [item for item in shown if item.kind == "import" and item.start not in known and item.kind not in kinds]
    yield from _imports(sketch, placement, imports)
    rest = [item for item in shown if item not in imports]
    new = [item for item in rest if not item.is_marker and item.start not in known]
    if not new:
        yield from _changed(sketch, rest, known)
    elif known:
        yield from _among(sketch, rest, known)
    else:
        yield from placed(sketch, placement, new)


def _changed(sketch: Sketch, shown: Sequence[Item], known: Mapping[int, int]) -> Iterator[Patch]:
    for item in shown:
        if item.start in known and item.node is not None:
            yield from changed(sketch, known[item.start], item.node)


def _imports(sketch: Sketch, placement: Placement, new: Sequence[Item]) -> Iterator[Patch]:
    """New imports among those of the file; raises Doubt where words put them elsewhere."""
    if not new:
        return
    if placement.is_open or any({*place.names} - {"imports", "file"} for place in placement.places):
        raise Doubt("the words say where an import goes")
    texts = [sketch.outline.lines[item.start : item.end] for item in new]
    if any(node.kind == "import" for node in sketch.file.nodes):
        yield from filter(None, (imported(sketch.file, lines) for lines in texts))
    else:
        yield first_imports(sketch.file, [line for lines in texts for line in lines])


def _among(sketch: Sketch, shown: Sequence[Item], known: Mapping[int, int]) -> Iterator[Patch]:
    """New items among known ones, which all lie in the same declaration, or in the file itself."""
    ours = [item for item in shown if item.start in known]
    base = min(item.depth for item in ours)
    if any(item.kind == "line" and item.depth > base for item in shown):
        raise Doubt("a line lies inside of something whose head the answer does not show")
    parents = {sketch.file.nodes[at].parent for at in known.values()}
    if len(parents) > 1:
        raise Doubt("the block shows declarations of several places together with new ones")
    start, end, held = items_in(sketch.file, parents.pop())
    fit = sketch.fit(ours[0].depth, sketch.file.nodes[known[ours[0].start]].head)
    scope = Scope(sketch.file, sketch.outline, sketch.block, start, end, held, shown, fit, sketch.adds)
    is_plain = all(item.kind != "line" for item in shown)
    pairs = _paired(scope, known) if is_plain else in_stretch(scope)
    yield from changed_in(sketch, scope, pairs)
    if not known.keys() <= {shown[b].start for b, _ in pairs}:
        raise Doubt(_OTHER_ORDER)
    yield from between(scope, pairs, is_open=True)


def _paired(scope: Scope, known: Mapping[int, int]) -> list[tuple[int, int]]:
    places = {item.node: at for at, item in enumerate(scope.held) if item.node is not None}
    pairs = [(at, places[known[item.start]]) for at, item in enumerate(scope.shown) if item.start in known]
    held = [f for _, f in pairs]
    if held != sorted({*held}):
        raise Doubt(_OTHER_ORDER)
    return pairs
