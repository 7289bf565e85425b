"""In: a change. Out: the first line of the file that goes without a licence."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from redraft.edit.align.likeness import head, quoted
from redraft.edit.guard.declared import Scopes
from redraft.edit.outline.nodes import Node
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare
from redraft.edit.words import directives
from redraft.laws.change import Broken, Change, Place, about, likeness, spelling
from redraft.laws.words import going, is_told

_LEAVING = frozenset(("return", "break", "continue", "raise", "throw", "yield", "else", "default"))
_ALIKE = 0.5
_DECLARED = ("function", "class", "test", "interface", "enum", "type")
_ONE_LINED = ("key", "variable", "field")
_OPENERS = ("{", "(", "[", ":", ">")
_CONTROL = frozenset(("if", "unless", "elsif", "elif", "while", "until", "for", "when", "case", "with"))
_HEAD = 8  # lines of the head of a declaration
_SHORTEST = 5  # characters of a piece of a line that a call replaces
_BESIDE = ("before", "after", "between")


def unlicensed(change: Change) -> Broken | None:
    """None where a diff, a new version, a declaration shown instead or an order in words stands for each line."""
    for gap in change.gaps:
        lost = [at for at in change.lost(gap) if not _is_taken(change, gap, at)]
        if lost and _only_adds(change, gap):
            if at := _not_extended(change, gap, lost):
                return _gone(change, at[0], "the words say that the answer adds: say what it replaces")
            continue
        lost = [at for at in lost if not _is_in_shown(change, at)]
        if not lost or _is_enclosed(change, gap, lost):
            continue
        if lost := _without_versions(change, gap, lost):
            return _gone(change, lost[0], _why(change, lost[0]))
    return None


def _why(change: Change, at: int) -> str:
    text = bare(change.before[at])
    if any(line.kind == "code" and bare(line.text) == text for block in change.answer.blocks for line in block.lines):
        return "the answer shows it at another place: show the lines above and below it as the file has them"
    return "the answer does not say so: show it with the lines around it, or with a '-' in a diff if it goes"


def _gone(change: Change, at: int, why: str) -> Broken:
    return Broken("licence", f"line {at + 1} of the file would go, {quoted(change.before[at])}, and {why}")


def _only_adds(change: Change, gap: LineChange) -> bool:
    """Whether the words above the block that a change is of say that it comes in somewhere, and no more."""
    blocks = change.blocks_of(gap)
    return len(blocks) == 1 and only_adds(change, *blocks)


def only_adds(change: Change, number: int) -> bool:
    """Whether the words above a block say that it comes in, or between what, and speak of no other change."""
    said = directives(change.answer.blocks[number].prose, change.known)
    verbs = {directive.verb for directive in said}
    is_placed = any(place.relation in _BESIDE for directive in said for place in directive.places)
    return verbs <= {"add", ""} and ("add" in verbs or is_placed)


def _not_extended(change: Change, gap: LineChange, lost: Sequence[int]) -> list[int]:
    """The lines that go and of which no line that comes names the same, or is the same with more in it."""
    return _without(change, gap, lost, _is_extended)


def _is_extended(old: str, new: str) -> bool:
    return _has_all(old, new) or _names_same(old, new)


def _has_all(old: str, new: str) -> bool:
    """Whether a text has all words of a line."""
    mine = set(re.findall(r"\w+", old))
    return mine <= set(re.findall(r"\w+", new))


def _without(change: Change, gap: LineChange, lost: Sequence[int], is_version: Callable[[str, str], bool]) -> list[int]:
    """The lines that go without a new version, each that comes being the version of one."""
    come = change.after[gap.after_start : gap.after_end]
    joined = bare("".join(come))
    text = "\n".join(come)
    left = [at for at in lost if bare(change.before[at]).rstrip(",;") not in joined]
    left = [at for at in left if not _has_all(change.before[at], text)]
    for at in change.come(gap):
        fits = [each for each in left if is_version(change.before[each], change.after[at])]
        if fits:
            left.remove(max(fits, key=lambda each: likeness(change.before[each], change.after[at])))
    return left


def _is_taken(change: Change, gap: LineChange, at: int) -> bool:
    """Whether a diff takes a line out, or words say that it goes."""
    text = bare(change.before[at])
    if any(piece == text or (len(piece) >= _SHORTEST and piece in text) for piece in _removed(change)):
        return True
    return is_told(change, gap, at)


@lru_cache(maxsize=16)
def _removed(change: Change) -> frozenset[str]:
    return change.removed | {bare(text) for block in change.answer.blocks for text in block.old}


def _is_in_shown(change: Change, at: int) -> bool:
    """Whether a line lies in a declaration that the answer shows from head to end without a marker.

    A list without brackets has no end that can be shown.
    """
    if change.before[at].lstrip().startswith("- "):
        return False
    inside = change.old.at(at)
    while inside is not None:
        if inside in _shown_whole(change):
            return True
        inside = change.old.nodes[inside].parent
    return False


@lru_cache(maxsize=16)
def _shown_whole(change: Change) -> frozenset[int]:
    """The declarations of the file whose namesakes in the text are shown by the answer in one piece."""
    old, new = Scopes(change.old).by_path, Scopes(change.new)
    found = set()
    for at, path in enumerate(new.paths):
        node = change.new.nodes[at]
        if path in old and _is_one_piece(change, node):
            found |= set(old[path])
    return frozenset(found)


def _is_one_piece(change: Change, node: Node) -> bool:
    """Whether the answer shows a declaration side by side; its head may be broken into lines otherwise."""
    body = node.body[0] if node.body else node.head
    lines = [at for at in range(node.head, node.end) if change.after[at].strip()]
    places = [change.shown[at] for at in lines if at in change.shown]
    if any(at not in change.shown for at in lines if at >= body) or not places:
        return False
    is_short = node.kind in _ONE_LINED or change.after[node.end - 1].rstrip().endswith("}")
    if len(lines) < 2 and not is_short:
        return False
    first, last = places[0], places[-1]
    block = change.answer.blocks[first.block]
    above = [line.text for line in block.lines[: first.line]]
    if not any(at in change.shown for at in lines if at < max(body, node.head + 1)) and not _names(above, node):
        return False
    return first.block == last.block and not any(line.kind == "marker" for line in block.lines[first.line : last.line])


def _names(lines: Sequence[str], node: Node) -> bool:
    """Whether one of the last lines has the name of a declaration: its head, broken into lines otherwise."""
    return any(re.search(rf"\b{re.escape(node.name)}\b", line) for line in lines[-_HEAD:])


def _is_enclosed(change: Change, gap: LineChange, lost: Sequence[int]) -> bool:
    """Whether the answer shows what stands above and below a gap side by side with what comes between."""
    above = next((at for at in range(gap.after_start - 1, -1, -1) if change.after[at].strip()), None)
    below = next((at for at in range(gap.after_end, len(change.after)) if change.after[at].strip()), None)
    if above is None or below is None:
        return False
    one, other = change.shown.get(above), change.shown.get(below)
    if one is None or other is None or one.block != other.block:
        return False
    between = change.answer.blocks[one.block].lines[one.line : other.line + 1]
    if any(line.kind == "marker" for line in between):
        return False
    if _loses_declaration(change, gap, lost):
        return _is_one_place(change, one, -1) and _is_one_place(change, other, 1)
    is_less = len(lost) <= len(change.come(gap))
    return is_less or _is_one_place(change, other, 1) or _is_next(change, gap, above, below)


def _loses_declaration(change: Change, gap: LineChange, lost: Sequence[int]) -> bool:
    """Whether a function or class goes, or its head gives way to that of another."""
    heads = {node.head: node.name for node in change.old.nodes if node.kind in _DECLARED}
    gone = {heads[at] for at in lost if at in heads}
    return bool(gone - {node.name for node in change.new.nodes}) and not going(change) & gone


def _is_next(change: Change, gap: LineChange, above: int, below: int) -> bool:
    """Whether the line below a gap is the first one of its text behind the line above."""
    text = change.after[below].rstrip()
    return all(line.rstrip() != text for line in change.before[gap.start : gap.end])


def _is_one_place(change: Change, place: Place, step: int) -> bool:
    """Whether the lines that the answer shows from a place on, up to the next marker, stand in the file once."""
    run = []
    lines = change.answer.blocks[place.block].lines
    for line in lines[place.line :] if step > 0 else lines[place.line :: -1]:
        if line.kind != "code" or (line.text.strip() and spelling(line.text) not in _old(change)):
            break
        run += [spelling(line.text)] if line.text.strip() else []
    if not run:
        return False
    held = [spelling(line) for line in change.before if line.strip()][::step]
    places = [at for at, line in enumerate(held) if line == run[0] and held[at : at + len(run)] == run]
    return len(places) <= 1


@lru_cache(maxsize=16)
def _old(change: Change) -> frozenset[str]:
    return frozenset(map(spelling, change.before))


def _without_versions(change: Change, gap: LineChange, lost: Sequence[int]) -> list[int]:
    """The lines that go and of which none that comes is a new version; beside no marker it may be quite unlike."""
    return _without(change, gap, lost, _is_version if _is_beside_marker(change, gap) else _is_later)


def _is_beside_marker(change: Change, gap: LineChange) -> bool:
    for at in range(gap.after_start, gap.after_end):
        if place := change.shown.get(at):
            lines = change.answer.blocks[place.block].lines
            beside = [lines[n].kind for n in (place.line - 1, place.line + 1) if 0 <= n < len(lines)]
            if "marker" in beside:
                return True
    return False


def _names_same(old: str, new: str) -> bool:
    one, other = about(old), about(new)
    return one == other and one.kind in ("definition", "name")


def _is_version(old: str, new: str) -> bool:
    """Whether a line names what another names, or leaves a block as it did, or is like it and names nothing."""
    one, other = about(old), about(new)
    if one.kind in ("definition", "name") or other.kind in ("definition", "name"):
        return _names_same(old, new)
    if old.rstrip()[-1:] == new.rstrip()[-1:] and (old.rstrip()[-1:] in _OPENERS or one.name in _CONTROL):
        return likeness(old, new) >= _ALIKE
    return one == other and one.name in _LEAVING


def _is_later(old: str, new: str) -> bool:
    """Whether a line beside no marker is another's new version: it begins alike, too, or is like it."""
    is_named = {about(old).kind, about(new).kind} & {"definition", "name"}
    is_alike = head(old.strip()) == head(new.strip()) or likeness(old, new) >= _ALIKE
    return _is_version(old, new) or (not is_named and is_alike)
