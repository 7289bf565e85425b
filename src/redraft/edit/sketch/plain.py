"""In: a file, its new version and the words of an answer. Out: whether nothing of it may be a slip of who wrote it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from redraft.edit.answer.answer import Answer
from redraft.edit.sketch.keys import TOKEN
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_telling, ratio, written

_WORD = re.compile(r"[A-Za-z_]\w*|\d+")
_NUMBER = re.compile(r"v?\d+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_COMMENT = ("#", "//", "/*", "*", "--", "<!--", '"""', "'''", ";")
_PROSE = re.compile(r"[\w`'\",:()\[\]/.-]+(?: [\w`'\",:()\[\]/.-]+){4,}[.,:]?")  # a sentence, as in documentation
_MOST, _LIKE = 40, 0.6  # lines of one change that are compared, and how like versions are
_SHORTEST = 3  # characters of a word that says what a change is about


def is_plain(before: Sequence[str], after: Sequence[str], answer: Answer, instruction: str = "") -> bool:
    """Whether no change looks like something that was only written again from memory."""
    changes = line_changes(before, after)
    gone = [written(before[change.start : change.end]) for change in changes]
    come = [written(after[change.after_start : change.after_end]) for change in changes]
    is_moved = any(map(is_telling, set(chain(*gone)).intersection(chain(*come))))
    words = f"{answer.prose}\n{instruction}"
    mentioned, is_talk = _words(words), bool(words.strip())
    return not is_moved and not any(_is_slip(old, new, mentioned, is_talk) for old, new in zip(gone, come, strict=True))


def _is_slip(old: Sequence[str], new: Sequence[str], mentioned: Collection[str], is_talk: bool) -> bool:
    """Whether a change takes away a comment or what nobody speaks of, or rewords lines."""
    if any(line.strip().startswith(_COMMENT) for line in old):
        return True
    if not old or not new:
        return bool(old) and _words(" ".join(old)).isdisjoint(mentioned)
    separators = {",", ";"} if len(new) > len(old) else {","}  # what ends a list may come to end another line
    return any(_is_reworded(one, other, mentioned, is_talk, separators) for one, other in _pairs(old, new))


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterable[tuple[str, str]]:
    """The lines of both sides that are likely versions of each other; all of both where none is."""
    found = []
    kept = {line.strip() for line in new}
    for line in (line.strip() for line in old[:_MOST] if line.strip() not in kept):
        like, best = max((ratio(line, other.strip()), -at) for at, other in enumerate(new[:_MOST]))
        if like > _LIKE:
            found.append((line, new[-best]))
    return found or [(" ".join(old), " ".join(new))]


def _is_reworded(old: str, new: str, mentioned: Collection[str], is_talk: bool, separators: set[str]) -> bool:
    """Whether a line became another one by nothing that words speak of; where nobody says any, that is no sign."""
    gone, come = (Counter(TOKEN.findall(line)) for line in (old, new))
    lost, added = gone - come, come - gone
    changed = lost.keys() | added.keys()
    if not changed:
        return True
    words = [token for token in changed if token.isalnum()]
    if changed <= separators or (words and all(map(_NUMBER.fullmatch, words))):
        return False  # separators, and numbers, which nobody paraphrases otherwise
    if not added or not any(map(is_telling, changed)):
        return True
    if all(line.strip().startswith(_COMMENT) or _PROSE.fullmatch(line.strip()) for line in (old, new)):
        return True
    return is_talk and _words(" ".join(changed)).isdisjoint(mentioned)


def _words(text: str) -> set[str]:
    """The words of a text and those that they are made of, in small letters."""
    words = _WORD.findall(text)
    parts = chain.from_iterable(map(_PART.findall, words))
    return {word for word in map(str.lower, (*words, *parts)) if len(word) >= _SHORTEST}
