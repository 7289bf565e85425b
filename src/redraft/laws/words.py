"""In: a change. Out: what the words of the answer say that goes: names, stretches, blocks that show the past."""

import re
from collections.abc import Iterator
from functools import lru_cache

from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_comment, is_telling
from redraft.edit.words import Directive, directives
from redraft.laws.change import Change

_GOING = re.compile(
    r"(?i)\b(?:remov|delet|drop|rid of|no longer|unused|replac|renam|mov|instead|inlin|simplif|collaps|merg|supersed"
    r"|switch|convert|gone\b|goes\b|was\b)"
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s|\n")
_WORD = re.compile(r"\w{3,}")
_STRETCHES = ("through", "above", "below", "comment", "comment of")
_OLD = ("before", "remove", "replace", "change", "rename")
_LINKING = 4  # words between a block that shows how the file was and the one that shows how it is: `becomes`, `with`


def is_told(change: Change, gap: LineChange, at: int) -> bool:
    """Whether words name a line that goes, or what it goes with."""
    if bare(change.before[at]) in _old_lines(change):
        return True
    if _tells_stretch(change):
        return True
    return bool(going(change) & set(_names(change, gap, at)))


@lru_cache(maxsize=16)
def going(change: Change) -> frozenset[str]:
    """The words of sentences and comments that say that something goes, and the names that they mean."""
    said = _SENTENCE.split(f"{change.answer.prose}\n{change.said}")
    sentences = (each for each in (*said, *_comments(change)) if _GOING.search(each))
    named = (name for directive in directives_of(change) if directive.verb == "remove" for name in directive.names)
    return frozenset(word for text in (*sentences, *named) for word in _WORD.findall(text))


def _comments(change: Change) -> Iterator[str]:
    for block in change.answer.blocks:
        yield from (line.text for line in block.lines if line.kind == "marker" or is_comment(line.text))


@lru_cache(maxsize=16)
def directives_of(change: Change) -> tuple[Directive, ...]:
    """What the sentences of the answer and of the request say, read once."""
    return directives(f"{change.answer.prose}\n{change.said}", change.known)


@lru_cache(maxsize=16)
def _tells_stretch(change: Change) -> bool:
    found = (directive for directive in directives_of(change) if directive.verb in _OLD)
    return any(place.relation in _STRETCHES for directive in found for place in directive.places)


def _names(change: Change, gap: LineChange, at: int) -> Iterator[str]:
    """The words of a line, and the names of what it lies in that goes with it."""
    yield from _WORD.findall(change.before[at])
    inside = change.old.at(at)
    while inside is not None:
        node = change.old.nodes[inside]
        if gap.start <= node.head and node.end <= gap.end:
            yield from _WORD.findall(node.name)
        inside = node.parent


@lru_cache(maxsize=16)
def _old_lines(change: Change) -> frozenset[str]:
    """The lines of blocks that show how the file was, as the words above them or above the next block say."""
    blocks = change.answer.blocks
    found: set[str] = set()
    for number, block in enumerate(blocks):
        lines = {bare(line.text) for line in block.lines if line.kind == "code" and is_telling(line.text)}
        said = directives(block.prose, change.known)[-1:]
        links = number + 1 < len(blocks) and len(blocks[number + 1].prose.split()) <= _LINKING
        if (links or any(directive.verb in _OLD for directive in said)) and all(change.had[line] for line in lines):
            found |= lines
    return frozenset(found)
