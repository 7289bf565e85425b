"""In: a sentence that tells a place. Out: the words by which it describes what stands before and after that place."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from redraft.edit.words.grammar import LANGUAGES, language_of
from redraft.edit.words.lexicon import UNSPACED, table

_QUOTED = re.compile(r"`([^`\n]+)`|[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00bb\n]{3,120})[\"\u201c\u201d\u00bb]")
_SIGN = 0xE000  # the first of Unicode's private characters: none stands in prose
_MOST_QUOTES = 200
_ALL_OF = re.compile(  # the `if ready` block: the line and all that it opens
    r"\b(?:after|behind|below|beneath|past|following|nach|hinter|unter|après|tras|después del?|depois d[eoa]|после|за)"
    r"\s+(?:\w+\s+)?`(?P<line>[^`\n]{4,})`[ -]?(?:block|check|loop|branch|guard|statement|clause|condition|expression"
    r"|call|Schleife|Abfrage|Zweig|Prüfung|Anweisung)"
    r"|`(?P<block>[^`\n]{4,})`[ -]?(?:块|代码块|循环|分支|判断|语句|ブロック|ループ|文)"
    r"|(?:bloc|boucle|condition|test|appel|bloque|bucle|condición|bloco|laço|condição|блок\w*|цикл\w*|услови\w*) "
    r"`(?P<named>[^`\n]{4,})`",
    re.IGNORECASE,
)
_OPENING = " \t{([:.\u2026})]"
_BREAK = re.compile(r"[,;:.()!?\uff0c\u3002\uff1a\uff1b](?!\w)|\b(?:that|which|where|while|so)\b")
_WORD = re.compile(r"[^\W\d_]\w+")
_RELATIONS: tuple[Literal["between", "before", "after"], ...] = ("between", "before", "after")
_LONGEST = 600  # characters of a sentence that are read


class Phrase(Struct, frozen=True):
    """What stands on one side of a place: new lines go `before` or `after` it. `words` are in lower case, `quotes` is
    code or text as it is quoted."""

    relation: Literal["before", "after"]
    words: frozenset[str]
    quotes: tuple[str, ...]


def phrases(sentence: str) -> tuple[Phrase, ...]:
    """What a sentence says of the neighbours of a place, in its order."""
    quotes: list[str] = []

    def sign(match: re.Match[str]) -> str:
        quotes.append((match[1] or match[2]).strip())
        return chr(_SIGN + len(quotes) - 1) if len(quotes) <= _MOST_QUOTES else " "

    said = _QUOTED.sub(sign, sentence[:_LONGEST].replace("*", ""))
    own = language_of(sentence)
    for language in (own,) if own else LANGUAGES if not sentence.isascii() else ("en",):
        if found := tuple(filter(None, (_phrase(*each, quotes, language) for each in _sides(said, language)))):
            return found
    return ()


def names_all_of(said: str, line: str) -> bool:
    """Whether words speak of all that a line opens: the block, the loop of it."""
    named = (match["line"] or match["block"] or match["named"] for match in _ALL_OF.finditer(said))
    return any(line.strip().startswith(name.rstrip(_OPENING)) for name in named)


def _sides(said: str, language: str) -> Iterator[tuple[Literal["before", "after"], str]]:
    """Each relation and the words that it is said of: behind it, or before it in languages that put it last."""
    words, found = table("speech")[language], sorted(_relations(said, language))
    since = 0
    for (start, end, relation), (limit, _, _) in pairwise([*found, (len(said), 0, "after")]):
        is_last = language in UNSPACED
        pieces = _BREAK.split(said[since:start] if is_last else said[end:limit])
        piece, since = pieces[-1 if is_last else 0], end
        if relation != "between":
            yield relation, piece
            continue
        gap = r"\s*" if is_last else r"\s+"
        sides = re.split(rf"{gap}(?:{words['and']}){gap}", piece, maxsplit=1, flags=re.IGNORECASE)
        if len(sides) == 2:
            yield from (("after", sides[0]), ("before", sides[1]))


def _relations(said: str, language: str) -> Iterator[tuple[int, int, Literal["between", "before", "after"]]]:
    taken: list[tuple[int, int]] = []
    for relation in _RELATIONS:
        for match in _pattern(language, relation).finditer(said):
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                taken.append(match.span())
                yield match.start(), match.end(), relation


@cache
def _pattern(language: str, relation: str) -> re.Pattern[str]:
    words = table("speech")[language][relation]
    return re.compile(words if language in UNSPACED else rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


@cache
def _usual(language: str) -> re.Pattern[str]:
    """Words that tell nothing of a file."""
    words = table("speech")[language]
    return re.compile("|".join(words[kind] for kind in ("words", "det", "kind", "part", "and")), re.IGNORECASE)


def _phrase(relation: Literal["before", "after"], said: str, quotes: list[str], language: str) -> Phrase | None:
    signs = [quotes[ord(each) - _SIGN] for each in said if _SIGN <= ord(each) < _SIGN + len(quotes)]
    words = frozenset(word.lower() for word in _WORD.findall(said) if not _usual(language).fullmatch(word))
    return Phrase(relation, words, tuple(signs)) if words or signs else None
