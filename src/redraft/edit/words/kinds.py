"""In: the words of a comment. Out: the kind of each word in the languages of `same`: sameness, rest, noun, name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from redraft.edit.words.known import Known, is_identifier
from redraft.edit.words.lexicon import UNSPACED, table

_KINDS = {"same": "S", "omit": "O", "rest": "R", "old": "E", "keep": "K", "here": "H", "noun": "N", "glue": "G"}
_QUOTED = r"(?P<quoted>`[^`]+`)"
_CALLED = r"(?P<called>[A-Za-z_$][\w$.:]*\(\))"
_WORD = r"(?P<word>[^\W_][\w$'\u2019]*(?:(?:[-.]|::)[\w$]+)*[?!]?|_\w+)"
_FOREIGN_WORD = r"(?P<word>[A-Za-z_$][\w$]*(?:(?:[-.]|::)[\w$]+)*)"


@dataclass(frozen=True)
class Token:
    """A word and its kind: S same, O omitted, R rest, E existing, K keep, H here, N noun, G glue, D declared, C called.

    W is a word of the file's identifiers, I looks like an identifier that the file does not have, X is any other.
    """

    kind: str
    text: str


def tokens(text: str, language: str, known: Known) -> list[Token]:
    """The words of a text as a language reads them."""
    return list(_tokens(text, language, known))


def languages(text: str) -> Iterator[str]:
    """The languages that have a word of sameness, rest, omission or what is there already in a text."""
    for language in table("same"):
        if _strong(language).search(text):
            yield language


def _tokens(text: str, language: str, known: Known) -> Iterator[Token]:
    for match in _reader(language).finditer(text):
        kind, found = match.lastgroup or "", match[0]
        if kind in _KINDS:
            exact = kind in ("noun", "glue") and found in known.declared and is_identifier(found)
            yield Token("D" if exact else _KINDS[kind], found)
        elif kind == "quoted":
            yield Token("D" if known.meant(found.strip("`")) else "I", found.strip("`"))
        elif kind == "called":
            yield Token("D" if known.name(found) else "C", found)
        elif kind == "number":
            yield Token("G", found)
        elif kind:
            yield Token(_word(found, known), found)


def _word(text: str, known: Known) -> str:
    if known.name(text):
        return "D"
    low = text.lower()
    if text in known.words or low in known.parts or low.removesuffix("s") in known.parts or f"{low}s" in known.parts:
        return "W"
    return "I" if is_identifier(text) else "X"


@cache
def _reader(language: str) -> re.Pattern[str]:
    kinds = table("same")[language]
    spaced = language not in UNSPACED
    edge, end = (r"(?<![\w'])", r"(?![\w])") if spaced else ("", "")
    classes = "|".join(f"(?P<{kind}>{edge}{words}{end})" for kind, words in kinds.items())
    other = _WORD if spaced else rf"{_FOREIGN_WORD}|(?P<letter>\w)"
    return re.compile(rf"{_QUOTED}|{_CALLED}|(?P<number>(?<!\w)\d+(?!\w))|{classes}|{other}", re.IGNORECASE)


@cache
def _strong(language: str) -> re.Pattern[str]:
    kinds = table("same")[language]
    edge, end = (r"(?<!\w)", r"(?!\w)") if language not in UNSPACED else ("", "")
    words = "|".join(kinds[kind] for kind in ("same", "omit", "rest", "old", "keep"))
    return re.compile(f"{edge}(?:{words}){end}", re.IGNORECASE)
