"""In: the blocks of an answer and a file's lines. Out: the blocks in the file's own spelling, pairs as diffs."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, groupby

from msgspec.structs import replace

from redraft.edit import words
from redraft.edit.align.spelling import Known, corrected, indented, outermost, stands_beside
from redraft.edit.answer.block import Block, Line
from redraft.edit.merge.lines.indentation import evened
from redraft.edit.merge.lines.written import first_written
from redraft.edit.text.lines import is_telling, lead_of, ratio, written
from redraft.edit.words.hints import last_line, speaks_of

_ALIKE = 0.4
_LONGEST_LABEL, _SHORTEST_LABEL = 70, 4
_LABEL_END = " *_:."
_LONG_BLOCK = 2000  # lines, above which frequent ones are left aside when a pair of blocks is compared


def spelled(lines: Sequence[str], blocks: Sequence[Block], vocabulary: words.Known | None = None) -> list[Block]:
    """The blocks in the file's own spelling, pairs of them as diffs."""
    blocks = [_levelled(block, lines) for block in blocks]
    shown = [line.text for block in blocks for line in block.lines if line.kind != "marker"]
    is_quoted, is_faithful = any(block.is_quoted for block in blocks), all(block.is_faithful for block in blocks)
    known = Known(lines, shown, is_quoted, is_faithful)
    found = (
        replace(block, lines=tuple(_corrected(_moved(block.lines, known), known)))
        for block in _without_pairs(blocks, known, vocabulary or words.Known())
    )
    return [block for block in found if block.lines]


def _corrected(lines: Sequence[Line], known: Known) -> Iterator[Line]:
    for run in runs(lines):
        yield from corrected(run, known, stands_beside(lines, run, known))


def _levelled(block: Block, file: Sequence[str]) -> Block:
    """The block with the heading that opens or ends what it shows as in the file, where this has it once, on another
    level, and the block has something new beside it."""
    texts, has = block.texts, {*map(str.strip, file)}
    new = [at for at, text in enumerate(texts) if is_telling(text) and text.strip() not in has]
    if len(new) < 2 or block.explicit or block.is_faithful:
        return block
    headings = {at: _headings_like(texts[at], file) for at in (new[0], new[-1])}
    found = [(at, there[0]) for at, there in headings.items() if len(there) == 1]
    if len(found) != 1:  # who changes the levels of several means it
        return block
    at, heading = found[0]
    return replace(block, lines=(*block.lines[:at], replace(block.lines[at], text=heading), *block.lines[at + 1 :]))


def _headings_like(text: str, file: Sequence[str]) -> list[str]:
    """The headings of a file that say what a line does that is one."""
    title = _title(text)
    return [line for line in file if title and _title(line) == title]


def _title(line: str) -> str:
    """What a heading says, on whichever level; "" for other lines."""
    bare = line.strip()
    return bare.strip("#").strip() if re.match("#+ ", bare) else ""


def _moved(lines: Sequence[Line], known: Known) -> list[Line]:
    """The lines in the indentation in which the file has the outermost of them, unless it has another run of them as
    they are; markers as they are."""
    texts = [line.text for line in lines if line.kind != "marker"]
    outer = outermost(written(texts), known)
    others = chain.from_iterable(run for run in between_markers(lines) if not {*outer} & {*run})
    if not outer or any(lead_of(text) and known.tells(text) for text in others):
        return [*lines]
    found = iter(indented(evened(texts, known), known))
    return [line if line.kind == "marker" else replace(line, text=next(found)) for line in lines]


def runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines between markers, and each marker alone."""
    for is_marker, run in groupby(lines, key=lambda line: line.kind == "marker"):
        if is_marker:
            yield from ([line] for line in run)
        else:
            yield list(run)


def between_markers(lines: Sequence[Line]) -> Iterator[list[str]]:
    """The texts of each run of lines between markers."""
    return ([line.text for line in run] for run in runs(lines) if run[0].kind != "marker")


def _without_pairs(found: Sequence[Block], known: Known, vocabulary: words.Known) -> Iterator[Block]:
    """Two blocks of which the first stands in the file as it is and the second says what it becomes are one diff."""
    at = 0
    while at < len(found):
        if at + 1 < len(found) and _are_versions(found[at], found[at + 1], known, vocabulary):
            prose = "\n".join(block.prose for block in found[at : at + 2])
            lines = tuple(_difference(_padded(found[at]), _padded(found[at + 1])))
            yield replace(found[at], prose=prose, lines=lines, blanks=0)
            at += 2
        else:
            yield found[at]
            at += 1


def _padded(block: Block) -> Block:
    """The block with the blank lines at its end."""
    return replace(block, lines=(*block.lines, *[Line("", "code")] * block.blanks))


def _are_versions(one: Block, other: Block, known: Known, vocabulary: words.Known) -> bool:
    """Whether the second of two blocks says what the first becomes, by their labels or by what stands in the file."""
    if one.explicit or other.explicit:
        return False
    before, after, is_cut = _padded(one).texts, _padded(other).texts, one.has_markers or other.has_markers
    if not _are_alike(before, after):
        return not is_cut and _are_labelled(one, other, vocabulary) and bool(known.find(indented(before, known)))
    are_parallel = _are_parallel(one, other)
    is_present = are_parallel or speaks_of("present", _label(one.prose))
    if is_cut:
        return is_present
    if _are_labelled(one, other, vocabulary) or (are_parallel and before != after and _stands(one, known)):
        return True
    return _is_left_of(before, after, known) and (is_present or not _come_apart(one, other, vocabulary))


def _stands(block: Block, known: Known) -> bool:
    """Whether the file has what a block shows between its markers."""
    return all(known.find(indented(part, known)) for part in between_markers(block.lines))


def _are_parallel(one: Block, other: Block) -> bool:
    """Whether the words before two blocks are about one thing and differ in the last word alone."""
    heads = [_label(block.prose).rstrip(_LABEL_END).rpartition(" ")[0] for block in (one, other)]
    return len(heads[0]) >= _SHORTEST_LABEL and heads[0] == heads[1]


def _are_labelled(before: Block, after: Block, vocabulary: words.Known) -> bool:
    """Whether the words before two blocks say that the second takes the place of the first."""
    labels = [_label(block.prose) for block in (before, after)]
    is_first = "before" in _verbs(labels[0], vocabulary) or speaks_of("before", labels[0])
    is_then = not labels[1].strip() or "after" in _verbs(labels[1], vocabulary) or speaks_of("after", labels[1])
    return is_first and is_then


def _come_apart(one: Block, other: Block, vocabulary: words.Known) -> bool:
    """Whether words say that the second of two blocks is put somewhere, or that the first goes and the second shows
    what stands side by side then."""
    then, label = last_line(other.prose), words.directives(_label(other.prose), vocabulary)
    if "add" in _verbs(then, vocabulary) or any(directive.places for directive in label):
        return True
    is_gone = "remove" in _verbs(last_line(one.prose), vocabulary)
    return is_gone and any(speaks_of(each, then) for each in ("begins", "ends", "adjoining"))


def _verbs(text: str, vocabulary: words.Known) -> set[str]:
    return {directive.verb for directive in words.directives(text, vocabulary)}


def _label(prose: str) -> str:
    """The last written line of a text, if it is short enough to be a label, else its last words."""
    last = first_written(reversed(prose.split("\n"))).strip()
    return last if len(last) <= _LONGEST_LABEL else " ".join(last.split()[-3:])


def _is_left_of(before: list[str], after: list[str], known: Known) -> bool:
    """Whether the first stands in the file and the second does not, unless as what is left of the first."""
    is_left = len(after) < len(before) and "\n".join(after) in "\n".join(before)
    return bool(known.find(indented(before, known))) and (is_left or not known.find(indented(after, known)))


def _are_alike(before: list[str], after: list[str]) -> bool:
    """Whether two blocks share lines, or, where they are short, words."""
    own = {*map(str.strip, filter(is_telling, before))}
    if not own.isdisjoint(map(str.strip, after)) or not any(map(is_telling, after)):
        return True
    return ratio("".join(before), "".join(after)) >= _ALIKE


def _difference(before: Block, after: Block) -> Iterator[Line]:
    matcher = SequenceMatcher(None, before.texts, after.texts, autojunk=len(after.lines) > _LONG_BLOCK)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from before.lines[a:b]
        else:
            yield from (replace(line, kind="removed") for line in before.lines[a:b] if line.kind != "marker")
            yield from (replace(line, added=True) for line in after.lines[c:d] if line.kind != "marker")
