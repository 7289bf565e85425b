"""In: a file before and after a block, and what is said. Out: the file without lines of which the block has new ones.

A new line beside a line of the file that says the same of other numbers, or the same and more, is that line's new
version, where the block does not show the old one.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from redraft.edit.align.likeness import head, indent, tokens, version, words
from redraft.edit.merge.unsaid import Spoken, words_in
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling, without_numbers

_MOST = 3  # lines beside an insertion that it may replace
_GROWN, _LEAST = 0.6, 4  # share of tokens, and tokens, of a line that says more or less than the other
_WORD = re.compile(r"\w+")
_LEADER = re.compile(r"(?://+|#|--|;+)\s*")


def renewed(before: Sequence[str], after: Sequence[str], shown: Collection[str], said: Spoken) -> tuple[str, ...]:
    """The new lines without old ones that are `shown` in a new version only."""
    out, old = list(after), _Old(before, shown, said)
    for change in reversed(line_changes(before, after)):
        new = after[change.after_start : change.after_end]
        if change.start < change.end or not any(map(is_telling, new)):
            continue
        found = old.below(change, new) or old.above(change, new)
        if found is not None:
            start, end, lines = found
            top = change.after_start - (change.start - start)
            out[top : change.after_end + (end - change.end)] = lines
    return tuple(out)


@dataclass(frozen=True)
class _Old:
    """A file's lines, those of a block, and what is said around it."""

    lines: Sequence[str]
    shown: Collection[str]
    said: Spoken

    def below(self, change: LineChange, new: Sequence[str]) -> tuple[int, int, Sequence[str]] | None:
        """The lines below an insertion that its last lines are new versions of, and what stands there instead."""
        texts = list(new)
        while texts and not texts[-1].strip():
            texts.pop()
        for count in range(1, _MOST + 1):
            start = change.start
            while start < len(self.lines) and not self.lines[start].strip():
                start += 1
            mine, yours = texts[-count:], self.lines[start : start + count]
            if self._is_new(mine, yours):
                return change.start, start + count, texts
        return None

    def above(self, change: LineChange, new: Sequence[str]) -> tuple[int, int, Sequence[str]] | None:
        """The same above it; its first lines may repeat what stands over those."""
        for count in range(1, _MOST + 1):
            start = change.start - count
            if start < 0:
                return None
            for skipped in range(min(2, len(new))):
                mine, yours = new[skipped : skipped + count], self.lines[start : change.start]
                repeats = [*new[:skipped]] == [*self.lines[start - skipped : start]]
                if repeats and self._is_new(mine, yours):
                    return start, change.end, new[skipped:]
        return None

    def _is_new(self, new: Sequence[str], old: Sequence[str]) -> bool:
        if len(new) != len(old) or not all(map(is_telling, (*new, *old))):
            return False
        pairs = list(zip(new, old, strict=True))
        if any(indent(a) != indent(b) or b.strip() in self.shown or _begun(a) != _begun(b) for a, b in pairs):
            return False
        return any(self._is_version(a.strip(), b.strip()) for a, b in pairs)

    def _is_version(self, new: str, old: str) -> bool:
        if _LEADER.sub("", new, count=1) == _LEADER.sub("", old, count=1):
            return True
        if without_numbers(new) == without_numbers(old):
            return self._count[without_numbers(old)] == 1
        mine, yours = tokens(new), tokens(old)
        if words(mine) == words(yours) and len(words(mine)) >= _LEAST:
            return True
        share = 2 * len(mine & yours) / max(1, len(mine) + len(yours))
        if (mine > yours or mine < yours) and share >= _GROWN and min(len(mine), len(yours)) >= _LEAST:
            return True
        own = {*words_in(old)} - {*words_in(new)}
        is_alone = sum(head(line.strip()) == head(old) for line in self.lines) == 1
        return version(new, old, alone=is_alone) > 0 and (is_alone or bool(own & self.said.words))

    @cached_property
    def _count(self) -> Counter[str]:
        return Counter(without_numbers(line.strip()) for line in self.lines)


def _begun(text: str) -> str:
    """The first word of a line, without a sign of a comment."""
    found = _WORD.search(text)
    return found[0] if found else ""
