"""In: a file before and after, an answer and its request. Out: stretches that stay, with signs of being meant to go."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from math import log1p

from redraft.edit.align.likeness import head, overlap, without_comment
from redraft.edit.merge.judge.remaining import PATTERNS, Remaining, first_of
from redraft.edit.merge.judge.remains import Remain
from redraft.edit.merge.judge.signs import LONGEST, Signs
from redraft.edit.merge.lines.differing import kind, share_of, tokens
from redraft.edit.merge.lines.opened import left_open, newly_open
from redraft.edit.merge.lines.written import first_written
from redraft.edit.text.lines import is_comment, is_telling, width_of, written
from redraft.edit.words import directives
from redraft.edit.words.hints import last_lines, speaks_of

_LINE = 300  # characters of a line that is compared
_NEAR, _FAR, _SOME = 12, 60, 20  # new lines beside a stretch, new lines anywhere, and own lines, that are compared
_ALIKE = 0.4  # likeness of letters, below which the rest is not asked for
_HINTS = ("rewritten", "removal", "addition", "whole")
_LEAVES = re.compile(r"\s*(?:return|throw|raise|break|continue|exit)\b(?!.*\b(?:if|unless|when)\b)")


class Staying(Remaining):
    """The stretches, and what tells of each whether it stays."""

    def found(self) -> list[tuple[Remain, Signs]]:
        """The stretches, each with its signs by name; 0 where there is nothing of the kind."""
        if not self.changes or len(self.after) > LONGEST:
            return []
        found = (each for each in self.remains() if not self._leaves_body(each))
        return [(each, {name: value for name, value in self._signs(each) if value}) for each in found]

    def _leaves_body(self, each: Remain) -> bool:
        """Whether a stretch ends in a head whose body stays, and no head like it stands above to take that."""
        head, width = self.after[each.end - 1], width_of(self.after[each.end - 1])
        above, below = first_written(reversed(self.after[: each.start])), first_written(self.after[each.end :])
        takes = width_of(above) == width and _closing(above) == _closing(head)
        return width_of(below) > width and not takes

    def _signs(self, each: Remain) -> Iterator[tuple[str, float]]:
        lines = written(self.after[each.start : each.end])
        bare = [*map(str.strip, lines)]
        yield from self._of_answer
        yield from self._of_size(each, lines)
        yield from self._of_place(each)
        yield from self._of_likeness(each, bare)
        yield from self._of_kind(each, bare)
        yield from self._of_brackets(bare)
        yield from self._of_words(bare)
        yield from self._of_orders(bare)
        yield from self._of_names(bare)
        if each.beside in self.owners:
            yield from self._of_showing(each)

    def _of_size(self, each: Remain, lines: Sequence[str]) -> Iterator[tuple[str, float]]:
        gap = len(written(self.after[each.top : each.bottom]))
        width, beside = width_of(lines[0]), width_of(self.after[each.beside])
        yield "lines", log1p(len(lines))
        yield "gap", log1p(gap)
        yield "share of gap", len(lines) / max(1, gap)
        yield from ((f"size {size}", 1.0) for size in each.sizes)
        yield "depth", float(width - beside)
        yield "ends deeper", float(width_of(lines[-1]) > width)
        change = self.change(each)
        if change is not None:
            new = len(written(self.after[change.after_start : change.after_end]))
            old = len(written(self.before[change.start : change.end]))
            yield "new beside", log1p(new)
            yield "old gone beside", log1p(old)
            yield "insertion", float(not old)
            yield "more than new", log1p(max(0, len(lines) - new))
            yield "fewer than new", log1p(max(0, new - len(lines)))

    def _of_place(self, each: Remain) -> Iterator[tuple[str, float]]:
        other = self.other(each)
        between = self.after[each.beside + 1 : each.start] if each.is_below else self.after[each.end : each.beside]
        yield "below", float(each.is_below)
        yield "top of file", float(not any(map(str.strip, self.after[: each.start])))
        yield "end of file", float(not any(map(str.strip, self.after[each.end :])))
        yield "blank between", float(not all(map(str.strip, between)))
        yield "bounded", float(other in self.owners or other in self.new)
        yield "other new", float(other in self.new)
        yield "beside new", float(each.beside in self.new)
        yield "distance", log1p(self.distance(each))
        above = first_written(reversed(self.after[: each.start]))
        is_level = width_of(above) == width_of(self.after[each.start])
        yield "never reached", float(is_level and _LEAVES.match(above) is not None and not left_open([above]))

    def _of_likeness(self, each: Remain, bare: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Whether new lines, or lines of the answer that the text does not have, are versions of it."""
        change, first, own = self.change(each), first_of(bare), [*filter(is_telling, bare)][:_SOME]
        new = self.after[change.after_start : change.after_end] if change else []
        near = [*map(str.strip, filter(is_telling, new))]
        near = near[-_NEAR:] if each.is_below else near[:_NEAR]
        yield "like near", _most_alike(first, near)
        yield "like beside", _alike(bare[0] if each.is_below else bare[-1], self.after[each.beside].strip())
        yield "like far", _nearest(first, () if near else self.come[:_FAR])
        yield "like all", _nearness(own, near or self.come[:_FAR])
        yield "like absent", _nearness(own, self.absent[:_FAR])
        yield "first like absent", _most_alike(first, self.absent[:_FAR])
        yield "head again", float(head(first) in self.come_heads)
        yield "first word again", float(any(line.split()[:1] == first.split()[:1] for line in near))
        yield "first two again", float(any(tokens(line)[:2] == tokens(first)[:2] for line in near))

    def _of_kind(self, each: Remain, bare: Sequence[str]) -> Iterator[tuple[str, float]]:
        first, beside = first_of(bare), self.after[each.beside].strip()
        yield f"is {kind(first)}", 1.0
        yield f"beside {kind(beside)}", 1.0
        yield "kind as beside", float(kind(first) == kind(beside))
        yield "telling", share_of(is_telling, bare)
        yield "comments", share_of(is_comment, bare)
        yield "again", share_of(lambda line: is_telling(line) and self.count[line] > 1, bare)
        yield "again in new", share_of(lambda line: is_telling(line) and line in self.come, bare)

    def _of_brackets(self, bare: Sequence[str]) -> Iterator[tuple[str, float]]:
        own, open_ = left_open(bare), self._open
        yield "unbalanced", float(any(own.values()))
        yield "mends", float(sum(abs(open_[sign]) - abs(open_[sign] - own[sign]) for sign in {*own, *open_}))
        yield "is open", float(any(open_.values()))

    @cached_property
    def _open(self) -> dict[str, int]:
        """What the new file opens more often than the old one, or closes."""
        return newly_open(self.before, self.after)

    @cached_property
    def _of_answer(self) -> tuple[tuple[str, float], ...]:
        answer, shown = self.answer, len(self.owners)
        return (
            ("has request", float(bool(self.asked.strip()))),
            ("has words", float(bool(answer.prose.strip()))),
            ("removes", float(self.speech.removes)),
            ("adds alone", float(self.speech.only_adds)),
            ("asked removal", float(speaks_of("removal", self.asked))),
            ("blocks", float(len(answer.blocks))),
            ("shown", log1p(shown)),
            ("shows", shown / max(1, len(written(self.after)))),
            ("file", log1p(len(self.after))),
            ("changes", float(len(self.changes))),
            ("gains", float(sum(each.start == each.end for each in self.changes))),
            *((f"asked {word}", float(bool(each.search(self.asked)))) for word, each in PATTERNS.items()),
        )

    def _of_showing(self, each: Remain) -> Iterator[tuple[str, float]]:
        """How the block shows what lies beside."""
        number, at = self.owners[each.beside]
        lines, at = self.answer.written[number], at + (1 if each.is_below else -1)
        beside = lines[at].kind if 0 <= at < len(lines) else ""
        other = self.other(each)
        there = self.owners.get(other, (-1, -1))
        yield from self._of_block[number]
        yield "last of block", float(not beside)
        yield "marker beside", float(beside == "marker")
        yield "code beside", float(beside == "code")
        yield "same block", float(there[0] == number)
        yield "next in block", float(there == (number, at))
        absent = self.between(number, self.owners[each.beside][1], 1 if each.is_below else -1)
        own = [*map(str.strip, filter(is_telling, self.after[each.start : each.end]))][:_SOME]
        yield "absent between", log1p(len(absent))
        yield "like between", _nearness(own, [*map(str.strip, absent[:_SOME])])
        yield "more than between", log1p(max(0, len(own) - len(absent)))

    @cached_property
    def _of_block(self) -> list[tuple[tuple[str, float], ...]]:
        return [tuple(self._of_words_around(number, text)) for number, text in enumerate(self.answer.passages[1:])]

    def _of_words_around(self, number: int, behind: str) -> Iterator[tuple[str, float]]:
        block, lines = self.answer.blocks[number], self.answer.written[number]
        owned = [line for line, (owner, _) in self.owners.items() if owner == number]
        for side, text in (("before", last_lines(block.prose)), ("behind", behind)):
            yield from ((f"{side} {word}", float(bool(each.search(text)))) for word, each in PATTERNS.items())
            yield from ((f"{side} {hint}", float(speaks_of(hint, text))) for hint in _HINTS)
        verbs = {directive.verb for directive in directives(block.prose, self.known) if directive.verb}
        yield from ((f"verb {verb}", 1.0) for verb in sorted(verbs))
        yield "markers", float(block.has_markers)
        yield "new of block", sum(line in self.new for line in owned) / max(1, len(owned))
        yield "lines of block", log1p(len(lines))
        yield "faithful", float(block.is_faithful)
        yield "diff", float(block.explicit)
        yield "number", float(number)


def _closing(line: str) -> str:
    """How a line ends, but for its comment."""
    return without_comment(line).rstrip()[-1:]


def _nearness(lines: Sequence[str], others: Sequence[str]) -> float:
    """The share of tokens that lines have in common with the nearest of others, on average."""
    return sum(_nearest(line, others) for line in lines) / max(1, len(lines))


def _nearest(line: str, others: Sequence[str]) -> float:
    """The greatest share of tokens that a line has in common with one of others."""
    return max((overlap(_bag(line), _bag(other)) for other in others), default=0.0)


@lru_cache(maxsize=4096)
def _bag(line: str) -> frozenset[str]:
    return frozenset(tokens(line[:_LINE]))


def _most_alike(line: str, others: Sequence[str]) -> float:
    return max((_alike(line, other) for other in others), default=0.0)


@lru_cache(maxsize=4096)
def _alike(one: str, other: str) -> float:
    """The share of letters that two lines have in common; 0 where it is small."""
    one, other = one[:_LINE], other[:_LINE]
    both = SequenceMatcher(None, one, other, autojunk=False)
    is_small = one != other and (both.real_quick_ratio() < _ALIKE or both.quick_ratio() < _ALIKE)
    return 0.0 if is_small else both.ratio()
