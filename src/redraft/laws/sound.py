"""In: a change. Out: the first line that makes the new file less sound than the old one."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from redraft.edit.align.likeness import quoted
from redraft.edit.guard.broken import torn_string
from redraft.edit.outline import Outline
from redraft.edit.text.changes import surplus
from redraft.edit.text.lines import is_comment, is_telling, width_of
from redraft.edit.text.standing import standing
from redraft.laws.change import Broken, Change
from redraft.laws.strings import broken_strings

_TABLE = re.compile(r"(?i)\bcreate\b.*\btable\b.*\($")
_RETURN = re.compile(r"(\s*)return\b.*[\w;)\]}\"']$")
_STYLES = ("css", "scss", "less")


def less_sound(change: Change) -> Broken | None:
    """None where no string is torn and no property stands twice that did not before; `guard/check.py` sees the rest."""
    return _torn(change) or _doubled_property(change) or _unjoined(change) or _cut_head(change) or _unreached(change)


def _unreached(change: Change) -> Broken | None:
    """A second return right below a new one, or a new one right above: what is left of an old version."""
    had = set(pairwise(filter(str.strip, change.before)))
    for above, at in pairwise(change.written):
        pair = change.after[above], change.after[at]
        leaving, left = map(_RETURN.match, pair)
        if leaving and left and leaving[1] == left[1] and pair not in had:
            what = f"{change.new_line(at)}, is never reached below {quoted(pair[0])}"
            return Broken("sound", f"{what}: show it with a '-' in a diff if it goes")
    return None


def _torn(change: Change) -> Broken | None:
    if not any(change.after[at].count(sign) % 2 for at in change.touched for sign in "\"'"):
        return None
    places = broken_strings(change.after, change.new.language)
    had = [change.before[at] for at in broken_strings(change.before, change.old.language)]
    torn = next((places[more] for more in surplus([change.after[at] for at in places], had)), None)
    if torn is None:
        return None
    where = standing(change.update.split("\n"), change.after[torn])
    return Broken("sound", torn_string(where, change.after[torn], torn + 1))


def _doubled_property(change: Change) -> Broken | None:
    """A property of a rule that the file has once there."""
    if change.new.language not in _STYLES:
        return None
    had = Counter(key for key, _ in _properties(change.old))
    seen: Counter[tuple[str, ...]] = Counter()
    for key, at in _properties(change.new):
        seen[key] += 1
        if seen[key] == 2 and had[key] < 2:
            what = f"line {at + 1} of the new file would set {key[-1]} a second time in {key[-2]}"
            return Broken("sound", f"{what}: show the line that it replaces")
    return None


def _unjoined(change: Change) -> Broken | None:
    """A column that comes behind one without a comma."""
    for gap in change.gaps if change.new.language == "sql" else ():
        above, first = change.after[: gap.after_start], change.came(gap)[:1]
        line = next(filter(str.strip, reversed(above)), "")
        is_open = is_telling(line) and not is_comment(line) and not line.rstrip().endswith((",", ";", "("))
        if is_open and first and width_of(line) == width_of(first[0]) and _is_in_table(above):
            what = f"line {gap.after_start} of the new file, {quoted(line)}, would stand before another one"
            return Broken("sound", f"{what} without a comma: show it with its comma")
    return None


def _is_in_table(above: Sequence[str]) -> bool:
    """Whether the last line that is indented less than the one above opens a table."""
    width = width_of(above[-1]) if above else 0
    outer = next((each for each in reversed(above) if each.strip() and width_of(each) < width), "")
    return _TABLE.search(outer) is not None


def _cut_head(change: Change) -> Broken | None:
    """The head of a declaration that a prototype takes the place of, above the body."""
    for gap in change.gaps:
        at = gap.after_end - 1
        below = change.after[at + 1 : at + 2]
        is_prototype = at in gap.come and is_telling(change.after[at]) and change.after[at].rstrip().endswith(";")
        if is_prototype and [*map(str.strip, below)] == ["{"]:
            what = f"{change.new_line(at)}, would end above the body that belongs to it"
            return Broken("sound", f"{what}: say where it goes")
    return None


def _properties(outline: Outline) -> Iterator[tuple[tuple[str, ...], int]]:
    """Each property in a rule, by the rules around it and its name, and its line."""
    paths: list[tuple[str, ...]] = []
    for node in outline.nodes:
        around = () if node.parent is None else paths[node.parent]
        paths.append((*around, node.name))
        if around and node.kind == "field" and not node.children:
            yield paths[-1], node.head
