"""In: a declaration of an answer in one line. Out: whether the line is all of it, or only its head."""

import re

from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.sketch.patch import Doubt

_ARROWED = ("csharp", "dart", "javascript")  # others write types so, too
_ARROW = re.compile(r"\)\s*=>\s*[^\s{].*;$")  # in front of the whole body of a function


def is_closed(outline: Outline, node: Node) -> bool:
    """Whether a declaration ends in the line that it begins in: `write(text) {}`."""
    if _is_arrow(outline, node):
        return True
    line = outline.lines[node.end - 1].rstrip().rstrip(";,")
    return node.end - node.head == 1 and line.endswith("}") and 0 < line.count("{") == line.count("}")


def _is_arrow(outline: Outline, node: Node) -> bool:
    """Whether a function is a line, its body one expression: `Total() => a + b;`."""
    line = outline.lines[node.head]
    is_one = node.kind == "function" and node.end - node.head == 1 and outline.language in _ARROWED
    return is_one and _ARROW.search(line.rstrip()) is not None


def refuse_prototype(file: Outline, outline: Outline, before: Node, after: Node) -> None:
    """Raises Doubt where one side only declares what the other defines."""
    last = outline.lines[after.end - 1].rstrip()
    only = file.lines[before.end - 1].rstrip()
    if before.end - before.head == 1 and only.endswith(";") and after.end - after.head > 2 and "(" in only:
        raise Doubt(f"line {before.head + 1} of the file only declares {before.name!r}: say where its body goes")
    if (
        after.end - after.head == 1
        and last.endswith(";")
        and not _is_arrow(outline, after)
        and before.end - before.head > 2
        and "(" in last
    ):
        raise Doubt(f"{last.strip()!r} declares what line {before.head + 1} of the file defines: say where it goes")
