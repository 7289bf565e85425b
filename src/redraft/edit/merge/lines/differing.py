"""In: lines before and after a change. Out: the tokens in which they differ, and the words and the kind of a line."""

import re
from collections.abc import Callable, Collection, Sequence
from difflib import SequenceMatcher
from itertools import chain

from redraft.edit.align.likeness import without_comment
from redraft.edit.text.lines import is_comment, is_telling

_TOKEN = re.compile(r"\w+|[^\w\s]")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`")
_ENDING = re.compile(r"(?<=...)(?:ing|ed|es|s)\Z")
_COMMON = frozenset(
    _PART.findall(
        "the a an to of and or in is it that this for be on with as at by from not no if so i you we s t now are was"
    )
)
_KINDS = (
    ("docstring", re.compile(r"\"\"\"|'''")),
    ("attribute", re.compile(r"#!?\[|@\w|\[\w+(?:\(.*\))?\]$")),
    ("import", re.compile(r"(?:import|from|use|using|#\s*include|require)\b")),
    ("return", re.compile(r"return\b")),
    ("opens", re.compile(r".*(?:[{:]|=>|->|\b(?:do|then|begin)|\|)\s*$|(?:end\b|}|fi\b|done\b).*$")),
    ("item", re.compile(r".*,$")),
    ("assignment", re.compile(r"[\w$.\[\]\"'<>,:\s*&-]+?\s*(?::=|=)(?!=)")),
)
_PAIRS = ("()", "[]", "{}")
_TAG = re.compile(r"</([\w-]+)")
_SHORTEST = 2  # letters of a name that tells nothing
_LONGEST = 400  # tokens of a stretch that are compared


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def differing(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens of old and new lines that the others do not have in their place."""
    one, other = (tokens("\n".join(lines)) for lines in (old, new))
    if not one or not other or max(len(one), len(other)) > _LONGEST:
        return tuple(one), tuple(other)
    places = _unequal(one, other)
    gone, come = (one[i:j] for i, j, _, _ in places), (other[k:m] for _, _, k, m in places)
    return tuple(chain.from_iterable(gone)), tuple(chain.from_iterable(come))


def beside(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The tokens beside those that differ."""
    one, other = (tokens("\n".join(lines)) for lines in (old, new))
    return [token for i, j, _, _ in _unequal(one, other) for token in (*one[max(0, i - 1) : i], *one[j : j + 1])]


def _unequal(one: Sequence[str], other: Sequence[str]) -> list[list[int]]:
    """The places where two lists differ: start and end in either."""
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [places for code, *places in codes if code != "equal"]


def unbalances(before: Sequence[str], after: Sequence[str], old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether the brackets or tags of a text close less well with old lines in the place of new ones."""
    tags = [(f"<{name}", f"</{name}") for name in {*_TAG.findall("\n".join((*old, *new)))}]
    texts = [*map("".join, (before, after, old, new))]
    return any(sum(_worse(pair, *texts) for pair in pairs) > 0 for pairs in (_PAIRS, tags))


def _worse(pair: Sequence[str], before: str, after: str, old: str, new: str) -> int:
    open_, opened, own, mine = (text.count(pair[0]) - text.count(pair[1]) for text in (before, after, old, new))
    return abs(opened - mine + own - open_) - abs(opened - open_)


def is_name(token: str) -> bool:
    return token.isidentifier() and len(token) > _SHORTEST


def share(words: Collection[str], mentioned: set[str]) -> float:
    return len(mentioned.intersection(words)) / len(words) if words else 0.0


def share_of(holds: Callable[[str], bool], lines: Sequence[str]) -> float:
    """The share of lines of which something holds; 0 of none."""
    return sum(map(holds, lines)) / max(1, len(lines))


def stems(text: str) -> set[str]:
    """The words that names and sentences are made of, without endings."""
    words = {*map(str.lower, _PART.findall(text))} - _COMMON
    return {_ENDING.sub("", word) for word in words if len(word) > 1}


def kind(text: str) -> str:
    if is_comment(text):
        return "comment"
    if not is_telling(text):
        return "closer"
    return next((name for name, pattern in _KINDS if pattern.match(text)), "statement")


def where(old: str, new: str) -> str:
    """What of a line differs."""
    if is_comment(old) and is_comment(new):
        return "comment"
    if without_comment(old) == without_comment(new):
        return "comment at the end"
    return "string" if _STRING.sub('""', old).split() == _STRING.sub('""', new).split() else "code"
