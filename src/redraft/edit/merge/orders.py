"""In: a file's lines, an answer's sentences. Out: the lines after what they order: delete, rename, move, add a line."""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.merge.insertion import inserted
from redraft.edit.merge.patch import Patch, patched, taken_out
from redraft.edit.merge.spots import nodes_of, scope_of, spot_of
from redraft.edit.outline import Outline, outline
from redraft.edit.words import Known, Saying, sayings

Lines = tuple[str, ...]


def ordered(lines: Lines, said: Sequence[str], known: Known, path: str) -> tuple[Lines, tuple[str, ...]]:
    """The lines with each order carried out that has one meaning, and the orders."""
    done: list[str] = []
    for saying in (saying for text in said for saying in sayings(text, known)):
        new = _carried_out(lines, saying, path)
        if new is not None and new != lines:
            lines = new
            done.append(f"{saying.verb} {', '.join(saying.names or saying.new)}".strip())
    return lines, tuple(done)


def _carried_out(lines: Lines, saying: Saying, path: str) -> Lines | None:
    if saying.verb == "remove":
        return _removed(lines, saying, path)
    if saying.verb == "rename" and len(saying.names) == 1 and saying.to:
        return _renamed(lines, saying, path)
    if saying.verb == "replace" and len(saying.names) == 1 and saying.to:
        return _replaced(lines, saying)
    if saying.verb == "add" and saying.new and saying.places:
        return _added(lines, saying, path)
    if saying.verb == "move" and len(saying.names) == 1 and len(saying.places) == 1:
        return _moved(lines, saying, path)
    return None


def _added(lines: Lines, saying: Saying, path: str) -> Lines | None:
    """Quoted lines at the place that the sentence tells; none where a block has brought them."""
    there = {line.strip() for line in lines}
    is_beside = any(place.relation in ("before", "after", "between") for place in saying.places)
    if not is_beside or not there.isdisjoint(saying.new) or not all(map(_is_line, saying.new)):
        return None
    file = outline(lines, path)
    spot = spot_of(saying.places, file)
    if spot is None:
        return None
    at = file.nodes[spot.like].head if spot.like is not None else min(spot.at, len(lines) - 1)
    lead = " " * spot.indent if spot.indent is not None else re.match(r"\s*", lines[at])[0]  # type: ignore[index]
    return patched(lines, [inserted(lines, spot.at, [lead + text for text in saying.new], 0, 0)])


def _is_line(text: str) -> bool:
    """Whether quoted code may be a line of its own: more than a name."""
    return re.fullmatch(r"[\w.:#$-]+(?:\(\))?", text) is None


def _removed(lines: Lines, saying: Saying, path: str) -> Lines | None:
    file = outline(lines, path)
    patches = [patch for name in saying.names for patch in _without(name, file)]
    return patched(lines, patches) if patches else None


def _without(name: str, file: Outline) -> Iterator[Patch]:
    """The patch that takes out the one thing that a name means, with a blank line beside it."""
    nodes = nodes_of(name, file)
    if len(nodes) == 1:
        node = file.nodes[nodes[0]]
        yield taken_out(file.lines, node.start, node.end)
    elif not nodes:
        found = [at for at, line in enumerate(file.lines) if line.strip() == name]
        if len(found) == 1:
            yield taken_out(file.lines, found[0], found[0] + 1)


def _renamed(lines: Lines, saying: Saying, path: str) -> Lines | None:
    """A name is another one, in the declaration that the sentence tells, or everywhere."""
    old, new = saying.names[0].rpartition(".")[2], saying.to.removesuffix("()").rpartition(".")[2]
    if not re.fullmatch(r"[\w$-]+[!?]?", new) or not re.fullmatch(r"[\w$-]+[!?]?", old):
        return None
    word = re.compile(rf"(?<![\w$]){re.escape(old)}(?![\w$])")
    file = outline(lines, path)
    scope = scope_of(saying.places, file)
    span = range(len(lines)) if scope is None else range(file.nodes[scope].start, file.nodes[scope].end)
    return tuple(word.sub(new, line) if at in span else line for at, line in enumerate(lines))


def _replaced(lines: Lines, saying: Saying) -> Lines | None:
    """One piece of text instead of another, at its one place or everywhere."""
    old = saying.names[0]
    found = [at for at, line in enumerate(lines) if old in line]
    if not found or (len(found) > 1 and not saying.everywhere) or saying.to in old:
        return None
    return tuple(line.replace(old, saying.to) if at in found else line for at, line in enumerate(lines))


def _moved(lines: Lines, saying: Saying, path: str) -> Lines | None:
    file = outline(lines, path)
    nodes = nodes_of(saying.names[0], file)
    if len(nodes) != 1:
        return None
    node = file.nodes[nodes[0]]
    out = taken_out(lines, node.start, node.end)
    rest = patched(lines, [out])
    assert rest is not None
    spot = spot_of(saying.places, outline(rest, path))
    if spot is None:
        return None
    gap = max(0, out.end - node.end)
    return patched(rest, [inserted(rest, spot.at, lines[node.start : node.end], gap, gap)])
