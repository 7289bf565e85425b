"""In: a change. Out: what comes though the file has it there already."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile

from redraft.edit.align.likeness import quoted
from redraft.edit.outline import Outline
from redraft.edit.outline.nodes import Node
from redraft.edit.sketch.keys import sets
from redraft.edit.sketch.spoken import only_adds
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_comment, is_telling, width_of
from redraft.laws.change import Broken, Change, about, code_of, likeness, spelling

_SETS = re.compile(r"(?<![=!<>])(?::=|=)(?![=>])\s*(\S.*)")
_WORD = re.compile(r"\w+")
_PLAIN = re.compile(
    r"\s*(?:return|break|continue|else|end|if|elif|elsif|for|while|import|from|use|using|#include|case|when)\b"
)
_OPENING = ("{", "(", "[", ":", " do")
_ALIKE = 0.5  # how like a line is that goes where a new one comes in its place
_FEW, _MORE = 2, 3  # words that tell a line from others, and how many times as many its new version may have
_RENAMED = re.compile(r"(?i)\brenam|\bcall(?:ed)? it\b")


def doubled(change: Change) -> Broken | None:
    """None where no lines come beside the same lines, unless the answer shows both."""
    for gap in change.gaps:
        if gap.start == gap.end and (beside := _same_beside(change, gap)) is not None:
            what = f"{change.new_line(beside)}, stands there already: the answer was applied before, or"
            return Broken("twice", f"{what} show both lines where both are meant")
        if pair := _version_beside(change, gap):
            new, old = pair
            return _both(f"{change.new_line(old)}, would stay beside its new version, {quoted(change.after[new])}")
    return None


def _both(what: str) -> Broken:
    return Broken("twice", f"{what}: show both lines where both are meant")


def left_behind(change: Change) -> Broken | None:
    """None where no new line that says all that another one of its scope says, and more, comes in another place than
    that one, which stays next to what the answer shows, and is not shown: a line that was moved and changed."""
    for gap in change.gaps:
        if any(only_adds(change.answer.blocks[number]) for number in change.blocks_of(gap)):
            continue
        lost = [change.before[at] for at in change.lost(gap)]
        for at in (at for at in change.come(gap) if at in change.shown):
            text = change.after[at]
            is_version = any(likeness(old, text) >= _ALIKE for old in lost)
            if not is_version and (old := _old_version(change, at)) is not None:
                return _both(f"{change.new_line(old)}, would stay beside {quoted(text)}, which may be its new version")
    return None


def _old_version(change: Change, new: int) -> int | None:
    text, block = change.after[new], change.shown[new].block
    if not _is_statement(text) or change.answer.blocks[block].has_markers:
        return None
    for at in sorted(set(range(len(change.after))) - change.touched.union(change.shown)):
        line = change.after[at]
        is_beside = width_of(line) == width_of(text) and _scope(change.new, at) == _scope(change.new, new)
        is_version = is_beside and _is_statement(line) and _says_more(text, line)
        if is_version and change.had[bare(line)] <= 1 and _adjoins(change, at, block):
            return at
    return None


def _adjoins(change: Change, at: int, block: int) -> bool:
    """Whether a line stands next to one that a block shows."""
    beside = (change.above(at), change.below(at + 1))
    return any(change.shown[n].block == block for n in beside if n in change.shown)


def _is_statement(line: str) -> bool:
    """Whether a line does or lists one thing: not what opens a block, ends a path or brings a name."""
    is_plain = _PLAIN.match(line) or line.rstrip().endswith(_OPENING) or is_comment(line)
    return not is_plain and about(line).kind != "definition"


def _says_more(new: str, old: str) -> bool:
    """Whether a line has the words of another one, in their order, and others among them."""
    many, few = _WORD.findall(new), _WORD.findall(old)
    left = iter(many)
    return _FEW <= len(few) < len(many) <= _MORE * len(few) and all(word in left for word in few)


def _scope(outline: Outline, line: int) -> int | None:
    """What a line lies in, which does not begin with it."""
    at = outline.at(line)
    return outline.nodes[at].parent if at is not None and outline.nodes[at].head == line else at


def repeated(change: Change) -> Broken | None:
    """None where most of a block's lines, which the file has once, do not come a second time."""
    for block in change.answer.blocks:
        texts = code_of(block)
        if any(about(text).kind == "definition" for text in texts[:1]):
            continue  # one that is new may say much of what another one says
        code = [*map(bare, texts)]
        twice = [text for text in dict.fromkeys(code) if change.had[text] == code.count(text) == 1 < change.has[text]]
        if len(twice) > 1 and 2 * len(twice) > len(code):
            what = f"{change.old_line([*map(bare, change.before)].index(twice[0]))}, would stand twice"
            return Broken("twice", f"{what}, and the answer shows it once: show with a '-' in a diff what goes")
    return None


def listed_twice(change: Change) -> Broken | None:
    """None where no member of a list, which the answer shows once, comes into the list that has it."""
    places = defaultdict(list)
    for at, line in enumerate(change.after):
        if line.rstrip().endswith(",") and is_telling(line):
            places[line, _scope(change.new, at)].append(at)
    for (line, _), pair in places.items():
        is_added = change.had[bare(line)] == 1 and change.has[bare(line)] == len(pair) == 2
        if is_added and not change.shown.keys() >= {*pair}:
            other = next((at for at in pair if at not in change.touched), pair[0])
            return _both(f"{quoted(line)}, line {other + 1} of the new file, would stand in its list twice")
    return None


def entry_left(change: Change) -> Broken | None:
    """None where no entry stays below a new one in which all its lines stand, its head among them."""
    for at, line in enumerate(change.after):
        if at in change.shown or change.has[bare(line)] <= change.had[bare(line)] or not is_telling(line):
            continue
        above = next((n for n in range(at - 1, -1, -1) if _is_beside(change.after[n], line)), None)
        if above not in change.shown:
            continue
        entry = [*map(bare, _entry(change.after[at:]))]
        left = map(bare, change.after[above:at])
        if len(entry) >= _FEW and all(text in left for text in entry):
            what = f"{quoted(line)}, line {at + 1} of the new file, and what is in it would stay below its new version"
            return Broken("twice", f"{what}: show both where both are meant")
    return None


def _is_beside(above: str, line: str) -> bool:
    return bool(above.strip()) and width_of(above) <= width_of(line)


def _entry(lines: Sequence[str]) -> list[str]:
    """The telling lines of what begins with the first one."""
    inner = takewhile(lambda text: not text.strip() or width_of(text) > width_of(lines[0]), lines[1:])
    return [*filter(is_telling, (lines[0], *inner))]


def _version_beside(change: Change, gap: LineChange) -> tuple[int, int] | None:
    """A line that comes, and one beside the change that stays, and that the answer does not show, of which it is a
    version: the same but for a comment, or one that sets the same name."""
    come = change.come(gap)
    sides = (change.above(gap.after_start), change.below(gap.after_end))
    for at, beside in zip((*come[:1], *come[-1:]), sides, strict=False):
        if beside is None or beside in change.shown or change.had[bare(change.after[beside])] != 1:
            continue
        if _is_same(change.after[beside], change.after[at]):
            return at, beside
    return None


def _is_same(old: str, new: str) -> bool:
    if width_of(old) != width_of(new) or not is_telling(old) or old.lstrip().startswith("<"):
        return False
    is_named = about(old) == about(new) and about(old).kind == "name" and not is_comment(old)
    is_set = _value(old) == _value(new) != "" or (is_named and sets(old) == sets(new) != "")
    return is_set or spelling(old) == spelling(new)


def _value(line: str) -> str:
    """What a line sets its names to, where that is more than a constant."""
    match = _SETS.search(line)
    return bare(match[1]) if match and "(" in match[1] else ""


def _same_beside(change: Change, gap: LineChange) -> int | None:
    """The first telling line that comes, where the lines that come stand above or below them a second time."""
    start, end = (bisect_left(change.written, at) for at in (gap.after_start, gap.after_end))
    come, size = change.written[start:end], end - start
    for beside in (change.written[max(0, start - size) : start], change.written[end : end + size]):
        same, new = ([bare(change.after[at]) for at in places] for places in (beside, come))
        if same == new and not change.shown.keys() >= {*come, *beside}:
            return next((at for at in come if is_telling(change.after[at])), None)
    return None


def renamed(change: Change) -> Broken | None:
    """A new function with the body of one that stays: it has been renamed, or was there already."""
    if not _RENAMED.search(change.words):
        return None
    had, has = ({node.name for node in each.nodes} for each in (change.old, change.new))
    old = {_body(change.old, node): node.name for node in change.old.nodes if node.kind == "function"}
    for node in (node for node in change.new.nodes if node.kind == "function" and node.name not in had):
        body = _body(change.new, node)
        if body and (name := old.get(body)) in has:
            what = f"{node.name}, line {node.head + 1} of the new file, would do what {name} does, which stays"
            return Broken("twice", f"{what}: say whether it takes its place")
    return None


def _body(outline: Outline, node: Node) -> tuple[str, ...]:
    first, last = node.body or (node.head, node.head)
    return tuple(filter(is_telling, map(str.strip, outline.lines[first:last])))
