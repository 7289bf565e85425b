"""In: the words of a comment. Out: the kind of each word by `same.toml`: sameness, rest, name."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from redraft.edit.words.known import Known, is_identifier
from redraft.edit.words.lexicon import table

# S same, s alike, O omitted, R rest, r others, E existing, e weak, K keep, H here, T stop, B be, N noun, G glue
_KINDS = {
    "same": "S",
    "alike": "s",
    "omit": "O",
    "rest": "R",
    "other": "r",
    "old": "E",
    "weak": "e",
    "keep": "K",
    "here": "H",
    "stop": "T",
    "be": "B",
    "noun": "N",
    "glue": "G",
}
STRONG = frozenset("SsORrEeK")
_QUOTED = r"(?P<quoted>`[^`]+`)"
_CALLED = r"(?P<called>(?<![\w`])[.#]?[A-Za-z_$][\w$.:]*\(\))"
_WORD = r"(?P<word>[^\W_][\w$'\u2019]*(?:(?:[-.]|::)[\w$]+)*[?!]?|_\w+)"


class Token(Struct, frozen=True):
    """A word and its kind: one of `STRONG`, H, T, N, G, or of those that are no words of the table.

    D declared by the file, C called but not declared, W part of an identifier of the file, I another identifier, X any
    other word.
    """

    kind: str
    text: str


def may_stay(text: str) -> bool:
    """Whether a text has a word of sameness, rest, omission or what is there already."""
    return _strong().search(text) is not None


def tokens(text: str, known: Known) -> list[Token]:
    """The words of a text."""
    return list(_tokens(text, known))


def _tokens(text: str, known: Known) -> Iterator[Token]:
    for match in _reader().finditer(text):
        kind, found = match.lastgroup or "", match[0]
        if kind in _KINDS:
            exact = kind not in ("stop", "here") and is_identifier(found) and known.name(found)
            yield Token("D" if exact else _KINDS[kind], found)
        elif kind == "quoted":
            yield Token("D" if known.meant(found.strip("`")) else "I", found.strip("`"))
        elif kind == "called":
            yield Token("D" if known.name(found) else "C", found)
        else:
            yield Token("G" if kind == "number" else _word(found, known), found)


def _word(text: str, known: Known) -> str:
    if known.name(text):
        return "D"
    low = text.lower()
    if text in known.words or low in known.parts or low.removesuffix("s") in known.parts or f"{low}s" in known.parts:
        return "W"
    return "I" if is_identifier(text) else "X"


@cache
def _reader() -> re.Pattern[str]:
    classes = "|".join(f"(?P<{kind}>{_class(kind)})" for kind in _KINDS)
    return re.compile(rf"{_QUOTED}|{_CALLED}|(?P<number>(?<!\w)\d+(?!\w))|{classes}|{_WORD}", re.IGNORECASE)


@cache
def _strong() -> re.Pattern[str]:
    return re.compile("|".join(_class(kind) for kind, sign in _KINDS.items() if sign in STRONG), re.IGNORECASE)


def _class(kind: str) -> str:
    plural = "s?" if kind == "noun" else ""
    return rf"(?<![\w']){table('same')[kind]}{plural}(?!\w)"
