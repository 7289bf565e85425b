"""In: a change. Out: what comes though the file has it there already."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile

from redraft.edit.align.likeness import quoted
from redraft.edit.outline import Outline
from redraft.edit.outline.nodes import Node
from redraft.edit.sketch.keys import sets
from redraft.edit.sketch.spoken import ADDS, TAKES
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_comment, is_telling, width_of
from redraft.edit.words.hints import last_lines
from redraft.laws.change import Broken, Change, about, likeness, spelling

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
            return Broken(
                "twice",
                f"line {beside + 1} of the new file, {quoted(change.after[beside])}, stands there already: the answer"
                " was applied before, or show both lines where both are meant",
            )
        if pair := _version_beside(change, gap):
            new, old = pair
            return Broken(
                "twice",
                f"line {old + 1} of the new file, {quoted(change.after[old])}, would stay beside its new version,"
                f" {quoted(change.after[new])}: show both lines where both are meant",
            )
    return None


def left_behind(change: Change) -> Broken | None:
    """None where no new line that says all that another one of its scope says, and more, comes in another place than
    that one, which stays next to what the answer shows, and is not shown: a line that was moved and changed."""
    for gap in change.gaps:
        blocks = change.blocks_of(gap)
        if any(_speaks_of_more(change.answer.blocks[number].prose) for number in blocks):
            continue
        lost = [change.before[at] for at in change.lost(gap)]
        for at in (at for at in change.come(gap) if at in change.shown):
            is_version = any(likeness(old, change.after[at]) >= _ALIKE for old in lost)
            if not is_version and (old := _old_version(change, at)) is not None:
                return Broken(
                    "twice",
                    f"line {old + 1} of the new file, {quoted(change.after[old])}, would stay beside"
                    f" {quoted(change.after[at])}, which may be its new version: show both lines where both are meant",
                )
    return None


def _speaks_of_more(words: str) -> bool:
    said = last_lines(words)
    return ADDS.search(said) is not None and TAKES.search(said) is None


def _old_version(change: Change, new: int) -> int | None:
    text, block = change.after[new], change.shown[new].block
    if not _is_statement(text) or any(line.kind == "marker" for line in change.answer.blocks[block].lines):
        return None
    for at in (at for at, line in enumerate(change.after) if at not in change.shown and at not in change.touched):
        line = change.after[at]
        if change.had[bare(line)] > 1 or width_of(line) != width_of(text) or not _adjoins(change, at, block):
            continue
        if _is_statement(line) and _says_more(text, line) and _scope(change.new, at) == _scope(change.new, new):
            return at
    return None


def _adjoins(change: Change, at: int, block: int) -> bool:
    """Whether a line stands next to one that a block shows."""
    above = next((n for n in range(at - 1, -1, -1) if change.after[n].strip()), at)
    below = next((n for n in range(at + 1, len(change.after)) if change.after[n].strip()), at)
    return any(n in change.shown and change.shown[n].block == block for n in (above, below))


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
        texts = [line.text for line in block.lines if line.kind == "code" and is_telling(line.text)]
        if not texts or about(texts[0]).kind == "definition":
            continue  # one that is new may say much of what another one says
        code = [*map(bare, texts)]
        twice = [text for text in dict.fromkeys(code) if change.had[text] == code.count(text) == 1 < change.has[text]]
        if len(twice) > 1 and 2 * len(twice) > len(code):
            at = next(at for at, line in enumerate(change.before) if bare(line) == twice[0])
            message = f"line {at + 1} of the file, {quoted(change.before[at])}, would stand twice"
            return Broken("twice", f"{message}, and the answer shows it once: show with a '-' in a diff what goes")
    return None


def listed_twice(change: Change) -> Broken | None:
    """None where no member of a list, which the answer shows once, comes into the list that has it."""
    places = defaultdict(list)
    for at, line in enumerate(change.after):
        if line.rstrip().endswith(",") and is_telling(line):
            places[bare(line)].append(at)
    for text, pair in places.items():
        if change.had[text] != 1 or change.has[text] != 2 or len(pair) != 2 or all(at in change.shown for at in pair):
            continue
        is_same = len({change.after[at] for at in pair}) == 1
        if is_same and len({_scope(change.new, at) for at in pair}) == 1:
            other = next((at for at in pair if at not in change.touched), pair[0])
            return Broken(
                "twice",
                f"{quoted(change.after[other])}, line {other + 1} of the new file, would stand in its list twice: show"
                " both lines where both are meant",
            )
    return None


def entry_left(change: Change) -> Broken | None:
    """None where no entry stays below a new one in which all its lines stand, its head among them."""
    for at, line in enumerate(change.after):
        if at in change.shown or change.has[bare(line)] <= change.had[bare(line)] or not is_telling(line):
            continue
        above = next((n for n in range(at - 1, -1, -1) if _is_beside(change.after[n], line)), None)
        if above is None or above not in change.shown:
            continue
        entry = [bare(text) for text in _entry(change.after[at:])]
        left = iter([bare(text) for text in change.after[above:at]])
        if len(entry) >= _FEW and all(text in left for text in entry):
            return Broken(
                "twice",
                f"{quoted(line)}, line {at + 1} of the new file, and what is in it would stay below its new version:"
                " show both where both are meant",
            )
    return None


def _is_beside(above: str, line: str) -> bool:
    return bool(above.strip()) and width_of(above) <= width_of(line)


def _entry(lines: Sequence[str]) -> list[str]:
    """The telling lines of what begins with the first one."""
    inner = takewhile(lambda text: not text.strip() or width_of(text) > width_of(lines[0]), lines[1:])
    return [text for text in (lines[0], *inner) if is_telling(text)]


def _version_beside(change: Change, gap: LineChange) -> tuple[int, int] | None:
    """A line that comes, and one beside the change that stays, and that the answer does not show, of which it is a
    version: the same but for a comment, or one that sets the same name."""
    come = change.come(gap)
    above = next((at for at in range(gap.after_start - 1, -1, -1) if change.after[at].strip()), None)
    below = next((at for at in range(gap.after_end, len(change.after)) if change.after[at].strip()), None)
    for at, beside in zip((*come[:1], *come[-1:]), (above, below), strict=False):
        if beside is None or beside in change.shown:
            continue
        if change.had[bare(change.after[beside])] == 1 and _is_same(change.after[beside], change.after[at]):
            return at, beside
    return None


def _is_same(old: str, new: str) -> bool:
    one, other = about(old), about(new)
    if width_of(old) != width_of(new) or not is_telling(old) or old.lstrip().startswith("<"):
        return False
    if spelling(old) == spelling(new):
        return True
    if _value(old) == _value(new) != "":
        return True
    return one == other and one.kind == "name" and not is_comment(old) and sets(old) == sets(new) != ""


def _value(line: str) -> str:
    """What a line sets its names to, where that is more than a constant."""
    match = _SETS.search(line)
    return bare(match[1]) if match and "(" in match[1] else ""


def _same_beside(change: Change, gap: LineChange) -> int | None:
    """The first telling line that comes, where the lines that come stand above or below them a second time."""
    come = [bare(line) for line in change.after[gap.after_start : gap.after_end] if line.strip()]
    first = next((at for at in range(gap.after_start, gap.after_end) if is_telling(change.after[at])), None)
    if first is None:
        return None
    above = [at for at in range(gap.after_start - 1, -1, -1) if change.after[at].strip()][: len(come)][::-1]
    below = [at for at in range(gap.after_end, len(change.after)) if change.after[at].strip()][: len(come)]
    own = [at for at in range(gap.after_start, gap.after_end) if change.after[at].strip()]
    for beside in (above, below):
        is_shown = all(at in change.shown for at in (*own, *beside))
        if [bare(change.after[at]) for at in beside] == come and not is_shown:
            return first
    return None


def renamed(change: Change) -> Broken | None:
    """A new function with the body of one that stays: it has been renamed, or was there already."""
    if not _RENAMED.search(change.answer.prose + change.said):
        return None
    old = {_body(change.old, node): node.name for node in change.old.nodes if node.kind == "function"}
    had, has = ({node.name for node in each.nodes} for each in (change.old, change.new))
    for node in (each for each in change.new.nodes if each.kind == "function" and each.name not in had):
        body = _body(change.new, node)
        name = old.get(body, "") if body else ""
        if name in has:
            message = f"{node.name}, line {node.head + 1} of the new file, would do what {name} does, which stays"
            return Broken("twice", f"{message}: say whether it takes its place")
    return None


def _body(outline: Outline, node: Node) -> tuple[str, ...]:
    first, last = node.body or (node.head, node.head)
    lines = (line.strip() for line in outline.lines[first:last])
    return tuple(line for line in lines if is_telling(line))
