"""In: a scope and which of its items are the same on both sides. Out: the patches that what lies between calls for.

Each change needs a licence: lines that are shown next to each other replace what lies between; beside a marker what is
new comes in and nothing goes, but for a line that sets the very name that a new line sets. All else is doubt.
"""

import re
from collections.abc import Sequence

from redraft.edit.outline.nodes import Outline
from redraft.edit.sketch.added import EITHER, UNPLACED, beside_kin, inserted
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
_LONGEST = 4000  # characters of declarations that are compared
_SAME = 0.6  # how like declarations are of which one may be the other under a new name
_LIKE = 0.6  # from here on a line may be another one's new version
_ALIKE = 0.4  # a line that is replaced by one that has less in common is named as doubt where others are left out


def filled(scope: Scope, gap: Gap) -> list[Patch]:
    """The patches of one gap; raises Doubt where nothing gives a licence."""
    parts = _parts(gap.shown)
    patches = _without_marker(scope, gap) if len(parts) == 1 else with_marker(scope, gap, parts)
    old = [line for patch in patches for line in scope.file.lines[patch.start : patch.end]]
    new = [line for patch in patches for line in patch.lines]
    if scope.file.language not in PROSE and balance(old) != balance(new):
        raise Doubt("what is shown would leave brackets open")
    return patches


def _parts(shown: Sequence[Item]) -> list[list[Item]]:
    """The items between markers."""
    parts: list[list[Item]] = [[]]
    for item in shown:
        if item.is_marker:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _without_marker(scope: Scope, gap: Gap) -> list[Patch]:
    if not gap.shown:
        return _left_out(scope, gap) if gap.held and not gap.is_open_above and not gap.is_open_below else []
    if gap.is_open_above or gap.is_open_below:
        return _at_open_end(scope, gap)
    if not gap.held:
        return _between(scope, gap)
    if any(item.node is None for item in (*gap.shown, *gap.held)):
        return _replaced(scope, gap)
    if _succeeds(scope, gap):
        return [Patch(gap.held[0].start, gap.held[0].end, scope.texts(gap.shown))]
    return inserted(scope, gap, gap.shown, is_below=gap.above is not None)


def _between(scope: Scope, gap: Gap) -> list[Patch]:
    """New items between two that follow each other, with the blank lines that the answer shows."""
    if gap.below is None or (gap.above and scope.apart(gap.shown[0])):
        return inserted(scope, gap, gap.shown, is_below=True)
    start, blanks = (gap.above.end, gap.shown[0].blanks) if gap.above else (scope.start, 0)
    lines = scope.texts(gap.shown, blanks)
    return [*scope.comma(gap.above), Patch(start, gap.below.start, (*lines, *[""] * gap.blanks))]


def _at_open_end(scope: Scope, gap: Gap) -> list[Patch]:
    """What stands above the first or below the last line that the file has: declarations, or what the words add."""
    at = 0 if gap.is_open_below else -1
    if gap.is_open_below and not scope.adds and not _is_apart(scope, gap):
        raise Doubt(UNPLACED)
    if gap.held and not scope.adds:
        old, line = gap.held[at], scope.outline.lines[gap.shown[at].start]
        text = scope.file.lines[old.start]
        if len(gap.shown) == 1 and not old.is_long and is_version(text, line):
            return [Patch(old.start, old.end, scope.texts(gap.shown))]
        if ratio(text.strip(), line.strip()) > _LIKE:
            raise Doubt(EITHER)
    if gap.is_open_below and _has_kin(gap):
        return [patch for item in gap.shown for patch in beside_kin(scope, gap, item)]
    return inserted(scope, gap, gap.shown, is_below=gap.is_open_below)


def _has_kin(gap: Gap) -> bool:
    """Whether declarations of another kind than the one above have their like in the file below."""
    if gap.above is None or not _is_other(gap.above, gap.shown[0]):
        return False
    return {item.kind for item in gap.shown if item.node is not None} <= {item.kind for item in gap.held}


def _is_apart(scope: Scope, gap: Gap) -> bool:
    """Whether new items can be no versions of those of the file below: declarations, or unlike them."""
    if all(item.node is not None for item in gap.shown):
        return True
    return (scope.file.language not in PROSE or _is_list(gap)) and _is_unlike(gap)


def _is_list(gap: Gap) -> bool:
    """Whether items of a list come below the last one that there is."""
    own = [*gap.shown, *([gap.above] if gap.above else [])]
    is_last = not gap.held or gap.held[0].blanks > 0 or not _BULLET.match(gap.held[0].name)
    return is_last and all(_BULLET.match(item.name) for item in own)


def _is_other(above: Item, new: Item) -> bool:
    """Whether declarations are of two kinds; special targets of make, such as `.PHONY`, are one of their own."""
    return above.kind != new.kind or (above.kind == "rule" and above.name.startswith("rule .PHONY"))


def _is_unlike(gap: Gap) -> bool:
    """Whether no line of the file below may be an old version of a new one, or is in what the line above opens."""
    if (gap.above is not None and gap.above.name.endswith(_OPENERS)) or len(gap.shown) * len(gap.held) > _MOST:
        return False
    shown, held = ([item.name for item in items if not item.is_closer] for items in (gap.shown, gap.held))
    return not any(_may_become(old, new) for new in shown for old in held)


def _may_become(old: str, new: str) -> bool:
    """Whether lines are alike, or set or call the same."""
    is_called = "." in kin(new) and kin(old) == kin(new)
    return is_called or sets(old) == sets(new) != "" or ratio(old, new) > _LIKE


def _left_out(scope: Scope, gap: Gap) -> list[Patch]:
    """Lines of the file between two that are shown next to each other, or at an end of what is shown."""
    if not (scope.gone and all(any(name in item.name for name in scope.gone) for item in gap.held)):
        if _stays(scope, gap):
            return []
        if not scope.is_exact or scope.adds:
            raise Doubt("a line of the file is left out without a marker")
    return [Patch(gap.held[0].start, gap.held[-1].end, ())]


def _stays(scope: Scope, gap: Gap) -> bool:
    """Whether what is left out stays: declarations among others, and what stands between imports and the rest."""
    if scope.is_code:
        return False
    if gap.above and gap.below and gap.above.kind == "import" != gap.below.kind:
        return True
    is_part = scope.is_partial or any(item.is_marker for item in scope.shown)
    return all(item.kind in _MEMBERS or (is_part and item.node is not None) for item in gap.held)


def _replaced(scope: Scope, gap: Gap) -> list[Patch]:
    """Lines between two that are shown next to each other are versions of those of the file there."""
    if scope.adds:
        raise Doubt("the words add, and the block would replace lines of the file")
    start, end = gap.held[0].start, gap.held[-1].end
    if not scope.is_exact:
        if not _covers(gap):
            raise Doubt(UNPLACED)
        return [Patch(start, end, scope.texts(gap.shown))]
    lines, start = scope.texts(gap.shown, gap.shown[0].blanks), start - gap.held[0].blanks
    return [Patch(start, gap.below.start if gap.below else end, (*lines, *[""] * gap.blanks))]


def _covers(gap: Gap) -> bool:
    """Whether every line that would go has a line that may be its new version."""
    return len(gap.held) <= len(gap.shown) and all(
        any(ratio(old.name, new.name) >= _ALIKE for new in gap.shown) for old in gap.held
    )


def _succeeds(scope: Scope, gap: Gap) -> bool:
    """Whether an import is one of the file with more in it. Raises Doubt for a declaration in the place of one that it
    is much like."""
    if (len(gap.shown), len(gap.held)) != (1, 1):
        return False
    new, old = gap.shown[0], gap.held[0]
    if brings_more(old.name, new.name):
        return True
    is_between = gap.above is not None or gap.below is not None
    if is_between and not scope.adds and ratio(_text(scope.outline, new), _text(scope.file, old)) > _SAME:
        raise Doubt("a declaration may be new, or one of the file under a new name")
    return False


def _text(outline: Outline, item: Item) -> str:
    return "\n".join(line.strip() for line in outline.lines[item.start : item.end])[:_LONGEST]
