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
from redraft.edit.words import Saying

_EDGE = " \n*:."


def without_shown(file: Outline, block: Block, said: Sequence[Saying]) -> Option | None:
    """The file without the block, where the sentence before it orders these very lines to go; else None."""
    if block.explicit or block.has_markers or not _orders(block, said[-1] if said else None):
        return None
    try:
        rest = apply_lines(file.lines, [Hunk(tuple(replace(line, kind="removed") for line in block.lines))])
    except HunkError:
        return None
    at = common(file.lines, rest)
    patch = taken_out(file.lines, at, at + len(file.lines) - len(rest))
    names = frozenset(node.name for node in file.nodes if patch.start <= node.head < patch.end)
    return Option(patched(file.lines, [patch]) or (), 0.0, "as gone", names, may_drift=False)


def _orders(block: Block, last: Saying | None) -> bool:
    """Whether a saying is the last sentence before a block, and removes nothing that the block does not show."""
    if last is None or last.verb != "remove":
        return False
    shown = " ".join(line.text for line in block.lines)
    is_before = block.prose.rstrip(_EDGE).endswith(last.text.rstrip(_EDGE))
    return is_before and all(name in shown for name in last.names)
