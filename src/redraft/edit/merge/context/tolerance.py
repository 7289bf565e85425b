"""In: a file before and after one block of an answer. Out: the new lines, what was only paraphrased as the file has it.

Models paraphrase context from memory: other quotes, no semicolon, a comment in other words or left out, a blank line
lost. Lines that say the same are the file's; where nothing else changes, the paraphrase is the change.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.likeness import without_comment
from redraft.edit.align.quotes import differ_in_quotes
from redraft.edit.answer.answer import Answer
from redraft.edit.merge.common.indentation import as_beside
from redraft.edit.merge.common.lost import Loss, loss
from redraft.edit.merge.common.tokens import tokens, unwrapped
from redraft.edit.merge.common.versions import apart
from redraft.edit.merge.context.asides import (
    is_aside,
    is_paraphrased,
    is_paraphrased_above,
    is_rest_of_sentence,
    words_of,
)
from redraft.edit.merge.context.blanks import with_blanks_of
from redraft.edit.merge.context.omitted import Spoken, closes_above, goes_on_below, outlasts, stays, stays_beside
from redraft.edit.outline.grammars import PROSE
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_comment, is_separated_otherwise, is_spaced_otherwise, lead_of
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
    lines wrapped or joined; lines that are not shown and of which nothing is said; spaces at the ends of lines;
    breaks of lines; indentation between lines that stay, or within brackets; lines without the comment at their end;
    commas and semicolons at the ends of lines; quotes."""

    name: str
    cost: float
    spelling: bool = True
    blanks: bool = True
    comments: bool = False
    wraps: bool = False
    omitted: bool = True
    ends: bool = True
    breaks: bool = True
    indents: bool = False
    bared: bool = True
    separators: bool = True
    quotes: bool = True


_NOTHING_SAID = Spoken()
_BLANKS_AS_SHOWN = Tolerance("", 0.0, blanks=False, wraps=True)
_BLANKS_OF_FILE = Tolerance("blank lines of the file", 0.0, wraps=True)
_NOT_SHOWN_GONE = Tolerance("lines not shown are gone", 0.5, wraps=True, omitted=False)
_AS_SHOWN = Tolerance("all as shown", 0.8, spelling=False, blanks=False, omitted=False, bared=False)

# Where an answer says nothing beside its code, spelling is the change.
_FAITHFUL = (Tolerance("", 0.0, spelling=False, blanks=False), Tolerance("spelling of the file", 0.8, blanks=False))
_TERSE = (Tolerance("", 0.0, blanks=False), Tolerance("all as shown", 0.4, spelling=False, blanks=False, bared=False))
# Who titles a block is a chat model: comments are paraphrased all the same.
_TITLED = (replace(_TERSE[0], comments=True), replace(_TERSE[0], cost=0.2), _TERSE[1])


def tolerances(answer: Answer, asked: str, language: str = "", is_spacious: bool = False) -> tuple[Tolerance, ...]:
    """What an answer on a file in a language may have paraphrased, the likeliest first, by its sentences and the
    request; `is_spacious`: its blocks keep the file's blank lines.

    Who changes blank lines between lines that stay, or comments beside code that stays, says so, or has lost them in
    the paraphrase; so with the indentation, where that means nothing, the breaks of lines, and the spelling of names.
    """
    if not answer.is_talk:
        is_paraphrased = answer.is_titled and not speaks_of("comments", asked)
        return _FAITHFUL if answer.is_faithful else _TITLED if is_paraphrased else _TERSE
    said = answer.prose
    subjects = ("indents", "wraps", "separators", "quotes")
    spoken = {subject for subject in subjects if speaks_of(subject, f"{said}\n{asked}")}
    indents = not ({"indents"} & spoken or language in _INDENTED)
    first, second, gone = (
        replace(
            tolerance,
            indents=indents,
            separators="separators" not in spoken,
            quotes="quotes" not in spoken,
        )
        for tolerance in (_BLANKS_OF_FILE, _BLANKS_AS_SHOWN, _NOT_SHOWN_GONE)
    )
    if speaks_of("blanks", said) or speaks_of("blanks", asked):
        first, second = replace(second, ends=False), first
    elif is_spacious:
        first, second = second, first
    rest = " ".join(text for text in END.split(said) if not speaks_of("asides", text))
    comments = "remarks" if language in _PLAIN else "comments"
    paraphrases = not (speaks_of(comments, rest) or speaks_of(comments, asked))
    paraphrases = paraphrases and language not in PROSE
    first, second = (replace(tolerance, comments=paraphrases) for tolerance in (first, second))
    others = replace(first, name="comments otherwise", cost=_OTHER_COMMENTS, comments=not paraphrases)
    if "wraps" in spoken:
        first, second = (replace(tolerance, wraps=False, breaks=False) for tolerance in (first, second))
    return (first, replace(second, cost=_OTHER_BLANKS), others, gone, _AS_SHOWN)


def settled(
    before: tuple[str, ...], after: tuple[str, ...], tolerance: Tolerance, said: Spoken = _NOTHING_SAID
) -> tuple[str, ...]:
    """The new lines, where paraphrased ones are those of the file.

    Lines that it does not show in a place where it shows nothing else stay, unless what is said speaks of them.
    """
    if not (tolerance.spelling or tolerance.blanks or tolerance.comments or tolerance.omitted):
        return after
    shown, out = after, list[str]()
    lost = loss(before, after)
    at = 0
    for change in line_changes(before, after, is_patient=True):
        out += after[at : change.after_start]
        old: Sequence[str] = before[change.start : change.end]
        new: Sequence[str] = after[change.after_start : change.after_end]
        is_known = tolerance.comments and is_paraphrased_above(before[: change.start], old, new, said.mentioned)
        is_needed = tolerance.omitted and said.is_talk and not new and goes_on_below(old, after, change.after_start)
        new = old if is_known or is_needed else as_beside(old, new) if tolerance.indents else new
        if (
            not old and new and tolerance.spelling and said.is_talk
        ):  # what comes may begin with the line below it, paraphrased
            below = before[change.start : change.start + 1]
            is_below = [*map(_spelled, below)] == [_spelled(new[0])]
            new = [*_settled(below, new[:1], tolerance, said, lost), *new[1:]] if is_below else new
        out += _settled(old, new, tolerance, said, lost) if max(len(old), len(new)) <= _LONGEST else new
        at = change.after_end
    out += after[at:]
    found = with_blanks_of(before, tuple(out)) if tolerance.blanks else tuple(out)
    return shown if found == before else found


@lru_cache(maxsize=64)
def paraphrased(before: tuple[str, ...], after: tuple[str, ...]) -> int:
    """How many lines are spelled otherwise than in the file with the same tokens: what careless answers do."""
    return sum(a != b for a, b in zip(after, settled(before, after, _SPELLING), strict=False))


_SPELLING = Tolerance("", 0.0, blanks=False)


def _settled(old: Sequence[str], new: Sequence[str], tolerance: Tolerance, said: Spoken, lost: Loss) -> list[str]:
    if tolerance.omitted and any(map(str.strip, new)) and (kept := stays_beside(old, new, lost, said)) is not None:
        return kept
    mine = [_key(text, tolerance) for text in new]
    keys = [_key_of_old(text, tolerance, set(mine)) for text in old], mine
    matcher = SequenceMatcher(None, *keys, autojunk=False)
    pairs = [(block.a + n, block.b + n) for block in matcher.get_matching_blocks() for n in range(block.size)]
    out: list[str] = []
    for (a, b), (c, d) in pairwise([(-1, -1), *pairs, (len(old), len(new))]):
        out += _between(old[a + 1 : c], new[b + 1 : d], tolerance, said, lost)
        if c < len(old) and d < len(new):
            # Spacing and separators go with the change beside them.
            is_intended = not tolerance.ends and is_spaced_otherwise(old[c], new[d])
            is_intended = is_intended or (not tolerance.separators and is_separated_otherwise(old[c], new[d]))
            is_intended = is_intended or (not tolerance.quotes and differ_in_quotes(old[c], new[d]))
            is_intended = is_intended or (not is_comment(new[d]) and _is_remarked(old[c], new[d], said))
            is_bared = tolerance.bared and without_comment(old[c]) == new[d]
            is_paraphrased = is_bared or (tolerance.spelling and not is_intended)
            out.append(old[c] if old[c].strip() and is_paraphrased else new[d])
    return out


def _is_remarked(old: str, new: str, said: Spoken) -> bool:
    """Whether the comment at the end of a line has a new word of which words are spoken."""
    return without_comment(new) != new and not is_paraphrased([old], [new], said.mentioned)


def _between(old: Sequence[str], new: Sequence[str], tolerance: Tolerance, said: Spoken, lost: Loss) -> Sequence[str]:
    """Lines between two that say the same."""
    if not any(line.strip() for line in (*old, *new)):
        return new
    if tolerance.omitted and (kept := stays_beside(old, new, lost, said)) is not None:
        return kept
    if tolerance.comments and any(line.strip() for line in old) and all(map(is_aside, (*old, *new))):
        is_gone = not any(map(is_comment, new)) and not said.gone.isdisjoint(words_of(old))
        return old if is_paraphrased(old, new, said.mentioned) and not is_gone else new
    mine, yours = unwrapped(new), unwrapped(old)
    is_same = mine == yours and (tolerance.breaks or len(old) == len(new))
    is_level = tolerance.indents or _level(old) == _level(new)
    if tolerance.spelling and mine and is_same and is_level:
        return old
    if not any(line.strip() for line in new):
        return old if tolerance.omitted and stays(old, lost, said) else new
    if tolerance.omitted and said.is_talk and closes_above(old, new) and stays(old, lost, said):
        return [*old, *new]
    parts = list(apart(old, new)) if tolerance.omitted and said.is_talk else []
    if len(parts) == 1:
        return [*new, *old] if old and outlasts(old, new, lost, said) else new
    out: list[str] = []
    at = 0
    for gone, come, own in parts or [((), new, ())]:
        above = old[max(0, at - 1) : at]
        is_rest = is_rest_of_sentence(gone, above, out[-1:])
        is_within = any(map(is_comment, (*out[-1:], *own[:1])))  # a comment is paraphrased as a whole
        is_aside_alone = bool(gone) and not (is_rest or is_within) and all(map(is_aside, (*gone, *come)))
        if is_aside_alone and (tolerance.comments or not any(map(is_comment, come))):
            come = _between(gone, come, tolerance, said, lost)
        is_omitted = not any(line.strip() for line in come) and not is_rest and stays(gone, lost, said)
        out += (*(gone if is_omitted else come), *own)
        at += len(gone) + len(own)
    return out


def _level(lines: Sequence[str]) -> int:
    """The indentation of the first written line."""
    return next((len(line) - len(line.lstrip()) for line in lines if line.strip()), 0)


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
        said = text.rstrip(" .")
        return (lead, *tokens(said.lower() if tolerance.comments else said))
    found = tokens(without_comment(text.strip()) if tolerance.comments else text)
    return (lead, *found)
