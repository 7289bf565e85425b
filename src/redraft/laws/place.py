"""In: a change. Out: what the answer shows stands at several places of the file, and nothing says which."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from redraft.edit.align.likeness import quoted
from redraft.edit.outline.nodes import Node
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_telling
from redraft.edit.words import Directive, comment_body, directives
from redraft.edit.words.directive import Place as NamedPlace
from redraft.laws.change import Broken, Change, Place, likeness, stretch

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
        number = change.block_of(gap)
        if number is None or _is_stated(change, number):
            continue
        twin = _twin(change, gap, change.places_of(gap))
        if twin is not None:
            what = f"line {gap.start + 1} of the file and line {twin + 1} fit the answer alike"
            return Broken("place", f"{what}, {quoted(change.before[twin])}: show a line around it that stands once")
    return None


def likelier(change: Change) -> Broken | None:
    """None where no line gives way to a new one that has all words of another line, which stays."""
    shown = {bare(change.after[at]) for at in change.shown}
    for gap in change.gaps:
        lost, come = change.lost(gap), change.come(gap)
        if len(lost) != 1 or len(come) != 1:
            continue
        old, new = change.before[lost[0]], change.after[come[0]]
        near = range(max(0, gap.start - _NEAR), min(len(change.before), gap.end + _NEAR))
        likely = (at for at in near if at not in gap.gone and _is_likelier(change, new, at, old))
        other = next((at for at in likely if bare(change.before[at]) not in shown), None)
        if not _has_all(new, old) and other is not None and change.has[bare(change.before[other])]:
            line = f"line {lost[0] + 1} of the file would become {quoted(new)}"
            better = f"line {other + 1}, {quoted(change.before[other])}, is more like that"
            return Broken("place", f"{line}, and {better}: show the line above or below it")
    return None


def _is_likelier(change: Change, new: str, at: int, old: str) -> bool:
    """Whether a line that the file has once is more like a new one than the one that goes."""
    line = change.before[at]
    return change.had[bare(line)] == 1 and _has_all(new, line) and likeness(new, line) > likeness(new, old)


def _has_all(new: str, old: str) -> bool:
    """Whether a line has all words of another one, which says something by itself."""
    words = set(_WORD.findall(old))
    return len(words) >= _TELLING and words <= set(_WORD.findall(new))


def outside(change: Change) -> Broken | None:
    """None where no change lies outside of the one declaration that the words above its block place it in."""
    made: dict[int, list[int]] = defaultdict(list)
    for gap in change.gaps:
        if (number := change.block_of(gap)) is not None:
            made[number].append(gap.start)
    for number, starts in made.items():
        named = _named(change, number)
        if named and not any(node.start <= start <= node.end for node in named for start in starts):
            at = min(starts[0], len(change.before) - 1)
            what = f"the words name {named[0].name}, and the change would be made at {change.old_line(at)}"
            return Broken("place", f"{what}: show the lines of {named[0].name} around it")
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
    texts = (line.text.strip() for line in change.answer.blocks[number].lines)
    notes = (body for text in texts if change.has[bare(text)] == 0 and (body := comment_body(text)))
    noted = _places(directive for note in notes for directive in directives(note, change.known))
    stated = (*_places(change.said_of(number)), *noted)
    between = (zip(_SIDES, place.names, strict=False) for place in noted if place.relation == "between")
    sides = ((place.relation, place.names[0]) for place in stated if _is_one_sided(place))
    for relation, name in chain(sides, *between):
        found = change.new.named(name)
        if len(found) == 1:
            yield relation, change.new.nodes[found[0]]


def _is_one_sided(place: NamedPlace) -> bool:
    return place.relation in _SIDES and len(place.names) == 1


def _places(said: Iterable[Directive]) -> list[NamedPlace]:
    return [place for directive in said for place in directive.places]


def _named(change: Change, number: int) -> list[Node]:
    """The nodes of the one name in which the words right above a block place it."""
    said = change.said_of(number)
    names = {name for place in _places(said) if place.relation == "inside" for name in place.names}
    if len(names) != 1 or any(directive.everywhere for directive in said):
        return []
    nodes = map(change.old.nodes.__getitem__, change.old.named(*names))
    return [node for node in nodes if node.is_container or node.body]


def _is_stated(change: Change, number: int) -> bool:
    """Whether the block shows a line that the file has once, or its words say which place is meant."""
    block = change.answer.blocks[number]
    lines = [bare(line.text) for line in block.lines if line.kind != "marker" and not line.added]
    is_placed = any(change.had[line] == 1 for line in lines)
    if is_placed or any(line.kind == "marker" and _SCOPE.match(line.text) for line in block.lines):
        return True
    names = " ".join(node.name for node in change.old.nodes)
    is_named = not set(_WORD.findall(names)).isdisjoint(_WORD.findall(change.words))
    return is_named or _WHICH.search(change.words) is not None


def _twin(change: Change, gap: LineChange, places: Sequence[Place]) -> int | None:
    """Another place of the file at which the lines around a gap stand that the answer shows, with what goes there."""
    beside = _run_around(change, places)

    def is_shown(at: int) -> bool:
        shift = gap.after_start - gap.start if at < gap.start else gap.after_end - gap.end
        return change.shown.get(at + shift) in beside

    first, last = stretch(gap.start, gap.end - 1, len(change.before), is_shown)
    lines = [*map(bare, change.before)]
    run = lines[first : last + 1]
    if not any(map(is_telling, run)):
        return None
    return next((at for at in range(len(lines)) if at != first and lines[at : at + len(run)] == run), None)


def _run_around(change: Change, places: Sequence[Place]) -> set[Place | None]:
    """The places in the run of a block that some are in."""
    block = change.answer.blocks[places[0].block].lines
    first, last = stretch(places[0].line, places[-1].line, len(block), lambda at: block[at].kind != "marker")
    return {Place(places[0].block, line) for line in range(first, last + 1)}
