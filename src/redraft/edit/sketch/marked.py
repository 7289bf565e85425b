"""In: a gap in which the answer has markers. Out: its patches: what markers stand for stays, what is beside comes."""

from collections import Counter
from collections.abc import Iterator, Sequence

from redraft.edit.sketch.added import EITHER, UNPLACED, beside_kin, inserted
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


def with_marker(scope: Scope, gap: Gap, parts: Sequence[list[Item]]) -> list[Patch]:
    first, *middle, last = parts
    if wrapped := _wrapped(scope, gap, first, last):
        return [wrapped, *_beside_kin(scope, gap, middle)]
    patches: list[Patch] = []
    held = gap.held
    for part, is_top in ((first, True), (last, False)):
        taken = _renewed(scope, part, held, is_top)
        patches += taken
        gone = {patch.start for patch in taken}
        held = [item for item in held if item.start not in gone]
    if gap.is_open_above:
        patches += _imports(scope, first)
        if any(item.node is None for item in first):
            raise Doubt(UNPLACED)
    patches += inserted(scope, gap, first, is_below=True)
    if gap.is_open_below:
        middle = [last, *middle]
    else:
        patches += inserted(scope, gap, last, is_below=False)
    return [*patches, *_beside_kin(scope, gap, middle)]


def _beside_kin(scope: Scope, gap: Gap, parts: Sequence[list[Item]]) -> Iterator[Patch]:
    return (patch for part in parts for item in part for patch in beside_kin(scope, gap, item))


def _imports(scope: Scope, part: list[Item]) -> list[Patch]:
    """The patches for imports, which leave `part`: of all lines these have a place by themselves."""
    found: list[Patch] = []
    for item in [item for item in part if is_import(scope.outline, item.start)]:
        if patch := imported(scope.file, scope.outline.lines[item.start : item.end]):
            found.append(patch)
            part.remove(item)
    return found


def _renewed(scope: Scope, part: list[Item], held: Sequence[Item], is_top: bool) -> list[Patch]:
    """Patches for new lines that set what a line under the marker sets; these leave `part`.

    Lines that the file has there at another depth are taken along from the marker's end.
    """
    patches: list[Patch] = []
    for item in [item for item in part if item.node is None]:
        if (old := _old_version(scope, item, held)) is None:
            continue
        texts, deeper = scope.texts([item]), item.depth - min(each.depth for each in part)
        is_next = held[0 if is_top else -1] is old and width(texts[0]) == old.depth
        if old.depth - held[0].depth != deeper or (scope.is_code and not is_next):
            raise Doubt(EITHER)
        patches.append(Patch(old.start, old.end, texts))
        part.remove(item)
    return patches


def _old_version(scope: Scope, new: Item, held: Sequence[Item]) -> Item | None:
    """The one line that sets what a new one sets; raises Doubt where there are several, or another is like it."""
    name, lines = sets(new.name), [old for old in held if old.node is None]
    same = [old for old in lines if sets(old.name) == name != ""]
    if len(same) > 1 or (not name and _may_renew(new.name, [old.name for old in lines], scope.block.prose)):
        raise Doubt(EITHER)
    return same[0] if same else None


def _may_renew(new: str, held: Sequence[str], prose: str) -> bool:
    """Whether a new line has all of a line of the file, and more, or is much like one where the words speak of a
    change: that is likely its old version."""
    own = Counter(TOKEN.findall(new))
    for old in held:
        tokens = Counter(TOKEN.findall(old))
        is_more = tokens.total() >= SHORTEST and (tokens <= own or own <= tokens)
        if is_more or is_renumbered(old, new):
            return True
    if own.total() < _LONG or (prose.strip() and not TAKES.search(prose)):
        return False
    return sum(ratio(old, new) > _NEAR for old in held) == 1


def _wrapped(scope: Scope, gap: Gap, first: Sequence[Item], last: Sequence[Item]) -> Patch | None:
    """Where the marker stands deeper than what it stands for, below a new line that opens a block: that is wrapped."""
    if not gap.held or not first or not first[-1].name.endswith(_OPENERS):
        return None
    opener, marker = first[-1], next(item for item in gap.shown if item.is_marker)
    lowest, base = min(item.depth for item in gap.held), min(item.depth for item in gap.shown)
    if marker.depth <= opener.depth or lowest > width(scope.fit.indent) + opener.depth - base:
        return None
    outer, inner = (scope.fit.line(" " * item.depth + "x")[:-1] for item in (opener, marker))
    deeper = inner.removeprefix(outer)
    start, end = gap.held[0].start, gap.held[-1].end
    text = (deeper + line if line.strip() else line for line in scope.file.lines[start:end])
    return Patch(start, end, (*scope.texts(first), *text, *scope.texts(last)))
