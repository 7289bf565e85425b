"""In: a gap in which the answer has markers. Out: its patches: what markers stand for stays, what is beside comes."""

from collections import Counter
from collections.abc import Iterator, Sequence

from redraft.edit.sketch.added import beside_kin, inserted, unplaced
from redraft.edit.sketch.gap import Gap
from redraft.edit.sketch.imports import imported, is_import
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.keys import SHORTEST, TOKEN, is_renumbered, sets
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.scope import Scope
from redraft.edit.sketch.spoken import TAKES
from redraft.edit.text.lines import ratio

_LONG, _NEAR = 8, 0.75  # tokens of a line that says much, and how like another one it may be
_OPENERS = (":", "{", "(", "[", " do", "|", "then", "=>", "->")


def with_marker(scope: Scope, gap: Gap, parts: list[list[Item]]) -> Iterator[Patch]:
    first, *middle, last = parts
    patches: list[Patch] = []
    held, first, last = list(gap.held), list(first), list(last)
    held, wrapped = _deeper(scope, gap, held, first, last)
    if wrapped:
        patches += wrapped
    for part, is_top in ((first, True), (last, False)):
        taken = _renewed(scope, part, held, is_top)
        patches += taken
        gone = {line for patch in taken for line in range(patch.start, patch.end)}
        held = [item for item in held if item.start not in gone]
    if first:
        if gap.is_open_above:
            patches += _imports(scope, first)
        if gap.is_open_above and any(item.node is None for item in first):
            raise Doubt(unplaced(scope, first[0]))
        patches += inserted(scope, gap, first, is_below=True)
    if last:
        if gap.is_open_below:
            patches += [patch for item in last for patch in beside_kin(scope, gap, item)]
        else:
            patches += inserted(scope, gap, last, is_below=False)
    for item in (item for part in middle for item in part):
        patches += beside_kin(scope, gap, item)
    yield from patches


def _imports(scope: Scope, part: list[Item]) -> list[Patch]:
    """The patches for imports, which leave `part`: of all lines these have a place by themselves."""
    found: list[Patch] = []
    for item in [item for item in part if is_import(scope.outline, item.start)]:
        if patch := imported(scope.file, scope.outline.lines[item.start : item.end], scope.adds):
            found.append(patch)
            part.remove(item)
    return found


def _renewed(scope: Scope, part: list[Item], held: Sequence[Item], is_top: bool) -> list[Patch]:
    """Patches for new lines that set what a line under the marker sets; these leave `part`.

    Lines that the file has there at another depth are taken along from the marker's end.
    """
    patches: list[Patch] = []
    for item in part:
        if (old := _more_of(item, held, scope.block.prose)) is not None:
            raise Doubt(f"{item.name!r} may be a new version of line {old.start + 1} of the file, or come beside it")
    for item in list(part):
        name = sets(item.name) if item.node is None else ""
        same = [old for old in held if name and old.node is None and sets(old.name) == name]
        if not same:
            continue
        old = same[0]
        if len(same) > 1 or old.depth - held[0].depth != item.depth - min(each.depth for each in part):
            raise Doubt(f"{item.name!r} may be a new version of line {old.start + 1} of the file, or come beside it")
        is_next = held[0 if is_top else -1] is old and width(scope.texts([item], 0)[0]) == old.depth
        if scope.is_code and not is_next:
            raise Doubt(f"{item.name!r} may be a new version of line {old.start + 1} of the file, or come beside it")
        patches.append(Patch(old.start, old.end, scope.texts([item], 0)))
        part.remove(item)
    return patches


def _more_of(item: Item, held: Sequence[Item], prose: str) -> Item | None:
    """A line of the file all of which a new line has, and more, or that is much like it where the words speak of a
    change: likely its old version."""
    if item.node is not None or sets(item.name):
        return None
    own = TOKEN.findall(item.name)
    for old in held:
        tokens = TOKEN.findall(old.name) if old.node is None else []
        if tokens and is_renumbered(old.name, item.name):
            return old
        if len(tokens) >= SHORTEST and not (Counter(tokens) - Counter(own) and Counter(own) - Counter(tokens)):
            return old
    if prose.strip() and not TAKES.search(prose):
        return None
    alike = [old for old in held if old.node is None and len(own) >= _LONG and ratio(old.name, item.name) > _NEAR]
    return alike[0] if len(alike) == 1 else None


def _deeper(
    scope: Scope, gap: Gap, held: list[Item], first: list[Item], last: list[Item]
) -> tuple[list[Item], list[Patch]]:
    """Where the marker stands deeper than what it stands for, below a new line that opens a block: that is wrapped."""
    marker = next(item for item in gap.shown if item.is_marker)
    if not held or not first or not first[-1].name.endswith(_OPENERS) or marker.depth <= first[-1].depth:
        return held, []
    base, depth = min(item.depth for item in held), min(item.depth for item in gap.shown)
    if base > width(scope.fit.indent) + (first[-1].depth - depth):
        return held, []
    deeper = scope.fit.line(" " * marker.depth + "x")[:-1].removeprefix(
        scope.fit.line(" " * first[-1].depth + "x")[:-1]
    )
    lines = scope.file.lines[held[0].start : held[-1].end]
    text = tuple(deeper + line if line.strip() else line for line in lines)
    new = (*scope.texts(first, 0), *text, *scope.texts(last, 0))
    patch = Patch(held[0].start, held[-1].end, new)
    first.clear()
    last.clear()
    return [], [patch]
