"""In: a file and the steps of a call. Out: replacements that do the same letter for letter, each at its one place."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from redraft.edit.exact.page import Page, Spot
from redraft.edit.exact.place import Draft
from redraft.edit.exact.steps import Replacement
from redraft.edit.text.changes import LineChange, line_changes

_Group = tuple[int, int, list[LineChange]]  # lines, and the changes in them


class Spelled(Struct, frozen=True):
    """Old text that stands once in the file as it is by then, or in all the places that change where `is_all` says so.

    `start` and `end` are the first and the last line of the file that it covers, counted from 1 before any edit.
    """

    old: str
    new: str
    start: int
    end: int
    is_all: bool = False

    def applied(self, text: str) -> str:
        """The text with it; the proof of a repair is that an exact replacement gives what the rules gave."""
        return text.replace(self.old, self.new) if self.is_all else text.replace(self.old, self.new, 1)


def spelled(original: str, steps: Sequence[Replacement]) -> Iterator[Spelled]:
    """Those of steps that the rules of exact formats apply; raises RefusedError and SketchError as these do."""
    draft = Draft(original)
    for step in steps:
        before = draft.page()
        spots = draft.add(step)
        if spots:
            yield from _step(step, spots, before, draft.text())


def _step(step: Replacement, spots: Sequence[Spot], before: Page, after: str) -> Iterator[Spelled]:
    start, end = min(spot.start for spot in spots), max(spot.end for spot in spots)
    is_all = step.count != 1
    texts = [(step.old, step.new), *dict.fromkeys((spot.change.old, spot.change.new) for spot in spots)]
    is_whole = not step.is_piece and any(spot.healed for spot in spots)  # the format takes no piece of a line
    for old, new in texts if is_all else texts[is_whole:1]:
        found = Spelled(old, new, *_lines(before, start, end), is_all and before.text.count(old) > 1)
        if old and (is_all or before.text.count(old) == 1) and found.applied(before.text) == after:
            yield found
            return
    yield from (_grown(before, after, start, end),) if len(spots) == 1 else between(before, after)


def between(before: Page, after: str) -> list[Spelled]:
    """Replacements that make one text of another: whole lines that share none, in order, each told by its own text."""
    new = after.split("\n")
    found = line_changes(before.lines, new)
    groups: list[_Group] = []
    for change in found:
        start, end = telling(before, change.start, change.end)
        changes = [change]
        while groups and start <= groups[-1][1]:
            first, last, earlier = groups.pop()
            start, end, changes = min(start, first), max(end, last), [*earlier, *changes]
        groups.append((start, end, changes))
    made = [*_regions(before, new, groups)]
    text = before.text
    for each in made:
        text = each.applied(text) if text.count(each.old) == 1 else ""
    if text == after or not found:
        return made
    return [_grown(before, after, found[0].start, found[-1].end)]  # what comes to one place tells another one no more


def telling(page: Page, start: int, end: int) -> tuple[int, int]:
    """Lines `start:end` with as many above and below them as stand once in the page."""
    return next(
        (a, b) for a, b in _wider(start, end, len(page.lines)) if _is_only(page, a, b) or b - a == len(page.lines)
    )


def _wider(start: int, end: int, count: int) -> Iterator[tuple[int, int]]:
    """Lines `start:end`, and with one more after the other of so many, above and below in turn."""
    is_above = False
    yield start, end
    while end - start < count:
        is_above = start > 0 and (not is_above or end == count)
        start, end = (start - 1, end) if is_above else (start, end + 1)
        yield start, end


def _is_only(page: Page, start: int, end: int) -> bool:
    """Whether lines say something, and stand once."""
    old = "\n".join(page.lines[start:end])
    return bool(old.strip()) and page.text.count(old) == 1


def _regions(before: Page, new: Sequence[str], groups: Sequence[_Group]) -> Iterator[Spelled]:
    shift = 0
    for start, end, changes in groups:
        more = sum((each.after_end - each.after_start) - (each.end - each.start) for each in changes)
        lines = new[start + shift : end + shift + more]
        while end < len(before.lines) and not lines:  # a text of no lines would leave its line break behind
            end += 1
            lines = new[start + shift : end + shift + more]
        yield Spelled("\n".join(before.lines[start:end]), "\n".join(lines), *_lines(before, start, end))
        shift += more


def _grown(before: Page, after: str, start: int, end: int) -> Spelled:
    """Lines `start:end` and as many above and below them as tell the place."""
    lines, new = before.lines, after.split("\n")
    more = len(new) - len(lines)
    ways = (
        (a, b, Spelled("\n".join(lines[a:b]), "\n".join(new[a : b + more]), *_lines(before, a, b)))
        for a, b in _wider(start, end, len(lines))
    )
    return next(
        way
        for a, b, way in ways
        if b - a == len(lines) or (_is_only(before, a, b) and way.applied(before.text) == after)
    )


def _lines(page: Page, start: int, end: int) -> tuple[int, int]:
    """The first and the last line that a file had, of those that it has by now, counted from 1."""
    there = [at for at in page.origins[start:end] if at is not None]
    return (there[0] + 1, there[-1] + 1) if there else (start + 1, max(end, start + 1))
