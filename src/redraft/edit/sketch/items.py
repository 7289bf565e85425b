"""In: an outline, and a stretch of it. Out: its items: what an answer keeps, changes or adds as a whole."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from redraft.edit.answer.block import Block
from redraft.edit.outline import fragment
from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.text.lines import lead_of

_CLOSERS = set("})];,>") | {
    "end",
    "done",
    "fi",
    "esac",
    "else",
    "#endif",
    "pass",
    "break;",
    "break",
    "continue;",
    "continue",
    "return;",
    "});",
    "},",
    "};",
}


class Item(Struct, frozen=True):
    """A declaration, a line or a marker, with `blanks` empty lines above it; `depth` is the width of its indentation.

    `node` is the place of a declaration in its outline, `name` what it is known by: kind and name, or the line's text.
    """

    start: int
    end: int
    kind: str
    name: str
    depth: int
    blanks: int
    node: int | None = None

    @property
    def is_marker(self) -> bool:
        return self.kind == "marker"

    @property
    def is_long(self) -> bool:
        return self.end - self.start > 1

    @property
    def is_closer(self) -> bool:
        """Whether it says too little to tell a place."""
        return self.node is None and (self.name in _CLOSERS or not any(map(str.isalnum, self.name)))


def width(line: str) -> int:
    """Columns of indentation; a tab counts as four."""
    return len(lead_of(line).expandtabs(4))


def items(outline: Outline, start: int, end: int, nodes: Sequence[int], marks: Collection[int] = ()) -> list[Item]:
    """The items between two lines: the nodes given, and each other line that is not blank; `marks` are markers."""
    found: list[Item] = []
    owned = {first_line(outline.nodes[at], marks): at for at in nodes if start <= outline.nodes[at].start < end}
    line, blanks = start, 0
    while line < end:
        text = outline.lines[line]
        if not text.strip():
            line, blanks = line + 1, blanks + 1
            continue
        if (at := owned.get(line)) is not None:
            node = outline.nodes[at]
            depth = width(outline.lines[node.head])
            item = Item(line, min(node.end, end), node.kind, known_by(node), depth, blanks, at)
        else:
            kind = "marker" if line in marks else "line"
            item = Item(line, line + 1, kind, text.strip(), width(text), blanks)
        found.append(item)
        line, blanks = item.end, 0
    return found


def first_line(node: Node, marks: Collection[int]) -> int:
    """Where a declaration begins with its own comments; a marker above it is none of these."""
    return max((at + 1 for at in marks if node.start <= at < node.head), default=node.start)


def known_by(node: Node) -> str:
    """What tells a declaration from its siblings; of imports and what has no name it is all they say."""
    return f"{_KIN.get(node.kind, node.kind)} {node.name}" if node.name and node.kind != "import" else node.signature


_KIN = {"method": "function", "constructor": "function", "property": "field"}


def body(outline: Outline, node: Node) -> tuple[int, int]:
    """The lines between a node's header and its closing line."""
    if node.body is not None:
        return node.body
    last = node.end - 1
    closes = last > node.head and width(outline.lines[last]) == width(outline.lines[node.head])
    return node.head + 1, last if closes and not any(map(str.isalnum, outline.lines[last])) else node.end


def inner(outline: Outline, at: int) -> Sequence[int]:
    """The nodes of a node that are items of its body."""
    first, last = body(outline, outline.nodes[at])
    nodes = outline.nodes
    return [child for child in nodes[at].children if first <= nodes[child].start <= nodes[child].end <= last]


def items_in(outline: Outline, parent: int | None) -> tuple[int, int, list[Item]]:
    """The first line, the end and the items of a node's body; those of the whole text without a node."""
    start, end, nodes = 0, len(outline.lines), outline.top()
    if parent is not None:
        (start, end), nodes = body(outline, outline.nodes[parent]), inner(outline, parent)
    return start, end, items(outline, start, end, nodes)


def marks_of(block: Block) -> set[int]:
    """The lines of a block that are markers."""
    return {at for at, line in enumerate(block.lines) if line.kind == "marker"}


def outlined(block: Block, path: str) -> Outline:
    """The outline of what a block shows."""
    return fragment([line.text for line in block.lines], path, marks_of(block))
