"""In: nothing. Out: what an outline is made of."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.text.lines import places


class Node(Struct, frozen=True):
    """A declaration, key, rule, section or test case that owns whole lines, counted from 0, ends half-open.

    `start` takes in its own comments, decorators and attributes, `head` is where the declaration itself begins; `body`
    are the lines between its header and its closing line. `parent` and `children` are places in `Outline.nodes`.
    """

    kind: str
    name: str
    signature: str
    start: int
    head: int
    end: int
    body: tuple[int, int] | None
    is_container: bool
    parent: int | None
    children: tuple[int, ...]


class Outline(Struct, frozen=True, eq=False, dict=True):
    """The nodes of a text in the order of its lines, parents before children; `faults` are lines no grammar reads.

    It equals no other, so that what is found out about one can be kept by it.
    """

    lines: tuple[str, ...]
    language: str
    nodes: tuple[Node, ...]
    faults: tuple[int, ...]

    def top(self) -> Sequence[int]:
        """The nodes that lie in no other."""
        return [at for at, node in enumerate(self.nodes) if node.parent is None]

    def named(self, name: str) -> Sequence[int]:
        """The nodes of a name; where there are none, those whose name ends in it: `flush` for `Store.flush`."""
        return self._by_name.get(name) or self._by_last.get(name, [])

    def at(self, line: int) -> int | None:
        """The innermost node that a line lies in."""
        return self._inside[line] if 0 <= line < len(self.lines) else None

    def around(self, line: int) -> Iterator[int]:
        """The nodes that a line lies in, the innermost first."""
        at = self.at(line)
        while at is not None:
            yield at
            at = self.nodes[at].parent

    def scopes(self) -> tuple[str, ...]:
        """For each line the name of the innermost node of several lines that it lies in, "" for none."""
        found = [""] * len(self.lines)
        for node in self.nodes:
            first, last = node.body or (node.head + 1, node.end - 1)
            found[first:last] = [node.name] * max(0, last - first)
        return tuple(found)

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        return places(node.name for node in self.nodes)

    @cached_property
    def _by_last(self) -> dict[str, list[int]]:
        return places(re.split(r"[:. ]", node.name)[-1] for node in self.nodes)

    @cached_property
    def _inside(self) -> list[int | None]:
        """For each line the last node that it lies in."""
        found: list[int | None] = [None] * len(self.lines)
        for at, node in enumerate(self.nodes):
            found[node.start : node.end] = [at] * (node.end - node.start)
        return found


def nested(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Nodes in the order of lines with the parents that their lines give them; those that cross are left out."""
    found: list[Node] = []
    around: list[int] = []
    children: list[list[int]] = []
    for node in sorted(nodes, key=lambda node: (node.start, -node.end)):
        while around and found[around[-1]].end <= node.start:
            around.pop()
        parent = around[-1] if around else None
        if parent is not None and found[parent].end < node.end:
            continue
        if parent is not None:
            children[parent].append(len(found))
        around.append(len(found))
        found.append(replace(node, parent=parent))
        children.append([])
    return tuple(replace(node, children=tuple(own)) for node, own in zip(found, children, strict=True))
