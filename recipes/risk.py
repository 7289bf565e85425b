"""In: how sure each decision was, and whether it was right. Out: what is written at a given risk of silent errors."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from redraft.measure.report.reliability import Scored

RISKS = (0.005, 0.01, 0.02, 0.05)


@dataclass(frozen=True)
class Point:
    """What is written, right and silently wrong where all is written that is at least as sure as `chance`."""

    chance: float
    written: int
    right: int

    @property
    def wrong(self) -> int:
        return self.written - self.right


def curve(found: Iterable[Scored]) -> list[Point]:
    """From the surest on; decisions that are equally sure are written together."""
    points = [Point(1.0, 0, 0)]
    ordered = sorted(found, key=lambda each: -each.chance)
    for chance, group in groupby(ordered, key=lambda each: each.chance):
        same = list(group)
        last = points[-1]
        points.append(Point(chance, last.written + len(same), last.right + sum(each.right for each in same)))
    return points


def most(points: Sequence[Point], wrong: float) -> Point:
    """The point that writes most with at most so many silent errors."""
    return max((point for point in points if point.wrong <= wrong), key=lambda point: point.written)


def surest(points: Sequence[Point], share: float) -> Point:
    """The point that writes most while so large a share of what is written is right."""
    return max((point for point in points if point.right >= share * point.written), key=lambda point: point.written)
