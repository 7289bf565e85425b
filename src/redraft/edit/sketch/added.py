"""In: a gap and new items. Out: the patches that bring these in, below, above or beside what is like them."""

from collections.abc import Sequence

from redraft.edit.sketch.gap import Gap
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.keys import is_renumbered, kin, sets
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.scope import Scope

UNPLACED = "the answer shows no place for something new"
EITHER = "something new may be a new version of what the file has, or come beside it"


def inserted(scope: Scope, gap: Gap, new: Sequence[Item], is_below: bool) -> list[Patch]:
    """New items right below the item above, or right above the one below."""
    if not new:
        return []
    if gap.is_open_above and gap.below is not None:
        return _in_front(scope, gap.below, new)
    above = gap.held[-1] if gap.held and not is_below else gap.above
    at, shown = above.end if above else scope.start, new[0].blanks
    blanks = scope.apart(new[0], above) if above else 0
    lines = scope.texts(new, shown if blanks is None else max(blanks, shown if is_below else 0))
    if above is None and scope.held:
        lines = (*lines, *[""] * (scope.apart(new[-1]) or 0))
    rest = scope.file.lines[at:]
    return [*scope.comma(above), Patch(at, at if any(map(str.strip, rest)) else at + len(rest), lines)]


def _in_front(scope: Scope, below: Item, new: Sequence[Item]) -> list[Patch]:
    """New items above the first one that the file has, and the blank lines that lie between such."""
    prior = next((item for item in reversed(scope.held) if item.end <= below.start), None)
    if prior is not None and prior.node is not None and _is_kin(scope, prior, new[0], below):
        blanks = scope.apart(new[0], prior)
        lines = scope.texts(new, _blanks(new[0], prior) if blanks is None else blanks)
        return [Patch(prior.end, prior.end, lines)]
    apart = scope.apart(new[-1])
    shown = next((item.blanks for item in scope.shown if item.start >= new[-1].end), 0)
    return [Patch(below.start, below.start, (*scope.texts(new), *[""] * (shown if apart is None else apart)))]


def _is_kin(scope: Scope, prior: Item, new: Item, below: Item) -> bool:
    """Whether a new item is of the kind of the one above, and the one below is not, or begins otherwise."""
    if prior.kind != new.kind:
        return False
    own, above = kin(scope.outline.lines[new.start]), kin(scope.file.lines[prior.start])
    return below.kind != new.kind or own == above != kin(scope.file.lines[below.start])


def beside_kin(scope: Scope, gap: Gap, item: Item) -> list[Patch]:
    """A new item that has markers on both sides: behind the last of its kind among what these stand for."""
    held = [old for old in gap.held if old.kind == item.kind and not old.is_closer]
    if item.node is None:
        if same := _versions(scope, held, item.name):
            return _set_anew(scope, item, same)
        held = [old for old in held if kin(old.name) == kin(item.name)]
    if not held:
        raise Doubt(UNPLACED)
    last = held[-1]
    at, blanks = _end(last, gap.held), scope.apart(item, last)
    lines = scope.texts([item], _blanks(item, last) if blanks is None else blanks)
    return [*scope.comma(last), Patch(at, at, lines)]


def _versions(scope: Scope, held: Sequence[Item], text: str) -> list[Item]:
    """The lines of which one may be the old version: they set what it sets, or say it with other numbers."""
    if (name := sets(text)) and (same := [old for old in held if sets(old.name) == name]):
        return same
    same = [old for old in held if is_renumbered(old.name, text)]
    if same and scope.adds:
        raise Doubt(EITHER)
    return same


def _end(last: Item, held: Sequence[Item]) -> int:
    """Where an item ends with what stands deeper below it, and the line that closes that."""
    end = last.end
    for item in held:
        if item.start >= last.end:
            if item.depth <= last.depth:
                return item.end if end > last.end and item.is_closer else end
            end = item.end
    return end


def _blanks(item: Item, last: Item) -> int:
    """The blank lines above a new item behind the last of its kind: what is long stands apart as its like does."""
    return (max if item.is_long else min)(item.blanks, last.blanks)


def _set_anew(scope: Scope, item: Item, same: Sequence[Item]) -> list[Patch]:
    """The new line in the place of the old one; raises Doubt where there are several, or it stands elsewhere."""
    lines = scope.texts([item])
    if len(same) > 1 or width(lines[0]) != same[0].depth:
        raise Doubt(EITHER)
    return [Patch(same[0].start, same[0].end, lines)]
