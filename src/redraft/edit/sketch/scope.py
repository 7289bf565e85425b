"""In: a stretch of a file and what an answer shows of it. Out: `Scope`, which both the gaps and the places look at."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from redraft.edit.answer.block import Block
from redraft.edit.outline.nodes import Outline
from redraft.edit.sketch.fit import Fit
from redraft.edit.sketch.items import Item
from redraft.edit.sketch.patch import Patch

_PARTED = ("function", "class", "type", "interface", "enum", "trait", "impl", "struct", "namespace", "rule", "section")


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

    def texts(self, found: Sequence[Item], first_blanks: int | None = None) -> tuple[str, ...]:
        """The lines of shown items as the file would have them, with the blank lines between them."""
        lines: list[str] = []
        for number, item in enumerate(found):
            lines += [""] * (item.blanks if number or first_blanks is None else first_blanks)
            lines += self.fit.lines(self.outline.lines[item.start : item.end])
        return tuple(lines)

    def apart(self, item: Item, above: Item | None = None) -> int | None:
        """How many blank lines the file has above declarations such as an item; None where it shows no way."""
        if item.node is None or item.kind not in _PARTED:
            return None
        size = min(2, item.end - item.start)
        alike = [
            each.blanks for each in self.held[1:] if each.kind == item.kind and min(2, each.end - each.start) == size
        ]
        if alike and size == 1:
            return Counter(alike).most_common(1)[0][0]
        if size == 1 and above is not None and above.end - above.start > 1:
            return 1
        own = [held.blanks for held in self.held[1:] if held.node is not None and held.kind in _PARTED]
        if own:
            return Counter(own).most_common(1)[0][0]
        return 2 if self.file.language == "python" and not item.depth else 1 if item.end - item.start > 1 else 0

    def comma(self, above: Item | None) -> list[Patch]:
        """The patch that gives the item above a comma."""
        if above is None:
            return []
        ends = [self.file.lines[item.end - 1].rstrip() for item in self.held]
        line = self.file.lines[above.end - 1].rstrip()
        others = [
            end
            for item, end in zip(self.held, ends, strict=True)
            if item.end != above.end and item.depth == above.depth and not item.is_closer
        ]
        opener = next(
            (item.name for item in reversed(self.held) if item.end <= above.start and item.depth < above.depth), ""
        )
        parts = (bool(others) and all(end.endswith(",") for end in others)) or opener.endswith("[")
        is_data = self.file.language == "json" or (self.file.language == "sql" and above.node is not None)
        if line.endswith((",", "{", "[", "(", ";")) or not (parts or is_data):
            return []
        return [Patch(above.end - 1, above.end, (f"{line},",))]
