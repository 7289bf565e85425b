"""In: a scope and which of its items are the same on both sides. Out: the patches that what lies between calls for.

Each change needs a licence: lines that are shown next to each other replace what lies between; beside a marker what is
new comes in and nothing goes, but for a line that sets the very name that a new line sets. All else is doubt.
"""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.sketch.added import beside_kin, inserted, unplaced
from redraft.edit.sketch.gap import Gap, balance
from redraft.edit.sketch.imports import brings_more
from redraft.edit.sketch.items import Item
from redraft.edit.sketch.keys import is_version, kin, sets
from redraft.edit.sketch.marked import with_marker
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.scope import Scope
from redraft.edit.text.lines import ratio

_MEMBERS = ("function", "class", "type", "interface", "enum", "struct", "impl", "trait")
_BULLET = re.compile(r"[-*+] ")
PROSE = ("markdown", "rst", "")
_OPENERS = (":", "{", "(", "[", "=", "=>", "->", " do", "|", "then")
_MOST = 20_000  # pairs of lines that are compared
_SAME = 0.6  # how like declarations are of which one may be the other under a new name
_LIKE = 0.6  # from here on a line may be another one's new version
_ALIKE = 0.4  # a line that is replaced by one that has less in common is named as doubt where others are left out


def filled(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """The patches of one gap; raises Doubt where nothing gives a licence."""
    parts = _parts(gap.shown)
    patches = [*(_without_marker(scope, gap) if len(parts) == 1 else with_marker(scope, gap, parts))]
    _refuse_unbalanced(scope, patches)
    yield from patches


def _refuse_unbalanced(scope: Scope, patches: Sequence[Patch]) -> None:
    """As many brackets are open behind a change as before it."""
    if scope.file.language in PROSE:
        return
    old = [line for patch in patches for line in scope.file.lines[patch.start : patch.end]]
    new = [line for patch in patches for line in patch.lines]
    if balance(old) != balance(new):
        line = next((line.strip() for line in new if line.strip()), "")
        raise Doubt(f"{line!r} and what is shown beside it would leave brackets open: show the whole of it")


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
        lines = scope.texts(gap.shown, gap.shown[0].blanks if gap.above else 0)
        yield from scope.comma(gap.above)
        yield Patch(gap.above.end if gap.above else scope.start, gap.below.start, (*lines, *blanks))
    elif not gap.held:
        yield from inserted(scope, gap, list(gap.shown), is_below=True)
    elif all(item.node is not None for item in (*gap.shown, *gap.held)):
        is_more = len(gap.shown) == len(gap.held) == 1 and brings_more(gap.held[0].name, gap.shown[0].name)
        if is_more or _succeeds(scope, gap):
            yield Patch(gap.held[0].start, gap.held[0].end, scope.texts(gap.shown, 0))
            return
        yield from inserted(scope, gap, list(gap.shown), is_below=gap.above is not None)
    else:
        yield from _replaced(scope, gap)


def _at_open_end(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """What stands above the first or below the last line that the file has: declarations, or what the words add."""
    if not gap.shown:
        return
    is_lines = gap.is_open_below and any(item.node is None for item in gap.shown)
    is_listed = scope.file.language not in PROSE or _is_list(gap)
    if is_lines and not scope.adds and not (is_listed and _is_unlike(gap)):
        raise Doubt(unplaced(scope, gap.shown[0]))
    beside = gap.held[0 if gap.is_open_below else -1] if gap.held else None
    nearest = gap.shown[0 if gap.is_open_below else -1]
    line = scope.outline.lines[nearest.start].strip()
    if beside is not None and len(gap.shown) == 1 and _is_later(scope, beside, line):
        yield Patch(beside.start, beside.end, scope.texts(gap.shown, 0))
        return
    if beside is not None and ratio(scope.file.lines[beside.start].strip(), line) > _LIKE and not scope.adds:
        raise Doubt(f"{nearest.name!r} may be a new version of line {beside.start + 1} of the file, or come beside it")
    is_other = gap.is_open_below and gap.above is not None and _is_other(gap.above, nearest)
    if is_other and all(
        any(each.kind == item.kind for each in gap.held) for item in gap.shown if item.node is not None
    ):
        for item in gap.shown:
            yield from beside_kin(scope, gap, item)
        return
    yield from inserted(scope, gap, list(gap.shown), is_below=gap.is_open_below)


def _is_later(scope: Scope, old: Item, line: str) -> bool:
    """Whether a line is the new version of another one, whatever stands beside it."""
    text = scope.file.lines[old.start]
    return not scope.adds and old.end - old.start == 1 and is_version(text, line)


def _is_list(gap: Gap) -> bool:
    """Whether items of a list come below the last one that there is."""
    own = [*gap.shown, *([gap.above] if gap.above else [])]
    next_one = gap.held[0] if gap.held else None
    is_last = next_one is None or next_one.blanks > 0 or not _BULLET.match(next_one.name)
    return is_last and all(_BULLET.match(item.name) for item in own)


def _is_other(above: Item, new: Item) -> bool:
    """Whether declarations are of two kinds; special targets of make, such as `.PHONY`, are one of their own."""
    return above.kind != new.kind or (above.kind == "rule" and above.name.startswith("rule .PHONY"))


def _is_unlike(gap: Gap) -> bool:
    """Whether no line of the file below may be an old version of a new one: none is like it, sets or calls the same,
    or is in what the line above opens."""
    if (gap.above is not None and gap.above.name.endswith(_OPENERS)) or len(gap.shown) * len(gap.held) > _MOST:
        return False
    return all(
        ratio(old.name, new.name) <= _LIKE
        and (not sets(new.name) or sets(old.name) != sets(new.name))
        and ("." not in kin(new.name) or kin(old.name) != kin(new.name))
        for new in gap.shown
        for old in gap.held
        if not (new.is_closer or old.is_closer)
    )


def _left_out(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """Lines of the file between two that are shown next to each other, or at an end of what is shown."""
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
        is_between = gap.above is not None and gap.below is not None
        where = "between two lines that the answer shows next to each other" if is_between else "at the end of a block"
        raise Doubt(
            f"line {line + 1} of the file, {scope.file.lines[line].strip()!r}, is left out {where}: put a marker there "
            "if it stays"
        )
    yield Patch(gap.held[0].start, gap.held[-1].end, ())


def _replaced(scope: Scope, gap: Gap) -> Iterator[Patch]:
    """Lines between two that are shown next to each other are versions of those of the file there."""
    if scope.adds:
        line = gap.held[0].start
        raise Doubt(f"the words add, and the block would replace line {line + 1}: {scope.file.lines[line].strip()!r}")
    if not scope.is_exact and not _covers(gap):
        raise Doubt(unplaced(scope, gap.shown[0]))
    blanks = gap.shown[0].blanks if scope.is_exact else gap.held[0].blanks
    start = gap.held[0].start - gap.held[0].blanks if scope.is_exact else gap.held[0].start
    lines = scope.texts(gap.shown, blanks if scope.is_exact else 0)
    if scope.is_exact and gap.below and gap.after:
        yield Patch(start, gap.below.start, (*lines, *[""] * gap.after.blanks))
    else:
        yield Patch(start, gap.held[-1].end, lines)


def _covers(gap: Gap) -> bool:
    """Whether every line that would go has a line that may be its new version."""
    if len(gap.held) > len(gap.shown):
        return False
    return all(any(ratio(old.name, new.name) >= _ALIKE for new in gap.shown) for old in gap.held)


def _succeeds(scope: Scope, gap: Gap) -> bool:
    """Whether a declaration is the file's own under a new name: it stands in its place, is much like it, and what the
    answer shows besides has the new name where the file has the old one. Raises Doubt where only likeness says so."""
    if len(gap.shown) != 1 or len(gap.held) != 1 or scope.adds or (gap.above is None and gap.below is None):
        return False
    new, old = gap.shown[0], gap.held[0]
    mine, theirs = (
        "\n".join(line.strip() for line in lines[item.start : item.end])
        for lines, item in ((scope.outline.lines, new), (scope.file.lines, old))
    )
    if ratio(mine[:4000], theirs[:4000]) <= _SAME:
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
