"""In: a block that shows lines of the file under a sentence that orders them to go. Out: the file without them."""

from collections.abc import Sequence
from dataclasses import replace

from redraft.edit.answer.block import Block
from redraft.edit.hunks.apply import HunkError, apply_lines
from redraft.edit.hunks.parse import Hunk
from redraft.edit.merge.option import Option
from redraft.edit.merge.patch import patched, taken_out
from redraft.edit.outline import Outline
from redraft.edit.text.changes import common
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Saying
from redraft.edit.words.hints import last_line, speaks_of

_EDGE = " \n*:."


def without_shown(file: Outline, block: Block, said: Sequence[Saying], before: Sequence[str]) -> Option | None:
    """The file without the block, where the sentence before it orders these very lines to go; else None.

    `before` is the file before other blocks of the answer, one of which may have done it.
    """
    if block.explicit or block.has_markers or not _orders(block, said[-1] if said else None):
        return None
    try:
        rest = apply_lines(file.lines, [Hunk(tuple(replace(line, kind="removed") for line in block.lines))])
    except HunkError:
        return _gone_before(file, block, before)
    at = common(file.lines, rest)
    patch = taken_out(file.lines, at, at + len(file.lines) - len(rest))
    names = frozenset(node.name for node in file.nodes if patch.start <= node.head < patch.end)
    return Option(patched(file.lines, [patch]) or (), 0.0, "as gone", names, may_drift=False)


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
    shown = " ".join(line.text for line in block.lines)
    is_before = block.prose.rstrip(_EDGE).endswith(last.text.rstrip(_EDGE))
    return is_before and all(name in shown for name in last.names)
