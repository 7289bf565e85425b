"""In: declarations of a block and of a file. Out: which of the file each of the block stands for."""

import re
from collections.abc import Sequence
from functools import cached_property

from redraft.edit.answer.block import Block
from redraft.edit.guard.declared import ONE_EACH
from redraft.edit.merge.lines.insertion import children_of
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import ratio

_SUCCESSOR = 0.8  # likeness of an import that takes the place of another
_PATH = re.compile(r"\w+(?:(?:\.|::|\\)\w+)+")
_LAST = re.compile(r"\.|::|\\")


class Matcher:
    """Matches by name, kind and parent.

    `adds`: what is shown is new, so that another signature is one more overload.
    """

    def __init__(self, file: Outline, block: Block, shown: Outline, adds: bool) -> None:
        self._file, self._block, self._shown = file, block, shown
        self._adds = adds and file.language not in ONE_EACH
        self._taken: set[int] = set()

    def match(self, shown: int | None, parent: int | None) -> int | None:
        """The declaration of the file that one of the block stands for; each is taken once."""
        if shown is None:
            return None
        node = self._shown.nodes[shown]
        inside = self._free(children_of(self._file, parent))
        same = self._namesakes(node, inside)
        if not same and parent is None:
            same = self._namesakes(node, self._free(range(len(self._file.nodes))))
        if node.kind == "import":
            same = same or self._successors(node, inside)
        if not same:
            return None
        self._taken.add(same[0])
        return same[0]

    def is_new(self, shown: int | None) -> bool:
        """Whether something is declared that the file does not have: no local, which begins with one line of it."""
        if shown is None:
            return False
        node = self._shown.nodes[shown]
        head = self._texts[node.head].strip()
        is_local = node.kind == "variable" and node.end - node.head > 1 and node.head == node.start
        return not (is_local and [*map(str.strip, self._file.lines)].count(head) == 1)

    def _namesakes(self, node: Node, among: Sequence[int]) -> list[int]:
        """The declaration of the same name, of several the most alike."""
        nodes = self._file.nodes
        same = [at for at in among if nodes[at].name == node.name != ""]
        of_kind = [at for at in same if nodes[at].kind == node.kind]
        others = [at for at in same if "import" not in (node.kind, nodes[at].kind)]
        found = of_kind or others
        if self._adds and node.kind == "function":
            found = [at for at in found if nodes[at].signature == node.signature]
        return [max(found, key=lambda at: self._likeness(node, at))] if len(found) > 1 else found

    def _successors(self, node: Node, among: Sequence[int]) -> list[int]:
        """Imports that bind the same names from elsewhere, or fewer from there, of which the block shows nothing."""
        shown = {each.name for each in self._shown.nodes}
        others = [
            at for at in among if self._file.nodes[at].name not in shown and self._file.nodes[at].kind == "import"
        ]
        fewer = [at for at in others if _is_group_of(self._file.nodes[at], node)]
        if fewer:
            return fewer[:1]
        text = _in_one_line(self._texts, node)
        binding = ((at, self._file.nodes[at]) for at in others if _binds(self._file.nodes[at], node))
        ranked = [(ratio(text, _in_one_line(self._file.lines, there)), at) for at, there in binding]
        likeness, at = max(ranked, default=(0.0, -1))
        return [at] if likeness >= _SUCCESSOR else []

    def _likeness(self, node: Node, at: int) -> float:
        """How alike the headers are, and a little how alike what stands inside."""
        there = self._file.nodes[at]
        mine = {*map(str.strip, self._texts[node.start : node.end])}
        both = mine.intersection(map(str.strip, self._file.lines[there.start : there.end]))
        return ratio(node.signature, there.signature) + len(both) / max(1, len(mine))

    def _free(self, among: Sequence[int]) -> list[int]:
        return [at for at in among if at not in self._taken]

    @cached_property
    def _texts(self) -> list[str]:
        return self._block.texts


def _in_one_line(lines: Sequence[str], node: Node) -> str:
    """What a declaration says, without breaks of lines."""
    return " ".join(map(str.strip, lines[node.head : node.end]))


def _binds(one: Node, other: Node) -> bool:
    """Whether two imports may bind the same name: paths that do not end alike bind two."""
    ends = [_LAST.split(node.name)[-1] for node in (one, other) if _PATH.fullmatch(node.name)]
    return len(ends) < 2 or ends[0] == ends[1]


def _is_group_of(one: Node, other: Node) -> bool:
    """Whether one import brings names from the place from which another brings several: `a.b.{C}`, `a.b.{C, D}`."""
    place, sign, _ = other.name.partition("{")
    return bool(place and sign) and one.name.startswith(place) and "{" not in one.name.removeprefix(place)[1:]
