"""In: how lines of a hunk are indented and how the file indents them. Out: what to do to the hunk's new lines."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from msgspec import Struct

_UNITS = (
    ("", ""),
    ("    ", "\t"),
    ("  ", "\t"),
    ("        ", "\t"),
    ("\t", "    "),
    ("\t", "  "),
    ("\t", "        "),
    ("    ", "  "),
    ("  ", "    "),
)
_TRIED = 8

Leads = Sequence[tuple[str, str]]  # the indentation of a line in the hunk, and in the file


class Shift(Struct, frozen=True):
    """Another unit, then some white space more or less in front; without arguments nothing."""

    unit: str = ""
    other: str = ""
    drop: str = ""
    add: str = ""

    def __call__(self, lead: str) -> str:
        moved = lead.replace(self.unit, self.other)
        return self.add + (moved.removeprefix(self.drop) if moved.startswith(self.drop) else "")

    def fitting(self, leads: Leads) -> int:
        """How many lines of the hunk it takes to their lines of the file."""
        return sum(self.add + lead.replace(self.unit, self.other) == self.drop + there for lead, there in leads)


def unspaced(text: str) -> str:
    """A line without any white space."""
    return "".join(text.split())


def is_constant(leads: Leads) -> bool:
    """Whether one shift takes all lines of the hunk to their lines of the file."""
    return any(shift.fitting(leads) == len(leads) for shift in _shifts(leads))


def best_shift(removed: Leads, context: Leads, new: Collection[str], known: Collection[str]) -> Shift:
    """The shift that fits most lines that go, then most of the context; `known` is how the file indents.

    Where context lacks one space, its column is missing, unless the file knows the new lines only when shifted.
    """
    best = max(_shifts((*removed, *context)), key=lambda shift: (shift.fitting(removed), shift.fitting(context)))
    if removed or any(lead not in (own, " " + own) for own, lead in context):
        return best
    near = {lead for _, lead in context}
    return max(Shift(), best, key=lambda shift: [sum(shift(own) in leads for own in new) for leads in (near, known)])


def _shifts(leads: Leads) -> Iterator[Shift]:
    """The simplest first."""
    yield Shift()
    distinct = list(islice(dict.fromkeys(leads), _TRIED))
    for unit, other in _UNITS:
        for own, lead in distinct:
            moved = own.replace(unit, other)
            if lead.endswith(moved):
                yield Shift(unit, other, add=lead.removesuffix(moved))
            elif moved.endswith(lead):
                yield Shift(unit, other, drop=moved.removesuffix(lead))
