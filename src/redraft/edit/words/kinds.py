"""In: the words of a comment. Out: the kind of each word in the languages of `same.toml`: sameness, rest, name."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from redraft.edit.words.known import Known, is_identifier
from redraft.edit.words.lexicon import UNSPACED, languages_of, table

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
_FOREIGN_WORD = r"(?P<word>[A-Za-z_$][\w$]*(?:(?:[-.]|::)[\w$]+)*)"


class Token(Struct, frozen=True):
    """A word and its kind: one of `STRONG`, H, T, N, G, or of those that are no words of a language.

    D declared by the file, C called but not declared, W part of an identifier of the file, I another identifier, X any
    other word.
    """

    kind: str
    text: str


def languages(text: str) -> Iterator[str]:
    """The languages that have a word of sameness, rest, omission or what is there already in a text."""
    for language in languages_of(text, table("same")):
        if _strong(language).search(text):
            yield language


def tokens(text: str, language: str, known: Known) -> list[Token]:
    """The words of a text as a language reads them."""
    return list(_tokens(text, language, known))


def _tokens(text: str, language: str, known: Known) -> Iterator[Token]:
    for match in _reader(language).finditer(text):
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
def _reader(language: str) -> re.Pattern[str]:
    words = table("same")[language]
    edge, end = _edges(language)
    classes = "|".join(f"(?P<{kind}>{edge}{words[kind]}{end})" for kind in _KINDS if kind in words)
    other = rf"{_FOREIGN_WORD}|(?P<letter>\w)" if language in UNSPACED else _WORD
    return re.compile(rf"{_QUOTED}|{_CALLED}|(?P<number>(?<!\w)\d+(?!\w))|{classes}|{other}", re.IGNORECASE)


@cache
def _strong(language: str) -> re.Pattern[str]:
    words = table("same")[language]
    edge, end = _edges(language)
    strong = "|".join(words[kind] for kind, sign in _KINDS.items() if sign in STRONG and kind in words)
    return re.compile(f"{edge}(?:{strong}){end}", re.IGNORECASE)


def _edges(language: str) -> tuple[str, str]:
    """What has to stand around a word: no other letter, but in Korean a particle may follow."""
    if language in UNSPACED:
        return "", ""
    return r"(?<![\w'])", "" if language == "ko" else r"(?!\w)"
