"""In: a change. Out: the first line of the file that goes without a licence."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile

from redraft.edit.align.likeness import head, quoted
from redraft.edit.answer.block import Line
from redraft.edit.guard.declared import Scopes
from redraft.edit.outline.nodes import Node
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare
from redraft.edit.words import directives
from redraft.laws.change import Broken, Change, Place, about, has_marker, likeness, spelling
from redraft.laws.words import going, is_stated

_LEAVING = frozenset(("return", "break", "continue", "raise", "throw", "yield", "else", "default"))
_ALIKE = 0.5
_DECLARED = ("function", "class", "test", "interface", "enum", "type")
_ONE_LINED = ("key", "variable", "field")
_OPENERS = ("{", "(", "[", ":", ">")
_CONTROL = frozenset(("if", "unless", "elsif", "elif", "while", "until", "for", "when", "case", "with"))
_NAMING = frozenset(("definition", "name"))  # kinds of lines
_HEAD = 8  # lines of the head of a declaration
_SHORTEST = 5  # characters of a piece of a line that a call replaces
_BESIDE = ("before", "after", "between")


def unlicensed(change: Change) -> Broken | None:
    """None where a diff, a new version, a declaration shown instead or an order in words stands for each line."""
    for gap in change.gaps:
        lost = [at for at in change.lost(gap) if not _is_taken(change, gap, at)]
        if lost and _only_adds(change, gap):
            if at := _without(change, gap, lost, _is_extended):
                return _gone(change, at[0], "the words say that the answer adds: say what it replaces")
            continue
        lost = [at for at in lost if not _is_in_shown(change, at)]
        is_later = _is_version if _is_beside_marker(change, gap) else _is_later
        if lost and not _is_enclosed(change, gap, lost) and (at := _without(change, gap, lost, is_later)):
            return _gone(change, at[0], _why(change, at[0]))
    return None


def _why(change: Change, at: int) -> str:
    text = bare(change.before[at])
    if text in map(bare, change.lines("code")):
        return "the answer shows it at another place: show the lines above and below it as the file has them"
    return "the answer does not say so: show it with the lines around it, or with a '-' in a diff if it goes"


def _gone(change: Change, at: int, why: str) -> Broken:
    return Broken("licence", f"line {at + 1} of the file would go, {quoted(change.before[at])}, and {why}")


def _only_adds(change: Change, gap: LineChange) -> bool:
    """Whether the words above the block that a change is of say that it comes in somewhere, and no more."""
    number = change.block_of(gap)
    return number is not None and only_adds(change, number)


def only_adds(change: Change, number: int) -> bool:
    """Whether the words above a block say that it comes in, or between what, and speak of no other change."""
    said = directives(change.answer.blocks[number].prose, change.known)
    verbs = {directive.verb for directive in said}
    is_placed = any(place.relation in _BESIDE for directive in said for place in directive.places)
    return verbs <= {"add", ""} and ("add" in verbs or is_placed)


def _is_extended(old: str, new: str) -> bool:
    """Whether a line names the same as another one, or has all that it says."""
    return _has_all(old, new) or _names_same(old, new)


def _has_all(old: str, new: str) -> bool:
    """Whether a text has all words of a line."""
    return set(re.findall(r"\w+", old)) <= set(re.findall(r"\w+", new))


def _without(change: Change, gap: LineChange, lost: Sequence[int], is_version: Callable[[str, str], bool]) -> list[int]:
    """The lines that go without a new version, each that comes being the version of one."""
    come = change.came(gap)
    joined, text = bare("".join(come)), "\n".join(come)
    old = {at: change.before[at] for at in lost}
    left = [at for at, line in old.items() if bare(line).rstrip(",;") not in joined and not _has_all(line, text)]
    for at in change.come(gap):
        fits = [each for each in left if is_version(change.before[each], change.after[at])]
        if fits:
            left.remove(max(fits, key=lambda each: likeness(change.before[each], change.after[at])))
    return left


def _is_taken(change: Change, gap: LineChange, at: int) -> bool:
    """Whether a diff takes a line out, or words say that it goes."""
    text = bare(change.before[at])
    is_removed = any(piece == text or (len(piece) >= _SHORTEST and piece in text) for piece in _removed(change))
    return is_removed or is_stated(change, gap, at)


@lru_cache(maxsize=16)
def _removed(change: Change) -> frozenset[str]:
    return change.removed | {bare(text) for block in change.answer.blocks for text in block.old}


def _is_in_shown(change: Change, at: int) -> bool:
    """Whether a line lies in a declaration that the answer shows from head to end without a marker.

    A list without brackets has no end that can be shown.
    """
    is_item = change.before[at].lstrip().startswith("- ")
    return not is_item and not _shown_whole(change).isdisjoint(change.old.around(at))


@lru_cache(maxsize=16)
def _shown_whole(change: Change) -> frozenset[int]:
    """The declarations of the file whose namesakes in the text are shown by the answer in one piece."""
    old, new = Scopes(change.old).by_path, Scopes(change.new)
    paths = (path for path, node in zip(new.paths, change.new.nodes, strict=True) if _is_one_piece(change, node))
    return frozenset(at for path in paths for at in old.get(path, ()))


def _is_one_piece(change: Change, node: Node) -> bool:
    """Whether the answer shows a declaration side by side; its head may be broken into lines otherwise."""
    body = node.body[0] if node.body else node.head
    lines = [at for at in range(node.head, node.end) if change.after[at].strip()]
    shown = [at for at in lines if at in change.shown]
    if not shown or any(at >= body for at in set(lines) - set(shown)):
        return False
    is_short = node.kind in _ONE_LINED or change.after[node.end - 1].rstrip().endswith("}")
    if len(lines) < 2 and not is_short:
        return False
    first, last = change.shown[shown[0]], change.shown[shown[-1]]
    block = change.answer.blocks[first.block].lines
    is_headed = shown[0] < max(body, node.head + 1) or _names([line.text for line in block[: first.line]], node)
    return is_headed and first.block == last.block and not has_marker(block[first.line : last.line])


def _names(lines: Sequence[str], node: Node) -> bool:
    """Whether one of the last lines has the name of a declaration: its head, broken into lines otherwise."""
    return re.search(rf"\b{re.escape(node.name)}\b", "\n".join(lines[-_HEAD:])) is not None


def _is_enclosed(change: Change, gap: LineChange, lost: Sequence[int]) -> bool:
    """Whether the answer shows what stands above and below a gap side by side with what comes between."""
    above, below = change.above(gap.after_start), change.below(gap.after_end)
    if above is None or below is None:
        return False
    one, other = change.shown.get(above), change.shown.get(below)
    if one is None or other is None or one.block != other.block:
        return False
    if has_marker(change.answer.blocks[one.block].lines[one.line : other.line + 1]):
        return False
    if _loses_declaration(change, gap, lost):
        return _is_one_place(change, one, -1) and _is_one_place(change, other, 1)
    is_less = len(lost) <= len(change.come(gap))
    is_next = change.after[below].rstrip() not in map(str.rstrip, change.went(gap))
    return is_less or is_next or _is_one_place(change, other, 1)


def _loses_declaration(change: Change, gap: LineChange, lost: Sequence[int]) -> bool:
    """Whether a function or class goes, or its head gives way to that of another."""
    heads = {node.head: node.name for node in change.old.nodes if node.kind in _DECLARED}
    gone = {heads[at] for at in lost if at in heads}
    return bool(gone - {node.name for node in change.new.nodes}) and not going(change) & gone


def _is_one_place(change: Change, place: Place, step: int) -> bool:
    """Whether the lines that the answer shows from a place on, up to the next marker, stand in the file once."""
    lines = change.answer.blocks[place.block].lines
    around = lines[place.line :] if step > 0 else lines[place.line :: -1]
    shown = takewhile(lambda line: line.kind == "code" and (not line.text.strip() or _is_old(change, line)), around)
    run = [spelling(line.text) for line in shown if line.text.strip()]
    held = [spelling(line) for line in change.before if line.strip()][::step]
    return bool(run) and sum(held[at : at + len(run)] == run for at in range(len(held))) <= 1


def _is_old(change: Change, line: Line) -> bool:
    return spelling(line.text) in change.had_spelled


def _is_beside_marker(change: Change, gap: LineChange) -> bool:
    blocks = change.answer.blocks
    beside = (blocks[place.block].lines[max(0, place.line - 1) : place.line + 2] for place in change.places_of(gap))
    return any(map(has_marker, beside))


def _names_same(old: str, new: str) -> bool:
    one, other = about(old), about(new)
    return one == other and one.kind in _NAMING


def _is_version(old: str, new: str) -> bool:
    """Whether a line names what another names, or leaves a block as it did, or is like it and names nothing."""
    one, other = about(old), about(new)
    if {one.kind, other.kind} & _NAMING:
        return _names_same(old, new)
    end = old.rstrip()[-1:]
    if end == new.rstrip()[-1:] and (end in _OPENERS or one.name in _CONTROL):
        return likeness(old, new) >= _ALIKE
    return one == other and one.name in _LEAVING


def _is_later(old: str, new: str) -> bool:
    """Whether a line beside no marker is another's new version: it begins alike, too, or is like it."""
    is_named = {about(old).kind, about(new).kind} & _NAMING
    is_alike = head(old.strip()) == head(new.strip()) or likeness(old, new) >= _ALIKE
    return _is_version(old, new) or (not is_named and is_alike)
