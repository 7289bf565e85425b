"""In: a file, a block, the lines that it makes of the file. Out: how much of the block is the file's, or of another."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from redraft.edit.align.likeness import form
from redraft.edit.answer.block import Block
from redraft.edit.merge.context.omitted import heads_of
from redraft.edit.merge.lines.tokens import tokens
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling, written
from redraft.edit.words import Known

_NAMES = 3  # of a line that tell which one it is
_BY_CHANCE = 0.34  # share of lines known that code of another place may have, too
_HEADS = ("import", "package", "namespace")  # what stands at the top of whole files
# Shares of the lines of a file, or of its declarations, that a whole file has at least.
_LINES, _LINES_IF_STATED, _LINES_AT_LEAST, _DECLARED = 0.6, 0.3, 0.5, 0.8


def share_known(block: Block, known: Known, file: Outline) -> float:
    """How many of the lines of a block that tell anything are the file's, and no block before has taken them away."""
    there = known.lines.intersection(map(str.strip, file.lines))
    telling = [*map(str.strip, filter(is_telling, block.code))]
    return sum(map(there.__contains__, telling)) / max(1, len(telling))


def may_be_other(block: Block, known: Known) -> bool:
    """Whether the file has so few lines of a block, however spaced, that these may be there by chance."""
    telling = [line.text for line in block.lines if line.kind != "marker" and is_telling(line.text)]
    most = 0 if block.explicit else _BY_CHANCE * len(telling)
    if sum(text.strip() in known.lines for text in telling) > most:
        return False
    forms = set(map(form, known.lines))
    return sum(form(text) in forms for text in telling) <= most


def is_whole(lines: Sequence[str], file: Outline, shown: Outline, is_stated: bool) -> bool:
    """Whether lines begin, end or declare as the file does, so that they are all of it; `is_stated`: the answer says
    so."""
    old, new = ([*map(str.strip, written(each))] for each in (file.lines, lines))
    if not (old and new):
        return not old
    same = (Counter(old) & Counter(new)).total()
    ends = (new[0] == old[0]) + (new[-1] == old[-1])
    is_headed = any(node.kind in _HEADS for node in shown.nodes[:1])
    least = min(len(old), len(new)) if is_headed else len(old)
    if (is_stated and same >= _LINES_IF_STATED * len(old)) or (ends == 2 and same >= _LINES * least):
        return True
    names, there = ({each.nodes[at].name for at in each.top()} for each in (file, shown))
    covers = len(names & there) >= _DECLARED * len(names) and same >= _LINES_AT_LEAST * len(old)
    return covers and ends >= 1 and len(names) > 1


def tells_apart(name: str, file: Outline) -> bool:
    """Whether something in a file has a name, and nothing beside it may have the same."""
    nodes = [file.nodes[at] for at in file.named(name)]
    found = Counter(node.parent for node in nodes)
    return bool(name) and max(found.values(), default=2) == 1 and all(node.kind != "rule" for node in nodes)


def shows_new_heads(block: Block, known: Known) -> bool:
    """Whether a block shows whole constructs alone whose heads the file does not have, whatever they hold."""
    heads = [*map(str.strip, filter(is_telling, heads_of(block.texts)))]
    return not block.has_markers and bool(heads) and known.lines.isdisjoint(heads)


def begins_as(file: Outline, block: Block) -> bool:
    """Whether the first two lines of a block stand in the file one below the other, at one place: they do not come."""
    first = [*map(str.rstrip, written(block.texts))][:2]
    found = sum([*pair] == first for pair in pairwise(map(str.rstrip, written(file.lines))))
    return found == 1 and all(map(is_telling, first)) and all(line.kind == "code" for line in block.lines[:2])


def has_more(line: str, text: str, is_change: bool) -> bool:
    """Whether a line only has more than one of the file: all that this has, in its order; where a change is told, all
    its names."""
    (first, *own), (begun, *shown) = (tokens(each) or ("",) for each in (line, text))
    names = [*filter(str.isidentifier, own)]
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
    new = [node for node in shown.nodes if node.body and not file.named(node.name)]
    spans = (Block(block.lines[node.start : node.end]) for node in new)
    whole = (span for span in spans if len(span.code) == len(span.lines))
    return any(Counter(map(str.strip, written(span.texts))) - added for span in whole)
