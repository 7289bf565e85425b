"""In: a replacement and a page. Out: the places where it stands, on the first rung of healing where it stands at all.

Letter for letter; but for blanks at the ends of lines; but for one common shift of indentation; but for how many blank
lines there are between others. The whole of the old text agrees on every rung.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, groupby

from msgspec.structs import replace

from redraft.edit.exact.forms import forms
from redraft.edit.exact.indents import Indents, Shift, indent_of, shift
from redraft.edit.exact.page import Change, Line, Page, Spot, occurrences, unspaced
from redraft.edit.exact.steps import Kept, Replacement
from redraft.edit.text.changes import Key, split_lines, unchanged
from redraft.edit.text.lines import written

TRAILING, SHIFTED, BLANKS = "blanks at the ends of lines", "one common shift of indentation", "number of blank lines"
WITHIN = "blanks within lines"
PART, FLUSH = "old text that is a part of a line", "first line without its indentation"
_OPENERS = (":", "{", "(", "[")


def letters(step: Replacement, page: Page) -> list[Spot]:
    """The places where it stands letter for letter."""
    return list(_letters(step, page))


def healed(step: Replacement, page: Page) -> list[Spot]:
    """The places on the first rung of healing that has any."""
    for names, form in forms(step, page.text):
        if found := _on_a_rung(form, page):
            return [dataclasses.replace(spot, healed=names + spot.healed) for spot in found]
    return []


def made(step: Replacement, page: Page, slips: bool = False) -> list[Spot]:
    """The places where the new text stands: with `slips` on the first rung, mended as the old text has to be. Lines are
    not there already where they are a part of others."""
    if not slips:
        return [spot for spot in letters(_back(step), page) if is_apart(spot.change.old, spot.text, page)]
    found = (_on_a_rung(_back(form), page, has_pieces=step.is_piece) for _, form in forms(step, page.text))
    return next((spots for spots in found if spots), [])


def _back(step: Replacement) -> Replacement:
    """The new text in the place of the old one."""
    return replace(step, old=step.new, kept=None, others=(), is_piece=step.is_piece and "\n" not in step.new)


def _on_a_rung(step: Replacement, page: Page, has_pieces: bool = True) -> list[Spot]:
    trailing = partial(_by_lines, key=str.rstrip, healed=(TRAILING,))
    rungs = (_letters, _pieces, trailing, _shifted, _blanks, _within)
    used = (rung for rung in rungs if has_pieces or rung is not _pieces)
    return next((found for rung in used if (found := list(rung(step, page)))), [])


def _letters(step: Replacement, page: Page) -> Iterator[Spot]:
    if step.is_piece:
        for at in occurrences(step.old, page.text, apart=step.count != 1):
            spot = _piece(step.old, step.new, at, page)
            if not (spot.healed and _is_there(step.old, step.new, at, page)):
                yield spot
    else:
        yield from _by_lines(step, page, str)


def _pieces(step: Replacement, page: Page) -> Iterator[Spot]:
    """Whole lines of an answer that begin or end within lines of the file, at the ends of words."""
    old, new = step.old.removesuffix("\n"), step.new.removesuffix("\n")
    if step.is_piece or step.kept is not None or not old.strip() or not new.strip():
        return
    if old.strip("\n") != old:
        return  # a blank line at an end is a line, and no break that the file has there anyway
    for at in occurrences(old, page.text):
        if is_apart(old, at, page) and (old == new or not _is_there(old, new, at, page)):
            spot = _piece(old, new, at, page)
            yield spot if spot.healed else dataclasses.replace(spot, healed=(PART,))


def _is_there(old: str, new: str, at: int, page: Page) -> bool:
    """Whether an old text that stands at a place is a part of the new one, which stands there already."""
    starts = (at - within for within in occurrences(old, new) if within <= at)
    return any(page.text.startswith(new, start) for start in starts)


def is_apart(old: str, at: int, page: Page) -> bool:
    """Whether a piece begins and ends at the ends of words."""
    text, end = page.text, at + len(old)
    cut = at > 0 and text[at - 1].isalnum() and old[:1].isalnum()
    return not cut and not (end < len(text) and text[end].isalnum() and old[-1:].isalnum())


def _piece(old: str, new: str, at: int, page: Page) -> Spot:
    first, last = page.line_at(at), page.line_at(at + len(old))
    before = page.text[page.starts[first] : at]
    after = page.text[at + len(old) : page.starts[last] + len(page.lines[last])]
    if not new and old[-1:] != "\n" and not before and not after and last + 1 < len(page.lines):
        return Spot(first, last + 1, at, lambda: Change((), old, new))
    shown, healed = _reindented(old, new, before)
    texts = (before + shown + after).split("\n")
    lines: list[Line] = [(text, None) for text in texts]
    if before.strip():
        lines[0] = (texts[0], page.origins[first])
    if after.strip() or (not after and old.endswith("\n")):
        lines[-1] = (texts[-1], page.origins[last])
    return Spot(first, last + 1, at, lambda: Change(tuple(lines), old, shown), healed)


def _reindented(old: str, new: str, before: str) -> tuple[str, tuple[str, ...]]:
    """New lines behind the first at its depth, where the old text is one line without its indentation."""
    first, *others = new.split("\n")
    shown = written(others)
    if before.strip(" \t") or not before or "\n" in old.strip("\n") or not shown:
        return new, ()
    is_opened = first.rstrip().endswith(_OPENERS) and len(indent_of(shown[0])) <= len(before)
    if not is_opened and all(indent_of(line).startswith(before) for line in shown):
        return new, ()
    return "\n".join([first, *(before + line if line.strip() else line for line in others)]), (FLUSH,)


def _by_lines(step: Replacement, page: Page, key: Key, healed: tuple[str, ...] = ()) -> Iterator[Spot]:
    old, new = split_lines(step.old), split_lines(step.new)
    if step.number is None and not any(map(str.strip, old)):
        return
    for start in page.runs(old, key):
        make = partial(_as_shown, step, page, old, new, start)
        yield Spot(start, start + len(old), page.starts[start], make, healed)


def _as_shown(step: Replacement, page: Page, old: Sequence[str], new: Sequence[str], start: int) -> Change:
    lines = _written(new, _kept(step, old, new), _in_a_row(start, old), page, str) or []
    return _change(page, start, start + len(old), lines)


def _in_a_row(start: int, lines: Sequence[str]) -> list[Sequence[int]]:
    """Where each of some lines stands that follow each other."""
    return [(start + at,) for at in range(len(lines))]


def _shifted(step: Replacement, page: Page) -> Iterator[Spot]:
    old, new = split_lines(step.old), split_lines(step.new)
    solid = written(old)
    if not solid or (len(solid) < 2 and not step.new.strip()):
        return  # a line that only goes is told by its indentation, too
    for start in page.runs(old, str.strip):
        yield from _moved(step, page, old, new, _in_a_row(start, old))


def _blanks(step: Replacement, page: Page) -> Iterator[Spot]:
    """Old lines between which the file has as well some blank lines, where they have some."""
    old, _ = _collapsed(split_lines(step.old))
    new, others = _collapsed(split_lines(step.new))
    solid = written(old)
    if len(solid) < 2 or len(solid) == len(old):
        return
    step = replace(step, kept=None)
    first = min(solid, key=lambda text: len(page.bare.get(text.strip(), ())))
    numbers = {at: number for number, at in enumerate(page.solid)}
    for at in page.bare.get(first.strip(), ()):
        if there := _spaced(old, page, numbers[at] - solid.index(first)):
            yield from _moved(step, page, old, new, there, (BLANKS,), others)


def _within(step: Replacement, page: Page) -> Iterator[Spot]:
    """Several old lines that are the file's but for blanks between their words and signs."""
    old, new = split_lines(step.old), split_lines(step.new)
    if len(written(old)) < 2:
        return
    for start in page.runs(old, unspaced):
        yield from _moved(step, page, old, new, _in_a_row(start, old), (WITHIN,))


def _spaced(old: Sequence[str], page: Page, number: int) -> list[Sequence[int]]:
    """The lines of the file for each of the old ones, the blank ones as a run; none where they do not agree.

    Blank lines at both ends of the old ones need not be there.
    """
    solid = page.solid
    found: list[Sequence[int]] = []
    for at, text in enumerate(old):
        above = solid[number - 1] if number > 0 else -1
        here = solid[number] if 0 <= number < len(solid) else page.end
        gap = range(above + 1, here)
        if not text.strip():
            if not gap and 0 < at < len(old) - 1:
                return []
            found.append(gap)
            continue
        if not 0 <= number < len(solid) or page.lines[here].strip() != text.strip():
            return []
        if gap and at and old[at - 1].strip():
            return []
        found.append((here,))
        number += 1
    return found


def _collapsed(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """The lines with one blank one for each run of them, and how many each stands for."""
    found: list[str] = []
    widths: list[int] = []
    for is_solid, run in groupby(lines, key=lambda line: bool(line.strip())):
        texts = [*run]
        found += texts if is_solid else texts[:1]
        widths += [1] * len(texts) if is_solid else [len(texts)]
    return found, widths


def _moved(
    step: Replacement,
    page: Page,
    old: Sequence[str],
    new: Sequence[str],
    there: Sequence[Sequence[int]],
    healed: tuple[str, ...] = (),
    widths: Sequence[int] = (),
) -> Iterator[Spot]:
    """The change where all lines are moved alike, or all but the first."""
    solid = [(text, page.lines[at[0]]) for text, at in zip(old, there, strict=True) if text.strip()]
    pairs = [(indent_of(text), indent_of(line)) for text, line in solid]
    move, first = _common_shift(pairs, new)
    if move is None:
        return
    is_moved = first is not None or any(a != b for a, b in pairs)
    if is_moved and old != new and [*map(str.strip, old)] == [*map(str.strip, new)]:
        return  # indentation that changes is not told by another one
    lines = _written(new, _kept(step, old, new), there, page, move, first, widths)
    if lines is not None:
        shown = [*chain.from_iterable(there)]
        change = _change(page, shown[0], shown[-1] + 1, lines)
        names = (SHIFTED if first is None else FLUSH,) if is_moved else ()
        yield Spot(shown[0], shown[-1] + 1, page.starts[shown[0]], lambda: change, names + healed)


def _common_shift(pairs: Indents, new: Sequence[str]) -> tuple[Shift | None, str | None]:
    """How all lines are moved, or all but the first, with the indentation that this one has in the file."""
    move = shift(pairs)
    if move is not None or len(pairs) < 2 or pairs[0][0] or not new or indent_of(new[0]):
        return move, None
    return shift(pairs[1:]), pairs[0][1]


def _change(page: Page, start: int, end: int, lines: Sequence[Line]) -> Change:
    return Change(tuple(lines), "\n".join(page.lines[start:end]), "\n".join(text for text, _ in lines))


def _kept(step: Replacement, old: Sequence[str], new: Sequence[str]) -> Kept:
    return tuple(unchanged(old, new)) if step.kept is None else step.kept


def _written(
    new: Sequence[str],
    kept: Kept,
    there: Sequence[Sequence[int]],
    page: Page,
    move: Shift,
    first: str | None = None,
    widths: Sequence[int] = (),
) -> list[Line] | None:
    """The new lines, those that stay as the file has them; None where one cannot be moved as the others are.

    `first` is how the first line is indented, where that is not as the others are.
    """
    stay = {after: there[before] for before, after in kept}
    found: list[Line] = []
    for number, text in enumerate(new):
        if number in stay:
            found += [(page.lines[at], page.origins[at]) for at in stay[number]]
        elif not text.strip():
            found += [(text if move is str else "", None)] * (widths[number] if widths else 1)
        else:
            indent = indent_of(text)
            moved = move(indent) if number or first is None else first
            if moved is None:
                return None
            found.append((moved + text[len(indent) :], None))
    return found
