"""In: the prose of an answer, and what the file knows. Out: the operations and places that its sentences name."""

import re
from dataclasses import dataclass
from typing import Literal

from redraft.edit.words.known import Known
from redraft.edit.words.sentences import SIGNS, Sentence, sentences

Verb = Literal[
    "add", "replace", "remove", "rename", "move", "keep", "change", "whole", "example", "run", "before", "after", ""
]
Relation = Literal["before", "after", "start", "end", "inside", "between", "instead"]


@dataclass(frozen=True)
class Place:
    """A place that a sentence names, by declared names or lines, or by one of: imports, file, class, tests, line N."""

    relation: Relation
    names: tuple[str, ...]


@dataclass(frozen=True)
class Saying:
    """What one sentence says: an operation on names of the file, and where."""

    verb: Verb
    names: tuple[str, ...]
    to: str
    places: tuple[Place, ...]
    everywhere: bool
    text: str


_STOP = re.compile(
    r"\b(?:not|never|cannot|if|unless|in case|would|could|might|may|optional(?:ly)?|alternatively|later|eventually"
    r"|prefer|consider|want|wish|feel free|recommend|suggest|worth)\b|n['\u2019]t\b|\?\s*$",
    re.IGNORECASE,
)
_LABELS: dict[Verb, str] = {
    "before": r"before|old|find(?: this)?|change(?: this| this line| the line)?|replace this|current(?: code)?",
    "after": r"after|new|to(?: this)?|with(?: this)?|replace with|becomes?|updated(?: code)?",
    "example": r"usage|example|example usage|usage example|expected output|output",
    "run": r"run(?: this| it)?(?: with)?|then run|in the terminal|test it with|try it with",
    "whole": r".*\b(?:complete|full|whole|entire) (?:\w+ )?(?:file|component|script|module)\b.*",
    "keep": r".*\b(?:the rest|everything else)\b.*\b(?:same|unchanged|as is|as it is|stays?)\b.*",
}
_ADVERB = (
    r"(?:(?:and|then|also|first|next|finally|now|please|just|simply|additionally|i|we|['\u2019]ll|['\u2019]ve|have"
    r"|will|you need to|you have to|you should|you must|let['\u2019]s)\s+)*"
)
_OBJECT = (
    r"(?:(?!(?:of|to|in|from|for|that|which|with|by|at|on|calls?|uses?|check|before|after)\b)[\w-]+\s+){0,4}"
    rf"(?P<names>{SIGNS}(?:\s*(?:,\s*and|,|and|&)\s*{SIGNS})*)(?:\s*\(\))?"
)
_VERBS: dict[Verb, str] = {
    "add": r"add(?:ed)?|insert(?:ed)?|put|append(?:ed)?|place|paste|introduce",
    "replace": r"replaced?|swap|substitute",
    "remove": r"removed?|deleted?|drop(?:ped)?|get rid of|erase",
    "rename": r"renamed?",
    "move": r"moved?",
    "change": r"change|update|modify|edit|adjust|do the same",
}
_NAMED = (
    r"(?:(?:the|your|existing|method|function|class|field|line|enum|struct)\s+)*"
    rf"(?P<names>{SIGNS}(?:\s*(?:,|and)\s*{SIGNS})*)"
)
_RELATIONS: dict[Relation, str] = {
    "before": r"before|above|in front of|ahead of",
    "after": r"after|below|beneath|under|underneath|behind|next to",
    "start": r"(?:at|to) the (?:very )?(?:top|beginning|start) of",
    "end": r"(?:at|to) the (?:very )?(?:bottom|end) of",
    "between": r"between",
    "instead": r"instead of|in place of",
    "inside": r"in|inside|into|within|to",
}
_EVERYWHERE = re.compile(r"\b(?:everywhere|throughout|all (?:occurrences|uses|references))\b", re.IGNORECASE)


def sayings(text: str, known: Known) -> tuple[Saying, ...]:
    """What the sentences of a text say, in order; a sentence that says no operation and no place says nothing."""
    found = (_saying(sentence) for sentence in sentences(text, known))
    return tuple(saying for saying in found if saying is not None)


def _saying(sentence: Sentence) -> Saying | None:
    for verb, words in _LABELS.items():
        if re.fullmatch(rf"(?:{words})[\s:.]*", sentence.said, re.IGNORECASE):
            return Saying(verb, (), "", (), False, sentence.text)
    if _STOP.search(sentence.said):
        return None
    verb, names = _operation(sentence)
    places = tuple(
        Place(relation, meant)
        for relation, words in _RELATIONS.items()
        for match in re.finditer(rf"\b(?:{words})\s+{_NAMED}", sentence.said, re.IGNORECASE)
        if (meant := _meant(sentence, match["names"]))
    )
    everywhere = _EVERYWHERE.search(sentence.said) is not None
    to = re.search(rf"\b(?:to|with|by)\s+({SIGNS})", sentence.said) if verb in ("rename", "replace") else None
    if not verb and not places:
        return None
    return Saying(verb, names, sentence.quote(to[1]).text if to else "", places, everywhere, sentence.text)


def _operation(sentence: Sentence) -> tuple[Verb, tuple[str, ...]]:
    for verb, words in _VERBS.items():
        if match := re.match(rf"{_ADVERB}(?:{words})\s+(?:{_OBJECT})?", sentence.said, re.IGNORECASE):
            return verb, _meant(sentence, match["names"] or "")
    return "", ()


def _meant(sentence: Sentence, signs: str) -> tuple[str, ...]:
    return tuple(meant for sign in re.findall(SIGNS, signs) if (meant := sentence.quote(sign).meant))
