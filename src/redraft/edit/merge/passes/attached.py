"""In: a file before and after a block, and the lines that this shows. Out: the new lines where nothing they do not show
is torn apart: a comment from what it is about, blank lines from what they set apart."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import takewhile

from redraft.edit.align.likeness import indent
from redraft.edit.merge.common.indentation import reindented
from redraft.edit.outline import Node, Outline
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_comment, is_telling
from redraft.edit.words import comment_body

_DOCUMENTS = ("/**", "///")
_ANNOTATION = re.compile(r"\s*(?:@[\w.:]+(?:\(.*\))?|#?\[.*\])\s*")


def attached(before: Sequence[str], after: Sequence[str], first: str, shown: Collection[str]) -> tuple[str, ...]:
    """The new lines; `first` is the first one of the block, above which it shows nothing; `shown` are all, stripped."""
    out = list(after)
    for change in reversed(line_changes(before, after)):
        new = after[change.after_start : change.after_end]
        if change.start < change.end or not any(line.strip() for line in new):
            continue
        if count := _comments(before, change.start, new, shown) or _annotations(before, change.start, new, shown):
            top = change.after_start - count
            out[top : change.after_end] = [*new, *after[top : change.after_start]]
        elif new[0] == first and (count := _blanks(before, change, new[0])):
            out[change.after_start : change.after_start] = [""] * count
    return tuple(out)


def _comments(before: Sequence[str], at: int, new: Sequence[str], shown: Collection[str]) -> int:
    """How many lines of a comment right above an insertion, which ends in a blank line, belong to what is below it."""
    if new[-1].strip() or not new[0].strip() or at >= len(before) or not before[at].strip():
        return 0
    top = at
    while top and is_comment(before[top - 1]) and indent(before[top - 1]) == indent(before[at]):
        top -= 1
    is_apart = top == 0 or not before[top - 1].strip()
    is_shown = any(line.strip() in shown for line in before[top:at])
    return at - top if is_apart and top and not is_shown and not is_comment(before[at]) else 0


def _annotations(before: Sequence[str], at: int, new: Sequence[str], shown: Collection[str]) -> int:
    """How many annotations right above new documentation are of what it documents: it stands above them all."""
    if not new[0].lstrip().startswith(_DOCUMENTS) or not all(map(is_comment, new)):
        return 0
    above = takewhile(_ANNOTATION.fullmatch, reversed(before[:at]))
    return sum(1 for _ in takewhile(lambda line: indent(line) == indent(new[0]) and line.strip() not in shown, above))


def _blanks(before: Sequence[str], change: LineChange, new: str) -> int:
    """How many blank lines set what comes apart from what is above it, which is deeper, as they do below it."""
    at = end = change.start
    while end < len(before) and not before[end].strip():
        end += 1
    if at == end or end == len(before) or not at or not before[at - 1].strip() or not new.strip():
        return 0
    width = indent(new) or 0
    return end - at if (indent(before[at - 1]) or 0) > width == (indent(before[end]) or 0) else 0


def documented(before: Outline, after: Outline) -> tuple[str, ...]:
    """The new lines, with the comments of the file above declarations whose heads stay, where they have none now."""
    has = {line.strip() for line in after.lines}
    there, out = _by_head(before), list(after.lines)
    for head, node in sorted(_by_head(after).items(), key=lambda each: -each[1].start):
        comment = _lead(before, there[head]) if head in there else ()
        if _is_lost(comment, has) and not _lead(after, node):
            out[node.start : node.start] = reindented(comment, comment[:1], out[node.head])
    return tuple(out)


def _by_head(file: Outline) -> dict[str, Node]:
    """The declarations by their first lines, where no other line is such a one."""
    count = Counter(line.strip() for line in file.lines)
    found = {file.lines[node.head].strip(): node for node in reversed(file.nodes)}
    return {head: node for head, node in found.items() if count[head] == 1}


def _lead(file: Outline, node: Node) -> tuple[str, ...]:
    """The comments right above a declaration."""
    return tuple(takewhile(is_comment, file.lines[node.start : node.head]))


def _is_lost(comment: Sequence[str], lines: Collection[str]) -> bool:
    """Whether a comment stands nowhere among lines, nor does what is commented out in it."""
    telling = [line.strip() for line in comment if is_telling(line)]
    return not all(line in lines for line in telling) and all(comment_body(line) not in lines for line in telling)
