"""In: a block, the file, and lines that it may become. Out: how many declarations are lost that markers say stay."""

import re
from collections.abc import Sequence

from redraft.edit.answer.block import Block
from redraft.edit.outline import Outline

_LEAST = 3  # letters of a name that is looked for


def lost_of_kept(block: Block, file: Outline, lines: Sequence[str]) -> int:
    """`# ... load and save stay ...`: whether `load` or `save` is nowhere in the new lines."""
    said = "\n".join(line.text for line in block.lines if line.kind == "marker")
    names = {node.name for node in file.nodes if len(node.name) >= _LEAST and node.name in said}
    meant = {name for name in names if re.search(rf"(?<![\w@$]){re.escape(name)}(?![\w@$])", said)}
    text = "\n".join(lines) if meant else ""
    return sum(name not in text for name in meant)
