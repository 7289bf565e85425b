"""In: a file before and after an answer, in stretches that changed. Out: what differs in each, where it is shown.

A line that is paraphrased keeps what the changes beside it share, and spells as its writer does, not as the file.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from math import log1p

from redraft.edit.align.likeness import head
from redraft.edit.answer.answer import Answer
from redraft.edit.merge.judge.speech import Speech
from redraft.edit.merge.lines.differing import (
    beside,
    differing,
    is_name,
    kind,
    share,
    share_of,
    stems,
    tokens,
    unbalances,
)
from redraft.edit.merge.lines.written import first_written, lines_with
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_telling, written
from redraft.edit.words import Known

_TRUTH = ("true", "false")
_MODIFIERS = frozenset(
    ("pub", "public", "export", "default", "sealed", "final", "abstract", "open", "static", "partial", "private")
) | {"protected", "internal"}
# Words of those who change who may see, extend or make a type: they hardly name the modifier.
_OF_MODIFIERS = re.compile(
    r"priv|publi|intern|hid|expos|visib|acces|detail|inherit|deriv|subclass|exten|overrid|mock|instan|seal|abstra"
    r"|final|stati|export|open|concrete|scope|encaps",
    re.IGNORECASE,
)
_FAR = 1000  # lines to another change where there is none
_AGAIN = 30  # lines around new ones in which the same may stand
_NO_HABIT = 9.0  # a logarithm greater than those of what files repeat
_CONTINUING = tuple((sign,) for sign in "\\,([{")


class Differences:
    """A file before and after, where it changed, and the words of the answer and the request."""

    def __init__(
        self,
        before: Sequence[str],
        after: Sequence[str],
        found: Sequence[LineChange],
        answer: Answer,
        asked: str,
        known: Known,
    ) -> None:
        self.before, self.after, self.found = before, after, found
        self.speech, self._answer, self._asked = Speech(answer, asked, known), answer, asked
        shown = [*map(str.strip, written(answer.code))]
        self._shown = len(shown)
        self._added = {line.text.strip() for line in answer.lines if line.added}
        self._had, self._has = (Counter(map(str.strip, text)) for text in (before, after))
        self._slips = sum(text not in self._has for text in shown)
        self._differing = [differing(self.old(at), self.new(at)) for at in range(len(found))]
        self._repeated = Counter(self._differing)
        self._sizes = [each.end - each.start + each.after_end - each.after_start for each in found]

    def old(self, at: int) -> list[str]:
        return written(self.before[self.found[at].start : self.found[at].end])

    def new(self, at: int) -> list[str]:
        return written(self.after[self.found[at].after_start : self.found[at].after_end])

    def _likeness(self, at: int) -> float:
        count = sum(len(tokens(line)) for line in (*self.old(at), *self.new(at)))
        return 1 - sum(map(len, self._differing[at])) / max(1, count)

    def goes_on(self, at: int) -> bool:
        """Whether a stretch touches another that is no new lines alone."""
        return any(self._touches(at, other) and self.old(other) for other in self._neighbours(at))

    def _neighbours(self, at: int) -> list[int]:
        """The stretches right above and below one."""
        return [other for other in (at - 1, at + 1) if 0 <= other < len(self.found)]

    def _lines_beside(self, at: int) -> tuple[str, str]:
        """The written lines right above and below a stretch, stripped."""
        each = self.found[at]
        above, below = reversed(self.after[: each.after_start]), self.after[each.after_end :]
        return first_written(above).strip(), first_written(below).strip()

    def _is_continued(self, at: int) -> bool:
        """Whether a line ends in a sign, as it did not before, by which it goes on in new lines right below."""
        come, below = self._differing[at][1], at + 1 < len(self.found) and self._touches(at, at + 1)
        return below and come[-1:] in _CONTINUING and self.new(at)[-1].rstrip().endswith(come[-1])

    def _touches(self, at: int, other: int) -> bool:
        return self._distance(at, other) == 0

    def _is_used_beside(self, at: int) -> bool:
        """Whether the changes before and behind a stretch use the name that its line sets."""
        subject = head(first_written(self.new(at)).strip()).name
        beside = (line for other in self._neighbours(at) for line in self.new(other))
        uses = (line for line in beside if head(line.strip()).name != subject)
        return is_name(subject) and any(subject in tokens(line) for line in uses)

    def _is_named(self, at: int) -> bool:
        """Whether a name that differs, or stands beside what differs, is quoted, or one that comes stands elsewhere in
        new lines."""
        gone, come = self._around(at)
        is_quoted = any(is_name(token) and token in self.speech.quoted for token in (*gone, *come))
        return is_quoted or any(is_name(token) and self._come_lines[token] > 1 for token in come)

    @cached_property
    def _come_lines(self) -> Counter[str]:
        """In how many new lines each token stands."""
        return lines_with((line for line in self.after if self._has[line.strip()] > self._had[line.strip()]), tokens)

    @cached_property
    def _places(self) -> dict[str, list[tuple[int, int]]]:
        """Where blocks show a line: the block, and the line among its written ones."""
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, lines in enumerate(self._answer.written):
            for at, line in enumerate(lines):
                if line.kind == "code":
                    found[line.text.strip()].append((number, at))
        return dict(found)

    @cached_property
    def _stems(self) -> list[set[str]]:
        """The differing words of each stretch."""
        return [stems(" ".join((*gone, *come))) for gone, come in self._differing]

    @cached_property
    def _shares(self) -> list[float]:
        """For each stretch the share of its differing words that are spoken."""
        return [share(words, self.speech.spoken) for words in self._stems]

    def _others_spoken(self, at: int, among: Collection[int] | None = None) -> float:
        """The share of the words of other changes that are spoken."""
        others = [number for number in among or range(len(self.found)) if number != at]
        total = sum(self._sizes[each] for each in others)
        return sum(self._sizes[each] * self._shares[each] for each in others) / max(1, total)

    def _distance(self, at: int, other: int) -> int:
        first, second = (self.found[number] for number in sorted((at, other)))
        return second.after_start - first.after_end

    def _around(self, at: int) -> tuple[list[str], list[str]]:
        """The differing tokens, or those beside them where no word differs."""
        gone, come = self._differing[at]
        if any(map(is_telling, (*gone, *come))):
            return [*gone], [*come]
        return beside(self.old(at), self.new(at)), []

    def _of_change(self, at: int) -> Iterator[tuple[str, float]]:
        old, new = ([*map(str.strip, lines)] for lines in (self.old(at), self.new(at)))
        differing, said = {*chain(*self._differing[at])}, f"{self._asked}\n{self._answer.prose}"
        is_modifier = not _MODIFIERS.isdisjoint(differing)
        yield "has request", float(bool(self._asked.strip()))
        yield "changes", float(len(self.found))
        yield "lines go", log1p(len(old))
        yield "lines come", log1p(len(new))
        yield "alike", self._likeness(at)
        yield "new shown", share_of(self._places.__contains__, new)
        yield "old shown", share_of(self._places.__contains__, old)
        yield "old elsewhere", share_of(self._has.__contains__, old)
        yield "said as it is", share_of(lambda line: is_telling(line) and line in said, new)
        yield "repeated", float(self._repeated[self._differing[at]] > 1)
        yield "only values", float(differing != set() and all(map(_is_value, differing)))
        yield "modifiers", float(is_modifier and any(map(_OF_MODIFIERS.match, self.speech.mentioned)))
        yield "names told", float(self._is_named(at))
        yield "imports", float("import" in map(kind, old))
        yield "continued", float(bool(old and new) and self._is_continued(at))
        yield "marked as added", share_of(self._added.__contains__, new)
        yield "unbalanced", float(unbalances(self.before, self.after, self.old(at), self.new(at)))
        yield "shows all", min(1.0, self._shown / max(1, len(written(self.before))))

    def _of_size(self, at: int) -> Iterator[tuple[str, float]]:
        gone, come = self._differing[at]
        old, new = (" ".join(map(str.strip, lines)) for lines in (self.old(at), self.new(at)))
        yield "tokens go", log1p(len(gone))
        yield "tokens come", log1p(len(come))
        yield "token share", (len(gone) + len(come)) / max(1, sum(len(o) + len(n) for o, n in self._differing))
        distances = [self._distance(at, other) for other in self._neighbours(at)]
        yield "distance", log1p(max(0, min(distances, default=_FAR)))
        yield "at", at / len(self.found)
        if old and new:
            yield "characters", log1p(len(old))
            yield "characters more or less", log1p(abs(len(old) - len(new)))

    def _of_whole(self) -> Iterator[tuple[str, float]]:
        yield "words", log1p(len(self._answer.prose.split()))
        yield "lines shown", log1p(self._shown)
        yield "lines", log1p(len(self.before))
        yield "blocks", float(len(self._answer.blocks))
        yield "slips of shown", self._slips / max(1, self._shown)

    def _of_company(self, at: int) -> Iterator[tuple[str, float]]:
        others = [other for other in range(len(self.found)) if other != at]
        yield "other versions", float(sum(bool(self.old(other) and self.new(other)) for other in others))
        yield "other gains", float(sum(not self.old(other) for other in others))
        for name, shares in (("spoken", self._shares), ("asked", self._asked_shares)):
            yield f"others more {name}", sum(shares[other] > shares[at] for other in others) / max(1, len(others))
        (gone, come), named = self._names[at], [self._names[other] for other in others]
        new = set[str]().union(*(side for _, side in named))
        shared = new.union(*(side for side, _ in named))
        yield "shared with others", len((gone | come) & shared) / max(1, len(gone | come))
        yield "comes in others", len(come & new) / max(1, len(come))

    @cached_property
    def _names(self) -> list[tuple[set[str], set[str]]]:
        """The names that go and that come in each stretch."""
        return [({*filter(is_name, gone)}, {*filter(is_name, come)}) for gone, come in self._differing]

    @cached_property
    def _asked_shares(self) -> list[float]:
        """For each stretch the share of its differing words that are asked for."""
        return [share(words, self.speech.asked) for words in self._stems]

    def _of_habits(self, at: int) -> Iterator[tuple[str, float]]:
        """Whether the file spaces and quotes as the old line does, or as the new one."""
        habits = _habits(tuple(self.before))
        old, new = (Counter(chain.from_iterable(map(_signs_of, side(at)))) for side in (self.old, self.new))
        if not old or not new:
            return
        gone = [log1p(max(0, habits[piece] - 1)) for piece in old - new]
        come = [log1p(habits[piece]) for piece in new - old]
        before, after = (sum(found) / max(1, len(found)) for found in (gone, come))
        yield "habit goes", before
        yield "habit comes", after
        yield "habit lost", before - after
        yield "least habit", min(come, default=_NO_HABIT)
        yield "unknown habits", come.count(0.0) / max(1, len(come))

    def _again_near(self, at: int) -> float:
        """How near to new lines one of them stands again."""
        each, new = self.found[at], {*map(str.strip, filter(is_telling, self.new(at)))}
        for distance in range(1, _AGAIN):
            around = (each.after_start - distance, each.after_end - 1 + distance)
            if any(0 <= n < len(self.after) and self.after[n].strip() in new for n in around):
                return 1 / distance
        return 0.0


@lru_cache(maxsize=4)
def _habits(lines: tuple[str, ...]) -> Counter[str]:
    """In how many lines each piece with a sign stands."""
    return lines_with(lines, _signs_of)


def _signs_of(line: str) -> list[str]:
    """All pieces of three characters with one that is no letter or digit."""
    bare = line.strip()
    pieces = (bare[at : at + 3] for at in range(len(bare) - 2))
    return [piece for piece in pieces if not piece.isalnum()]


def _is_value(token: str) -> bool:
    """Whether a token is a number or a truth value."""
    return token.isdigit() or token.lower() in _TRUTH
