"""In: a change. Out: what the words of the answer say that goes: names, stretches, blocks that show the past."""

import re
from collections.abc import Iterator
from functools import lru_cache

from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_comment
from redraft.edit.words import Directive, directives
from redraft.laws.change import Change, code_of

_GOING = re.compile(
    r"(?i)\b(?:remov|delet|drop|rid of|no longer|unused|replac|renam|mov|instead|inlin|simplif|collaps|merg|supersed"
    r"|switch|convert|gone\b|goes\b|was\b)"
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s|\n")
_WORD = re.compile(r"\w{3,}")
_STRETCHES = ("through", "above", "below", "comment", "comment of")
_OLD = ("before", "remove", "replace", "change", "rename")
_LINKING = 4  # words between a block that shows how the file was and the one that shows how it is: `becomes`, `with`


def is_stated(change: Change, gap: LineChange, at: int) -> bool:
    """Whether words name a line that goes, or what it goes with."""
    is_shown_as_old = bare(change.before[at]) in _old_lines(change)
    return is_shown_as_old or _names_stretch(change) or not going(change).isdisjoint(_names(change, gap, at))


@lru_cache(maxsize=16)
def going(change: Change) -> frozenset[str]:
    """The words of sentences and comments that say that something goes, and the names that they mean."""
    said = _SENTENCE.split(f"{change.answer.prose}\n{change.said}")
    comments = (text for text in change.lines("code", "removed") if is_comment(text))
    sentences = filter(_GOING.search, (*said, *comments, *change.lines("marker")))
    named = (name for directive in directives_of(change) if directive.verb == "remove" for name in directive.names)
    return frozenset(_WORD.findall("\n".join((*sentences, *named))))


@lru_cache(maxsize=16)
def directives_of(change: Change) -> tuple[Directive, ...]:
    """What the sentences of the answer and of the request say, read once."""
    return directives(f"{change.answer.prose}\n{change.said}", change.known)


@lru_cache(maxsize=16)
def _names_stretch(change: Change) -> bool:
    found = (directive for directive in directives_of(change) if directive.verb in _OLD)
    return any(place.relation in _STRETCHES for directive in found for place in directive.places)


def _names(change: Change, gap: LineChange, at: int) -> Iterator[str]:
    """The words of a line, and the names of what it lies in that goes with it."""
    yield from _WORD.findall(change.before[at])
    for node in map(change.old.nodes.__getitem__, change.old.around(at)):
        if gap.start <= node.head and node.end <= gap.end:
            yield from _WORD.findall(node.name)


@lru_cache(maxsize=16)
def _old_lines(change: Change) -> frozenset[str]:
    """The lines of blocks that show how the file was, as the words above them or above the next block say."""
    blocks = change.answer.blocks
    found: set[str] = set()
    for number, block in enumerate(blocks):
        lines = {*map(bare, code_of(block))}
        said = change.said_of(number)
        links = number + 1 < len(blocks) and len(blocks[number + 1].prose.split()) <= _LINKING
        if (links or any(directive.verb in _OLD for directive in said)) and change.had.keys() >= lines:
            found |= lines
    return frozenset(found)
