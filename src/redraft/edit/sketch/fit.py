"""In: a line of an answer, and how deep it stands there and in the file. Out: the line as the file indents."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.sketch.items import width

_UNITS = {2, 3, 4, 8}
_TAB = 4  # columns that a tab counts where an answer has blanks for it


class Fit(Struct, frozen=True):
    """How to indent what an answer shows at a depth of `base` columns: as `indent`, and what is deeper by `step`s, one
    for each `unit` columns."""

    base: int
    indent: str
    unit: int = 1
    step: str = " "

    @property
    def is_stepped(self) -> bool:
        """Whether the file indents by other steps than the answer."""
        return (self.unit, self.step) != (1, " ")

    def line(self, text: str) -> str:
        """The line at its depth in the file; blank lines are empty."""
        if not text.strip():
            return ""
        steps, rest = divmod(width(text) - self.base, self.unit)
        if steps < 0:
            return self.indent[: max(0, len(self.indent) + steps * len(self.step))] + text.lstrip()
        return self.indent + self.step * steps + " " * rest + text.lstrip()

    def lines(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.line, texts))


def fitted(base: int, indent: str, shown: Sequence[str], held: Sequence[str]) -> Fit:
    """The fit of an answer's lines; where the file has tabs for its blanks or another step, steps are counted."""
    has_tabs = _uses("\t", held)
    if has_tabs == _uses(" ", held):
        return Fit(base, indent)
    own, theirs = _unit(shown), _unit(held) or _TAB
    shows_tabs = _uses("\t", shown)
    if has_tabs:
        return Fit(base, indent, _TAB if shows_tabs else own or _TAB, "\t")
    if shows_tabs and not _uses(" ", shown):
        return Fit(base, indent, _TAB, " " * theirs)
    is_other = own != theirs and {own, theirs} <= _UNITS
    if is_other and sum(line.startswith(" ") for line in shown) > 1:
        return Fit(base, indent, own, " " * theirs)
    return Fit(base, indent)


def _uses(sign: str, lines: Iterable[str]) -> bool:
    return any(line.startswith(sign) and line.strip() for line in lines)


def _unit(lines: Sequence[str]) -> int:
    """The step by which lines are most often indented deeper than the one above; 0 where none is."""
    depths = [width(line) for line in lines if line.strip() and not line.lstrip().startswith("*")]
    steps = Counter(below - above for above, below in pairwise(depths) if below > above)
    return steps.most_common(1)[0][0] if steps else 0
