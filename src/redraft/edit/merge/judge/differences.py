"""In: a file before and after an answer, in stretches that changed. Out: what differs in each, where it is shown."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property

from redraft.edit.align.likeness import head
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Line
from redraft.edit.merge.common.differing import beside, differing, is_name, kind, share, stems, tokens
from redraft.edit.merge.judge.speech import Speech
from redraft.edit.text.changes import LineChange
from redraft.edit.words import Known

_TRUTH = ("true", "false")
_MODIFIERS = frozenset(
    (
        "pub",
        "public",
        "export",
        "default",
        "sealed",
        "final",
        "abstract",
        "open",
        "static",
        "partial",
        "private",
        "protected",
        "internal",
    )
)
# Words of those who change who may see, extend or make a type: they hardly name the modifier.
_OF_MODIFIERS = re.compile(
    r"priv|publi|intern|hid|expos|visib|acces|detail|inherit|deriv|subclass|exten|overrid|mock|instan|seal|abstra"
    r"|final|stati|export|open|concrete|scope|encaps",
    re.IGNORECASE,
)
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
        self.speech, self._answer = Speech(answer, asked, known), answer
        self._lines = [line for block in answer.blocks for line in block.lines]
        shown = [line.text.strip() for line in self._lines if line.kind == "code" and line.text.strip()]
        self.shown = len(shown)
        self.added = {line.text.strip() for line in self._lines if line.added}
        self._had, self._has = (Counter(line.strip() for line in text) for text in (before, after))
        self._slips = sum(text not in self._has for text in shown)
        self._differing = [differing(self.old(at), self.new(at)) for at in range(len(found))]
        self._repeated = Counter(self._differing)
        self._sizes = [each.end - each.start + each.after_end - each.after_start for each in found]

    def old(self, at: int) -> list[str]:
        return [line for line in self.before[self.found[at].start : self.found[at].end] if line.strip()]

    def new(self, at: int) -> list[str]:
        each = self.found[at]
        return [line for line in self.after[each.after_start : each.after_end] if line.strip()]

    def likeness(self, at: int) -> float:
        count = sum(len(tokens(line)) for line in (*self.old(at), *self.new(at)))
        return 1 - sum(map(len, self._differing[at])) / max(1, count)

    def is_repeated(self, at: int) -> bool:
        """Whether the same differs elsewhere."""
        return self._repeated[self._differing[at]] > 1

    def is_shown(self, line: str) -> bool:
        return line in self._places

    def is_kept(self, line: str) -> bool:
        """Whether the file has a line after."""
        return self._has[line] > 0

    def is_value(self, at: int) -> bool:
        """Whether nothing but numbers or truth values differ."""
        tokens = [token for side in self._differing[at] for token in side]
        return bool(tokens) and all(token.isdigit() or token.lower() in _TRUTH for token in tokens)

    def is_modified(self, at: int) -> bool:
        """Whether a modifier differs, and words speak of what such do."""
        return _is_modifier([token for side in self._differing[at] for token in side], self.speech.mentioned)

    def goes_on(self, at: int) -> bool:
        """Whether a stretch touches another that is no new lines alone."""
        beside = (other for other in (at - 1, at + 1) if 0 <= other < len(self.found))
        return any(self._touches(at, other) and self.old(other) for other in beside)

    def is_continued(self, at: int) -> bool:
        """Whether a line ends in a sign, as it did not before, by which it goes on in new lines right below."""
        come, below = self._differing[at][1], at + 1 < len(self.found) and self._touches(at, at + 1)
        return below and come[-1:] in _CONTINUING and self.new(at)[-1].rstrip().endswith(come[-1])

    def _touches(self, at: int, other: int) -> bool:
        first, second = (self.found[number] for number in sorted((at, other)))
        return first.after_end == second.after_start

    def _is_used_beside(self, at: int) -> bool:
        """Whether the changes before and behind a stretch use the name that its line sets."""
        new = self.new(at)
        subject = head(new[0].strip()).name if new else ""
        beside = (line for other in (at - 1, at + 1) if 0 <= other < len(self.found) for line in self.new(other))
        uses = (line for line in beside if head(line.strip()).name != subject)
        return is_name(subject) and any(subject in tokens(line) for line in uses)

    def is_named(self, at: int) -> bool:
        """Whether a name that differs, or stands beside what differs, is quoted, or one that comes stands elsewhere in
        new lines."""
        gone, come = self._around(at)
        is_quoted = any(is_name(token) and token in self.speech.quoted for token in (*gone, *come))
        return is_quoted or any(is_name(token) and self._counts[0][token] > 1 for token in come)

    def is_import(self, at: int) -> bool:
        return any(kind(line.strip()) == "import" for line in self.old(at))

    @cached_property
    def _counts(self) -> tuple[Counter[str], Counter[str], set[str], set[str]]:
        """In how many new and in how many lost lines each token stands, and which the file has before and after."""
        new = (line for line in self.after if self._has[line.strip()] > self._had[line.strip()])
        lost = (line for line in self.before if self._had[line.strip()] > self._has[line.strip()])
        come, gone = (Counter(token for line in lines for token in {*tokens(line)}) for lines in (new, lost))
        had, has = ({token for line in text for token in tokens(line)} for text in (self.before, self.after))
        return come, gone, had, has

    @cached_property
    def _places(self) -> dict[str, list[tuple[int, int]]]:
        """Where blocks show a line: the block, and the line among its written ones."""
        found: dict[str, list[tuple[int, int]]] = {}
        for number, lines in enumerate(self._written):
            for at, line in enumerate(lines):
                if line.kind == "code":
                    found.setdefault(line.text.strip(), []).append((number, at))
        return found

    @cached_property
    def _written(self) -> list[list[Line]]:
        return [[line for line in block.lines if line.text.strip()] for block in self._answer.blocks]

    @cached_property
    def _shares(self) -> list[float]:
        """For each stretch the share of its differing words that are spoken."""
        return [share(stems(" ".join((*gone, *come))), self.speech.spoken) for gone, come in self._differing]

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
        if any(any(map(str.isalnum, token)) for token in (*gone, *come)):
            return [*gone], [*come]
        return beside(self.old(at), self.new(at)), []


def _is_modifier(words: Collection[str], mentioned: Collection[str]) -> bool:
    """Whether a modifier is among words that differ, and others speak of what such do."""
    return not _MODIFIERS.isdisjoint(words) and any(map(_OF_MODIFIERS.match, mentioned))
