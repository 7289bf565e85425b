"""In: a block that shows lines of the file under a sentence that orders them to go. Out: the file without them."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from redraft.edit.answer.block import Block
from redraft.edit.hunks.apply import HunkError, apply_lines
from redraft.edit.hunks.parse import Hunk
from redraft.edit.merge.common.patch import patched, taken_out
from redraft.edit.merge.options.option import Option
from redraft.edit.outline import Outline
from redraft.edit.text.changes import common
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Saying
from redraft.edit.words.hints import last_line, speaks_of

_WHOLE = ("function", "method", "test")
_BARE = re.compile(r"\W*(?:\w+ \d+\W+)?[^\W\d]+(?: [^\W\d]+)?\W*")  # `Step 2: Delete this:`
_RETOLD = 0.2
_EDGE = " \n*:."


def without_shown(
    file: Outline, block: Block, shown: Outline, said: Sequence[Saying], before: Sequence[str]
) -> Option | None:
    """The file without the block, where the sentence before it orders these very lines to go; else None.

    `shown` is the outline of the block, `before` the file before other blocks of the answer, one of which may have done
    it.
    """
    if block.explicit or not _orders(block, said[-1] if said else None):
        return None
    if block.has_markers:
        return _retold(file, shown, said)
    try:
        rest = apply_lines(file.lines, [Hunk(tuple(replace(line, kind="removed") for line in block.lines))])
    except HunkError:
        return _gone_before(file, block, before) or _retold(file, shown, said)
    at = common(file.lines, rest)
    patch = taken_out(file.lines, at, at + len(file.lines) - len(rest))
    names = frozenset(node.name for node in file.nodes if patch.start <= node.head < patch.end)
    return Option(patched(file.lines, [patch]) or (), 0.0, "as gone", names, may_drift=False)


def _retold(file: Outline, shown: Outline, said: Sequence[Saying]) -> Option | None:
    """The file without the one function that a block shows in other words, or with its body left out, if the sentence
    names it or says nothing but that it goes."""
    top = [shown.nodes[at] for at in shown.top()]
    if len(top) != 1 or (top[0].start, top[0].end) != (0, len(shown.lines)) or top[0].kind not in _WHOLE:
        return None
    there = [file.nodes[at] for at in file.named(top[0].name) if top[0].name]
    is_meant = bool(said) and (top[0].name in said[-1].names or _BARE.fullmatch(said[-1].text) is not None)
    if not is_meant or len(there) != 1 or there[0].kind != top[0].kind:
        return None
    patch = taken_out(file.lines, there[0].start, there[0].end)
    lines = patched(file.lines, [patch]) or ()
    return Option(lines, _RETOLD, "as gone", frozenset((there[0].name,)), may_drift=False)


def _gone_before(file: Outline, block: Block, before: Sequence[str]) -> Option | None:
    """The file as it is, where it has had the block and has none of its first line any more."""
    shown = [line.text.strip() for line in block.lines if is_telling(line.text)]
    had, has = ({line.strip() for line in lines} for lines in (before, file.lines))
    is_gone = bool(shown) and shown[0] in had - has and set(shown) <= had
    return Option(file.lines, 0.0, "as gone", may_drift=False) if is_gone else None


def _orders(block: Block, last: Saying | None) -> bool:
    """Whether a saying is the last sentence before a block, and removes nothing that the block does not show."""
    if speaks_of("all below", last_line(block.prose)):
        return True
    if last is None or last.verb != "remove":
        return False
    if speaks_of("adjoining", last_line(block.prose)):
        return False  # it shows what is left
    shown = " ".join(line.text for line in block.lines)
    is_before = block.prose.rstrip(_EDGE).endswith(last.text.rstrip(_EDGE))
    return is_before and all(name in shown for name in last.names)
