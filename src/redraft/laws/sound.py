"""In: a change. Out: law 7: the first line that makes the new file less sound than the old one."""

from collections import Counter
from collections.abc import Iterator

from redraft.edit.align.likeness import quoted
from redraft.edit.outline import Outline
from redraft.laws.change import Broken, Change
from redraft.laws.strings import broken_strings

_STYLES = ("css", "scss", "less")


def unsound(change: Change) -> Broken | None:
    """None where no string is torn and no property stands twice that did not before; `guard/check.py` sees the rest."""
    return _torn(change) or _doubled_property(change) or _cut_off(change)


def _cut_off(change: Change) -> Broken | None:
    """A head that ends in a semicolon now, above the brace that opened its body."""
    for gap in change.gaps:
        for at in range(gap.after_start, gap.after_end):
            below = change.after[at + 1].strip() if at + 1 < len(change.after) else ""
            line = change.after[at].rstrip()
            if below == "{" and line.endswith(");") and line[:-1] in map(str.rstrip, change.before):
                return Broken("sound", f"line {at + 1} of the new file, {quoted(line)}, would lose its body")
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
                f"line {at + 1} of the new file would end inside a string, {quoted(change.after[at])}: write the line"
                r" break as \n in the answer",
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


def _properties(outline: Outline) -> Iterator[tuple[tuple[str, ...], int]]:
    """Each property in a rule, by the rules around it and its name, and its line."""
    paths: list[tuple[str, ...]] = []
    for node in outline.nodes:
        around = () if node.parent is None else paths[node.parent]
        paths.append((*around, node.name))
        if around and node.kind == "field" and not node.children:
            yield paths[-1], node.head
