"""In: a scope and which of its items are the same on both sides. Out: the patches that what lies between calls for.

Each change needs a licence: lines that are shown next to each other replace what lies between; beside a marker what is
new comes in and nothing goes, but for a line that sets the very name that a new line sets. All else is doubt.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.keys import kin, sets, uses_itself
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.scope import Scope, with_comma

_MEMBERS = ("function", "class", "type", "interface", "enum", "struct", "impl", "trait")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?:^|\s)(?://|#).*$")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SHORTEST = 3  # tokens of a line that says enough to be another one's old version
_LONG, _NEAR = 8, 0.75  # tokens of a line that says much, and how like another one it may be
_SAME = 0.6  # how like declarations are of which one may be the other under a new name
_LIKE = 0.6  # from here on a line may be another one's new version
_ALIKE = 0.4  # a line that is replaced by one that has less in common is named as doubt where others are left out
_OPENERS = (":", "{", "(", "[", " do", "|", "then", "=>", "->")


class Gap(Struct, frozen=True):
    """What lies between two items that are the same on both sides; None where the stretch is open there.

    `after` is what the answer shows for `below`.
    """

    shown: Sequence[Item]
    held: Sequence[Item]
    above: Item | None
    below: Item | None
    is_open_above: bool = False
    is_open_below: bool = False
    after: Item | None = None


def filled(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """The patches of one gap; raises Doubt where nothing gives a licence."""
    parts = _parts(gap.shown)
    patches = [*(_without_marker(scope, gap) if len(parts) == 1 else _with_marker(scope, gap, parts))]
    _refuse_unbalanced(scope, patches)
    yield from patches


def _refuse_unbalanced(scope: Scope, patches: Sequence[Patch]) -> None:
    """As many brackets are open behind a change as before it."""
    if scope.file.language in ("markdown", "rst", ""):
        return
    old = [line for patch in patches for line in scope.file.lines[patch.start : patch.end]]
    new = [line for patch in patches for line in patch.lines]
    if balance(old) != balance(new):
        line = next((line.strip() for line in new if line.strip()), "")
        raise Doubt(f"{line!r} and what is shown beside it would leave brackets open: show the whole of it")


def balance(lines: Sequence[str]) -> tuple[int, int, int]:
    """How many more brackets of each kind are opened than closed, strings and comments left out."""
    text = "\n".join(_QUOTED.sub("", line) for line in lines)
    return text.count("(") - text.count(")"), text.count("[") - text.count("]"), text.count("{") - text.count("}")


def _parts(shown: Sequence[Item]) -> list[list[Item]]:
    """The items between markers."""
    parts: list[list[Item]] = [[]]
    for item in shown:
        if item.is_marker:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _without_marker(scope: Scope, gap: Gap) -> Iterator[Patch]:
    if not gap.shown and not gap.held:
        return
    if gap.is_open_above or gap.is_open_below:
        yield from _at_open_end(scope, gap)
    elif not gap.shown:
        yield from _left_out(scope, gap)
    elif not gap.held and gap.below and gap.after and not (gap.above and scope.apart(gap.shown[0])):
        blanks = [""] * gap.after.blanks
        patches, ends = scope.comma(gap.above, False)
        lines = with_comma(scope.texts(gap.shown, gap.shown[0].blanks if gap.above else 0), ends)
        yield from patches
        yield Patch(gap.above.end if gap.above else scope.start, gap.below.start, (*lines, *blanks))
    elif not gap.held:
        yield from _inserted(scope, gap, list(gap.shown), is_below=True)
    elif all(item.node is not None for item in (*gap.shown, *gap.held)):
        if _succeeds(scope, gap):
            yield Patch(gap.held[0].start, gap.held[0].end, scope.texts(gap.shown, 0))
            return
        yield from _inserted(scope, gap, list(gap.shown), is_below=gap.above is not None)
    else:
        yield from _replaced(scope, gap)


def _at_open_end(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """What stands above the first or below the last line that the file has: declarations, or what the words add."""
    if not gap.shown:
        return
    if gap.is_open_below and any(item.node is None for item in gap.shown) and not scope.adds:
        raise Doubt(_unplaced(scope, gap.shown[0]))
    beside = gap.held[0 if gap.is_open_below else -1] if gap.held else None
    nearest = gap.shown[0 if gap.is_open_below else -1]
    line = scope.outline.lines[nearest.start].strip()
    if beside is not None and _ratio(scope.file.lines[beside.start].strip(), line) > _LIKE and not scope.adds:
        raise Doubt(f"{nearest.name!r} may be a new version of line {beside.start + 1} of the file, or come beside it")
    yield from _inserted(scope, gap, list(gap.shown), is_below=gap.is_open_below)


def _left_out(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """Lines of the file between two that are shown next to each other."""
    if scope.gone and all(any(name in item.name for name in scope.gone) for item in gap.held):
        yield Patch(gap.held[0].start, gap.held[-1].end, ())
        return
    has_markers = any(item.is_marker for item in scope.shown)
    is_kept = all(item.kind in _MEMBERS or (has_markers and item.node is not None) for item in gap.held)
    is_kept |= scope.is_partial and all(item.node is not None for item in gap.held)
    is_kept |= bool(gap.above and gap.below and gap.above.kind == "import" != gap.below.kind)
    if is_kept and not scope.is_code:
        return
    if not scope.is_exact or scope.adds:
        line = gap.held[0].start
        raise Doubt(
            f"line {line + 1} of the file, {scope.file.lines[line].strip()!r}, is left out between two lines that the "
            "answer shows next to each other: put a marker there if it stays"
        )
    yield Patch(gap.held[0].start, gap.held[-1].end, ())


def _replaced(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """Lines between two that are shown next to each other are versions of those of the file there."""
    if scope.adds:
        line = gap.held[0].start
        raise Doubt(f"the words add, and the block would replace line {line + 1}: {scope.file.lines[line].strip()!r}")
    if not scope.is_exact and not _covers(gap):
        raise Doubt(_unplaced(scope, gap.shown[0]))
    blanks = gap.shown[0].blanks if scope.is_exact else gap.held[0].blanks
    start = gap.held[0].start - gap.held[0].blanks if scope.is_exact else gap.held[0].start
    lines = _as_separated(scope, gap.held[-1], scope.texts(gap.shown, blanks if scope.is_exact else 0))
    if scope.is_exact and gap.below and gap.after:
        yield Patch(start, gap.below.start, (*lines, *[""] * gap.after.blanks))
    else:
        yield Patch(start, gap.held[-1].end, lines)


def _as_separated(scope: Scope, old: Item, lines: tuple[str, ...]) -> tuple[str, ...]:
    """A last line in the place of one that ends in a comma has one, too, in data."""
    if scope.file.language != "json" and not (scope.file.language == "sql" and old.node is not None):
        return lines
    return with_comma(lines, scope.file.lines[old.end - 1].rstrip().endswith(","))


def _covers(gap: Gap) -> bool:
    """Whether every line that would go has a line that may be its new version."""
    if len(gap.held) > len(gap.shown):
        return False
    return all(any(_ratio(old.name, new.name) >= _ALIKE for new in gap.shown) for old in gap.held)


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _succeeds(scope: Scope, gap: Gap) -> bool:
    """Whether a declaration is the file's own under a new name: it stands in its place, is much like it, and what the
    answer shows besides has the new name where the file has the old one. Raises Doubt where only likeness says so."""
    if len(gap.shown) != 1 or len(gap.held) != 1 or scope.adds or gap.above is None and gap.below is None:
        return False
    new, old = gap.shown[0], gap.held[0]
    mine, theirs = (
        "\n".join(line.strip() for line in lines[item.start : item.end])
        for lines, item in ((scope.outline.lines, new), (scope.file.lines, old))
    )
    if _ratio(mine[:4000], theirs[:4000]) <= _SAME:
        return False
    before, after = old.name.rpartition(" ")[2], new.name.rpartition(" ")[2]
    shown, held = "\n".join(scope.outline.lines), "\n".join(scope.file.lines)
    if (
        before
        and not re.search(rf"\b{re.escape(before)}\b", shown)
        and shown.count(after) > 1
        and held.count(before) > 1
    ):
        return True
    raise Doubt(f"{new.name!r} may be new, or {old.name!r} (line {old.start + 1}) under a new name: say which")


def _with_marker(scope: Scope, gap: Gap, parts: list[list[Item]]) -> Iterator[Patch]:
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
        if gap.is_open_above and any(item.node is None for item in first):
            raise Doubt(_unplaced(scope, first[0]))
        patches += _inserted(scope, gap, first, is_below=True)
    if last:
        if gap.is_open_below:
            patches += [patch for item in last for patch in _beside_kin(scope, gap, item)]
        else:
            patches += _inserted(scope, gap, last, is_below=False)
    for item in (item for part in middle for item in part):
        patches += _beside_kin(scope, gap, item)
    yield from patches


def _renewed(scope: Scope, part: list[Item], held: Sequence[Item], is_top: bool) -> list[Patch]:
    """Patches for new lines that set what a line under the marker sets; these leave `part`.

    Lines that the file has there at another depth are taken along from the marker's end.
    """
    patches: list[Patch] = []
    patches += _moved(scope, part, held, is_top)
    for item in part:
        if (old := _more_of(item, held)) is not None:
            raise Doubt(f"{item.name!r} may be a new version of line {old.start + 1} of the file, or come beside it")
    for item in list(part):
        name = sets(item.name) if item.node is None else ""
        same = [old for old in held if name and old.node is None and sets(old.name) == name]
        if not same or (scope.is_code and uses_itself(item.name)):
            continue
        old = same[0]
        if len(same) > 1 or old.depth - held[0].depth != item.depth - min(each.depth for each in part):
            raise Doubt(f"{item.name!r} may be a new version of line {old.start + 1} of the file, or come beside it")
        is_next = held[0 if is_top else -1] is old
        if scope.is_code and not is_next:
            raise Doubt(f"{item.name!r} may be a new version of line {old.start + 1} of the file, or come beside it")
        patches.append(Patch(old.start, old.end, _as_separated(scope, old, scope.texts([item], 0))))
        part.remove(item)
    return patches


def _more_of(item: Item, held: Sequence[Item]) -> Item | None:
    """A line of the file all of which a new line has, and more: likely its old version."""
    if item.node is not None or sets(item.name):
        return None
    own = _TOKEN.findall(item.name)
    for old in held:
        tokens = _TOKEN.findall(old.name) if old.node is None else []
        if len(tokens) >= _SHORTEST and not (Counter(tokens) - Counter(own) and Counter(own) - Counter(tokens)):
            return old
    alike = [old for old in held if old.node is None and len(own) >= _LONG and _ratio(old.name, item.name) > _NEAR]
    return alike[0] if len(alike) == 1 else None


def _moved(scope: Scope, part: list[Item], held: Sequence[Item], is_top: bool) -> list[Patch]:
    """The file's lines at the marker's end that the answer shows again at another depth: their old place goes."""
    again = {item.name for item in part if item.node is None and not item.is_closer}
    if not again & {item.name for item in held}:
        return []
    run: list[Item] = []
    for item in held if is_top else reversed(held):
        if item.name not in again:
            break
        run.append(item)
    if not run or len(run) < len({item.name for item in held} & again) or scope.adds:
        found = next(item for item in held if item.name in again)
        raise Doubt(f"line {found.start + 1} of the file, {found.name!r}, is shown beside a marker that stands for it")
    run.sort(key=lambda item: item.start)
    new = scope.texts(part, 0)
    part.clear()
    return [Patch(run[0].start, run[-1].end, new)]


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


def _inserted(scope: Scope, gap: Gap, new: list[Item], is_below: bool) -> list[Patch]:
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
    is_last = _is_last(scope, above, at)
    blanks = scope.apart(new[0]) if above else 0
    patches, ends = scope.comma(above, is_last)
    shown = new[0].blanks
    lines = with_comma(scope.texts(new, shown if blanks is None else max(blanks, shown if is_below else 0)), ends)
    below = next((item for item in scope.held if item.start >= at), None)
    if above is None and below is not None and scope.apart(new[-1]) is not None:
        lines = (*lines, *[""] * (scope.apart(new[-1]) or 0))
    return [*patches, Patch(at, at, lines)]


def _is_last(scope: Scope, above: Item | None, at: int) -> bool:
    """Whether no sibling of the item above follows."""
    depth = above.depth if above else 0
    return not any(item.start >= at and item.depth >= depth and not item.is_closer for item in scope.held)


def _in_front(scope: Scope, below: Item, new: list[Item]) -> list[Patch]:
    """New items above the first one that the file has, and the blank lines that lie between such."""
    apart = scope.apart(new[-1])
    shown = next((item.blanks for item in scope.shown if item.start >= new[-1].end), 0)
    lines = (*scope.texts(new, 0), *[""] * (shown if apart is None else apart))
    return [Patch(below.start, below.start, lines)]


def _beside_kin(scope: Scope, gap: Gap, item: Item) -> list[Patch]:
    """A new item that has markers on both sides: behind the last of its kind among what these stand for."""
    held = [old for old in gap.held if not old.is_closer]
    if item.node is not None:
        own = [old for old in held if old.node is not None and old.kind == item.kind]
    else:
        name = sets(item.name)
        if name and any(old.node is None and sets(old.name) == name for old in held):
            return _set_anew(scope, item, [old for old in held if old.node is None and sets(old.name) == name])
        own = [old for old in held if old.node is None and kin(old.name) == kin(item.name)]
    if not own:
        raise Doubt(_unplaced(scope, item))
    last = own[-1]
    end = next((old for old in gap.held if old.start >= last.end and old.depth <= last.depth), None)
    deeper = [old for old in gap.held if old.start >= last.end and (end is None or old.start < end.start)]
    at = deeper[-1].end if deeper else last.end
    if deeper and end is not None and end.is_closer:
        at = end.end
    patches, ends = scope.comma(last, _is_last(scope, last, at))
    blanks = scope.apart(item)
    lines = scope.texts([item], blanks if blanks is not None else min(item.blanks, last.blanks))
    return [*patches, Patch(at, at, with_comma(lines, ends))]


def _set_anew(scope: Scope, item: Item, same: Sequence[Item]) -> list[Patch]:
    if len(same) > 1 or (scope.is_code and uses_itself(item.name)):
        raise Doubt(f"{item.name!r} may be a new version of line {same[0].start + 1} of the file, or come beside it")
    return [Patch(same[0].start, same[0].end, _as_separated(scope, same[0], scope.texts([item], 0)))]


def _unplaced(scope: Scope, item: Item) -> str:
    return f"the answer shows no place for {item.name!r}: show the lines of the file right above and below it"
