"""In: a change. Out: the first line that makes the new file less sound than the old one."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from redraft.edit.align.likeness import quoted
from redraft.edit.guard.broken import torn_string
from redraft.edit.outline import Outline
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
    had = set(pairwise(line for line in change.before if line.strip()))
    written = [(at, line) for at, line in enumerate(change.after) if line.strip()]
    for (_, above), (at, line) in pairwise(written):
        leaving, left = _RETURN.match(above), _RETURN.match(line)
        if leaving and left and leaving[1] == left[1] and (above, line) not in had:
            message = (
                f"line {at + 1} of the new file, {quoted(line.strip())}, is never reached below {quoted(above.strip())}"
            )
            return Broken("sound", f"{message}: show it with a '-' in a diff if it goes")
    return None


def _torn(change: Change) -> Broken | None:
    quotes = any(
        change.after[at].count(sign) % 2
        for gap in change.gaps
        for at in range(gap.after_start, gap.after_end)
        for sign in "\"'"
    )
    if not quotes:
        return None
    before = Counter(change.before[at] for at in broken_strings(change.before, change.old.language))
    for at in broken_strings(change.after, change.new.language):
        before[change.after[at]] -= 1
        if before[change.after[at]] < 0:
            return Broken(
                "sound",
                torn_string(standing(change.update.split("\n"), change.after[at]), change.after[at], at + 1),
            )
    return None


def _doubled_property(change: Change) -> Broken | None:
    """A property of a rule that the file has once there."""
    if change.new.language not in _STYLES:
        return None
    had = Counter(key for key, _ in _properties(change.old))
    seen: Counter[tuple[str, ...]] = Counter()
    for key, at in _properties(change.new):
        seen[key] += 1
        if seen[key] == 2 and had[key] < 2:
            return Broken(
                "sound",
                f"line {at + 1} of the new file would set {key[-1]} a second time in {key[-2]}: show the line that it"
                " replaces",
            )
    return None


def _unjoined(change: Change) -> Broken | None:
    """A column that comes behind one without a comma."""
    for gap in change.gaps if change.new.language == "sql" else ():
        above, first = change.after[: gap.after_start], change.after[gap.after_start : gap.after_end][:1]
        line = next((each for each in reversed(above) if each.strip()), "")
        is_column = bool(first) and width_of(line) == width_of(first[0]) and _is_in_table(above)
        if is_column and is_telling(line) and not is_comment(line) and not line.rstrip().endswith((",", ";", "(")):
            return Broken(
                "sound",
                f"line {gap.after_start} of the new file, {quoted(line)}, would stand before another one without a"
                " comma: show it with its comma",
            )
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
        if at < gap.after_start or at + 1 >= len(change.after) or change.after[at + 1].strip() != "{":
            continue
        if change.after[at].rstrip().endswith(";") and is_telling(change.after[at]):
            return Broken(
                "sound",
                f"line {at + 1} of the new file, {quoted(change.after[at])}, would end above the body that belongs to"
                " it: say where it goes",
            )
    return None


def _properties(outline: Outline) -> Iterator[tuple[tuple[str, ...], int]]:
    """Each property in a rule, by the rules around it and its name, and its line."""
    paths: list[tuple[str, ...]] = []
    for node in outline.nodes:
        around = () if node.parent is None else paths[node.parent]
        paths.append((*around, node.name))
        if around and node.kind == "field" and not node.children:
            yield paths[-1], node.head
