"""In: a file before and after a block, and what is said. Out: the file without lines of which the block has new ones.

A new line beside a line of the file that says the same of other numbers, or the same and more, is that line's new
version, where the block does not show the old one. So is one that opens what nothing would close, or below which the
other would never be reached.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from redraft.edit.align.likeness import head, indent, tokens, version, words
from redraft.edit.merge.common.opened import left_open, opened
from redraft.edit.merge.context.unsaid import Spoken
from redraft.edit.merge.passes.redeclared import without_redeclared
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_comment, is_telling, without_numbers, words_in

_MOST = 3  # lines beside an insertion that it may replace
_GROWN, _LEAST = 0.6, 4  # share of tokens, and tokens, of a line that says more or less than the other
_SAID = 3  # words of a comment that another one may begin with
_WORD = re.compile(r"\w+")
_HEAD = re.compile(
    r"\s*(?:} *)?(?:(?:else|el)?\s?if|elseif|elsif|elif|for|foreach|while|switch|match|unless|until|with|catch|except"
    r"|rescue)\b.*(?:\{|:|\bdo|\bthen|\)|=>)\s*"
)
_KIND = re.compile(r"[\s}]*(?:else\s+)?\w+")
_LEAVING = re.compile(r"\s*(?:return|throw|raise|break|continue)\b(?!.*\b(?:if|unless|when)\b)(?!.*[,\\]\s*$)")
_LEADER = re.compile(r"(?://+|#|--|;+)\s*")


def renewed(
    before: Sequence[str], after: Sequence[str], shown: Collection[str], said: Spoken, is_change: bool = True
) -> tuple[str, ...]:
    """The new lines without old ones that are `shown` in a new version only; unless the block `is_change`, only without
    those that cannot stand beside theirs."""
    out = list(after)
    old = _Old(before, shown, said, is_change, after)
    for change in reversed(line_changes(before, after)):
        new = after[change.after_start : change.after_end]
        if change.start < change.end or not any(map(is_telling, new)):
            continue
        found = old.below(change, new) or old.above(change, new)
        if found is not None:
            start, end, lines = found
            top = change.after_start - (change.start - start)
            out[top : change.after_end + (end - change.end)] = lines
    return without_redeclared(before, tuple(out), shown) if is_change else tuple(out)


class _Old(Struct, frozen=True, dict=True):
    """A file's lines, those of a block, and what is said around it; `after` are those of the new file."""

    lines: Sequence[str]
    shown: Collection[str]
    said: Spoken
    is_change: bool
    after: Sequence[str]

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
            if self._is_new(mine, yours) or (count == 1 and self._takes_place(mine, start)):
                return change.start, start + count, texts
        return None

    def above(self, change: LineChange, new: Sequence[str]) -> tuple[int, int, Sequence[str]] | None:
        """The same above it; its first lines may repeat what stands over those."""
        end = change.start - self._blanks_between(change, new)
        for count in range(1, _MOST + 1):
            start = end - count
            if start < 0:
                return None
            for skipped in range(min(2, len(new))):
                mine, yours = new[skipped : skipped + count], self.lines[start:end]
                repeats = [*new[:skipped]] == [*self.lines[start - skipped : start]]
                is_head = count == 1 and self._takes_place(mine, start)
                if repeats and (is_head or self._is_new(mine, yours)):
                    return start, change.end, new[skipped:]
        return None

    def _blanks_between(self, change: LineChange, new: Sequence[str]) -> int:
        """How many blank lines end both an insertion and what stands above it."""
        above = (not line.strip() for line in reversed(self.lines[: change.start]))
        pairs = zip(above, (not line.strip() for line in reversed(new)), strict=False)
        return sum(1 for _ in takewhile(all, pairs))

    def _takes_place(self, new: Sequence[str], at: int) -> bool:
        """Whether a new line beside one of the file cannot stand there with it."""
        old = self.lines[at] if at < len(self.lines) else ""
        if not new or not old.strip() or old.strip() in self.shown or indent(new[0]) != indent(old):
            return False
        return (
            (self.is_change and self._takes_body(new, at)) or self._opens_again(new[0], old) or self._leaves(new[0], at)
        )

    def _opens_again(self, new: str, old: str) -> bool:
        """Whether two lines open the same, and nothing closes what one of them opens."""
        kinds, names = opened(new), [head(line.strip()) for line in (new, old)]
        is_other = any(name.kind == "definition" for name in names) and names[0] != names[1]
        is_more = any(count > 0 for _, count in kinds) and all(self._open[kind] >= count for kind, count in kinds)
        return is_more and kinds == opened(old) and not is_other

    @cached_property
    def _open(self) -> Counter[str]:
        """What only the new file leaves open."""
        return left_open(self.after) - left_open(self.lines)

    def _leaves(self, new: str, at: int) -> bool:
        """Whether two lines leave the same block one below the other, so that the second is never reached."""
        old, below = self.lines[at], self.lines[at + 1] if at + 1 < len(self.lines) else ""
        is_whole = not opened(old) and not opened(new) and not (indent(below) or 0) > (indent(old) or 0)
        ways = [_LEAVING.match(line) for line in (new, old)]
        return is_whole and all(ways) and _begun(new) == _begun(old)

    def _takes_body(self, new: Sequence[str], at: int) -> bool:
        """Whether a new head beside one of the file would leave one of the two without a body: it is the other's."""
        old = self.lines[at]
        below = next((line for line in self.lines[at + 1 :] if line.strip()), "")
        is_head = all(_HEAD.fullmatch(line) for line in (new[0], old)) and _branch(new[0]) == _branch(old)
        return is_head and (indent(below) or 0) > (indent(old) or 0)

    def _is_new(self, new: Sequence[str], old: Sequence[str]) -> bool:
        if not self.is_change or len(new) != len(old) or not all(map(is_telling, (*new, *old))):
            return False
        pairs = list(zip(new, old, strict=True))
        if any(indent(a) != indent(b) or b.strip() in self.shown or _begun(a) != _begun(b) for a, b in pairs):
            return False
        if len(pairs) > 1 and any(_is_called_alike(a, b) for a, b in pairs):
            return True
        return any(self._is_version(a.strip(), b.strip()) for a, b in pairs)

    def _is_version(self, new: str, old: str) -> bool:
        if _LEADER.sub("", new, count=1) == _LEADER.sub("", old, count=1) or _goes_on(old, new):
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


def _is_called_alike(new: str, old: str) -> bool:
    """Whether two lines have the same words and other signs between them: `a.b(c)`, `a->b(c)`."""
    return _WORD.findall(new) == _WORD.findall(old) and len(_WORD.findall(old)) >= _SAID


def _goes_on(old: str, new: str) -> bool:
    """Whether a comment is the beginning of another one, that says more."""
    words, more = _WORD.findall(old), _WORD.findall(new)
    return is_comment(old) and is_comment(new) and len(words) >= _SAID and more[: len(words)] == words


def _branch(text: str) -> tuple[str, ...]:
    """The words that say what kind of statement a head opens, with what they close."""
    found = _KIND.match(text)
    return tuple(found[0].split()) if found else (text,)


def _begun(text: str) -> str:
    """The first word of a line, without a sign of a comment."""
    found = _WORD.search(text)
    return found[0] if found else ""
