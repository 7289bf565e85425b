"""In: a file before and after a block of an answer. Out: the lines and brackets that the change loses."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from msgspec import Struct, field

from redraft.edit.align.splice import Patch
from redraft.edit.answer.block import Block
from redraft.edit.merge.lines.written import all_words, lines_with
from redraft.edit.text.lines import bare, words_in, written

_PAIRS = ("{}", "()", "[]")
_NAME = re.compile(r"[@$]{0,2}[A-Za-z_]\w+[?!]?")
_VALUE = re.compile(r"[^=\"']*[^=\"'!<>]:?=(?![=>])(\w[^;]{5,}[)\]][^;]*?);?,?")  # a call, or what indexes something
_SETS = re.compile(r"\s*(?:(?:const|let|var|val|auto|my|local)\s+)?([@$]{0,2}[A-Za-z_]\w+)\s*:?=(?![=>~])")
_LONGEST = 400  # signs of a line that are looked at


class Loss(Struct, frozen=True):
    """Lines that stand less often than before, words of those that stand more often, and how many more brackets of a
    kind opened than closed before; `absent` are words of the lost lines that stand nowhere any more, `unused` names of
    several of them of which none stands any more, with the signs in front and behind that are part of them."""

    lines: AbstractSet[str]
    come: AbstractSet[str]
    opened: Mapping[str, int]
    had: Mapping[str, int] = field(default_factory=dict[str, int])  # in how many lost lines a word of `come` stands
    has: Mapping[str, int] = field(default_factory=dict[str, int])  # in how many new ones
    absent: AbstractSet[str] = frozenset()
    unused: AbstractSet[str] = frozenset()
    new: tuple[str, ...] = ()  # the lines that stand more often, without white space

    def has_moved(self, line: str) -> bool:
        """Whether a line of the file is still there, or the value that it sets stands in a new line."""
        if line.strip() not in self.lines:
            return True
        value = _VALUE.fullmatch(bare(line[:_LONGEST]))
        return value is not None and any(value[1] in text for text in self.new)

    def orphans(self, lines: Sequence[str]) -> bool:
        """Whether lines do nothing but set names that others used which are gone, and nothing does any more."""
        sets = [_SETS.match(line) for line in lines]
        return bool(sets) and all(match is not None and match[1] in self.unused for match in sets)

    def brings(self, gone: Sequence[str]) -> set[str]:
        """Words that new lines have more often than the lost ones other than these."""
        own = lines_with(gone, words_in)
        return {word for word in self.come if self.has.get(word, 1) > self.had.get(word, 0) - own[word]}


@lru_cache(maxsize=64)
def loss(before: tuple[str, ...], after: tuple[str, ...]) -> Loss:
    """What a change loses."""
    had, has = (Counter(map(str.strip, lines)) for lines in (before, after))
    come, lost = (lines_with(lines, words_in) for lines in (has - had, had - has))
    there, now = unclosed(before), unclosed(after)
    opened = {pair: there.get(pair, 0) - now.get(pair, 0) for pair in _PAIRS}
    used = lines_with(had - has, _NAME.findall)
    unused = {name for name, count in used.items() if count > 1}.difference(*map(_NAME.findall, has))
    absent = lost.keys() - all_words(after)
    return Loss(frozenset(had - has), come.keys(), opened, lost, come, absent, unused, tuple(map(bare, has - had)))


def unclosed(lines: Sequence[str]) -> dict[str, int]:
    """For each kind of bracket in lines how many more of them open than close."""
    text = "".join(lines)
    return {pair: text.count(pair[0]) - text.count(pair[1]) for pair in _PAIRS if pair[0] in text or pair[1] in text}


def undone(had: Sequence[str], before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines go that the file did not have at first: blocks before this one have brought them."""
    gone = Counter(before) - Counter(after) if had and had is not before else Counter[str]()
    return sum((gone - Counter(dict.fromkeys(had, gone.total()))).values())


def without_brought(had: Sequence[str], lines: Sequence[str]) -> tuple[str, ...]:
    """The lines with a sign like no other for each that the file did not have at first."""
    own = frozenset(had)
    return tuple(line if line in own else "\0" for line in lines)


def is_by_blanks(lines: Sequence[str], block: Block, way: Sequence[Patch]) -> bool:
    """Whether patches bring all that a block says, and put it in the place of blank lines."""
    gone = [line for patch in way for line in lines[patch.start : patch.end]]
    come = Counter(line.strip() for patch in way for line in patch.texts)
    shown = Counter(map(str.strip, written(block.texts)))
    return bool(gone) and not any(map(str.strip, gone)) and shown <= come
