"""In: what became of a call. Out: the same in few words for an agent: what was mended, or where and what differs."""

import re
from collections.abc import Iterator
from itertools import chain

from redraft.calls.repair import Place, Repair

_TIMES = re.compile(r"stands (\d+) times")
_MOST_LINES = 8  # of a place that are shown
_MOST_PAIRS = 4  # lines that differ
_WIDEST = 160


def described(found: Repair) -> str:
    """A line on what was done, or the reason and the places; a few hundred tokens at most."""
    if found.status == "refused":
        return "\n".join([f"refused: {found.message}{_first(found)}", *chain.from_iterable(map(_place, found.places))])
    if found.status == "repaired":
        return f"repaired, {_lines(found)}: {', '.join(found.healed) or 'told by its own lines'}"
    return found.message if found.status == "no_change" else f"works as it is, {_lines(found)}"


def _first(found: Repair) -> str:
    """How many of the places that the message names follow."""
    named = _TIMES.search(found.message)
    return f"; the first {len(found.places)}:" if found.places and named and int(named[1]) > len(found.places) else ""


def _lines(found: Repair) -> str:
    spans = ", ".join(_span(edit.lines) for edit in found.edits[:3])
    more = f" and {len(found.edits) - 3} more places" if len(found.edits) > 3 else ""
    return f"{'line' if spans.isdigit() else 'lines'} {spans}{more}"


def _span(lines: tuple[int, int]) -> str:
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"


def _place(place: Place) -> Iterator[str]:
    lines = _span(place.lines)
    if not place.differs:
        shown = place.old.split("\n")
        around = (
            ", with what tells it from the others" if len(shown) > place.lines[1] - place.lines[0] + 1 else " alone"
        )
        yield f"{'line' if lines.isdigit() else 'lines'} {lines}{around}:"
        yield from (f"  {_cut(line)}" for line in _short(shown))
        return
    yield f"nearest, {'line' if lines.isdigit() else 'lines'} {lines}:"
    for said, there in place.differs[:_MOST_PAIRS]:
        yield from (f"  {sign} {_cut(text)}" for sign, text in (("call", said), ("file", there)) if text is not None)
    if len(place.differs) > _MOST_PAIRS:
        yield f"  and {len(place.differs) - _MOST_PAIRS} more lines that differ"


def _short(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    half = _MOST_LINES // 2
    return [*lines[:half], f"({len(lines) - 2 * half} lines more)", *lines[-half:]]


def _cut(line: str) -> str:
    return line if len(line) <= _WIDEST else f"{line[:_WIDEST]}..."
