"""In: a file and the steps of an answer. Out: the new file with all of them, or `RefusedError`, what is open."""

import re
from bisect import bisect_left, insort_left
from collections.abc import Sequence
from dataclasses import replace

from redraft.edit.exact.find import healed, letters, made
from redraft.edit.exact.leaks import check_leaks
from redraft.edit.exact.messages import beyond, made_in_part, missing, not_as_often, several, unplaced
from redraft.edit.exact.page import Change, Line, Page, Spot, occurrences, together
from redraft.edit.exact.scopes import in_scopes, inside, opens, scope_lines
from redraft.edit.exact.steps import RefusedError, Replacement, SketchError, refused_line
from redraft.edit.text.changes import common, split_lines

_BEGINS, _ENDS = re.compile("^", re.MULTILINE), re.compile(r"[^\S\n]*$", re.MULTILINE)
_TELLING = re.compile(r"\w\W*\w\W*\w")
MADE = "what the file has already"
ANCHOR = "anchor that is not in the file"


class Draft:
    """A file that changes step by step; steps that do not touch one another are looked up in the same page."""

    def __init__(self, text: str, answer: Sequence[str] = ()) -> None:
        self._answer = answer
        self._page = self._first = Page.of(text)
        self._pending: list[Spot] = []
        self.healed: dict[str, None] = {}

    def text(self) -> str:
        return self.page().text

    def page(self) -> Page:
        """The file with all edits so far."""
        self._turn()
        return self._page

    def add(self, step: Replacement) -> Sequence[Spot]:
        """The places that the step changes, none where nothing is to be done; raises RefusedError, SketchError."""
        if step.old == step.new and step.span is None:
            return ()
        spots = self._spots(step)
        if any(self._touches(spot) for spot in spots) or (not spots and self._pending):
            self._turn()
            spots = self._spots(step)
        is_done = self._is_done(step, spots)
        if not spots and not is_done:
            spots = healed(step, self._page)
            is_done = self._is_done(step, spots, slips=True)
        if is_done:
            self.healed[MADE] = None
            return ()
        if not spots:
            raise SketchError if step.is_loose else RefusedError(missing(step, self._page, self._answer))
        chosen = self._chosen(step, spots)
        for spot in chosen:
            self._take(step, spot)
        return chosen

    def _spots(self, step: Replacement) -> list[Spot]:
        if step.span is not None:
            return self._at_span(step)
        return letters(step, self._page) if step.old else self._below(step)

    def _at_span(self, step: Replacement) -> list[Spot]:
        """Lines that numbers alone tell; they are those of the file before any edit."""
        start, end = step.span or (0, 0)
        page, count = self._page, self._first.end
        if not 0 <= start <= end <= count:
            why = f"speaks of line {end or start} of the file, which has {count} lines: give the right number"
            raise refused_line(step.line, why)
        there = [at for at, origin in enumerate(page.origins) if origin is not None and start <= origin < end]
        above = [-1, *page.origins]
        if start == end and start - 1 in above:
            first = above.index(start - 1)
        elif there and there == [*range(there[0], there[0] + end - start)]:
            first = there[0]
        else:
            why = "speaks of lines that an earlier edit of it changes: give both as one edit"
            raise refused_line(step.line, why)
        return [_inserted(page, first, first + len(there), split_lines(step.new))]

    def _below(self, step: Replacement) -> list[Spot]:
        """New lines alone: directly below the line that the format names."""
        page, new = self._page, split_lines(step.new)
        if not page.text.strip():
            return [Spot(0, len(page.lines), 0, lambda: Change(_fresh(step.new.split("\n")), page.text, step.new))]
        if step.is_last and not step.scopes:
            return [_inserted(page, page.end, page.end, new)]
        found = scope_lines(step.scopes, page)
        if step.is_loose:
            raise SketchError
        if len(found) != 1:
            raise RefusedError(unplaced(step, found, page))
        return [_inserted(page, found[0] + 1, found[0] + 1, new)]

    def _chosen(self, step: Replacement, spots: Sequence[Spot]) -> Sequence[Spot]:
        page = self._page
        if step.count != 1:
            if step.count and len(spots) != step.count:
                raise RefusedError(not_as_often(step, spots, page))
            if any(_is_made(spot, page) for spot in spots):
                raise RefusedError(made_in_part(step))
            return together(spots, page)
        found = _narrowed(step, spots, page)
        if len(found) != 1:
            raise RefusedError(several(step, spots, page))
        self._check_scopes(step, found[0])
        return found

    def _check_scopes(self, step: Replacement, spot: Spot) -> None:
        """Raises RefusedError where the anchors are below the only place; one that is nowhere tells nothing, and one
        beside a number that is right as little."""
        page, number = self._page, step.number
        named = scope_lines(step.scopes, page) if step.scopes else []
        if not named and step.scopes and number is None:
            self.healed[ANCHOR] = None
        if not named or (number is not None and _at_number(number, [spot], page)):
            return
        is_outside = number is None and _only_takes(step) and opens(named, page) and not inside(named, [spot], page)
        if min(named) >= spot.end or is_outside:
            raise RefusedError(beyond(step, spot, named, page))

    def _is_done(self, step: Replacement, spots: Sequence[Spot], slips: bool = False) -> bool:
        """Whether the file has the new text already, be it beside other places of the old one; `slips` are mended."""
        return self._is_at_place(step, spots, slips) if spots else self._is_there(step, slips)

    def _is_there(self, step: Replacement, slips: bool) -> bool:
        """Whether the file has the new text once, and with it what the old one has not."""
        old = {*map(str.strip, split_lines(step.old))}
        brings = any(_TELLING.search(line) and line.strip() not in old for line in split_lines(step.new))
        return brings and step.count == 1 and len(made(step, self._page, slips)) == 1

    def _is_in_new(self, step: Replacement, spot: Spot) -> bool:
        """Whether a place that was found by a slip lies in the new text."""
        there = made(step, self._page, slips=True) if step.new.strip() else []
        return any(each.start <= spot.start and spot.end <= each.end for each in there)

    def _is_at_place(self, step: Replacement, spots: Sequence[Spot], slips: bool) -> bool:
        """Whether the new text stands where the format says, and the old text elsewhere alone."""
        if step.span is not None or step.count != 1 or not step.old or not _TELLING.search(step.new):
            return False
        there = made(step, self._page, slips)
        page, number = self._page, step.number
        if number is not None and (_at_number(number, there, page) or _at_number(number + step.moved, there, page)):
            return not _at_number(number, spots, page)
        if step.is_last:
            return bool(_at_end(there, page)) and not _at_end(spots, page)
        named = scope_lines(step.scopes, page)
        return bool(inside(named, there, page)) and not inside(named, spots, page)

    def _take(self, step: Replacement, spot: Spot) -> None:
        if _is_made(spot, self._page) or (spot.healed and self._is_in_new(step, spot)):
            self.healed[MADE] = None
            return
        small = _trimmed(spot, self._page)
        check_leaks(step, small, self._page, self._first, self._answer)
        self.healed |= dict.fromkeys((*step.slips, *spot.healed))
        insort_left(self._pending, small, key=_span)

    def _touches(self, spot: Spot) -> bool:
        """Whether an edit that is not made yet changes a line of a place."""
        at = bisect_left(self._pending, (spot.start, -1), key=_span)
        near = map(_span, self._pending[max(at - 1, 0) : at + 1])
        return any((start < spot.end and spot.start < end) or (start, end) == _span(spot) for start, end in near)

    def _turn(self) -> None:
        if self._pending:
            self._page, self._pending = self._page.with_spots(self._pending), []


def _span(spot: Spot) -> tuple[int, int]:
    return spot.start, spot.end


def _only_takes(step: Replacement) -> bool:
    """Whether lines go and none comes: done once, nothing in the file tells that it is."""
    old, new = ({*map(str.strip, split_lines(text))} for text in (step.old, step.new))
    return new <= old


def _narrowed(step: Replacement, spots: Sequence[Spot], page: Page) -> Sequence[Spot]:
    """The place that the format tells; what an earlier edit brought counts where the file has nothing else."""
    if len(spots) < 2:
        return spots
    if step.number is not None and len(right := _at_number(step.number, spots, page)) == 1:
        return right
    if step.is_last and len(last := _at_end(spots, page)) == 1:
        return last
    if step.scopes and len(below := in_scopes(step.scopes, spots, page)) == 1:
        return below
    return [spot for spot in spots if {*page.origins[spot.start : spot.end]} - {None}]


def _at_number(number: int, spots: Sequence[Spot], page: Page) -> list[Spot]:
    """The places at a line of the file, counted from 1."""
    return [spot for spot in spots if page.origins[spot.start] == number - 1]


def _at_end(spots: Sequence[Spot], page: Page) -> list[Spot]:
    return [spot for spot in spots if spot.end >= page.end]


def _inserted(page: Page, start: int, end: int, new: Sequence[str]) -> Spot:
    old = "\n".join(page.lines[start:end])
    at = page.starts[start] if start < len(page.starts) else len(page.text)
    return Spot(start, end, at, lambda: Change(_fresh(new), old, "\n".join(new)), is_number=True)


def _fresh(lines: Sequence[str]) -> tuple[Line, ...]:
    return tuple((line, None) for line in lines)


def _is_made(spot: Spot, page: Page) -> bool:
    """Whether the new text stands around the old one already."""
    made, count = spot.change, len(spot.change.lines)
    if spot.is_number and count >= spot.end - spot.start:
        there = page.lines[spot.start : spot.start + count]
        return count > 0 and [text for text, _ in made.lines] == there
    brings = made.new.replace(made.old, "", 1) if made.old.strip() and made.old in made.new else ""
    starts = (spot.text - at for at in occurrences(made.old, made.new) if at <= spot.text)
    return bool(brings.strip() or "\n" in brings) and any(
        page.text.startswith(made.new, start) and _is_of_lines(made, page.text, spot.text, start) for start in starts
    )


def _is_of_lines(made: Change, text: str, old: int, new: int) -> bool:
    """Whether the new text at `new` is of whole lines where the old one is: `import sysconfig` has no `import sys`."""
    begins = not _BEGINS.match(text, old) or _BEGINS.match(text, new)
    is_last = made.old.endswith("\n") or not _ENDS.match(text, old + len(made.old))
    return bool(begins and (is_last or _ENDS.match(text, new + len(made.new))))


def _trimmed(spot: Spot, page: Page) -> Spot:
    """Without the lines at both ends that stay as they are."""
    old, new = page.lines[spot.start : spot.end], [text for text, _ in spot.change.lines]
    head = common(old, new)
    tail = common(old[head:][::-1], new[head:][::-1])
    made = Change(spot.change.lines[head : len(new) - tail], spot.change.old, spot.change.new)
    return replace(spot, start=spot.start + head, end=spot.end - tail, make=lambda: made)
