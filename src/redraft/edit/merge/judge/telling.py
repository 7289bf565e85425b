"""In: a file before and after an answer, in stretches that changed. Out: what tells of each whether it is an edit."""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from math import log1p

from redraft.edit.align.likeness import head
from redraft.edit.merge.judge.differences import Differences
from redraft.edit.merge.judge.showing import Showing, showings
from redraft.edit.merge.lines.differing import is_name, kind, share, stems, tokens, where
from redraft.edit.text.lines import is_comment, is_telling, width_of

_NEAR, _MIDDLE = 2, 8  # lines to the next change
_ABOVE = 600  # lines in which heads are looked for
_MUCH = 4  # tokens that nobody puts in by mistake
_KINDS = {(True, True): "replaced", (True, False): "left out", (False, True): "added", (False, False): "spaced"}
_SEPARATORS, _SELF = (",", ";", "."), ("self", "this")


class Telling(Differences):
    """The same, and the signs of each stretch: numbers by name, 0 where there is nothing of the kind."""

    def signs(self, at: int) -> dict[str, float]:
        """What tells of a stretch whether it is an edit, by name."""
        return {name: value for name, value in self._signs(at) if value} | dict(self._of_change(at))

    def _signs(self, at: int) -> Iterator[tuple[str, float]]:
        yield from self._of_answer()
        yield from self._of_whole()
        yield from self._of_size(at)
        yield from self._of_company(at)
        yield from self._of_habits(at)
        yield from self._of_others(at)
        yield from self._of_words(at)
        yield from self._of_names(at)
        yield from self._of_spelling(at)
        yield from self._of_lines(at)
        yield from self._of_tokens(at)
        yield from self._of_heads(at)
        yield from self._of_showing(at)
        if self.old(at):
            yield from self._of_version(at) if self.new(at) else self._of_loss(at)
        else:
            yield from self._of_gain(at)

    def _of_answer(self) -> Iterator[tuple[str, float]]:
        yield "slips", log1p(self._slips)
        yield "adds alone", float(self.speech.only_adds)
        yield "removes", float(self.speech.removes)

    def _of_others(self, at: int) -> Iterator[tuple[str, float]]:
        near = min((self._distance(at, other) for other in self._neighbours(at)), default=_MIDDLE + 1)
        yield "others spoken", self._others_spoken(at)
        yield "share", self._sizes[at] / sum(self._sizes)
        yield "largest", float(self._sizes[at] == max(self._sizes))
        yield "touches", float(near == 0)
        yield "near", float(0 < near <= _NEAR)
        yield "middle", float(_NEAR < near <= _MIDDLE)
        yield "goes on", float(self.goes_on(at))
        yield "used beside", float(self._is_used_beside(at))

    def _of_words(self, at: int) -> Iterator[tuple[str, float]]:
        gone, come = (stems(" ".join(side)) for side in self._differing[at])
        words, line = gone ^ come, stems(" ".join((*self.old(at), *self.new(at))))
        is_unspoken, others = float(not words & self.speech.spoken), self._others_spoken(at)
        yield "spoken", share(words, self.speech.spoken)
        yield "asked", share(words, self.speech.asked)
        yield "unspoken", float(bool(words)) * is_unspoken
        yield "line spoken", share(line, self.speech.spoken)
        yield "unspoken, others are", is_unspoken * others
        yield "unspoken and slips", is_unspoken * log1p(self._slips)
        yield "line unspoken, others are", (1 - share(line, self.speech.spoken)) * others

    def _of_names(self, at: int) -> Iterator[tuple[str, float]]:
        gone, come = ([*filter(is_name, side)] for side in self._around(at))
        yield "named", float(any(token in self.speech.mentioned and not token.islower() for token in (*gone, *come)))
        yield "new name", float(not self._old_tokens.issuperset(come))
        yield "known name", float(not self._old_tokens.isdisjoint(come))
        yield "name used", float(not self._come_lines.keys().isdisjoint(gone))
        yield "gone asked", float(not self.speech.asked_names.isdisjoint(gone))
        yield "come asked", float(not self.speech.asked_names.isdisjoint(come))

    @cached_property
    def _old_tokens(self) -> set[str]:
        return {*tokens("\n".join(self.before))}

    def _of_spelling(self, at: int) -> Iterator[tuple[str, float]]:
        """Who changes a name or a value on purpose says it as it is spelled, and often quotes it."""
        gone, come = ({*filter(is_telling, side)} for side in self._differing[at])
        mentioned, quoted = self.speech.mentioned, self.speech.quoted
        yield "come told", share(come, mentioned)
        yield "gone told", share(gone, mentioned)
        yield "come quoted", share(come, quoted)
        yield "gone quoted", share(gone, quoted)
        yield "number told", float(any(map(str.isdigit, "".join((gone | come) & mentioned))))

    def _of_lines(self, at: int) -> Iterator[tuple[str, float]]:
        old, (above, below) = [*map(str.strip, self.old(at))], self._lines_beside(at)
        yield "above new", float(above not in self._had)
        yield "below new", float(below not in self._had)
        yield "elsewhere", float(any(map(self._has.__getitem__, old)))
        yield "shown before", float({line.text.strip() for line in self._answer.lines}.issuperset(old))
        yield "several", float(max(len(old), len(self.new(at))) > 1)
        yield from ((f"is {kind}", 1.0) for kind in {*map(kind, old)})

    def _of_tokens(self, at: int) -> Iterator[tuple[str, float]]:
        gone, come = self._differing[at]
        words = {*filter(is_telling, (*gone, *come))}
        yield "same tokens", float(Counter(gone) == Counter(come))
        yield "separators", float({*gone, *come} <= {*_SEPARATORS})
        yield "self", float(bool(words) and words <= {*_SELF})
        yield "number", float(any(map(str.isdigit, words)))
        yield "longer", float(len(come) > len(gone))
        yield "much longer", float(len(come) > len(gone) + _MUCH)
        yield "shorter", float(len(come) < len(gone))

    @cached_property
    def _heads(self) -> list[list[int]]:
        """For each stretch the lines above that stand less and less deep."""
        return [[*self._heads_of(at)] for at in range(len(self.found))]

    def _heads_of(self, at: int) -> Iterator[int]:
        width = min(map(width_of, self.new(at) or self.old(at)), default=0)
        start = self.found[at].after_start
        for number in range(start - 1, max(0, start - _ABOVE) - 1, -1):
            line = self.after[number]
            if is_telling(line) and width_of(line) < width and not is_comment(line):
                width = width_of(line)
                yield number

    def _of_heads(self, at: int) -> Iterator[tuple[str, float]]:
        heads = self._heads[at]
        others = set[int]().union(*self._heads[:at], *self._heads[at + 1 :])
        mentioned = [head for head in heads if not self.speech.declared.isdisjoint(tokens(self.after[head]))]
        yield "head spoken", share(stems(self.after[heads[0]]), self.speech.spoken) if heads else 0.0
        yield "head told", float(heads[:1] == mentioned[:1] != [])
        yield "alone under a told head", float(not others.issuperset(mentioned))

    @cached_property
    def _showings(self) -> list[Showing | None]:
        return showings(self._answer.written, self.after, self.found)

    def _of_showing(self, at: int) -> Iterator[tuple[str, float]]:
        """Who shows nothing else in a block, or between two markers, shows a change for its own sake."""
        own = self._showings[at]
        if own is None:
            return
        others = [(n, each) for n, each in enumerate(self._showings) if n != at and each and each.block == own.block]
        inside = range(self.found[at].after_start, self.found[at].after_end)
        encloses = not {*inside}.isdisjoint(chain(*(self._heads[n] for n, _ in others)))
        is_alone = not encloses and all(each.run != own.run for _, each in others)
        yield "encloses others", float(encloses)
        yield "alone in block", float(not others)
        yield "alone in block of more", float(not others and len(self._answer.written) > 1)
        yield "alone in run", float(is_alone)
        yield "alone in run, others not", float(is_alone and bool(others))
        yield "at head of block", float(own.first == 0)
        yield "at end of block", float(own.last == len(self._answer.written[own.block]) - 1)
        yield "others in block spoken", self._others_spoken(at, [n for n, _ in others] or [at])
        yield "others in block come", float(any(len(self.new(n)) > len(self.old(n)) for n, _ in others))
        yield "spoken before block", share(self._stems[at], stems(self._answer.blocks[own.block].prose))

    def _of_version(self, at: int) -> Iterator[tuple[str, float]]:
        (gone, come), lines = self._differing[at], (self.old(at), self.new(at))
        old, new = (" ".join(map(str.strip, each)) for each in lines)
        kind = _KINDS[bool(gone), bool(come)]
        subject = head(old).name
        places = [(self._answer.written[number], place) for number, place in self._places.get(lines[1][0].strip(), ())]
        yield "version", 1.0
        yield kind, 1.0
        yield f"{kind}, unspoken", float(self.speech.spoken.isdisjoint(self._stems[at]))
        yield "comment", float(where(old, new) == "comment")
        yield "unlike", 1 - self._likeness(at)
        yield "cut", float(old.startswith(new.rstrip(" .;{,")))
        yield "subject asked", share(stems(subject), self.speech.asked)
        yield "subject used", float(is_name(subject) and self._come_lines[subject] > (subject in tokens(new)))
        yield "below marker", float(any(place > 0 and lines[place - 1].kind == "marker" for lines, place in places))

    def _of_loss(self, at: int) -> Iterator[tuple[str, float]]:
        yield "gone", 1.0
        yield "in one piece", self._are_beside(*self._lines_beside(at))

    def _of_gain(self, at: int) -> Iterator[tuple[str, float]]:
        """Of lines that come where none go."""
        new = [*map(str.strip, self.new(at))]
        yield "blank", float(not new)
        if not new:
            return
        yield "again near", self._again_near(at)
        above, below = self._lines_beside(at)
        yield from self._of_ends(new[0], new[-1])
        yield "there before", sum(self._had[line] > 0 for line in new) / len(new)
        yield "declares what is told", float(head(new[0]).name in self.speech.mentioned)
        yield "shown below its neighbour", self._are_beside(above, new[0])
        yield "shown above its neighbour", self._are_beside(new[-1], below)
        yield "like its neighbour", float(head(new[0]) in (head(above), head(below)))

    def _of_ends(self, first: str, last: str) -> Iterator[tuple[str, float]]:
        """Where blocks show lines that come."""
        for number, place in self._places.get(first, ()):
            yield "top", float(place == 0)
            yield "below marker", float(place > 0 and self._answer.written[number][place - 1].kind == "marker")
        for number, place in self._places.get(last, ()):
            lines = self._answer.written[number]
            yield "end", float(place == len(lines) - 1)
            yield "above marker", float(place + 1 < len(lines) and lines[place + 1].kind == "marker")

    def _are_beside(self, above: str, below: str) -> float:
        behind = {(number, at + 1) for number, at in self._places.get(above, ())}
        return float(not behind.isdisjoint(self._places.get(below, ())))
