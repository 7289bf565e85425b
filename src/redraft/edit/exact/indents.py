"""In: the indentation of lines in an answer and in the file. Out: how further lines are to be indented."""

from collections.abc import Callable, Sequence

Indents = Sequence[tuple[str, str]]
Shift = Callable[[str], str | None]
_UNITS = (4, 2, 8, 3)  # blanks for a tab


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def shift(pairs: Indents) -> Shift | None:
    """The one way in which all lines are moved, None where there is none; it tells None of what it cannot move."""
    if all(shown == there for shown, there in pairs):
        return str
    return _moved(pairs) or _converted(pairs, " ", "\t") or _converted(pairs, "\t", " ")


def _moved(pairs: Indents) -> Shift | None:
    shown, there = pairs[0]
    more, less = there.removesuffix(shown), shown.removesuffix(there)
    if there.endswith(shown) and all(b == more + a for a, b in pairs):
        return lambda indent: more + indent
    if shown.endswith(there) and all(a == less + b for a, b in pairs):
        return lambda indent: indent[len(less) :] if indent.startswith(less) else None
    return None


def _converted(pairs: Indents, kind: str, other: str) -> Shift | None:
    """Blanks for tabs, or tabs for blanks, all as many levels deeper or not."""
    if any(shown.strip(kind) or there.strip(other) for shown, there in pairs):
        return None
    is_alone = len({shown for shown, _ in pairs}) == 1
    for unit in _UNITS:
        moved = {len(there) - _levels(len(shown), unit, other) for shown, there in pairs}
        if len(moved) == 1 and (0 in moved or not is_alone) and all(map(float.is_integer, moved)):
            return _Converting(kind, other, unit, int(moved.pop()))
    return None


def _levels(count: int, unit: int, kind: str) -> float:
    return float(count / unit if kind == "\t" else count * unit)


class _Converting:
    def __init__(self, kind: str, other: str, unit: int, more: int) -> None:
        self._kind, self._other, self._unit, self._more = kind, other, unit, more

    def __call__(self, indent: str) -> str | None:
        count = _levels(len(indent), self._unit, self._other) + self._more
        return None if indent.strip(self._kind) or count < 0 or count % 1 else self._other * int(count)
