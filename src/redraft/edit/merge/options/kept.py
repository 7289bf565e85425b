"""In: a block, the file, and lines that it may become. Out: how much is lost of what markers say stays."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from redraft.edit.answer.block import Block
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling

_LEAST = 3  # letters of a name that is looked for


def lost_of_kept(block: Block, file: Outline, lines: Sequence[str], given_up: Collection[str]) -> int:
    """How many names and stretches that markers say stay are lost, those aside that are given up."""
    return _nowhere(block, file, lines, given_up) + _emptied(block, file, lines)


def _nowhere(block: Block, file: Outline, lines: Sequence[str], given_up: Collection[str]) -> int:
    """`# ... load and save stay ...`: whether `load` or `save` is nowhere in the new lines."""
    said = "\n".join(line.text for line in block.lines if line.kind == "marker")
    names = {node.name for node in file.nodes if len(node.name) >= _LEAST and node.name in said} - {*given_up}
    meant = {name for name in names if re.search(rf"(?<![\w@$]){re.escape(name)}(?![\w@$])", said)}
    text = "\n".join(lines) if meant else ""
    return sum(name not in text for name in meant)


def _emptied(block: Block, file: Outline, lines: Sequence[str]) -> int:
    """How many markers stand for nothing in the new lines: what the block shows around them follows each other there,
    and not in the file."""
    between = {pair for pair in _around_markers(block) if any(map(is_telling, pair))}
    if not between:
        return 0
    had, has = (Counter(pairwise(_written(each))) for each in (file.lines, lines))
    known = {line.strip() for line in file.lines}
    return sum(known.issuperset(pair) and has[pair] > had[pair] for pair in between)


def _around_markers(block: Block) -> Iterator[tuple[str, str]]:
    """The lines above and below each marker."""
    shown = [line for line in block.lines if line.text.strip()]
    for above, line, below in zip(shown, shown[1:], shown[2:], strict=False):
        if line.kind == "marker" and above.kind == below.kind == "code":
            yield above.text.strip(), below.text.strip()


def _written(lines: Sequence[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]
