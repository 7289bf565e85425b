"""In: a file and what an answer shows of it. Out: `Sketch`, all of both, and `Scope`, a stretch of them."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from redraft.edit.answer.block import Block
from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.sketch.fit import Fit, fitted
from redraft.edit.sketch.items import Item, first_line, marks_of
from redraft.edit.sketch.patch import Patch
from redraft.edit.text.lines import lead_of

_PARTED = ("function", "class", "type", "interface", "enum", "trait", "impl", "struct", "namespace", "rule", "section")


class Sketch(Struct, frozen=True, dict=True):
    """A file and a block of an answer, both parsed; `adds` says that the words order to add and nothing else.

    `shortens`: they speak of what goes or becomes simpler, and `gone` are the names that they say this of.
    """

    file: Outline
    outline: Outline
    block: Block
    adds: bool = False
    is_whole: bool = False
    shortens: bool = False
    gone: frozenset[str] = frozenset()

    @cached_property
    def marks(self) -> set[int]:
        """The lines of the block that are markers."""
        return marks_of(self.block)

    def goes(self, node: Node) -> bool:
        """Whether the words say of a declaration of the file that it goes."""
        head = next(filter(str.strip, self.file.lines[node.head : node.end]), "")
        return any(name in head for name in self.gone)

    def first(self, node: Node) -> int:
        """Where a declaration of the answer begins."""
        return first_line(node, self.marks)

    def has_marks(self, node: Node) -> bool:
        return not self.marks.isdisjoint(range(self.first(node), node.end))

    def fit(self, base: int, line: int) -> Fit:
        """How to indent what the answer shows at a depth of `base` columns: as a line of the file."""
        return fitted(base, lead_of(self.file.lines[line]), self.outline.lines, self.file.lines)


class Scope(Struct, frozen=True):
    """`held` are the items of the file between `start` and `end`, `shown` those of the answer.

    `fit` turns lines of the answer into lines of the file, `adds` says that the words forbid to take anything away,
    `is_code` that this is the body of a function, `is_exact` that nothing is left out between what is shown.
    `gone` are the names of which the words say that they go, `is_partial`: members that are not shown stay.
    """

    file: Outline
    outline: Outline
    block: Block
    start: int
    end: int
    held: Sequence[Item]
    shown: Sequence[Item]
    fit: Fit
    adds: bool = False
    is_code: bool = False
    is_exact: bool = False
    gone: frozenset[str] = frozenset()
    is_partial: bool = False

    def texts(self, found: Sequence[Item], blanks: int = 0) -> tuple[str, ...]:
        """The lines of shown items as the file would have them: blank lines, then the items with those between them."""
        lines: list[str] = []
        for number, item in enumerate(found):
            lines += [""] * (item.blanks if number else blanks)
            lines += self.fit.lines(self.outline.lines[item.start : item.end])
        return tuple(lines)

    def apart(self, item: Item, above: Item | None = None) -> int | None:
        """How many blank lines the file has above declarations such as an item; None where it shows no way."""
        if item.kind not in _PARTED:
            return None
        others = self.held[1:]
        if not item.is_long:
            if alike := [each.blanks for each in others if each.kind == item.kind and not each.is_long]:
                return _usual(alike)
            if above is not None and above.is_long:
                return 1
        if parted := [each.blanks for each in others if each.kind in _PARTED]:
            return _usual(parted)
        return 2 if self.file.language == "python" and not item.depth else int(item.is_long)

    def comma(self, above: Item | None) -> list[Patch]:
        """The patch that gives the item above a comma."""
        if above is None:
            return []
        line = self.file.lines[above.end - 1].rstrip()
        is_data = self.file.language == "json" or (self.file.language == "sql" and above.node is not None)
        if line.endswith((",", "{", "[", "(", ";")) or not (is_data or self._is_listed(above)):
            return []
        return [Patch(above.end - 1, above.end, (f"{line},",))]

    def _is_listed(self, above: Item) -> bool:
        """Whether all items beside one end in a comma, or stand in square brackets."""
        others = (item for item in self.held if item.end != above.end and item.depth == above.depth)
        ends = [self.file.lines[item.end - 1].rstrip()[-1:] for item in others if not item.is_closer]
        around = (item for item in reversed(self.held) if item.end <= above.start and item.depth < above.depth)
        return {*ends} == {","} or next((item.name for item in around), "").endswith("[")


def _usual(blanks: Sequence[int]) -> int:
    return Counter(blanks).most_common(1)[0][0]
