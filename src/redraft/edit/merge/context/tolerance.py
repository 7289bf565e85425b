"""In: a file before and after one block of an answer. Out: the new lines, what was only paraphrased as the file has it.

Models paraphrase context from memory: other quotes, no semicolon, a comment in other words or left out, a blank line
lost. Lines that say the same are the file's; where nothing else changes, the paraphrase is the change.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.likeness import without_comment
from redraft.edit.align.quotes import differ_in_quotes
from redraft.edit.answer.answer import Answer
from redraft.edit.merge.context.asides import (
    is_aside,
    is_paraphrased,
    is_paraphrased_above,
    words_of,
)
from redraft.edit.merge.context.blanks import with_blanks_of
from redraft.edit.merge.context.omitted import Mentions, closes_above, goes_on_below, outlasts, stays, stays_beside
from redraft.edit.merge.lines.indentation import as_beside
from redraft.edit.merge.lines.lost import Loss, loss
from redraft.edit.merge.lines.tokens import tokens
from redraft.edit.merge.lines.versions import apart, equal_pairs
from redraft.edit.outline.grammars import PROSE
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_comment, is_separated_otherwise, lead_of
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.sentences import END

_OTHER_COMMENTS = 0.4
_OTHER_BLANKS = 0.2  # what speaks against the other way to have blank lines
_INDENTED = frozenset(
    ("python", "yaml", "haml", "pug", "sass", "make", "nim", "fsharp", "haskell", "elm", "coffeescript")
)
_PLAIN = frozenset(("xml", "yaml", "toml", "json", "ini", "make", "dockerfile"))  # without comments that document
_LONGEST = 400  # lines of a change, above which its lines are not compared


class Tolerance(Struct, frozen=True):
    """What is taken back: another spelling of the same tokens; blank lines more or less; comments in other words;
    lines wrapped or joined; lines that are not shown and of which nothing is said; indentation between lines that stay,
    or within brackets; lines without the comment at their end; commas and semicolons at the ends of lines; quotes."""

    cost: float = 0.0
    spelling: bool = True
    blanks: bool = True
    comments: bool = False
    wraps: bool = False
    omitted: bool = True
    indents: bool = False
    bared: bool = True
    separators: bool = True
    quotes: bool = True


_BLANKS_AS_SHOWN = Tolerance(blanks=False, wraps=True)
_BLANKS_OF_FILE = Tolerance(wraps=True)
_NOT_SHOWN_GONE = Tolerance(0.5, wraps=True, omitted=False)
_AS_SHOWN = Tolerance(0.8, spelling=False, blanks=False, omitted=False, bared=False)

# Where an answer says nothing beside its code, spelling is the change.
_FAITHFUL = (Tolerance(spelling=False, blanks=False), Tolerance(0.8, blanks=False))
_TERSE = (Tolerance(blanks=False), Tolerance(0.4, spelling=False, blanks=False, bared=False))
# Who titles a block is a chat model: comments are paraphrased all the same.
_TITLED = (replace(_TERSE[0], comments=True), replace(_TERSE[0], cost=0.2), _TERSE[1])


def tolerances(answer: Answer, asked: str, language: str, is_spacious: bool) -> tuple[Tolerance, ...]:
    """What an answer on a file in a language may have paraphrased, the likeliest first, by its sentences and the
    request; `is_spacious`: its blocks keep the file's blank lines.

    Who changes blank lines between lines that stay, or comments beside code that stays, says so, or has lost them in
    the paraphrase; so with the indentation, where that means nothing, the breaks of lines, and the spelling of names.
    """
    if not answer.is_talk:
        is_paraphrased = answer.is_titled and not speaks_of("comments", asked)
        return _FAITHFUL if answer.is_faithful else _TITLED if is_paraphrased else _TERSE
    prose = answer.prose
    changed = {
        subject for subject in ("indents", "wraps", "separators", "quotes") if speaks_of(subject, f"{prose}\n{asked}")
    }
    first, second, gone = (
        replace(
            tolerance,
            indents="indents" not in changed and language not in _INDENTED,
            separators="separators" not in changed,
            quotes="quotes" not in changed,
        )
        for tolerance in (_BLANKS_OF_FILE, _BLANKS_AS_SHOWN, _NOT_SHOWN_GONE)
    )
    if is_spacious or speaks_of("blanks", prose) or speaks_of("blanks", asked):
        first, second = second, first
    comments = _paraphrases_comments(prose, asked, language)
    first, second = (replace(tolerance, comments=comments) for tolerance in (first, second))
    others = replace(first, cost=_OTHER_COMMENTS, comments=not comments)
    if "wraps" in changed:
        first, second = (replace(tolerance, wraps=False) for tolerance in (first, second))
    return (first, replace(second, cost=_OTHER_BLANKS), others, gone, _AS_SHOWN)


def _paraphrases_comments(prose: str, asked: str, language: str) -> bool:
    """Whether comments are likely paraphrased: no sentence is about them."""
    rest = " ".join(text for text in END.split(prose) if not speaks_of("asides", text))
    subject = "remarks" if language in _PLAIN else "comments"
    return language not in PROSE and not (speaks_of(subject, rest) or speaks_of(subject, asked))


def settled(
    before: tuple[str, ...], after: tuple[str, ...], tolerance: Tolerance, mentions: Mentions
) -> tuple[str, ...]:
    """The new lines, where paraphrased ones are those of the file.

    Lines that it does not show in a place where it shows nothing else stay, unless what is said speaks of them.
    """
    if not any((tolerance.spelling, tolerance.blanks, tolerance.comments, tolerance.omitted)):
        return after
    found = tuple(_Settling(before, after, tolerance, mentions, loss(before, after)).lines())
    found = with_blanks_of(before, found) if tolerance.blanks else found
    return after if found == before else found


@lru_cache(maxsize=64)
def paraphrased(before: tuple[str, ...], after: tuple[str, ...]) -> int:
    """How many lines are spelled otherwise than in the file with the same tokens: what careless answers do."""
    return sum(a != b for a, b in zip(after, settled(before, after, _TERSE[0], Mentions()), strict=False))


class _Settling(Struct, frozen=True):
    """A file before and after, and what may be paraphrased in it."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    tolerance: Tolerance
    mentions: Mentions
    lost: Loss

    def lines(self) -> Iterator[str]:
        at = 0
        for change in line_changes(self.before, self.after, is_patient=True):
            yield from self.after[at : change.after_start]
            yield from self._changed(change)
            at = change.after_end
        yield from self.after[at:]

    def _changed(self, change: LineChange) -> Sequence[str]:
        old: Sequence[str] = self.before[change.start : change.end]
        new: Sequence[str] = self.after[change.after_start : change.after_end]
        if self._is_known(change, old, new):
            new = old
        elif self.tolerance.indents:
            new = as_beside(old, new)
        if not old and new and self.tolerance.spelling and self.mentions.is_talk:
            below = self.before[change.start : change.start + 1]
            if [*map(_spelled, below)] == [_spelled(new[0])]:  # what comes begins with the line below it, paraphrased
                new = [*self._settled(below, new[:1]), *new[1:]]
        return self._settled(old, new) if max(len(old), len(new)) <= _LONGEST else new

    def _is_known(self, change: LineChange, old: Sequence[str], new: Sequence[str]) -> bool:
        """Whether the lines stay: comments only say again what stands above, or what is left out has a body below."""
        above, mentioned = self.before[: change.start], self.mentions.mentioned
        if self.tolerance.comments and is_paraphrased_above(above, old, new, mentioned):
            return True
        may_stay = self.tolerance.omitted and self.mentions.is_talk and not new
        return may_stay and goes_on_below(old, self.after, change.after_start)

    def _settled(self, old: Sequence[str], new: Sequence[str]) -> Sequence[str]:
        if any(map(str.strip, new)) and (kept := self._kept_beside(old, new)) is not None:
            return kept
        mine = [_key(text, self.tolerance) for text in new]
        pairs = equal_pairs([_key_of_old(text, self.tolerance, set(mine)) for text in old], mine)
        out: list[str] = []
        for (a, b), (c, d) in pairwise([(-1, -1), *pairs, (len(old), len(new))]):
            out += self._between(old[a + 1 : c], new[b + 1 : d])
            if c < len(old):
                out.append(self._paired(old[c], new[d]))
        return out

    def _paired(self, old: str, new: str) -> str:
        """The line of the file, or the one that says the same where that differs on purpose."""
        is_bared = self.tolerance.bared and without_comment(old) == new
        is_paraphrased = is_bared or (self.tolerance.spelling and not self._is_intended(old, new))
        return old if old.strip() and is_paraphrased else new

    def _is_intended(self, old: str, new: str) -> bool:
        """Whether lines differ in what goes with the change beside them, or in a comment of which words are spoken."""
        return (
            (not self.tolerance.separators and is_separated_otherwise(old, new))
            or (not self.tolerance.quotes and differ_in_quotes(old, new))
            or (not is_comment(new) and without_comment(new) != new and not self._says_the_same([old], [new]))
        )

    def _says_the_same(self, old: Sequence[str], new: Sequence[str]) -> bool:
        return is_paraphrased(old, new, self.mentions.mentioned)

    def _kept_beside(self, old: Sequence[str], new: Sequence[str]) -> list[str] | None:
        return stays_beside(old, new, self.lost, self.mentions) if self.tolerance.omitted else None

    def _stays(self, old: Sequence[str]) -> bool:
        return self.tolerance.omitted and stays(old, self.lost, self.mentions)

    def _between(self, old: Sequence[str], new: Sequence[str]) -> Sequence[str]:
        """Lines between two that say the same."""
        if not any(map(str.strip, (*old, *new))):
            return new
        if (kept := self._kept_beside(old, new)) is not None:
            return kept
        if self.tolerance.comments and any(map(str.strip, old)) and all(map(is_aside, (*old, *new))):
            is_gone = not any(map(is_comment, new)) and not self.mentions.gone.isdisjoint(words_of(old))
            return old if self._says_the_same(old, new) and not is_gone else new
        if not any(map(str.strip, new)):
            return old if self._stays(old) else new
        return self._around(old, new) if self.tolerance.omitted and self.mentions.is_talk else new

    def _around(self, old: Sequence[str], new: Sequence[str]) -> Sequence[str]:
        """New lines, with those of the file that stay among them."""
        if closes_above(old, new) and self._stays(old):
            return [*old, *new]
        parts = list(apart(old, new))
        if len(parts) == 1:
            return [*new, *old] if old and outlasts(old, new, self.lost, self.mentions) else new
        out: list[str] = []
        for gone, come, own in parts:
            is_within = any(map(is_comment, (*out[-1:], *own[:1])))  # a comment is paraphrased as a whole
            out += (*self._part(gone, come, is_within), *own)
        return out

    def _part(self, gone: Sequence[str], come: Sequence[str], is_within: bool) -> Sequence[str]:
        """New lines above a version of a line, or those that they leave out; `is_within`: they part comments."""
        is_aside_alone = bool(gone) and not is_within and all(map(is_aside, (*gone, *come)))
        if is_aside_alone and (self.tolerance.comments or not any(map(is_comment, come))):
            come = self._between(gone, come)
        return come if any(map(str.strip, come)) or not self._stays(gone) else gone


def _spelled(text: str) -> tuple[str, ...]:
    """The indentation and the tokens of a line."""
    return (lead_of(text), *tokens(text))


def _key_of_old(text: str, tolerance: Tolerance, shown: set[tuple[str, ...]]) -> tuple[str, ...]:
    """A line of the file without the comment at its end, or `this.` in front, where the answer shows it so."""
    key = _key(text, tolerance)
    if key in shown or not (tolerance.spelling or tolerance.bared):
        return key
    bare = _key(without_comment(text), tolerance)
    return bare if bare in shown else key


def _key(text: str, tolerance: Tolerance) -> tuple[str, ...]:
    if not tolerance.spelling:
        return (text,)
    lead = lead_of(text) if text.strip() else ""
    if is_comment(text):
        bare = text.rstrip(" .")
        return (lead, *tokens(bare.lower() if tolerance.comments else bare))
    found = tokens(without_comment(text.strip()) if tolerance.comments else text)
    return (lead, *found)
