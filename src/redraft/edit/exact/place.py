"""In: a file and the steps of an answer. Out: the new file with all of them, or `RefusedError`, what is open."""

from bisect import bisect_left
from collections.abc import Sequence

from msgspec.structs import replace

from redraft.edit.exact.find import find, together
from redraft.edit.exact.leaks import check_leaks
from redraft.edit.exact.messages import made_in_part, missing, not_as_often, several, unplaced
from redraft.edit.exact.page import Page, Spot
from redraft.edit.exact.scopes import in_scopes, scope_lines
from redraft.edit.exact.steps import RefusedError, Replacement
from redraft.edit.text.changes import split_lines

MADE = "what the file has already"


class Draft:
    """A file that changes step by step; steps that do not touch one another are looked up in the same page."""

    def __init__(self, text: str) -> None:
        self._page = self._first = Page.of(text)
        self._pending: list[Spot] = []
        self._spans: list[tuple[int, int]] = []
        self.healed: dict[str, None] = {}

    def text(self) -> str:
        self._turn()
        return self._page.text

    def add(self, step: Replacement) -> None:
        if step.old == step.new and step.span is None:
            return
        spots = self._spots(step)
        if any(self._touches(spot) for spot in spots) or (not spots and self._pending):
            self._turn()
            spots = self._spots(step)
        if not spots:
            self._made(step)
            return
        for spot in self._chosen(step, spots):
            self._take(step, spot)

    def _spots(self, step: Replacement) -> list[Spot]:
        if step.span is not None:
            return self._at_number(step)
        return find(step, self._page) if step.old else self._below(step)

    def _at_number(self, step: Replacement) -> list[Spot]:
        """Lines that numbers alone tell; they are those of the file before any edit."""
        start, end = step.span or (0, 0)
        count = len(split_lines(self._first.text))
        if not 0 <= start <= end <= count:
            raise RefusedError(
                f"line {step.line} of the answer speaks of line {end or start} of the file, which has {count}"
            )
        page = self._page
        there = [at for at, origin in enumerate(page.origins) if origin is not None and start <= origin < end]
        if end == start:
            top = [at for at, origin in enumerate(page.origins) if origin == start - 1] if start else [-1]
            there = []
            first = top[0] + 1 if top else None
        else:
            first = there[0] if len(there) == end - start and there[-1] - there[0] == end - start - 1 else None
        if first is None:
            raise RefusedError(f"line {step.line} of the answer speaks of lines that an earlier edit of it changes")
        return [_inserted(page, first, first + len(there), split_lines(step.new))]

    def _below(self, step: Replacement) -> list[Spot]:
        """New lines alone: directly below the line that the format names."""
        page, new = self._page, split_lines(step.new)
        if not page.text.strip():
            return [
                Spot(0, len(page.lines), tuple((line, None) for line in step.new.split("\n")), page.text, step.new, 0)
            ]
        if step.is_last and not step.scopes:
            end = len(page.lines) - (not page.lines[-1])
            return [_inserted(page, end, end, new)]
        found = scope_lines(step.scopes, page)
        if len(found) != 1:
            raise RefusedError(unplaced(step, found, page))
        return [_inserted(page, found[0] + 1, found[0] + 1, new)]

    def _chosen(self, step: Replacement, spots: Sequence[Spot]) -> Sequence[Spot]:
        if step.count != 1:
            if step.count and len(spots) != step.count:
                raise RefusedError(not_as_often(step, spots))
            if any(_is_made(spot, self._page) for spot in spots):
                raise RefusedError(made_in_part(step))
            return together(spots, self._page)
        found = _narrowed(step, spots, self._page)
        if len(found) != 1:
            raise RefusedError(several(step, spots))
        return found

    def _made(self, step: Replacement) -> None:
        """Passes by what the file has already; raises RefusedError for what is not in it."""
        new, old = split_lines(step.new), {line.strip() for line in split_lines(step.old)}
        brings = any(line.strip() and line.strip() not in old for line in new)
        back = replace(step, old=step.new, kept=None, others=(), count=1, scopes=(), number=None)
        if step.old and brings and step.count == 1 and len(find(back, self._page)) == 1:
            self.healed[MADE] = None
            return
        raise RefusedError(missing(step, self._page))

    def _take(self, step: Replacement, spot: Spot) -> None:
        if _is_made(spot, self._page):
            self.healed[MADE] = None
            return
        small = _trimmed(spot, self._page)
        check_leaks(step, small, self._first)
        self.healed |= dict.fromkeys(spot.healed)
        at = bisect_left(self._spans, (small.start, small.end))
        self._pending.insert(at, small)
        self._spans.insert(at, (small.start, small.end))

    def _touches(self, spot: Spot) -> bool:
        """Whether an edit that is not made yet changes a line of a place."""
        at = bisect_left(self._spans, (spot.start, -1))
        near = self._spans[max(at - 1, 0) : at + 1]
        return any(
            (start < spot.end and spot.start < end) or (start, end) == (spot.start, spot.end) for start, end in near
        )

    def _turn(self) -> None:
        if self._pending:
            self._page = self._page.with_spots(self._pending)
            self._pending, self._spans = [], []


def _narrowed(step: Replacement, spots: Sequence[Spot], page: Page) -> Sequence[Spot]:
    """The place that the format tells; what an earlier edit brought counts where the file has nothing else."""
    if len(spots) < 2:
        return spots
    if step.number is not None:
        right = [spot for spot in spots if page.origins[spot.start] == step.number - 1]
        if len(right) == 1:
            return right
    if step.is_last:
        end = len(page.lines) - (not page.lines[-1])
        last = [spot for spot in spots if spot.end >= end]
        if len(last) == 1:
            return last
    if step.scopes and len(below := in_scopes(step.scopes, spots, page)) == 1:
        return below
    return [spot for spot in spots if any(origin is not None for origin in page.origins[spot.start : spot.end])]


def _inserted(page: Page, start: int, end: int, new: Sequence[str]) -> Spot:
    old = "\n".join(page.lines[start:end])
    at = page.starts[start] if start < len(page.starts) else len(page.text)
    return Spot(start, end, tuple((line, None) for line in new), old, "\n".join(new), at)


def _is_made(spot: Spot, page: Page) -> bool:
    """Whether the new text stands around the old one already."""
    if spot.start == spot.end:
        count = len(spot.lines)
        return [text for text, _ in spot.lines] == page.lines[spot.start : spot.start + count] and bool(
            spot.new.strip()
        )
    at = spot.new.find(spot.old) if spot.old.strip() and len(spot.new) > len(spot.old) else -1
    while at >= 0:
        start = spot.text - at
        if start >= 0 and page.text.startswith(spot.new, start) and spot.new.replace(spot.old, "", 1).strip():
            return True
        at = spot.new.find(spot.old, at + 1)
    return False


def _trimmed(spot: Spot, page: Page) -> Spot:
    """Without the lines at both ends that stay as they are."""
    start, end, lines = spot.start, spot.end, list(spot.lines)
    while start < end and lines and lines[0][0] == page.lines[start]:
        start += 1
        lines.pop(0)
    while start < end and lines and lines[-1][0] == page.lines[end - 1]:
        end -= 1
        lines.pop()
    return replace(spot, start=start, end=end, lines=tuple(lines))
