"""In: an edit and the lines that its sketch keeps. Out: the whole file in segments, and what each is told as."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from redraft.data.pieces import Changed, Elided, pieces

ELIDED, KEPT, GONE, NEW = "elided", "kept", "gone", "new"


@dataclass(frozen=True)
class Segment:
    """Some lines of the file and how an answer tells them.

    `role`: left out, shown as context, taken away, or put in. `told`: the lines as the answer has them, which for
    context may be a retelling; for what is left out it is the marker, or nothing.
    """

    role: str
    lines: tuple[str, ...]
    told: tuple[str, ...] = ()

    @property
    def is_retold(self) -> bool:
        return self.role == KEPT and self.told != self.lines


def segments(edit: Changed, kept: Set[int]) -> list[Segment]:
    """The file in order: a left out stretch is one segment, a line of context each, and a run of changed lines."""
    found: list[Segment] = []
    for piece in pieces(edit, kept):
        if isinstance(piece, Elided):
            found.append(Segment(ELIDED, tuple(edit.before[piece.start : piece.end])))
            continue
        for sign, line in piece.signed:
            role = {" ": KEPT, "-": GONE, "+": NEW}[sign]
            if role != KEPT and found and found[-1].role == role:
                found[-1] = replace(found[-1], lines=(*found[-1].lines, line), told=(*found[-1].told, line))
            else:
                found.append(Segment(role, (line,), (line,)))
    return found


def after(found: Iterable[Segment]) -> list[str]:
    """The lines of the file after the edit."""
    return [line for segment in found if segment.role != GONE for line in segment.lines]


def runs(found: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """The stretches `start:end` of segments that are shown without anything left out."""
    start = 0
    for number, segment in enumerate(found):
        if segment.role == ELIDED:
            if number > start:
                yield start, number
            start = number + 1
    if len(found) > start:
        yield start, len(found)
