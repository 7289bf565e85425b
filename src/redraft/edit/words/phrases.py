"""In: a sentence that tells a place. Out: the words by which it describes what stands before and after that place."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from redraft.edit.words.lexicon import compiled, table

_QUOTED = re.compile(r"`([^`\n]+)`|[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00bb\n]{3,120})[\"\u201c\u201d\u00bb]")
_SIGN = 0xE000  # the first of Unicode's private characters: none stands in prose
_MOST_QUOTES = 200
_BREAK = re.compile(r"[,;:.()!?](?!\w)|\b(?:that|which|where|while|so)\b")
_WORD = re.compile(r"[^\W\d_]\w+")
Side = Literal["before", "after"]
Relation = Literal["between", "before", "after"]
_RELATIONS: tuple[Relation, ...] = ("between", "before", "after")
_USUAL = ("words", "det", "kind", "part", "and")  # kinds of words that tell nothing of a file
_LONGEST = 600  # characters of a sentence that are read


class Phrase(Struct, frozen=True):
    """What stands on one side of a place: new lines go `before` or `after` it. `words` are in lower case, `quotes` is
    code or text as it is quoted."""

    relation: Side
    words: frozenset[str]
    quotes: tuple[str, ...]


def phrases(sentence: str) -> tuple[Phrase, ...]:
    """What a sentence says of the neighbours of a place, in its order."""
    quotes: list[str] = []

    def sign(match: re.Match[str]) -> str:
        quotes.append((match[1] or match[2]).strip())
        return chr(_SIGN + len(quotes) - 1) if len(quotes) <= _MOST_QUOTES else " "

    said = _QUOTED.sub(sign, sentence[:_LONGEST].replace("*", ""))
    return tuple(filter(None, (_phrase(*each, quotes) for each in _sides(said))))


def _sides(said: str) -> Iterator[tuple[Side, str]]:
    """Each relation and the words behind it, which it is said of."""
    for (_, end, relation), (limit, _, _) in pairwise([*sorted(_relations(said)), (len(said), 0, "after")]):
        piece = _BREAK.split(said[end:limit])[0]
        if relation != "between":
            yield relation, piece
            continue
        sides = re.split(rf"\s+(?:{table('speech')['and']})\s+", piece, maxsplit=1, flags=re.IGNORECASE)
        if len(sides) == 2:
            yield from (("after", sides[0]), ("before", sides[1]))


def _relations(said: str) -> Iterator[tuple[int, int, Relation]]:
    taken: list[tuple[int, int]] = []
    for relation in _RELATIONS:
        for match in compiled(rf"(?<!\w){table('speech')[relation]}(?!\w)").finditer(said):
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                taken.append(match.span())
                yield match.start(), match.end(), relation


def _phrase(relation: Side, said: str, quotes: list[str]) -> Phrase | None:
    signs = [quotes[ord(each) - _SIGN] for each in said if _SIGN <= ord(each) < _SIGN + len(quotes)]
    usual = compiled("|".join(table("speech")[kind] for kind in _USUAL))
    words = frozenset(word.lower() for word in _WORD.findall(said) if not usual.fullmatch(word))
    return Phrase(relation, words, tuple(signs)) if words or signs else None
