"""In: a text about a file before and after an edit. Out: the same without the file's lines, and back from them.

A line that stands in the file is a reference: `b12-15` are lines 12 to 15 before, `a40` is line 40 after. What a
reference cannot say is text: the writer's own words, and lines of the file that the writer changed.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redraft.edit.text.changes import split_lines
from redraft.errors import RedraftError

BEFORE, AFTER = "b", "a"
# What may stand in front of a line of the file: diff signs, a comment sign, the number in a gutter.
_LONGEST_LEAD = 12
Part = str | dict[str, Any]


@dataclass(frozen=True)
class Reference:
    """Lines `first` to `last` of one side, counted from 1; each without its first `cut` characters, behind `put`."""

    side: str
    first: int
    last: int
    cut: int = 0
    put: str = ""

    def part(self) -> Part:
        lines = f"{self.first}-{self.last}" if self.last > self.first else str(self.first)
        found: dict[str, Any] = {"ref": self.side + lines}
        return found | ({"cut": self.cut} if self.cut else {}) | ({"put": self.put} if self.put else {})


def refer(text: str, before: str, after: str) -> list[Part]:
    """The text as references and own words; `resolve` gives it back."""
    finder, parts = Referrer(before, after), list[Reference | str]()
    for line in text.split("\n"):
        last = parts[-1] if parts else None
        run = finder.find(line, last if isinstance(last, Reference) else None)
        if run is None:
            joined = isinstance(last, str)
            parts[len(parts) - joined :] = [f"{last}\n{line}" if joined else line]
        elif isinstance(last, Reference) and run == replace(last, first=last.last + 1, last=last.last + 1):
            parts[-1] = replace(last, last=run.last)
        else:
            parts.append(run)
    return [part if isinstance(part, str) else part.part() for part in parts]


def resolve(parts: Sequence[Part], before: str, after: str) -> str:
    """The text that the parts say of this file; raises RedraftError for a part that is none, or not of this file."""
    sides = {BEFORE: split_lines(before), AFTER: split_lines(after)}
    return "\n".join(line for part in parts for line in _resolved(part, sides))


def _resolved(part: Part, sides: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if isinstance(part, str):
        yield part
        return
    run = _reference(part)
    lines = sides[run.side]
    if not 1 <= run.first <= run.last <= len(lines):
        raise RedraftError(f"the reference {part['ref']} is not of this file, which has {len(lines)} lines")
    yield from (run.put + line[run.cut :] for line in lines[run.first - 1 : run.last])


def _reference(part: Any) -> Reference:
    try:
        side, lines = part["ref"][0], part["ref"][1:]
        first, _, last = lines.partition("-")
        run = Reference(side, int(first), int(last or first), int(part.get("cut", 0)), str(part.get("put", "")))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise RedraftError(f"not a reference: {part!r}") from error
    if side not in (BEFORE, AFTER):
        raise RedraftError(f"not a reference: {part!r}")
    return run


class Referrer:
    """Where lines stand in the file before or after, perhaps behind a lead or with less indentation."""

    def __init__(self, before: str, after: str) -> None:
        self._sides = {BEFORE: split_lines(before), AFTER: split_lines(after)}
        self._places: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for side, lines in self._sides.items():
            for number, line in enumerate(lines, 1):
                if line.strip():
                    self._places[line.lstrip()].append((side, number))

    def find(self, line: str, last: Reference | None = None) -> Reference | None:
        """The reference for a line: what follows the last one if it can, else the first place."""
        if last and (run := self._next(line, last)):
            return run
        for length in range(min(len(line), _LONGEST_LEAD) + 1):
            put, rest = line[:length], line[length:]
            places = self._places.get(rest.lstrip(), ()) if rest.strip() else ()
            cuts = [(self._cut(rest, side, number), side, number) for side, number in places]
            fitting = [(cut, side, number) for cut, side, number in cuts if cut is not None]
            if fitting:
                cut, side, number = min(fitting, key=lambda found: found[0])
                return Reference(side, number, number, cut, put)
        return None

    def _cut(self, rest: str, side: str, number: int) -> int | None:
        """How much indentation a line of the file loses to be `rest`; None where it has too little."""
        cut = len(self._sides[side][number - 1]) - len(rest)
        return cut if cut >= 0 and self._sides[side][number - 1].endswith(rest) else None

    def line(self, reference: Reference) -> str:
        """The file's line that a reference begins with."""
        return self._sides[reference.side][reference.first - 1]

    def _next(self, line: str, last: Reference) -> Reference | None:
        lines = self._sides[last.side]
        follows = last.last < len(lines) and last.put + lines[last.last][last.cut :] == line
        return replace(last, first=last.last + 1, last=last.last + 1) if follows else None
