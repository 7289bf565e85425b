"""In: a change. Out: what the answer shows stands at several places of the file, and nothing says which."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.outline.nodes import Node
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_telling
from redraft.edit.words import comment_body, directives
from redraft.laws.change import Broken, Change, Place, likeness

_WHICH = re.compile(
    r"(?i)\b(?:each|every|all|both|first|second|third|last|other|too|also|everywhere|lines? \d|top|bottom|end|twice)\b"
)
_SCOPE = re.compile(r"@@.*\w")  # a hunk's header with numbers, or with what the hunk is in
_NEAR = 3  # lines within which siblings stand
_SIDES = ("after", "before")
_TELLING = 2  # words that tell a line from others
_WORD = re.compile(r"\w{3,}")


def elsewhere(change: Change) -> Broken | None:
    """None where what becomes of a gap could not as well be done to the same lines at another place."""
    for gap in change.gaps:
        blocks = change.blocks_of(gap)
        if len(blocks) != 1:
            continue
        (number,) = blocks
        if change.answer.blocks[number].numbers or _is_told(change, number):
            continue
        places = [change.shown[at] for at in range(gap.after_start, gap.after_end) if at in change.shown]
        twin = _twin(change, gap, places)
        if twin is not None:
            return Broken(
                "place",
                f"line {gap.start + 1} of the file and line {twin + 1} fit the answer alike,"
                f" {quoted(change.before[twin])}: show a line around it that stands once",
            )
    return None


def likelier(change: Change) -> Broken | None:
    """None where no line gives way to a new one that has all words of another line, which stays."""
    shown = {bare(change.after[at]) for at in change.shown}
    for gap in change.gaps:
        lost, come = change.lost(gap), change.come(gap)
        if len(lost) != 1 or len(come) != 1 or _has_all(change.after[come[0]], change.before[lost[0]]):
            continue
        near = range(max(0, gap.start - _NEAR), min(len(change.before), gap.end + _NEAR))
        others = (at for at in near if not gap.start <= at < gap.end and change.had[bare(change.before[at])] == 1)
        new = change.after[come[0]]
        own = likeness(new, change.before[lost[0]])
        likely = (at for at in others if _has_all(new, change.before[at]) and likeness(new, change.before[at]) > own)
        other = next((at for at in likely if bare(change.before[at]) not in shown), None)
        if other is not None and change.has[bare(change.before[other])]:
            line = f"line {lost[0] + 1} of the file would become {quoted(change.after[come[0]])}"
            better = f"line {other + 1}, {quoted(change.before[other])}, is more like that"
            return Broken("place", f"{line}, and {better}: show the line above or below it")
    return None


def _has_all(new: str, old: str) -> bool:
    """Whether a line has all words of another one, which says something by itself."""
    words = set(_WORD.findall(old))
    return len(words) >= _TELLING and words <= set(_WORD.findall(new))


def outside(change: Change) -> Broken | None:
    """None where no change lies outside of the one declaration that the words above its block place it in."""
    made: dict[int, list[int]] = defaultdict(list)
    for gap in change.gaps:
        blocks = change.blocks_of(gap)
        if len(blocks) == 1:
            made[blocks.pop()].append(gap.start)
    for number, starts in made.items():
        named = _named(change, number)
        if named and not any(node.start <= start <= node.end for node in named for start in starts):
            at = min(starts[0], len(change.before) - 1)
            return Broken(
                "place",
                f"the words name {named[0].name}, and the change would be made at line {at + 1} of the file,"
                f" {quoted(change.before[at])}: show the lines of {named[0].name} around it",
            )
    return None


def beside(change: Change) -> Broken | None:
    """None where what the words place after a declaration comes below it, and above one that they place it before."""
    for gap in change.gaps:
        blocks = {change.shown[at].block for at in change.come(gap) if at in change.shown}
        if gap.end > gap.start or len(blocks) != 1:
            continue
        for relation, node in _beside_what(change, *blocks):
            is_above, is_below = gap.after_end <= node.head, gap.after_start >= node.end
            if (relation == "after" and is_above) or (relation == "before" and is_below):
                where = f"{'above' if is_above else 'below'} it, at line {gap.start + 1} of the file"
                message = f"the words place it {relation} {node.name}, and the change would be made {where}"
                return Broken("place", f"{message}: show the lines around it")
    return None


def _beside_what(change: Change, number: int) -> Iterator[tuple[str, Node]]:
    """The declarations of the new file that the words right above a block place it after or before, or a comment of it
    that does not come in."""
    block = change.answer.blocks[number]
    texts = (line.text.strip() for line in block.lines)
    notes = (body for text in texts if change.has[bare(text)] == 0 and (body := comment_body(text)))
    places = [place for directive in directives(block.prose, change.known)[-1:] for place in directive.places]
    noted = [place for note in notes for directive in directives(note, change.known) for place in directive.places]
    sides = [(place.relation, *place.names) for place in (*places, *noted) if len(place.names) == 1]
    between = (place.names for place in noted if place.relation == "between")
    for relation, name in (*sides, *(pair for names in between for pair in zip(_SIDES, names, strict=False))):
        found = change.new.named(name) if relation in _SIDES else ()
        if len(found) == 1:
            yield relation, change.new.nodes[found[0]]


def _named(change: Change, number: int) -> list[Node]:
    """The nodes of the one name in which the words right above a block place it."""
    said = directives(change.answer.blocks[number].prose, change.known)[-1:]
    names = {
        name for directive in said for place in directive.places if place.relation == "inside" for name in place.names
    }
    if len(names) != 1 or any(directive.everywhere for directive in said):
        return []
    return [
        change.old.nodes[at]
        for at in change.old.named(*names)
        if change.old.nodes[at].is_container or change.old.nodes[at].body
    ]


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
