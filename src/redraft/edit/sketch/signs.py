"""In: a file, its new version and the words of an answer. Out: what a careful reader of the change would notice."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from math import log1p

from redraft.edit.answer.answer import Answer
from redraft.edit.sketch.keys import TOKEN
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_telling

_WORD = re.compile(r"[A-Za-z_]\w*|\d+")
_NUMBER = re.compile(r"v?\d+")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_COMMENT = ("#", "//", "/*", "*", "--", "<!--", '"""', "'''", ";")
_PROSE = re.compile(r"[\w`'\",:()\[\]/.-]+(?: [\w`'\",:()\[\]/.-]+){4,}[.,:]?")  # a sentence, as in documentation
_MOST, _LIKE = 40, 0.6  # lines of one change that are compared, and how like versions are
_SHORTEST = 3  # characters of a word that says what a change is about


def signs(before: Sequence[str], after: Sequence[str], answer: Answer, instruction: str = "") -> dict[str, float]:
    """Named numbers; those that count are dampened by a logarithm."""
    spoken = _words([answer.prose, instruction])
    shown = [line.text for block in answer.blocks for line in block.lines if line.kind == "code" and line.text.strip()]
    held = {line.strip() for line in before}
    counts = Counter[str]()
    changes = line_changes(before, after)
    gone = {line for change in changes for line in before[change.start : change.end] if is_telling(line)}
    counts["moved"] = len(gone & {line for change in changes for line in after[change.after_start : change.after_end]})
    for change in changes:
        old = [line for line in before[change.start : change.end] if line.strip()]
        new = [line for line in after[change.after_start : change.after_end] if line.strip()]
        counts["hunks"] += 1
        counts["lines gone"] += len(old)
        counts["lines new"] += len(new)
        for name in _kinds(old, new, spoken):
            counts[name] += 1
    known = sum(line.strip() in held for line in shown) / max(1, len(shown))
    return {name: log1p(count) for name, count in counts.items()} | {
        "known": known,
        "markers": float(any(block.has_markers for block in answer.blocks)),
        "blocks": log1p(len(answer.blocks)),
        "talk": float(bool(answer.prose.strip())),
        "asked": float(bool(instruction.strip())),
        "long file": log1p(len(before)),
    }


def _kinds(old: Sequence[str], new: Sequence[str], spoken: set[str]) -> Iterable[str]:
    """What one change is: its names."""
    gone, come = (Counter(TOKEN.findall(" ".join(lines))) for lines in (old, new))
    lost, added = gone - come, come - gone
    is_spoken = bool(_words([*lost, *added]) & spoken)
    if not old and not new:
        yield "blank lines alone"
        return
    if not is_spoken:
        yield "unspoken"
    if old and not new:
        yield "deletion"
        if not is_spoken:
            yield "unspoken deletion"
    elif not old:
        yield "insertion"
    else:
        separators = {",", ";"} if len(new) > len(old) else {","}  # what ends a list may come to end another line
        yield from {_pair(one, other, spoken, separators) for one, other in _pairs(old, new)} - {""}
    if any(line.strip().startswith(_COMMENT) for line in old):
        yield "comment gone"
    if len(old) > len(new) + 3:
        yield "shorter by lines"


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterable[tuple[str, str]]:
    """The lines of both sides that are likely versions of each other; all of both where none is."""
    found = []
    for line in old[:_MOST]:
        best = max(new[:_MOST], key=lambda other: _ratio(line, other))
        if line.strip() not in {other.strip() for other in new} and _ratio(line, best) > _LIKE:
            found.append((line, best))
    return found or [(" ".join(old), " ".join(new))]


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one.strip(), other.strip(), autojunk=False).ratio()


def _pair(old: str, new: str, spoken: set[str], separators: set[str]) -> str:
    """What an old line became another one by."""
    gone, come = (Counter(TOKEN.findall(line)) for line in (old, new))
    lost, added = gone - come, come - gone
    if not lost and not added:
        return "same tokens"
    words = [token for token in (*lost, *added) if token.isalnum()]
    if not ({*lost} | {*added}) - separators or (words and all(map(_NUMBER.fullmatch, words))):
        return ""  # separators, and numbers, which nobody paraphrases otherwise
    if not added:
        return "only less"
    if all(line.strip().startswith(_COMMENT) or _PROSE.fullmatch(line.strip()) for line in (old, new)):
        return "comments alone"
    if not any(char.isalnum() for token in (*lost, *added) for char in token):
        return "signs alone"
    return "" if _words([*lost, *added]) & spoken else "unspoken rewording"


def _words(texts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for text in texts:
        for word in _WORD.findall(text):
            found.add(word.lower())
            found.update(part.lower() for part in _PART.findall(word) if len(part) >= _SHORTEST)
    return {word for word in found if len(word) >= _SHORTEST}


_SLIPS = (
    "unspoken deletion",
    "same tokens",
    "moved",
    "only less",
    "comments alone",
    "signs alone",
    "comment gone",
    "unspoken rewording",
)


def is_plain(found: Mapping[str, float]) -> bool:
    """Whether no change looks like something that was only told again from memory.

    Where nobody says a word, that nobody speaks of a change tells nothing.
    """
    slips = _SLIPS if found["talk"] or found["asked"] else _SLIPS[:-1]
    return not any(found.get(name) for name in slips)
