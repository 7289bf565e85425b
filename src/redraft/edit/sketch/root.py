"""In: a file and a block of whole declarations, lines and markers. Out: the patches that it calls for."""

from collections.abc import Iterator, Sequence

from redraft.edit.outline.nodes import Node
from redraft.edit.sketch.declared import Sketch, changed
from redraft.edit.sketch.fit import Fit, fitted
from redraft.edit.sketch.imports import first_imports, imported, same_import
from redraft.edit.sketch.items import Item, body, inner, items, known_by, width, written
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.places import CLAUSES, Placement, placed
from redraft.edit.sketch.scope import Scope
from redraft.edit.sketch.spoken import puts_beside
from redraft.edit.sketch.stretch import between, fit_of, in_stretch
from redraft.edit.text.lines import lead_of

_BESIDE = ("after", "before", "above", "below")


def by_declarations(sketch: Sketch, placement: Placement) -> Iterator[Patch] | None:
    """None where the block is no list of declarations; raises Doubt."""
    shown = _shown(sketch)
    real = [item for item in shown if not item.is_marker]
    known = {item.start: old for item in real if (old := _counterpart(sketch, item)) is not None}
    names = {sketch.file.nodes[at].name for at in known.values()}
    if len(shown) == len(real) == len(known) == 1 and _is_second(sketch, real[0]):
        return iter([_behind_its_like(sketch, real[0], placement)])
    if any(place.relation in _BESIDE and {*place.names} & names for place in placement.places):
        raise Doubt("the words put it beside a declaration of the same name: show that, too")
    if known and any(place.relation == "end" and "file" in " ".join(place.names) for place in placement.places):
        raise Doubt("the words put it at the end of the file, which has a declaration of this name already")
    lines = [item for item in real if item.node is None]
    if lines and not known and not _is_at_top(sketch, shown):
        return None
    if any(item.node is None and item.start not in known for item in real) and not known:
        return None
    return _patches(sketch, placement, shown, known)


def _is_second(sketch: Sketch, item: Item) -> bool:
    """Whether words put a declaration beside those of its name, and it is none of them with more in it."""
    if item.node is None or sketch.block.has_markers:
        return False
    new = {*written(sketch.outline.lines[item.start : item.end])}
    held = ({*written(sketch.file.lines[old.head : old.end])} for old in _alike(sketch, item.node))
    return puts_beside(sketch.block) and not any(lines <= new for lines in held)


def _alike(sketch: Sketch, at: int) -> list[Node]:
    return [old for old in sketch.file.nodes if known_by(old) == known_by(sketch.outline.nodes[at])]


def _behind_its_like(sketch: Sketch, item: Item, placement: Placement) -> Patch:
    """A further declaration of a name, behind the last of the file; raises Doubt where words put it above."""
    if (
        item.node is None
        or placement.is_above
        or any(place.relation in ("before", "above") for place in placement.places)
    ):
        raise Doubt("the words put it above a declaration of the same name: show that, too")
    last = _alike(sketch, item.node)[-1]
    fit = fitted(item.depth, lead_of(sketch.file.lines[last.head]), sketch.outline.lines, sketch.file.lines)
    lines = fit.lines(sketch.outline.lines[item.start : item.end])
    end = max(at for at in range(last.head, last.end) if sketch.file.lines[at].strip()) + 1
    return Patch(end, end, ("", *lines) if len(lines) > 1 else lines)


def _shown(sketch: Sketch) -> list[Item]:
    """The items of the block; brackets around keys, of which a file has its own, are none."""
    top = sketch.outline.top()
    found = items(sketch.outline, 0, len(sketch.outline.lines), top, sketch.block.lines)
    if sketch.outline.language in ("json", "yaml", "toml"):
        found = [item for item in found if item.node is not None or item.is_marker or not item.is_closer]
        found = [item for item in found if item.name not in ("{", "[")]
    return found


def _is_at_top(sketch: Sketch, shown: Sequence[Item]) -> bool:
    return any(item.node is not None for item in shown)


def _counterpart(sketch: Sketch, item: Item) -> int | None:
    """The declaration of the file that an item shows; raises Doubt where there are several."""
    if item.node is None:
        return None
    node = sketch.outline.nodes[item.node]
    if item.kind == "import":
        return same_import(sketch.file, sketch.outline.lines[item.start : item.end])
    found = [at for at, old in enumerate(sketch.file.nodes) if known_by(old) == known_by(node)]
    if len(found) > 1:
        same = [at for at in found if sketch.file.nodes[at].signature == node.signature]
        if not same and sketch.file.language in CLAUSES:
            return None
        level = [at for at in same or found if width(sketch.file.lines[sketch.file.nodes[at].head]) == item.depth]
        top = [at for at in same or found if sketch.file.nodes[at].parent is None]
        found = (
            same if len(same) == 1 else level if len(level) == 1 else top if len(top) == 1 and not item.depth else found
        )
    if len(found) > 1:
        places = " and ".join(str(sketch.file.nodes[at].head + 1) for at in found[:3])
        raise Doubt(f"{node.name!r} stands several times in the file, in lines {places}: say which is meant")
    return found[0] if found else None


def _patches(sketch: Sketch, placement: Placement, shown: list[Item], known: dict[int, int]) -> Iterator[Patch]:
    new = [item for item in shown if not item.is_marker and item.start not in known]
    beside = any(sketch.file.nodes[at].kind == "import" for at in known.values())
    imports = [item for item in new if item.kind == "import" and not beside]
    if imports and (placement.is_open or any({*place.names} - {"imports", "file"} for place in placement.places)):
        raise Doubt(f"the words say where {imports[0].name!r} goes: show the line above or below it")
    texts = [sketch.outline.lines[item.start : item.end] for item in imports]
    if imports and not any(node.kind == "import" for node in sketch.file.nodes):
        yield first_imports(sketch.file, [line for lines in texts for line in lines])
    else:
        patches = (imported(sketch.file, lines, sketch.adds) for lines in texts)
        yield from (patch for patch in patches if patch is not None)
    shown = [item for item in shown if item not in imports]
    new = [item for item in new if item not in imports]
    if sketch.is_whole and not sketch.adds:
        _refuse_missing(sketch, known)
    if not new:
        for item in shown:
            if item.start in known and item.node is not None:
                yield from changed(sketch, known[item.start], item.node)
        return
    if not known:
        yield from placed(sketch, placement, new, shown)
        return
    yield from _among(sketch, shown, known)


def _refuse_missing(sketch: Sketch, known: dict[int, int]) -> None:
    held = {*known.values()}
    for at in sketch.file.top():
        if at not in held:
            node = sketch.file.nodes[at]
            raise Doubt(f"the answer is to be the whole file, and {node.name!r} (line {node.head + 1}) is not in it")


def _among(sketch: Sketch, shown: list[Item], known: dict[int, int]) -> Iterator[Patch]:
    """New items among known ones, which all lie in the same declaration, or in the file itself."""
    base = min(item.depth for item in shown if item.start in known)
    inside = next((item for item in shown if item.node is None and not item.is_marker and item.depth > base), None)
    if inside is not None:
        raise Doubt(f"{inside.name!r} lies inside of something whose head the answer does not show: show that, too")
    parents = {sketch.file.nodes[at].parent for at in known.values()}
    if len(parents) > 1:
        raise Doubt("the block shows declarations of several places together with new ones: show them apart")
    parent = parents.pop()
    start, end, nodes = 0, len(sketch.file.lines), sketch.file.top()
    if parent is not None:
        start, end = body(sketch.file, sketch.file.nodes[parent])
        nodes = inner(sketch.file, parent)
    held = items(sketch.file, start, end, nodes)
    fit = fit_of(sketch.file.lines, sketch.outline.lines, shown, held, -1)
    fit = _by_known(sketch, shown, known, fit)
    scope = Scope(sketch.file, sketch.outline, sketch.block, start, end, held, shown, fit, sketch.adds)
    pairs = (
        _paired(scope, known)
        if all(item.node is not None or item.is_marker for item in shown)
        else list(in_stretch(scope, open_above=True))
    )
    for b, f in pairs:
        mine, theirs = shown[b].node, held[f].node
        if mine is not None and theirs is not None:
            yield from changed(sketch, theirs, mine)
    if len([b for b, _ in pairs if shown[b].start in known]) < len(known):
        raise Doubt("the answer shows declarations in another order than the file has them, and new ones among them")
    yield from between(scope, pairs, open_above=True, open_below=True)


def _paired(scope: Scope, known: dict[int, int]) -> list[tuple[int, int]]:
    places = {item.node: at for at, item in enumerate(scope.held) if item.node is not None}
    pairs = [(at, places[known[item.start]]) for at, item in enumerate(scope.shown) if item.start in known]
    if [f for _, f in pairs] != sorted({f for _, f in pairs}):
        raise Doubt("the answer shows declarations in another order than the file has them, and new ones among them")
    return pairs


def _by_known(sketch: Sketch, shown: Sequence[Item], known: dict[int, int], fit: Fit) -> Fit:
    """Indented as the first declaration that both sides have."""
    item = next(item for item in shown if item.start in known)
    head = sketch.file.lines[sketch.file.nodes[known[item.start]].head]
    return fitted(item.depth, lead_of(head), sketch.outline.lines, sketch.file.lines)
