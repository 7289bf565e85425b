"""In: a change. Out: the first new line that stands where nothing of its kind may."""

import re
from collections.abc import Iterator

from redraft.edit.align.likeness import quoted
from redraft.edit.guard.brackets import partners
from redraft.edit.text.lines import is_comment, is_telling, width_of
from redraft.laws.change import Broken, Change, Place

_HEAD = re.compile(
    r"package\b|<\?php|<\?xml|#!|#pragma once|syntax\s*=|\{-#|<!doctype|@charset|cmake_minimum_required|extends "
    r"|defmodule |library\(|module [\w.]+ *(?:\(|where)",
    re.IGNORECASE,
)


def misplaced(change: Change) -> Broken | None:
    return _before_head(change) or _outdented(change) or _uneven(change) or _outside(change)


def _before_head(change: Change) -> Broken | None:
    """A new line of code above what a file has to begin with."""
    begins = (at for at, line in enumerate(change.before) if line.strip() and not is_comment(line))
    first = next(begins, None)
    if first is None or not _HEAD.match(change.before[first]) or change.before[first] not in change.after:
        return None
    above = change.after[: change.after.index(change.before[first])]
    code = next((line for line in above if is_telling(line) and not is_comment(line)), None)
    if code is None or code in change.before:
        return None
    what = f"{quoted(code)} would come above {change.old_line(first)}, with which it begins"
    return Broken("layout", f"{what}: show the line above it")


def _outdented(change: Change) -> Broken | None:
    """New lines further to the left than what is above and below them, though they close nothing."""
    for gap in change.gaps:
        lines = [*filter(str.strip, change.came(gap))]
        if gap.end > gap.start or not lines or not is_telling(lines[0]) or _is_at_margin(lines[0]):
            continue
        above, below = change.above(gap.after_start), change.below(gap.after_end)
        if above is None or below is None:
            continue
        least, widths = min(width_of(change.after[at]) for at in (above, below)), [*map(width_of, lines)]
        if widths[0] == min(widths) and max(widths[0], widths[-1]) < least:
            where = "would stand further to the left than the lines above and below it"
            return Broken("layout", f"{quoted(lines[0])} {where}: indent the lines of the answer as the file does")
    return None


def _is_at_margin(line: str) -> bool:
    """Whether a line stands at the left wherever it is: a directive, a comment, a label."""
    return line.lstrip().startswith(("#", "{%", "{{", "<%")) or is_comment(line) or line.rstrip().endswith(":")


def _uneven(change: Change) -> Broken | None:
    """A closing bracket that no longer stands under the line that opens it, as it does in the answer."""
    even = {change.standing.get(place) for place in _even(change)}
    if not even & change.touched:
        return None
    for closing, opening in partners(change.after, change.new.language).items():
        is_changed = closing in even and opening < closing and change.touched & {opening, closing}
        if is_changed and width_of(change.after[opening]) != width_of(change.after[closing]):
            closes = f"{quoted(change.after[closing])}, line {closing + 1} of the new file, would not stand under"
            what = f"{closes} {quoted(change.after[opening])}, which it closes"
            return Broken("layout", f"{what}: give the change as SEARCH/REPLACE")
    return None


def _even(change: Change) -> Iterator[Place]:
    """The closing brackets of the answer that stand under the lines that open them."""
    for number, block in enumerate(change.answer.blocks):
        lines = [line.text if line.kind == "code" else "" for line in block.lines]
        for closing, opening in partners(lines, change.new.language).items():
            if opening < closing and width_of(lines[opening]) == width_of(lines[closing]):
                yield Place(number, closing)


def _outside(change: Change) -> Broken | None:
    """A method of Java that comes in no class."""
    if change.new.language != "java":
        return None
    had, has = (
        [node for node in each.nodes if node.kind == "function" and node.parent is None]
        for each in (change.old, change.new)
    )
    if had or not has:
        return None
    node = has[0]
    return Broken("layout", f"{node.name}, line {node.head + 1} of the new file, would lie in no class: show it in one")
