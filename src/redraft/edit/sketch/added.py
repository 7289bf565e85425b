"""In: a gap and new items. Out: the patches that bring these in, below, above or beside what is like them."""

from collections.abc import Sequence

from redraft.edit.sketch.gap import Gap
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.keys import is_renumbered, kin, sets
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.scope import Scope


def inserted(scope: Scope, gap: Gap, new: list[Item], is_below: bool) -> list[Patch]:
    """New items right below the item above, or right above the one below."""
    if not new:
        return []
    if is_below:
        above = gap.above
        at = above.end if above else scope.start
    else:
        above = gap.held[-1] if gap.held else gap.above
        at = above.end if above else scope.start
    if gap.is_open_above and gap.below is not None and gap.above is None:
        return _in_front(scope, gap.below, new)
    blanks = scope.apart(new[0], above) if above else 0
    patches = scope.comma(above)
    shown = new[0].blanks
    lines = scope.texts(new, shown if blanks is None else max(blanks, shown if is_below else 0))
    below = next((item for item in scope.held if item.start >= at), None)
    if above is None and below is not None and scope.apart(new[-1]) is not None:
        lines = (*lines, *[""] * (scope.apart(new[-1]) or 0))
    rest = scope.file.lines[at:]
    return [*patches, Patch(at, at if any(map(str.strip, rest)) else at + len(rest), lines)]


def _in_front(scope: Scope, below: Item, new: list[Item]) -> list[Patch]:
    """New items above the first one that the file has, and the blank lines that lie between such."""
    prior = next((item for item in reversed(scope.held) if item.end <= below.start), None)
    if prior is not None and prior.node is not None and _is_kin(scope, prior, new[0], below):
        blanks = scope.apart(new[0], prior)
        lines = scope.texts(new, _blanks(new[0], prior) if blanks is None else blanks)
        return [Patch(prior.end, prior.end, lines)]
    apart = scope.apart(new[-1])
    shown = next((item.blanks for item in scope.shown if item.start >= new[-1].end), 0)
    lines = (*scope.texts(new, 0), *[""] * (shown if apart is None else apart))
    return [Patch(below.start, below.start, lines)]


def _is_kin(scope: Scope, prior: Item, new: Item, below: Item) -> bool:
    """Whether a new item is of the kind of the one above, and the one below is not, or begins otherwise."""
    own, other, next_one = (
        kin(lines[item.start])
        for lines, item in ((scope.outline.lines, new), (scope.file.lines, prior), (scope.file.lines, below))
    )
    return prior.kind == new.kind and (below.kind != new.kind or own == other != next_one)


def beside_kin(scope: Scope, gap: Gap, item: Item) -> list[Patch]:
    """A new item that has markers on both sides: behind the last of its kind among what these stand for."""
    held = [old for old in gap.held if not old.is_closer]
    if item.node is not None:
        own = [old for old in held if old.node is not None and old.kind == item.kind]
    else:
        name = sets(item.name)
        if name and any(old.node is None and sets(old.name) == name for old in held):
            return _set_anew(scope, item, [old for old in held if old.node is None and sets(old.name) == name])
        if same := [old for old in held if old.node is None and is_renumbered(old.name, item.name)]:
            if scope.adds:
                raise Doubt(f"{item.name!r} may come beside line {same[0].start + 1} of the file, or in its place")
            return _set_anew(scope, item, same)
        own = [old for old in held if old.node is None and kin(old.name) == kin(item.name)]
    if not own:
        raise Doubt(unplaced(scope, item))
    last = own[-1]
    end = next((old for old in gap.held if old.start >= last.end and old.depth <= last.depth), None)
    deeper = [old for old in gap.held if old.start >= last.end and (end is None or old.start < end.start)]
    at = deeper[-1].end if deeper else last.end
    if deeper and end is not None and end.is_closer:
        at = end.end
    blanks = scope.apart(item, last)
    lines = scope.texts([item], blanks if blanks is not None else _blanks(item, last))
    return [*scope.comma(last), Patch(at, at, lines)]


def _blanks(item: Item, last: Item) -> int:
    """The blank lines above a new item behind the last of its kind: what is long stands apart as its like does."""
    return (max if item.end - item.start > 1 else min)(item.blanks, last.blanks)


def _set_anew(scope: Scope, item: Item, same: Sequence[Item]) -> list[Patch]:
    is_moved = width(scope.texts([item], 0)[0]) != same[0].depth
    if len(same) > 1 or is_moved:
        raise Doubt(f"{item.name!r} may be a new version of line {same[0].start + 1} of the file, or come beside it")
    return [Patch(same[0].start, same[0].end, scope.texts([item], 0))]


def unplaced(scope: Scope, item: Item) -> str:
    return f"the answer shows no place for {item.name!r}: show the lines of the file right above and below it"
