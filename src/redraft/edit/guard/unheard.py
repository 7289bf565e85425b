"""In: an answer, and a file before and after. Out: the sentence that most likely bids a change which the file lacks.

"I also set the baud rate to 115200." Who reads the blocks alone writes a file without it. A logistic regression tells
such sentences from those that explain: on their words, two or three in a row too, in which each quote is told by what
became of it, and on where they stand. Its weights are fitted by `recipes/unheard.py` on answers whose right file is
known: where a text has what the blocks show and lacks the rest, one of the sentences bids that, and where it is right
none does (multiple-instance learning, as Andrews et al. 2002 do it with support vectors).
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from math import log
from operator import itemgetter
from pathlib import Path
from typing import Any

from msgspec import Struct

from redraft.edit.answer.answer import Answer
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import bare, width_of
from redraft.edit.words import Known
from redraft.edit.words.sentences import SIGN, Sentence, sentences

_TOKEN = re.compile(rf"{SIGN}|[A-Za-z]+(?:'[a-z]+)?|\d+(?:\.\d+)*|[^\sA-Za-z\d]")
_PATH = re.compile(r"(?:[\w./-]*\w)?\.[a-z]{1,5}|README")
_NAME = re.compile(r"[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z]{3,}|\w+\.[a-z]{1,5}")  # without backticks
_CALL = re.compile(r"\((?:\.{3}|\u2026)?\)$")
_STATEMENT = re.compile(r"[={;]|\|>|->|\([^)]|<\w|^(?:import|use|using|from|export|return|raise|throw) |: \S|^- \w")
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_FIRST = re.compile(r"[#@]?[\w.-]+")
_SMALL = 60  # lines of a file up to which a word that stands in it is hardly there by chance
_SUREST = 4.0
_MOST = 3  # sentences around a block that are counted


def unheard(answer: Answer, original: str, output: str) -> str | None:
    """None where no sentence is likely to bid anything that the output lacks."""
    text, value = _likeliest(answer, original, output)
    least = _fitted()["least"]["small" if _is_small(original) else "large"]
    return text if value > log(least / (1 - least)) else None


def unheard_odds(answer: Answer, original: str, output: str) -> float:
    """The log-odds that a sentence bids what the output lacks, at most 4 either way."""
    return min(max(_likeliest(answer, original, output)[1], -_SUREST), _SUREST)


# Both readers are asked about the same text, and then a model.
@lru_cache(maxsize=8)
def _likeliest(answer: Answer, original: str, output: str) -> tuple[str, float]:
    found = signs(answer, original, output) if answer.prose.strip() else ()
    return max(((text, odds(each)) for text, each in found), key=itemgetter(1), default=("", -_SUREST))


def odds(found: Iterable[str]) -> float:
    """The log-odds that a sentence with these signs bids what is not there."""
    fitted = _fitted()
    weights = fitted["weights"]
    return float(fitted["bias"] + sum(weights.get(sign, 0.0) for sign in found))


@cache
def _fitted() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return found


def _is_small(original: str) -> bool:
    return original.count("\n") <= _SMALL


class Seen(Struct, frozen=True):
    """`texts`: the file, the output, what comes, goes, lies around a change and is shown, without white space; `lines`:
    the file's; `words`: those of a small file, of what changes, lies around a change and is shown."""

    texts: tuple[str, ...]
    lines: tuple[str, ...]
    words: tuple[frozenset[str], ...]

    @staticmethod
    def of(answer: Answer, original: str, output: str) -> "Seen":
        before, after = split_lines(original), split_lines(output)
        changes = line_changes(before, after)
        come = "\n".join(chain.from_iterable(after[each.after_start : each.after_end] for each in changes))
        gone = "\n".join(chain.from_iterable(before[each.start : each.end] for each in changes))
        around = "\n".join(chain.from_iterable(_heads(before, each) for each in changes))
        shown = "\n".join(line.text for line in answer.lines)
        texts = tuple(map(bare, (original, output, come, gone, around, shown)))
        code = (original if _is_small(original) else "", f"{come}\n{gone}", around, shown)
        return Seen(texts, tuple(map(str.strip, before)), tuple(map(_words, code)))

    def kind(self, text: str) -> str:
        """What became of something that words quote."""
        name = bare(_CALL.sub("", text))
        file, output, come, gone, around, shown = self.texts
        if name in come:
            return "comes" if name not in file else "changes"
        if name in gone:
            return "goes" if name not in output else "changes"
        if name in file:
            return "around" if name in around else "shown" if name in shown else "stays"
        return "only shown" if name in shown else "file" if _PATH.fullmatch(text) else "nowhere"

    def is_like(self, text: str) -> bool:
        """Whether more than a word is quoted that is not there, and a line begins with its first word."""
        first = _FIRST.match(text)
        if first is None or first[0] == text or self.kind(text) != "nowhere":
            return False
        return any(line.startswith(first[0]) for line in self.lines)

    def plain(self, word: str) -> str:
        """The same of a word that stands in the file, or of what changes there; "" of another."""
        file, *others = self.words
        kinds = (kind for kind, words in zip(("changes", "around", "shown"), others, strict=True) if word in words)
        return next(kinds, "stays") if word in file or word in others[0] else ""


def _heads(lines: Sequence[str], change: LineChange) -> Iterator[str]:
    """The lines that a change lies in, by their indentation, from the innermost one."""
    inside = next((line for line in lines[change.start :] if line.strip()), "")
    width = width_of(inside)
    for line in reversed(lines[: change.start]):
        if line.strip() and (own := width_of(line)) < width:
            width = own
            yield line


def _words(code: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(code))


def signs(answer: Answer, original: str, output: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Each sentence, in order, with its signs."""
    seen = Seen.of(answer, original, output)
    for prose, is_behind in (*((block.prose, False) for block in answer.blocks), (answer.after, True)):
        said = [*sentences(prose, Known())]
        for sentence in said:
            place = "behind" if is_behind else "above" if sentence is said[-1] else "beside"
            yield sentence.text, frozenset(_signs(sentence, place, seen, min(len(said), _MOST)))


def _signs(sentence: Sentence, place: str, seen: Seen, beside: int) -> Iterator[str]:
    words = [_word(token, sentence, seen) for token in _TOKEN.findall(sentence.said)]
    kinds = {word for word in words if word[0] == "<"}
    kinds |= {f"<{seen.kind(name)}>" for name in _NAME.findall(re.sub(SIGN, " ", sentence.said))}
    plain = [f"~{seen.plain(word)}" for word in words]
    yield from words
    yield from (f"{before} {kind}" for before, kind in zip(["^", *words], plain, strict=False) if kind != "~")
    named = {kind for kind in plain if kind != "~"}
    yield from (f"{place}: {each}" for each in (*words, *(kinds or ("nothing",)), *(named or ("~nothing",))))
    yield from named
    yield f"{place}: {beside} sentences"
    if named == {"~stays"}:
        yield f"{place}: ~all stays"
    for size in (2, 3):
        yield from map(" ".join, _runs(["^", *words, "$"], size))
    if sentence.item:
        yield f"{place}: item"


def _word(token: str, sentence: Sentence, seen: Seen) -> str:
    if re.match(SIGN, token):
        text = sentence.quote(token).text
        return f"<{'code ' if _STATEMENT.search(text) else ''}{seen.kind(text)}{' like a line' * seen.is_like(text)}>"
    if token[0].isdigit():
        return f"<number {seen.kind(token)}>" if len(token) > 1 else "<digit>"
    return token.lower()


def _runs(words: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return zip(*(words[at:] for at in range(size)), strict=False)
