"""In: a label of code in a language whose sentences are not read otherwise. Out: the places that it tells."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from redraft.edit.words.known import Known
from redraft.edit.words.lexicon import table
from redraft.edit.words.saying import Place, Relation, Saying
from redraft.edit.words.sentences import SIGN, Sentence

_RELATIONS: tuple[Relation, ...] = ("between", "before", "after")
_FILL = r"[^.;:,()\ue000-\uf8ff]{0,25}?"
_NO_SPACES = ("th", "ko", "he")  # words stand beside others without a space, or with endings
_TYPICAL = 2  # words that tell a language


def foreign_languages(text: str) -> tuple[str, ...]:
    """The languages of which a text has typical words."""
    found = ((name, islice(_typical(name).finditer(text), _TYPICAL)) for name in table("places"))
    return tuple(name for name, words in found if len([*words]) == _TYPICAL)


def foreign(sentence: Sentence, languages: Sequence[str], known: Known) -> Iterator[Saying]:
    """The places that a label tells by names of the file, in the first language in which it tells any."""
    for language in languages:
        said, places = sentence.said, []
        for relation in _RELATIONS:
            for match in _places(language, relation).finditer(said):
                quotes = [sentence.quote(sign) for sign in re.findall(SIGN, match[0])]
                names = tuple(quote.meant or quote.text * known.has(quote.text) for quote in quotes)
                places += [Place(relation, names)] if all(names) else []
            said = _places(language, relation).sub(" ", said)
        if places:
            yield Saying("", (), "", tuple(places), False, sentence.text)
            return


@cache
def _places(language: str, relation: Relation) -> re.Pattern[str]:
    """Words of a relation in front of names, or behind them."""
    words = table("places")[language]
    names = rf"{SIGN}{_FILL}{SIGN}" if relation == "between" else SIGN
    start, end = ("", "") if language in _NO_SPACES else (r"(?<!\w)", r"(?!\w)")
    ahead = rf"{start}{words[relation]}{end}{_FILL}{names}" if relation in words else r"(?!)"
    behind = rf"{names}{_FILL}{words[f'behind_{relation}']}{end}" if f"behind_{relation}" in words else r"(?!)"
    return re.compile(f"{ahead}|{behind}", re.IGNORECASE)


@cache
def _typical(language: str) -> re.Pattern[str]:
    words = table("places")[language]["words"]
    return re.compile(words if language in _NO_SPACES else rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
