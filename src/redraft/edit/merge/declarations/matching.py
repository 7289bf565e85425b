"""In: declarations of a block and of a file. Out: which of the file each of the block stands for."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from redraft.edit.answer.block import Block
from redraft.edit.guard.declared import ONE_EACH
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import ratio

_WORD = re.compile(r"\w+")
_SUCCESSOR = 0.8  # likeness of an import that takes the place of another
_PATH = re.compile(r"\w+(?:(?:\.|::|\\)\w+)+")
_LAST = re.compile(r"\.|::|\\")
_ALIKE = 0.05  # signatures that differ less in likeness are namesakes


class Matcher:
    """Matches by name, kind and parent; `pick` says which of several namesakes is meant.

    `adds`: what is shown is new, so that another signature is one more overload.
    """

    def __init__(self, file: Outline, block: Block, shown: Outline, pick: int, adds: bool) -> None:
        self._file, self._block, self._shown, self._pick = file, block, shown, pick
        self._adds, self._only_adds = adds and file.language not in ONE_EACH, adds
        self._taken: set[int] = set()
        self.has_namesakes = False

    def match(self, shown: int | None, parent: int | None) -> int | None:
        """The declaration of the file that one of the block stands for; each is taken once."""
        if shown is None:
            return None
        node = self._shown.nodes[shown]
        inside = [at for at in self._children(parent) if at not in self._taken]
        same = self._namesakes(node, inside)
        if not same and parent is None:
            same = self._namesakes(node, [at for at in range(len(self._file.nodes)) if at not in self._taken])
        if not same and node.kind == "import":
            same = self._successors(node, inside)
        if self._only_adds and node.kind == "import":
            same = [at for at in same if self._has_all(node, at)]
        if not same:
            return None
        at = same[min(self._pick, len(same) - 1)]
        self._taken.add(at)
        return at

    def is_new(self, shown: int | None) -> bool:
        """Whether something is declared that the file does not have: no local, which begins with one line of it."""
        if shown is None:
            return False
        node = self._shown.nodes[shown]
        head = self._block.lines[node.head].text.strip()
        is_local = node.kind == "variable" and node.end - node.head > 1 and node.head == node.start
        return not (is_local and sum(line.strip() == head for line in self._file.lines) == 1)

    def _namesakes(self, node: Node, among: Sequence[int]) -> list[int]:
        """Declarations of the same name, the most alike first; more than one only where nothing tells them apart."""
        same = [at for at in among if self._file.nodes[at].name == node.name and node.name]
        same = [at for at in same if self._file.nodes[at].kind == node.kind] or [
            at for at in same if "import" not in (node.kind, self._file.nodes[at].kind)
        ]
        if self._adds and node.kind == "function":
            same = [at for at in same if self._file.nodes[at].signature == node.signature]
        if len(same) < 2:
            return same
        ranked = sorted((-self._likeness(node, at), at) for at in same)
        alike = [at for rank, at in ranked if rank <= ranked[0][0] + _ALIKE]
        self.has_namesakes = self.has_namesakes or len(alike) > 1
        return alike

    def _successors(self, node: Node, among: Sequence[int]) -> list[int]:
        """Imports that bind the same names from elsewhere, or fewer from there, of which the block shows nothing."""
        shown = {each.name for each in self._shown.nodes}
        text = " ".join(line.text.strip() for line in self._block.lines[node.head : node.end])
        others = [at for at in among if self._file.nodes[at].name not in shown]
        fewer = [at for at in others if _is_group_of(self._file.nodes[at], node) and self._has_all(node, at)]
        if fewer:
            return fewer[:1]
        ranked = sorted(
            (ratio(text, " ".join(map(str.strip, self._file.lines[there.head : there.end]))), at)
            for at in others
            if (there := self._file.nodes[at]).kind == "import" and _binds(there, node)
        )
        return [ranked[-1][1]] if ranked and ranked[-1][0] >= _SUCCESSOR else []

    def _has_all(self, node: Node, at: int) -> bool:
        """Whether a shown import has each word of the file's: else it is one more."""
        there = self._file.nodes[at]
        mine = {word for line in self._block.lines[node.head : node.end] for word in _WORD.findall(line.text)}
        return {word for line in self._file.lines[there.head : there.end] for word in _WORD.findall(line)} <= mine

    def _likeness(self, node: Node, at: int) -> float:
        """How alike the headers are, and a little how alike what stands inside."""
        there = self._file.nodes[at]
        header = SequenceMatcher(None, node.signature, there.signature, autojunk=False).ratio()
        mine = {line.text.strip() for line in self._block.lines[node.start : node.end]}
        yours = {line.strip() for line in self._file.lines[there.start : there.end]}
        return header + len(mine & yours) / max(1, len(mine))

    def _children(self, parent: int | None) -> Sequence[int]:
        return self._file.top() if parent is None else self._file.nodes[parent].children


def _binds(one: Node, other: Node) -> bool:
    """Whether two imports may bind the same name: paths that do not end alike bind two."""
    ends = [_LAST.split(node.name)[-1] for node in (one, other) if _PATH.fullmatch(node.name)]
    return len(ends) < 2 or ends[0] == ends[1]


def _is_group_of(one: Node, other: Node) -> bool:
    """Whether one import brings names from the place from which another brings several: `a.b.{C}`, `a.b.{C, D}`."""
    place, sign, _ = other.name.partition("{")
    is_within = one.name.startswith(place) and "{" not in one.name.removeprefix(place)[1:]
    return one.kind == "import" and bool(place and sign) and is_within
