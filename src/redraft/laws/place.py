"""In: a change. Out: law 6: what the answer shows stands at several places of the file, and nothing says which."""

import re
from collections.abc import Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_telling
from redraft.laws.change import Broken, Change, Place, bare

_WHICH = re.compile(
    r"(?i)\b(?:each|every|all|both|first|second|third|last|other|too|also|everywhere|lines? \d|top|bottom|end|twice)\b"
)
_SCOPE = re.compile(r"@@.*\w")  # a hunk's header with numbers, or with what the hunk is in
_WORD = re.compile(r"\w{3,}")


def elsewhere(change: Change) -> Broken | None:
    """None where what becomes of a gap could not as well be done to the same lines at another place."""
    for gap in change.gaps:
        places = [change.shown[at] for at in range(gap.after_start, gap.after_end) if at in change.shown]
        blocks = {place.block for place in places}
        if len(blocks) != 1 or len(places) < 1:
            continue
        (number,) = blocks
        if change.answer.blocks[number].numbers or _is_told(change, number):
            continue
        twin = _twin(change, gap, places)
        if twin is not None:
            return Broken(
                "place",
                f"line {gap.start + 1} of the file and line {twin + 1} fit the answer alike,"
                f" {quoted(change.before[twin])}: show a line around it that stands once",
            )
    return None


def _is_told(change: Change, number: int) -> bool:
    """Whether the block shows a line that the file has once, or its words say which place is meant."""
    block = change.answer.blocks[number]
    lines = [bare(line.text) for line in block.lines if line.kind != "marker" and not line.added]
    if any(change.had[line] == 1 for line in lines):
        return True
    if any(line.kind == "marker" and _SCOPE.match(line.text) for line in block.lines):
        return True
    prose = change.answer.prose + change.said
    if _WHICH.search(prose):
        return True
    said = set(_WORD.findall(prose))
    return any(said & set(_WORD.findall(node.name)) for node in change.old.nodes)


def _twin(change: Change, gap: LineChange, places: Sequence[Place]) -> int | None:
    """Another place of the file at which the lines around a gap stand that the answer shows, with what goes there."""
    first, last = gap.start, gap.end
    while first and change.shown.get(first - 1 + gap.after_start - gap.start) in _beside(change, places):
        first -= 1
    offset = gap.after_end - gap.end
    while last < len(change.before) and change.shown.get(last + offset) in _beside(change, places):
        last += 1
    run = [bare(line) for line in change.before[first:last]]
    if not any(map(is_telling, run)):
        return None
    lines = [bare(line) for line in change.before]
    return next((at for at in range(len(lines)) if at != first and lines[at : at + len(run)] == run), None)


def _beside(change: Change, places: Sequence[Place]) -> set[Place | None]:
    """The places in the run of a block that some are in."""
    block = change.answer.blocks[places[0].block].lines
    first, last = places[0].line, places[-1].line
    while first and block[first - 1].kind != "marker":
        first -= 1
    while last + 1 < len(block) and block[last + 1].kind != "marker":
        last += 1
    return {Place(places[0].block, line) for line in range(first, last + 1)}
