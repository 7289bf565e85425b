"""In: a file, and an answer that was refused since its lines stand several times. Out: the places that may be meant."""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.exact.find import healed
from redraft.edit.exact.page import Page
from redraft.edit.exact.read import apply_steps, read_steps
from redraft.edit.exact.spelled import telling
from redraft.edit.exact.steps import RefusedError, Replacement, SketchError, Step

_MOST, _LONGEST = 6, 24  # places, and lines of one: more than a chat model has to be shown
_ALIKE = re.compile(
    r"stands (?:\d+|several) times in the file|fit the answer alike|below line \d+ of the file, .*, or below line \d+"
)
_NUMBERS = re.compile(r"\blines? (\d+(?:, \d+| and \d+)*)(?!\d| of the answer)")


def twins(original: str, update: str, path: str, reason: str) -> list[tuple[int, int]]:
    """The first and the last line of the first few places, from 1, with as many around them as stand there alone.

    None where the reason is another one, or where no few lines tell the places from each other.
    """
    if not _ALIKE.search(reason):
        return []
    page = Page.of(original)
    spans = list(_spots(page, update, path)) or _named(reason, len(page.lines))
    stretches = [telling(page, start, end) for start, end in spans[:_MOST]]
    short = [(start + 1, end) for start, end in stretches if end - start <= _LONGEST]
    return short if len(short) > 1 and len(short) == len(stretches) else []


def failing(text: str, steps: Sequence[Step]) -> Replacement | None:
    """The first step that is refused, where it is a replacement."""
    for number, step in enumerate(steps, 1):
        if apply_steps(text, steps[:number]).text is None:
            return step if isinstance(step, Replacement) else None
    return None


def _spots(page: Page, update: str, path: str) -> Iterator[tuple[int, int]]:
    """Where the old text of an exact format stands."""
    try:
        step = failing(page.text, read_steps(page.text, update, path))
    except (RefusedError, SketchError):
        return
    if step is not None and step.old.strip():
        yield from ((spot.start, spot.end) for spot in healed(step, page))


def _named(reason: str, count: int) -> list[tuple[int, int]]:
    """The lines that the reason names."""
    numbers = (int(each) for found in _NUMBERS.findall(reason) for each in re.findall(r"\d+", found))
    return [(number - 1, number) for number in sorted({*numbers}) if 0 < number <= count]
