"""In: a change of a file, and the answer. Out: whether its lines stand where the answer shows them."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from redraft.edit.answer.answer import Answer
from redraft.edit.features.edit import Edit, most
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_telling, written

_OPENING = ("{", "(", "[", ":", ",", ">", "=", "do", "then", "|")
_TAB = 4  # spaces


def of_place(edit: Edit, answer: Answer, is_told: bool, has_orders: bool) -> dict[str, float]:
    """Features of where lines stand; `is_told`: by the sentences, `has_orders`: they change lines on their own."""
    shown = _Shown(answer)
    edges = [shown.edge(*pair, bool(new)) for each in edit.changes for new, pair in _edges(edit, each)]
    count = max(1, len(edges))
    unanchored, at_end = most(edges.count("") / 2), edges.count("open") / count
    unshown = most(sum(line.strip() not in shown.all for line in edit.new) / 2)
    return {
        "anchored": edges.count("beside") / count,
        "open": at_end,
        "open untold": at_end * (not is_told),
        "unanchored": unanchored,
        "unanchored unordered": unanchored * (not has_orders),
        "not shown unordered": unshown * (not has_orders),
        "torn": most(len(shown.pairs - set(pairwise(map(str.strip, written(edit.after))))) / 2),
        "shown and gone": most(len(_lost(edit, shown.all)) / 2),
        "shift": most(sum(_shift(edit, each) for each in edit.changes)),
        "odd indentation": most(sum(_is_odd(edit, each) for each in edit.changes)),
        "indentation only": most(sum(_indented(edit)) / 3),
    }


class _Shown(Struct, frozen=True, dict=True):
    """What the blocks of an answer show, line by line, stripped."""

    answer: Answer

    @cached_property
    def all(self) -> set[str]:
        return {line.text.strip() for line in self.answer.lines}

    @cached_property
    def _neighbours(self) -> set[tuple[str, str]]:
        """Lines with what stands below them; nothing beside a marker and at the end of a block."""
        found: set[tuple[str, str]] = set()
        for block in self.answer.blocks:
            lines = [line for line in block.lines if line.text.strip() and line.kind != "removed"]
            texts = ["", *(line.text.strip() if line.kind == "code" else "" for line in lines), ""]
            found.update(pairwise(texts))
        return found

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        return {(above, below) for above, below in self._neighbours if above and below}

    def edge(self, above: str, below: str, new_is_below: bool, has_new: bool) -> str:
        """How two neighbours are shown: "beside" each other, "open": the new one at an end of what is shown, or ""."""
        if (above, below) in self.pairs:
            return "beside"
        at_end = ("", below) if new_is_below else (above, "")
        return "open" if has_new and at_end in self._neighbours else ""


def _edges(edit: Edit, change: LineChange) -> Iterator[tuple[list[str], tuple[str, str, bool]]]:
    """The first and the last line of a change, each with its neighbour that stays."""
    above, below = next(edit.above(change), "").strip(), next(edit.below(change), "").strip()
    new = [line.strip() for line in written(edit.come(change))]
    yield new, (above, new[0] if new else below, True)
    yield new, (new[-1] if new else above, below, False)


def _lost(edit: Edit, shown: Iterable[str]) -> set[str]:
    """Lines of the file that the answer shows and the text does not have."""
    before, after = set(map(str.strip, edit.before)), set(map(str.strip, edit.after))
    return {text for text in shown if text in before and text not in after and is_telling(text)}


def _shift(edit: Edit, change: LineChange) -> bool:
    """Whether what comes begins at another depth than what goes."""
    old, new = written(edit.old(change)), written(edit.come(change))
    return bool(old and new) and _depth(old[0]) != _depth(new[0])


def _is_odd(edit: Edit, change: LineChange) -> bool:
    """Whether the first new line stands at another depth than it did, or than what it stands between."""
    old, new = written(edit.old(change)), written(edit.come(change))
    if not new:
        return False
    if old:
        return new[0].strip() == old[0].strip() and _depth(new[0]) != _depth(old[0])
    above, below = next(edit.above(change), ""), next(edit.below(change), "")
    is_deeper = _depth(new[0]) > _depth(above) and above.rstrip().endswith(_OPENING)
    return not is_deeper and _depth(new[0]) not in (_depth(above), _depth(below))


def _indented(edit: Edit) -> Iterator[bool]:
    """For each line with another in its place: whether only the indentation differs."""
    for each in edit.changes:
        for old, new in zip(edit.old(each), edit.come(each), strict=False):
            yield old != new and old.strip() == new.strip() != ""


def _depth(line: str) -> int:
    text = line.expandtabs(_TAB)
    return len(text) - len(text.lstrip())
