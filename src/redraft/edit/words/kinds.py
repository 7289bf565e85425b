"""In: the words of a comment. Out: the kind of each word by `same.toml`: sameness, rest, name."""

import re
from functools import cache

from redraft.edit.words.known import Known, is_identifier
from redraft.edit.words.lexicon import table

STRONG = "SsORrEeK"  # kinds that may say that code stays
_QUOTED = r"(?P<quoted>`[^`]+`)"
_CALLED = r"(?P<called>(?<![\w`])[.#]?[A-Za-z_$][\w$.:]*\(\))"
_WORD = r"(?P<word>[^\W_][\w$'\u2019]*(?:(?:[-.]|::)[\w$]+)*[?!]?|_\w+)"


def kinds_of(text: str, known: Known) -> str:
    """The table's letter for each word; of others D is declared by the file, C called but not declared, W part of an
    identifier of the file, I another identifier, X any other word."""
    return "".join(_kind(match, known) for match in _reader().finditer(text))


def _kind(match: re.Match[str], known: Known) -> str:
    kind, found = match.lastgroup or "", match[0]
    if kind in table("same"):
        return "D" if kind not in "TH" and is_identifier(found) and known.name(found) else kind
    if kind == "quoted":
        return "D" if known.resolved(found.strip("`")) else "I"
    if kind == "called":
        return "D" if known.name(found) else "C"
    return "G" if kind == "number" else _word(found, known)


def _word(text: str, known: Known) -> str:
    if known.name(text):
        return "D"
    low = text.lower()
    if text in known.words or not known.parts.isdisjoint((low, low.removesuffix("s"), f"{low}s")):
        return "W"
    return "I" if is_identifier(text) else "X"


@cache
def _reader() -> re.Pattern[str]:
    words = {kind: fits + "s?" * (kind == "N") for kind, fits in table("same").items()}
    classes = "|".join(rf"(?P<{kind}>(?<![\w']){fits}(?!\w))" for kind, fits in words.items())
    return re.compile(rf"{_QUOTED}|{_CALLED}|(?P<number>(?<!\w)\d+(?!\w))|{classes}|{_WORD}", re.IGNORECASE)
