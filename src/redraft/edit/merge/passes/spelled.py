"""In: the blocks of an answer and a file's lines. Out: the blocks in the file's own spelling, pairs as diffs."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from msgspec.structs import replace

from redraft.edit import words
from redraft.edit.align.spelling import Known, corrected, indented, outermost, stands_beside
from redraft.edit.answer.block import Block, Line
from redraft.edit.merge.common.indentation import evened
from redraft.edit.text.lines import is_telling, lead_of
from redraft.edit.words.hints import last_line, speaks_of

_ALIKE = 0.4
_LONGEST_LABEL, _SHORTEST_LABEL = 70, 4
_LABEL_END = " *_:."
LONG_BLOCK = 2000  # lines, above which frequent ones are left aside when a pair of blocks is compared


def spelled(
    lines: Sequence[str], blocks: Sequence[Block], said: words.Known | None = None
) -> tuple[Known, tuple[Block, ...]]:
    """The blocks in the file's own spelling, pairs of them as diffs, and what they are spelled by."""
    blocks = [_levelled(block, lines) for block in blocks]
    shown = [line.text for block in blocks for line in block.lines if line.kind != "marker"]
    is_quoted, is_faithful = any(block.is_quoted for block in blocks), all(block.is_faithful for block in blocks)
    known = Known(lines, shown, is_quoted, is_faithful)
    found = (
        replace(block, lines=tuple(_corrected(_moved(block.lines, known), known)))
        for block in _without_pairs(blocks, known, said or words.Known())
    )
    return known, tuple(block for block in found if block.lines)


def _corrected(lines: Sequence[Line], known: Known) -> Iterator[Line]:
    for run in runs(lines):
        yield from corrected(run, known, stands_beside(lines, run, known))


def _levelled(block: Block, file: Sequence[str]) -> Block:
    """The block with the heading that opens or ends what it shows as in the file, where this has it once, on another
    level, and the block has something new beside it."""
    texts, has = [line.text for line in block.lines], {line.strip() for line in file}
    new = [at for at, text in enumerate(texts) if is_telling(text) and text.strip() not in has]
    is_slip = len(new) > 1 and not (block.explicit or block.is_faithful)
    ends = {new[0], new[-1]} if is_slip else set[int]()
    found = {at: [line for line in file if _title(line) == _title(texts[at])] for at in ends if _title(texts[at])}
    found = {at: there for at, there in found.items() if len(there) == 1}
    if len(found) == 1:  # who changes the levels of several means it
        texts = [found[at][0] if at in found else text for at, text in enumerate(texts)]
    return replace(block, lines=tuple(replace(line, text=text) for line, text in zip(block.lines, texts, strict=True)))


def _title(line: str) -> str:
    """What a heading says, on whichever level; "" for other lines."""
    bare = line.strip()
    return bare.strip("#").strip() if re.match("#+ ", bare) else ""


def _moved(lines: Sequence[Line], known: Known) -> list[Line]:
    """The lines in the indentation in which the file has the outermost of them, unless it has another run of them as
    they are; markers as they are."""
    texts = [line.text for line in lines if line.kind != "marker"]
    outer = outermost([text for text in texts if text.strip()], known)
    shown = [[line.text for line in run] for run in runs(lines) if run[0].kind != "marker"]
    others = [run for run in shown if not any(text in outer for text in run)]
    is_moved = bool(outer) and not any(lead_of(text) and known.tells(text) for run in others for text in run)
    found = iter(indented(evened(texts, known), known) if is_moved else texts)
    return [line if line.kind == "marker" else replace(line, text=next(found)) for line in lines]


def runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines between markers, and each marker alone."""
    for is_marker, run in groupby(lines, key=lambda line: line.kind == "marker"):
        if is_marker:
            yield from ([line] for line in run)
        else:
            yield list(run)


def _without_pairs(found: Sequence[Block], known: Known, said: words.Known) -> Iterator[Block]:
    """Two blocks of which the first stands in the file as it is and the second says what it becomes are one diff."""
    at = 0
    while at < len(found):
        if at + 1 < len(found) and _are_versions(found[at], found[at + 1], known, said):
            prose = "\n".join(block.prose for block in found[at : at + 2])
            lines = tuple(_difference(_padded(found[at]), _padded(found[at + 1])))
            yield replace(found[at], prose=prose, lines=lines, blanks=0)
            at += 2
        else:
            yield found[at]
            at += 1


def _padded(block: Block) -> list[Line]:
    return [*block.lines, *[Line("", "code")] * block.blanks]


def _are_versions(one: Block, other: Block, known: Known, said: words.Known) -> bool:
    """Whether the second of two blocks says what the first becomes, by their labels or by what stands in the file."""
    if any(line.kind == "removed" or line.added for block in (one, other) for line in block.lines):
        return False
    before, after = ([line.text for line in _padded(block)] for block in (one, other))
    is_present = _are_parallel(one, other) or speaks_of("present", _label(one.prose))
    if one.has_markers or other.has_markers:
        return is_present and _are_alike(before, after) and _stands(one, known) and not _stands(other, known)
    if _are_labelled(one, other, said) and (_are_alike(before, after) or known.find(indented(before, known))):
        return True
    if _are_parallel(one, other) and before != after and _are_alike(before, after) and _stands(one, known):
        return True
    return _is_pair(before, after, known) and (is_present or not (_adds(other, said) or _is_left(one, other, said)))


def _stands(block: Block, known: Known) -> bool:
    """Whether the file has what a block shows between its markers."""
    parts = [[line.text for line in run] for run in runs(block.lines) if run[0].kind != "marker"]
    return all(known.find(indented(part, known)) for part in parts)


def _are_parallel(one: Block, other: Block) -> bool:
    """Whether the words before two blocks are about one thing and differ in the last word alone."""
    heads = [_label(block.prose).rstrip(_LABEL_END).rpartition(" ")[0] for block in (one, other)]
    return len(heads[0]) >= _SHORTEST_LABEL and heads[0] == heads[1]


def _are_labelled(before: Block, after: Block, said: words.Known) -> bool:
    """Whether the words before two blocks say that the second takes the place of the first."""
    labels = [_label(block.prose) for block in (before, after)]
    verbs = [{directive.verb for directive in words.directives(label, said)} for label in labels]
    is_first = "before" in verbs[0] or speaks_of("before", labels[0])
    return is_first and ("after" in verbs[1] or not labels[1].strip() or speaks_of("after", labels[1]))


def _adds(block: Block, said: words.Known) -> bool:
    """Whether the words before a block say that it is put somewhere."""
    told, label = (words.directives(text, said) for text in (last_line(block.prose), _label(block.prose)))
    return any(directive.verb == "add" for directive in told) or any(directive.places for directive in label)


def _is_left(one: Block, other: Block, said: words.Known) -> bool:
    """Whether words say that the first of two blocks goes, and the second shows what stands side by side then."""
    then = last_line(other.prose)
    is_gone = any(directive.verb == "remove" for directive in words.directives(last_line(one.prose), said))
    return is_gone and any(speaks_of(each, then) for each in ("begins", "ends", "adjoining"))


def _label(prose: str) -> str:
    """The last written line of a text, if it is short enough to be a label, else its last words."""
    last = next((line.strip() for line in reversed(prose.split("\n")) if line.strip()), "")
    return last if len(last) <= _LONGEST_LABEL else " ".join(last.split()[-3:])


def _is_pair(before: list[str], after: list[str], known: Known) -> bool:
    """Whether the first stands in the file and the second does not, unless as what is left of the first."""
    if not known.find(indented(before, known)) or not _are_alike(before, after):
        return False
    is_left = len(after) < len(before) and "\n".join(after) in "\n".join(before)
    return is_left or not known.find(indented(after, known))


def _are_alike(before: list[str], after: list[str]) -> bool:
    """Whether two blocks share lines, or, where they are short, words."""
    shared = {line.strip() for line in before if is_telling(line)} & {line.strip() for line in after}
    if shared or not any(map(is_telling, after)):
        return True
    return SequenceMatcher(None, "".join(before), "".join(after), autojunk=False).ratio() >= _ALIKE


def _difference(before: Sequence[Line], after: Sequence[Line]) -> Iterator[Line]:
    old, new = ([line.text for line in lines] for lines in (before, after))
    matcher = SequenceMatcher(None, old, new, autojunk=len(after) > LONG_BLOCK)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from before[a:b]
        else:
            yield from (replace(line, kind="removed") for line in before[a:b] if line.kind != "marker")
            yield from (replace(line, added=True) for line in after[c:d] if line.kind != "marker")
