"""In: declarations of a block that the file does not have, with those beside them. Out: what they take the place of.

What is shown where the file has something alike under another name is that thing, renamed: between the same neighbours,
or with a marker for a body that only the file can know.
"""

from collections.abc import Collection, Sequence
from functools import cached_property

from msgspec import Struct

from redraft.edit.align.likeness import without_comment
from redraft.edit.answer.block import Block
from redraft.edit.merge.declarations.neighbours import Members, nearest
from redraft.edit.merge.lines.insertion import children_of
from redraft.edit.merge.lines.units import Unit
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import is_telling, ratio, ratio_from

_ALIKE = 0.6  # likeness of what has a new name to what has the old one
_MOSTLY = 0.8  # likeness of what stands below the heads of two, from which one is the other under a new name
_SEVERAL = 2  # lines that hardly come together twice


class Successors(Struct, frozen=True, dict=True):
    """A file, a block and its outline; `renames`: words speak of new names."""

    file: Outline
    block: Block
    shown: Outline
    renames: bool = False

    def found(self, units: Sequence[Unit], found: Sequence[int | None], parent: int | None) -> list[int | None]:
        """What each unit of a container stands for, by name or in its stead."""
        out = list(found)
        members = Members(units, out, parent)
        for number, unit in enumerate(units):
            if unit.node is None or out[number] is not None:
                continue
            node, siblings = self.shown.nodes[unit.node], self._siblings(members, number)
            free = self._free(siblings, out)
            has_marker = any(line.kind == "marker" for line in self.block.lines[unit.start : unit.end])
            among = free if has_marker else self._between(members, number, siblings, node)
            likeness, at = max(((self._likeness(node, at), -at) for at in among if at in free), default=(0.0, 0))
            if likeness >= _ALIKE:
                out[number] = -at
            elif self.renames:
                out[number] = self._renamed(node, {*out}, parent)
        return out

    def _free(self, among: Sequence[int], taken: Collection[int | None]) -> list[int]:
        """The declarations that nothing shown stands for, by name or in their stead."""
        return [at for at in among if at not in taken and self.file.nodes[at].name not in self._shown_names]

    @cached_property
    def _shown_names(self) -> set[str]:
        return {node.name for node in self.shown.nodes}

    def _renamed(self, node: Node, taken: Collection[int | None], parent: int | None) -> int | None:
        """The one declaration that hardly differs but in its name."""
        every = children_of(self.file, parent) if parent is not None else range(len(self.file.nodes))
        alike = {at: self._sameness(node, at) for at in self._free(every, taken)}
        most = max(alike.values(), default=0.0)
        found = [at for at in alike if alike[at] == most]
        return found[0] if most >= _MOSTLY and len(found) == 1 else None

    def _sameness(self, node: Node, at: int) -> float:
        """How alike is what stands below either head, or of one that is shown by its beginning, below it to there."""
        there = self.file.nodes[at]
        if there.kind != node.kind or len(mine := self._inside(node)) < _SEVERAL:
            return 0.0
        lines = map(without_comment, self.file.lines[there.head + 1 : there.end])
        yours = [*map(str.strip, filter(is_telling, lines))]
        is_open = any(node.start <= fault < node.end for fault in self.shown.faults)
        return ratio_from(_MOSTLY, "\n".join(mine), "\n".join(yours[: len(mine)] if is_open else yours))

    def _siblings(self, members: Members, number: int) -> Sequence[int]:
        """The members of the container in which a unit's neighbours are."""
        near = nearest((members.above(number), members.below(number)))
        return children_of(self.file, members.parent if near is None else self.file.nodes[near].parent)

    def _between(self, members: Members, number: int, siblings: Sequence[int], node: Node) -> Sequence[int]:
        """The one declaration that the file has where the block has a new one.

        Both neighbours are shown, or the block begins or ends with one that has nothing new but its name.
        """
        around = [None, *members.found, None]
        above, below = around[number], around[number + 2]
        behind = siblings[siblings.index(above) + 1 :] if above in siblings else ()
        if number + 1 == len(members.units):
            return [at for at in behind[:1] if self._is_only_renamed(node, at)]
        if number == 0 and below in siblings:
            ahead = siblings[: siblings.index(below)]
            return [at for at in ahead[-1:] if self._is_only_renamed(node, at)]
        return behind[:1] if below is not None and behind[1:2] == (below,) else ()

    def _is_only_renamed(self, node: Node, at: int) -> bool:
        """Whether one has the several lines of a declaration below its head, and nothing else."""
        return len(self._inside(node)) >= _SEVERAL and self._body(node, at) == 1.0

    def _body(self, node: Node, at: int) -> float | None:
        """How much of what one has below its head a declaration has, too; None where it has nothing there."""
        inside, there = self._inside(node), self.file.nodes[at]
        yours = [without_comment(line).strip() for line in self.file.lines[there.head : there.end]]
        return sum(line in yours for line in inside) / len(inside) if inside else None

    def _inside(self, node: Node) -> list[str]:
        """The lines that a declaration of the block has below its head."""
        shown = (line.text for line in self.block.lines[node.head + 1 : node.end] if line.kind == "code")
        return [text.strip() for text in filter(is_telling, map(without_comment, shown))]

    def _likeness(self, node: Node, at: int) -> float:
        """How alike heads are, and what stands below them; nothing for another kind."""
        there = self.file.nodes[at]
        if there.kind != node.kind or not there.name or not node.name:
            return 0.0
        mine, yours = self.block.lines[node.head].text.strip(), self.file.lines[there.head].strip()
        head, body = ratio(mine, yours), self._body(node, at)
        return head if body is None else (head + body) / 2
