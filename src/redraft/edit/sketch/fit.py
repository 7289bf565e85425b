"""In: a line of an answer, and how deep it stands there and in the file. Out: the line as the file indents."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.sketch.items import width

_UNITS = {2, 3, 4, 8}
_TAB = 4  # columns that a tab counts where an answer has blanks for it


class Fit(Struct, frozen=True):
    """How to indent what an answer shows at a depth of `base` columns: as `indent`, and what is deeper by `step`s."""

    base: int
    indent: str
    unit: int = 0
    step: str = ""

    def line(self, text: str) -> str:
        """The line at its depth in the file; blank lines are empty."""
        if not text.strip():
            return ""
        deeper = width(text) - self.base
        if deeper < 0 and self.step and self.unit:
            cut = len(self.step) * (-(deeper // self.unit))
            return self.indent[: max(0, len(self.indent) - cut)] + text.lstrip()
        if deeper < 0:
            return self.indent[: max(0, len(self.indent) + deeper)] + text.strip() + _end(text)
        body = text.lstrip()
        if self.step and self.unit:
            return self.indent + self.step * (deeper // self.unit) + " " * (deeper % self.unit) + body
        return self.indent + " " * deeper + body

    def lines(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.line, texts))


def _end(text: str) -> str:
    return text[len(text.rstrip()) :]


def fitted(base: int, indent: str, shown: Sequence[str], held: Sequence[str]) -> Fit:
    """The fit of an answer's lines; where the file has tabs for its blanks or another step, steps are counted."""
    tabs, blanks = _uses("\t", held), _uses(" ", held)
    own, theirs = _unit(shown), _unit(held) or _TAB
    if tabs and not blanks:
        return Fit(base, indent, _TAB if _uses("\t", shown) else own or _TAB, "\t")
    if blanks and not tabs and _uses("\t", shown) and not _uses(" ", shown):
        return Fit(base, indent, _TAB, " " * theirs)
    is_other = own != theirs and {own, theirs} <= _UNITS and _all_steps(shown, own)
    if blanks and not tabs and is_other and sum(line[:1] == " " for line in shown) > 1:
        return Fit(base, indent, own, " " * theirs)
    return Fit(base, indent)


def _all_steps(lines: Iterable[str], unit: int) -> bool:
    depths = [width(line) for line in lines if line.strip()]
    return all((depth - min(depths)) % unit == 0 for depth in depths)


def _uses(sign: str, lines: Iterable[str]) -> bool:
    return any(line.startswith(sign) and line.strip() for line in lines)


def _unit(lines: Sequence[str]) -> int:
    """The step by which lines are most often indented deeper than the one above; 0 where none is."""
    depths = [width(line) for line in lines if line.strip() and not line.lstrip().startswith("*")]
    steps = Counter(below - above for above, below in pairwise(depths) if below > above)
    return steps.most_common(1)[0][0] if steps else 0
