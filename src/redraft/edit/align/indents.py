"""In: lines of a file and of a sketch. Out: the units by which they are indented."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from redraft.edit.text.lines import lead_of, width_of, written

Change = Callable[[str], str]

_TO_SPACES = (("\t", "    "), ("\t", "  "))


def step(lines: Sequence[str]) -> str:
    """By what the lines of a file are mostly indented more than those above."""
    leads = map(lead_of, written(lines))
    steps = Counter(lead.removeprefix(last) for last, lead in pairwise(leads) if lead != last and lead.startswith(last))
    return max(steps, key=steps.__getitem__, default="")


def units(step: str, sketch: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of the sketch's unit and the file's; of two that are spaces, what both show to be theirs.

    Code that is wrapped in a block, or no longer, looks as if its unit were another.
    """
    widths = {*map(width_of, written(sketch))}
    deeper = (width - min(widths) for width in widths)
    narrowest = min((width for width in deeper if width and width % 2 == 0), default=0)
    unit, other = ("  ", "    ") if narrowest % 4 else ("    ", "  ")
    other = step if step and step != unit and not step.strip(" ") else other
    to_spaces = [(unit, other)] if step in ("", other) else []
    return [*_TO_SPACES, (unit, "\t"), (other, "\t"), *to_spaces]


def in_units(unit: str, other: str, text: str) -> str:
    """A line with another unit in front."""
    lead = lead_of(text)
    if lead.strip(unit[0]):
        return text
    return other * (len(lead) // len(unit)) + unit[0] * (len(lead) % len(unit)) + text.lstrip()


def moved_by(lead: str, text: str) -> str:
    return lead + text if text else text


def moved_back(lead: str, text: str) -> str:
    return text.removeprefix(lead)


def both(first: Change, second: Change, text: str) -> str:
    return second(first(text))
