"""In: a file before and after, an answer and its request. Out: what words say of a stretch that stays, as signs."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import log1p

from redraft.edit.align.likeness import head
from redraft.edit.merge.common.differing import is_name, share, stems, tokens
from redraft.edit.merge.judge.remaining import Remaining
from redraft.edit.text.lines import is_comment, is_telling
from redraft.edit.words import directives
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.sentences import BREAK, NAME

_WORDS = {
    "instead": r"\b(?:instead|in place of|replac\w*|swap\w*|rather than|no longer|superse\w*)\b",
    "now": r"\b(?:now|becomes?|updated?|new version|after the change|should (?:be|read|look))\b",
    "all": r"\b(?:whole|entire|all|everything|complete|full|both|rest|to the end|from .{1,40} to)\b",
    "simple": r"\b(?:simplif\w*|reduc\w*|shorten\w*|collaps\w*|inlin\w*|merg\w*|just|only|single|one)\b",
    "keeps": r"\b(?:stays?|unchanged|untouched|keep\w*|kept|remains?|as (?:it|they) (?:is|was|are|were)|same)\b",
}
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _WORDS.items()}
_ORDERS = ("remove", "replace", "change", "rename", "move", "keep")  # verbs whose names are looked for


class Mentioned(Remaining):
    """The same, and the signs by words and names."""

    def _of_words(self, bare: Sequence[str]) -> Iterator[tuple[str, float]]:
        text, speech = " ".join(bare), self.speech
        words, names = stems(text), {*filter(is_name, tokens(text))}
        odd = {name for name in names if not name.islower() or "_" in name}
        yield "spoken", share(words, speech.spoken)
        yield "asked", share(words, speech.asked)
        yield "names told", share(names, speech.mentioned)
        yield "any name told", float(not odd.isdisjoint(speech.mentioned))
        yield "names asked", share(names, speech.asked_names)
        yield "quoted", share(names, speech.quoted)
        yield "words in new", share(words, self.come_stems)
        for name, (mentioned, said) in self._said.items():
            yield f"{name} names", share(names, mentioned)
            yield f"any {name} name", float(not odd.isdisjoint(mentioned))
            yield f"{name} words", share(words, said)
            yield f"first {name}", share(stems(bare[0]), said)

    @cached_property
    def _said(self) -> dict[str, tuple[set[str], set[str]]]:
        """The names and words of the sentences that speak of what goes, and of what comes instead of something."""
        found = {"gone": self._sentences["gone"] + self._sentences["both"]}
        found["instead"] = self._sentences["instead"] + self._sentences["both"]
        texts = {name: " ".join(each) for name, each in found.items()}
        return {name: ({*filter(is_name, tokens(text))}, stems(text)) for name, text in texts.items()}

    @cached_property
    def _sentences(self) -> dict[str, list[str]]:
        """The sentences that speak of what goes, of what comes instead of something, of both, and of neither."""
        found: dict[str, list[str]] = {"gone": [], "instead": [], "both": [], "else": []}
        for each in (each for text in (self.answer.prose, self.asked) for each in BREAK.split(text)):
            is_gone, is_instead = speaks_of("removal", each), PATTERNS["instead"].search(each)
            kind = "both" if is_gone and is_instead else "gone" if is_gone else "instead" if is_instead else "else"
            found[kind].append(each)
        return found

    def _of_orders(self, bare: Sequence[str]) -> Iterator[tuple[str, float]]:
        """Whether something of it is quoted where sentences speak of what goes, and nothing else like that is there."""
        names, text = {*tokens(" ".join(bare))}, "\n".join(bare)
        for name, quoted in self._quoted.items():
            found = [each for each in quoted if each in text]
            yield f"{name} quoted", float(bool(found))
            yield f"{name} quoted first", float(any(each in bare[0] for each in found))
            counts = (sum(each in line for line in self.after) for each in found)
            yield f"{name} quoted alone", max((1 / max(1, count) for count in counts), default=0.0)
        for verb, named in self._orders.items():
            yield f"{verb} names it", share(named, names)
            yield f"{verb} names the first", float(not named.isdisjoint(tokens(bare[0])))

    @cached_property
    def _quoted(self) -> dict[str, set[str]]:
        """What is quoted in sentences that speak of what goes, of what comes instead of something, and in others."""
        found = {"gone": [*self._sentences["gone"], *self._sentences["both"]]}
        found |= {name: self._sentences[name] for name in ("instead", "else")}
        return {
            name: {piece.removesuffix("()").removesuffix("(...)") for each in said for piece in NAME.findall(each)}
            for name, said in found.items()
        }

    @cached_property
    def _orders(self) -> dict[str, set[str]]:
        """The names that each verb of the words has."""
        all_said = [*self.speech.directives, *directives(self.asked, self.known)]
        return {
            verb: {
                token
                for directive in all_said
                if directive.verb == verb
                for name in directive.names
                for token in tokens(name)
            }
            for verb in _ORDERS
        }

    def _of_names(self, bare: Sequence[str]) -> Iterator[tuple[str, float]]:
        before, after, come = self.lines_with
        own = [*filter(is_name, (token for line in bare for token in {*tokens(line)}))]
        names, name = {*own}, head(first_of(bare)).name
        lost = {each for each in names if after[each] < before[each]}
        alone = {each for each in names if after[each] == own.count(each)}
        count = max(1, len(names))
        yield "names in new", sum(come[each] > 0 for each in names) / count
        yield "own names", len(alone) / count
        yield "lost names", len(lost) / count
        yield "only use left", len(lost & alone) / count
        if name:
            yield "declares", 1.0
            yield "declares again", float(any(each.name == name for each in self.come_heads))
            yield "used elsewhere", log1p(max(0, after[name] - own.count(name)))
            yield "used before", log1p(max(0, before[name] - own.count(name)))


def first_of(bare: Sequence[str]) -> str:
    """The first line that is code."""
    return next((line for line in bare if is_telling(line) and not is_comment(line)), bare[0])
