"""In: points of a chart and their names. Out: the names beside the points, where they cover least."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

import numpy as np

_REACHES = (9, 16, 26, 38, 52, 70, 95)  # in 72nds of an inch, as all lengths that are not in pixels
_DIRECTIONS = 24
_NEAR = _REACHES[1]
_MARKER, _LINE, _SIZE = 12, 2, 9  # room to be left around the first two
_NOTHING = np.empty((0, 4))

Pixel = tuple[float, float]
Boxes = Any  # an array of left, bottom, right, top in pixels, a row a box


@dataclass(frozen=True)
class Place:
    """Where a label may stand, how far from its point, and small boxes along the line to it, none where it is near."""

    reach: float
    box: Boxes
    line: Boxes


def label(axes: Any, points: Sequence[tuple[float, float]], names: Sequence[str], colours: Sequence[str]) -> None:
    """Each name near its point, with a line to it where that is not close; points and lines are left free.

    Greedy: from the top down, each takes the place where it covers the least, the closest of these.
    """
    figure = axes.figure
    figure.draw_without_rendering()
    scale, inside = figure.dpi / 72, axes.get_window_extent().extents
    pixels = axes.transData.transform(points)
    markers, marks, labels = _around(pixels, _MARKER * scale), _on_lines(axes, _LINE * scale), _NOTHING
    for at in sorted(range(len(points)), key=lambda at: -pixels[at][1]):
        places = _places(pixels[at], _size(axes, names[at]), scale)
        others = np.vstack([marks, np.delete(markers, at, axis=0)])
        place = min(places, key=lambda place: place.reach + _cost(place, others, labels, inside))
        labels, marks = np.vstack([labels, place.box]), np.vstack([marks, place.line])
        corner = (place.box[:2] - pixels[at]) / scale
        axes.annotate(names[at], points[at], corner, textcoords="offset points", fontsize=_SIZE).set_in_layout(False)
        if len(place.line):
            ends = axes.transData.inverted().transform([pixels[at], _nearest(place.box, pixels[at])])
            axes.plot(*ends.T, color=colours[at], linewidth=0.7, zorder=1, scalex=False, scaley=False)


def _cost(place: Place, marks: Boxes, labels: Boxes, inside: Boxes) -> float:
    """In 72nds of an inch of distance: how bad it is to stand there."""
    box = place.box
    covered = (_shared(box, marks) / _area(marks)).sum()
    hidden = (_shared(box, labels) > 0).sum() + 1 - _shared(box, inside) / _area(box)
    crossed = (_shared(place.line[:, None], labels) > 0).any(axis=0).sum()
    return float(40 * covered + 2000 * hidden + 100 * crossed)


def _shared(one: Boxes, other: Boxes) -> Any:
    """The area that lies in both."""
    low, high = np.maximum(one[..., :2], other[..., :2]), np.minimum(one[..., 2:], other[..., 2:])
    return np.clip(high - low, 0, None).prod(axis=-1)


def _area(boxes: Boxes) -> Any:
    return (boxes[..., 2:] - boxes[..., :2]).prod(axis=-1)


def _nearest(box: Boxes, pixel: Pixel) -> Any:
    return np.clip(pixel, box[:2], box[2:])


def _places(pixel: Pixel, size: tuple[float, float], scale: float) -> Iterator[Place]:
    """Around the point, straight to the right first."""
    width, height = size
    for reach in _REACHES:
        for step in range(_DIRECTIONS):
            angle = 2 * pi * step / _DIRECTIONS
            x = pixel[0] + (reach * scale + width / 2) * cos(angle) - width / 2
            y = pixel[1] + (reach * scale + height / 2) * sin(angle) - height / 2
            box = np.array((x, y, x + width, y + height))
            path = [pixel, _nearest(box, pixel)] if reach > _NEAR else []
            yield Place(reach, box, _along(path, _LINE * scale))


def _on_lines(axes: Any, size: float) -> Boxes:
    """Small boxes all along the lines and error bars of a chart."""
    paths = [line.get_xydata() for line in axes.lines if line.get_linestyle() != "None"]
    paths += [path.vertices for bars in axes.collections for path in bars.get_paths()]
    return np.vstack([_NOTHING, *(_along(axes.transData.transform(path), size) for path in paths)])


def _along(path: Sequence[Pixel], size: float) -> Boxes:
    found = [np.empty((0, 2))]
    for (x, y), (u, v) in pairwise(path):
        steps = int(hypot(u - x, v - y) / (2 * size)) + 2
        found.append(np.linspace((x, y), (u, v), steps))
    return _around(np.vstack(found), size)


def _around(pixels: Any, size: float) -> Boxes:
    return np.hstack([pixels - size, pixels + size])


def _size(axes: Any, name: str) -> tuple[float, float]:
    """Width and height of a label."""
    text = axes.text(0, 0, name, fontsize=_SIZE)
    box = text.get_window_extent()
    text.remove()
    return box.width, box.height
