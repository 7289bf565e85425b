"""In: a file before and after, an answer and its request. Out: `Remaining`: what of the new file the answer shows."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import filterfalse, takewhile
from math import log1p

from redraft.edit.align.likeness import Head, head
from redraft.edit.answer.answer import Answer
from redraft.edit.merge.judge.remains import Remain, remains
from redraft.edit.merge.judge.showing import owners
from redraft.edit.merge.judge.speech import Speech
from redraft.edit.merge.lines.differing import is_name, share, stems, tokens
from redraft.edit.merge.lines.versions import versions
from redraft.edit.merge.lines.written import first_below, last_above, lines_with
from redraft.edit.outline import outline
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_comment, is_telling
from redraft.edit.words import Known, directives
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
_KINDS = {(True, True): "both", (True, False): "gone", (False, True): "instead", (False, False): "else"}
_ORDERS = ("remove", "replace", "change", "rename", "move", "keep")  # verbs whose names are looked for
_MOST = 60  # stretches that are looked at
_HIDDEN = 40  # lines among which those are that a block shows otherwise


class Remaining:
    """What of a file an answer shows, what it leaves beside that, and the signs of this by words and names."""

    def __init__(self, before: Sequence[str], after: Sequence[str], answer: Answer, asked: str, known: Known) -> None:
        self.before, self.after, self.answer, self.asked, self.known = before, after, answer, asked, known
        self.speech = Speech(answer, asked, known)
        self.changes = line_changes(before, after)

    def remains(self) -> list[Remain]:
        """The stretches beside what is shown, those nearest to a change where they are many."""
        shown = {*self.owners, *self.new, *self._shown_otherwise()}
        found = [*remains(outline(self.after, self.known.path), shown)]
        nearest = sorted(found, key=self.distance)[:_MOST]
        return sorted(nearest, key=lambda each: (each.start, each.end))

    def distance(self, each: Remain) -> int:
        """How many lines lie between a stretch and the next change."""
        edges = (at for change in self.changes for at in (change.after_start, change.after_end))
        return min((abs(each.beside - at) for at in edges), default=0)

    def change(self, each: Remain) -> LineChange | None:
        """The change that a stretch lies beside."""
        return next((its for its in self.changes if its.after_start <= each.beside < its.after_end), None)

    def other(self, each: Remain) -> int:
        """The written line at the end of a stretch that lies beside nothing shown, or beside other things."""
        return first_below(self.after, each.end) if each.is_below else last_above(self.after, each.start)

    def between(self, block: int, at: int, step: int) -> list[str]:
        """The code of a block from a line on that the text does not have, up to one that it has, or a marker."""
        lines = self.answer.written[block]
        side = range(at + step, len(lines) if step > 0 else -1, step)
        new = takewhile(lambda n: n not in self._owned[block] and lines[n].kind == "code", side)
        return [lines[n].text for n in new]

    def _shown_otherwise(self) -> Iterator[int]:
        """The lines of which a block shows another version, between two that it shows as they are."""
        for block, owned in enumerate(self._owned):
            for at, line in owned.items():
                shown = self.between(block, at, 1)
                below = takewhile(lambda n: n not in self.owners, range(line + 1, len(self.after)))
                hidden = [n for n in below if self.after[n].strip()][:_HIDDEN] if shown else []
                bare = {text.strip().rstrip(",;") for text in shown}
                yield from (hidden[old] for old, _ in versions([self.after[n] for n in hidden], shown, or_alike=True))
                yield from (n for n in hidden if self.after[n].strip().rstrip(",;") in bare)

    @cached_property
    def owners(self) -> dict[int, tuple[int, int]]:
        """For lines of the text the first block that shows them, and the place among its written lines."""
        return owners(self.answer.written, self.after)

    @cached_property
    def _owned(self) -> list[dict[int, int]]:
        """For each block which line of the text each of its lines is."""
        found: list[dict[int, int]] = [{} for _ in self.answer.written]
        for line, (block, at) in self.owners.items():
            found[block][at] = line
        return found

    @cached_property
    def new(self) -> frozenset[int]:
        """The lines of the text that the file does not have."""
        return frozenset(at for each in self.changes for at in range(each.after_start, each.after_end))

    @cached_property
    def come(self) -> list[str]:
        """The written ones of these, stripped."""
        return [text for at in sorted(self.new) if (text := self.after[at].strip())]

    @cached_property
    def absent(self) -> list[str]:
        """The lines that blocks show and the text does not have: paraphrased, abbreviated, or left out."""
        shown = map(str.strip, filter(is_telling, self.answer.code))
        return [line for line in shown if not self.count[line]]

    @cached_property
    def count(self) -> Counter[str]:
        """How often the text has each line."""
        return Counter(map(str.strip, self.after))

    @cached_property
    def come_stems(self) -> set[str]:
        return stems(" ".join(self.come))

    @cached_property
    def come_heads(self) -> frozenset[Head]:
        return frozenset(map(head, self.come))

    @cached_property
    def lines_with(self) -> tuple[Counter[str], Counter[str], Counter[str]]:
        """How many lines before, after, and among the new ones have each token."""
        before, after, come = (lines_with(text, tokens) for text in (self.before, self.after, self.come))
        return before, after, come

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
        texts = {name: " ".join(self._sentences[name] + self._sentences["both"]) for name in ("gone", "instead")}
        return {name: ({*filter(is_name, tokens(text))}, stems(text)) for name, text in texts.items()}

    @cached_property
    def _sentences(self) -> dict[str, list[str]]:
        """The sentences that speak of what goes, of what comes instead of something, of both, and of neither."""
        found: dict[str, list[str]] = {"gone": [], "instead": [], "both": [], "else": []}
        for each in (*BREAK.split(self.answer.prose), *BREAK.split(self.asked)):
            is_gone, is_instead = speaks_of("removal", each), bool(PATTERNS["instead"].search(each))
            found[_KINDS[is_gone, is_instead]].append(each)
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
        found: dict[str, set[str]] = {verb: set() for verb in _ORDERS}
        for directive in (*self.speech.directives, *directives(self.asked, self.known)):
            if directive.verb in found:
                found[directive.verb].update(*map(tokens, directive.names))
        return found

    def _of_names(self, bare: Sequence[str]) -> Iterator[tuple[str, float]]:
        before, after, come = self.lines_with
        own, name = lines_with(bare, tokens), head(first_of(bare)).name
        names = {*filter(is_name, own)}
        lost = {each for each in names if after[each] < before[each]}
        alone = {each for each in names if after[each] == own[each]}
        count = max(1, len(names))
        yield "names in new", len(names & come.keys()) / count
        yield "own names", len(alone) / count
        yield "lost names", len(lost) / count
        yield "only use left", len(lost & alone) / count
        if name:
            yield "declares", 1.0
            yield "declares again", float(any(each.name == name for each in self.come_heads))
            own_count = own[name] * is_name(name)
            yield "used elsewhere", log1p(max(0, after[name] - own_count))
            yield "used before", log1p(max(0, before[name] - own_count))


def first_of(bare: Sequence[str]) -> str:
    """The first line that is code."""
    return next(filterfalse(is_comment, filter(is_telling, bare)), bare[0])
