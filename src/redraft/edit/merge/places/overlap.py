"""In: a file, a block, the lines that it makes of the file. Out: how much of the block is the file's, whether a new
thing ends in a line of another."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from redraft.edit.answer.block import Block
from redraft.edit.merge.common.tokens import tokens
from redraft.edit.merge.context.omitted import heads_of
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known

_NAMES = 3  # of a line that tell which one it is


def share_known(block: Block, known: Known, file: Outline) -> float:
    """How many of the lines of a block that tell anything are the file's, and no block before has taken them away."""
    there = known.lines.intersection(map(str.strip, file.lines))
    telling = [line.text.strip() for line in block.lines if line.kind == "code" and is_telling(line.text)]
    return sum(text in there for text in telling) / max(1, len(telling))


def tells_apart(name: str, file: Outline) -> bool:
    """Whether something in a file has a name, and nothing beside it may have the same."""
    nodes = [file.nodes[at] for at in file.named(name)]
    found = Counter(node.parent for node in nodes)
    return bool(name) and max(found.values(), default=2) == 1 and all(node.kind != "rule" for node in nodes)


def shows_new_heads(block: Block, known: Known) -> bool:
    """Whether a block shows whole constructs alone whose heads the file does not have, whatever they hold."""
    heads = [line.strip() for line in heads_of([line.text for line in block.lines]) if is_telling(line)]
    return not block.has_markers and bool(heads) and known.lines.isdisjoint(heads)


def begins_as(file: Outline, block: Block) -> bool:
    """Whether the first two lines of a block stand in the file one below the other, at one place: they do not come."""
    first = [line.text.rstrip() for line in block.lines if line.text.strip()][:2]
    written = [line.rstrip() for line in file.lines if line.strip()]
    found = sum([*pair] == first for pair in pairwise(written))
    return found == 1 and all(map(is_telling, first)) and all(line.kind == "code" for line in block.lines[:2])


def has_more(line: str, text: str, is_change: bool) -> bool:
    """Whether a line only has more than one of the file: all that this has, in its order; where a change is told, all
    its names."""
    (first, *own), (begun, *shown) = (tokens(each) or ("",) for each in (line, text))
    names = [token for token in own if token.isidentifier()]
    rest = iter(shown)
    return first == begun and len(names) >= _NAMES and all(token in rest for token in (names if is_change else own))


def takes_from_others(file: Outline, block: Block, shown: Outline, lines: Sequence[str]) -> bool:
    """Whether all lines of the file stay, and one of them is taken for a line of a declaration that is new and whole.

    `return self` at the end of a new method, aligned with that of the method above, takes it away from there.
    """
    before, after = Counter(map(str.strip, file.lines)), Counter(map(str.strip, lines))
    if before - after:
        return False
    added = after - before
    spans = [block.lines[node.start : node.end] for node in shown.nodes if node.body and not file.named(node.name)]
    whole = [span for span in spans if all(line.kind == "code" for line in span)]
    return any(Counter(line.text.strip() for line in span if line.text.strip()) - added for span in whole)
