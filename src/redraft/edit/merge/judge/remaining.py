"""In: a file before and after, an answer and its request. Out: `Remaining`: what of the new file the answer shows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from redraft.edit.align.likeness import Head, head
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Line
from redraft.edit.merge.common.differing import stems, tokens
from redraft.edit.merge.common.versions import versions
from redraft.edit.merge.judge.remains import Remain, remains
from redraft.edit.merge.judge.showing import owners
from redraft.edit.merge.judge.speech import Speech
from redraft.edit.outline import outline
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known

_MOST = 60  # stretches that are looked at
_HIDDEN = 40  # lines among which those are that a block shows otherwise


class Remaining:
    """What of a file an answer shows, and what it leaves beside that."""

    def __init__(self, before: Sequence[str], after: Sequence[str], answer: Answer, asked: str, known: Known) -> None:
        self.before, self.after, self.answer, self.asked, self.known = before, after, answer, asked, known
        self.speech = Speech(answer, asked, known)
        self.changes = line_changes(before, after)

    def remains(self) -> list[Remain]:
        """The stretches beside what is shown, those nearest to a change where they are many."""
        shown = {*self.owners, *self.new, *self._shown_otherwise()}
        found = [*remains(outline(self.after, self.known.path), shown)]
        nearest = sorted(found, key=self.distance)[:_MOST]
        return sorted(nearest, key=lambda each: (each.start, each.end))

    def distance(self, each: Remain) -> int:
        """How many lines lie between a stretch and the next change."""
        edges = (at for change in self.changes for at in (change.after_start, change.after_end))
        return min((abs(each.beside - at) for at in edges), default=0)

    def change(self, each: Remain) -> LineChange | None:
        """The change that a stretch lies beside."""
        return next((its for its in self.changes if its.after_start <= each.beside < its.after_end), None)

    def other(self, each: Remain) -> int | None:
        """The written line at the end of a stretch that lies beside nothing shown, or beside other things."""
        side = range(each.end, len(self.after)) if each.is_below else range(each.start - 1, -1, -1)
        return next((at for at in side if self.after[at].strip()), None)

    def between(self, block: int, at: int, step: int) -> list[str]:
        """The code of a block from a line on that the text does not have, up to one that it has, or a marker."""
        found, lines = list[str](), self.blocks[block]
        at += step
        while 0 <= at < len(lines) and at not in self._owned[block] and lines[at].kind == "code":
            found.append(lines[at].text)
            at += step
        return found

    def _shown_otherwise(self) -> Iterator[int]:
        """The lines of which a block shows another version, between two that it shows as they are."""
        for block, owned in enumerate(self._owned):
            for at, line in owned.items():
                shown = self.between(block, at, 1)
                below = takewhile(lambda n: n not in self.owners, range(line + 1, len(self.after)))
                hidden = [n for n in below if self.after[n].strip()][:_HIDDEN] if shown else []
                bare = {text.strip().rstrip(",;") for text in shown}
                yield from (hidden[old] for old, _ in versions([self.after[n] for n in hidden], shown, or_alike=True))
                yield from (n for n in hidden if self.after[n].strip().rstrip(",;") in bare)

    @cached_property
    def blocks(self) -> list[list[Line]]:
        """The written lines of each block."""
        return [[line for line in block.lines if line.text.strip()] for block in self.answer.blocks]

    @cached_property
    def owners(self) -> dict[int, tuple[int, int]]:
        """For lines of the text the first block that shows them, and the place among its written lines."""
        return owners(self.blocks, self.after)

    @cached_property
    def _owned(self) -> list[dict[int, int]]:
        """For each block which line of the text each of its lines is."""
        found: list[dict[int, int]] = [{} for _ in self.blocks]
        for line, (block, at) in self.owners.items():
            found[block][at] = line
        return found

    @cached_property
    def new(self) -> frozenset[int]:
        """The lines of the text that the file does not have."""
        return frozenset(at for each in self.changes for at in range(each.after_start, each.after_end))

    @cached_property
    def come(self) -> list[str]:
        """The written ones of these, stripped."""
        return [text for at in sorted(self.new) if (text := self.after[at].strip())]

    @cached_property
    def absent(self) -> list[str]:
        """The lines that blocks show and the text does not have: paraphrased, abbreviated, or left out."""
        lines = (line.text.strip() for block in self.blocks for line in block if line.kind == "code")
        return [line for line in lines if not self.count[line] and is_telling(line)]

    @cached_property
    def count(self) -> Counter[str]:
        """How often the text has each line."""
        return Counter(line.strip() for line in self.after)

    @cached_property
    def come_stems(self) -> set[str]:
        return stems(" ".join(self.come))

    @cached_property
    def come_heads(self) -> frozenset[Head]:
        return frozenset(map(head, self.come))

    @cached_property
    def lines_with(self) -> tuple[Counter[str], Counter[str], Counter[str]]:
        """How many lines before, after, and among the new ones have each token."""
        texts = (self.before, self.after, self.come)
        before, after, come = (Counter(token for line in text for token in {*tokens(line)}) for text in texts)
        return before, after, come
