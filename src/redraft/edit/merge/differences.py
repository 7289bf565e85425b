"""In: a file before and after an answer, in stretches that changed. Out: what tells of each whether it is an edit."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import log1p

from redraft.edit.align.likeness import head
from redraft.edit.align.spelling import lead_of
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Line
from redraft.edit.merge.differing import beside, differing, kind, share, stems, tokens, where
from redraft.edit.merge.shortened import is_modified
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known, Saying, sayings
from redraft.edit.words.hints import speaks_of

_QUOTED = re.compile(r"`([^`\n]{1,120})`|\"([^\"\n]{2,80})\"")
_ENGLISH = frozenset(("the", "a", "is", "to", "and", "of", "in", "should", "add", "it", "for", "this"))
_NEAR, _MIDDLE = 2, 8  # lines to the next change
_TRUTH = ("true", "false")
_SHORTEST = 2  # letters of a name that tells nothing
_LEAST_READ = 2  # words of a language that is read
_ABOVE = 200  # lines in which a head is looked for


class Differences:
    """A file before and after, where it changed, and the words of the answer and the request."""

    def __init__(
        self,
        before: Sequence[str],
        after: Sequence[str],
        found: Sequence[LineChange],
        answer: Answer,
        asked: str,
        known: Known,
    ) -> None:
        self.before, self.after, self.found = before, after, found
        self._answer, self._asked, self._known = answer, asked, known
        self._lines = [line for block in answer.blocks for line in block.lines]
        shown = [line.text.strip() for line in self._lines if line.kind == "code" and line.text.strip()]
        self.shown = len(shown)
        self.added = {line.text.strip() for line in self._lines if line.added}
        self._had, self._has = (Counter(line.strip() for line in text) for text in (before, after))
        self._slips = sum(text not in self._has for text in shown)
        self._differing = [differing(self.old(at), self.new(at)) for at in range(len(found))]
        self._repeated = Counter(self._differing)
        self._sizes = [each.end - each.start + each.after_end - each.after_start for each in found]

    def old(self, at: int) -> list[str]:
        return [line for line in self.before[self.found[at].start : self.found[at].end] if line.strip()]

    def new(self, at: int) -> list[str]:
        each = self.found[at]
        return [line for line in self.after[each.after_start : each.after_end] if line.strip()]

    def likeness(self, at: int) -> float:
        count = sum(len(tokens(line)) for line in (*self.old(at), *self.new(at)))
        return 1 - sum(map(len, self._differing[at])) / max(1, count)

    def is_repeated(self, at: int) -> bool:
        """Whether the same differs elsewhere."""
        return self._repeated[self._differing[at]] > 1

    def is_value(self, at: int) -> bool:
        """Whether nothing but numbers or truth values differ."""
        tokens = [token for side in self._differing[at] for token in side]
        return bool(tokens) and all(token.isdigit() or token.lower() in _TRUTH for token in tokens)

    def is_modified(self, at: int) -> bool:
        """Whether a modifier differs, and words speak of what such do."""
        return is_modified([token for side in self._differing[at] for token in side], self._told)

    def goes_on(self, at: int) -> bool:
        """Whether a stretch touches another that is no new lines alone."""
        beside = (other for other in (at - 1, at + 1) if 0 <= other < len(self.found))
        return any(self._touches(at, other) and self.old(other) for other in beside)

    def _touches(self, at: int, other: int) -> bool:
        first, second = (self.found[number] for number in sorted((at, other)))
        return first.after_end == second.after_start

    def is_used_beside(self, at: int) -> bool:
        """Whether the changes before and behind a stretch use the name that its line sets."""
        new = self.new(at)
        subject = head(new[0].strip()).name if new else ""
        beside = (line for other in (at - 1, at + 1) if 0 <= other < len(self.found) for line in self.new(other))
        uses = (line for line in beside if head(line.strip()).name != subject)
        return _is_name(subject) and any(subject in tokens(line) for line in uses)

    def is_named(self, at: int) -> bool:
        """Whether a name that differs, or stands beside what differs, is quoted, or one that comes stands elsewhere in
        new lines."""
        gone, come = self._around(at)
        is_quoted = any(_is_name(token) and token in self._quoted for token in (*gone, *come))
        return is_quoted or any(_is_name(token) and self._counts[0][token] > 1 for token in come)

    def is_import(self, at: int) -> bool:
        return any(kind(line.strip()) == "import" for line in self.old(at))

    @cached_property
    def is_read(self) -> bool:
        """Whether answer and request are in a language whose words tell of names."""
        words = set(re.findall(r"[a-z]+", f"{self._asked} {self._answer.prose}".lower()))
        return len(words & _ENGLISH) >= _LEAST_READ

    @cached_property
    def _asked_stems(self) -> set[str]:
        return stems(self._asked)

    @cached_property
    def _sayings(self) -> list[Saying]:
        said = [*(block.prose for block in self._answer.blocks), self._answer.after]
        return [saying for text in said for saying in sayings(text, self._known)]

    @cached_property
    def _spoken(self) -> set[str]:
        """Words of request and answer, without those that only name places."""
        prose = self._answer.prose
        for name in (name for saying in self._sayings for place in saying.places for name in place.names):
            prose = prose.replace(name, " ") if len(name) > _SHORTEST else prose
        notes = " ".join(line.text for line in self._lines if line.kind == "marker")
        return stems(f"{prose} {notes}") | self._asked_stems

    @cached_property
    def _quoted(self) -> set[str]:
        said = f"{self._answer.prose}\n{self._asked}"
        return {token for each in _QUOTED.findall(said) for text in each for token in tokens(text)}

    @cached_property
    def _told(self) -> set[str]:
        return set(tokens(f"{self._answer.prose} {self._asked}"))

    @cached_property
    def _counts(self) -> tuple[Counter[str], Counter[str], set[str], set[str]]:
        """In how many new and in how many lost lines each token stands, and which the file has before and after."""
        new = (line for line in self.after if self._has[line.strip()] > self._had[line.strip()])
        lost = (line for line in self.before if self._had[line.strip()] > self._has[line.strip()])
        come, gone = (Counter(token for line in lines for token in {*tokens(line)}) for lines in (new, lost))
        had, has = ({token for line in text for token in tokens(line)} for text in (self.before, self.after))
        return come, gone, had, has

    @cached_property
    def _places(self) -> dict[str, list[tuple[int, int]]]:
        """Where blocks show a line: the block, and the line among its written ones."""
        found: dict[str, list[tuple[int, int]]] = {}
        for number, lines in enumerate(self._written):
            for at, line in enumerate(lines):
                if line.kind == "code":
                    found.setdefault(line.text.strip(), []).append((number, at))
        return found

    @cached_property
    def _written(self) -> list[list[Line]]:
        return [[line for line in block.lines if line.text.strip()] for block in self._answer.blocks]

    @cached_property
    def _shares(self) -> list[float]:
        """For each stretch the share of its differing words that are spoken."""
        return [share(stems(" ".join((*gone, *come))), self._spoken) for gone, come in self._differing]

    def signs(self, at: int) -> dict[str, float]:
        """What tells of a stretch whether it is an edit, by name."""
        shape = "line" if self.new(at) else "gone"
        found = {name: value for name, value in self._signs(at) if value}
        return found | {f"{shape}: {name}": value for name, value in found.items()} | {shape: 1.0}

    def _signs(self, at: int) -> Iterator[tuple[str, float]]:
        yield from self._of_answer()
        yield from self._of_others(at)
        yield from self._of_words(at)
        yield from self._of_names(at)
        yield from self._of_lines(at)
        yield from self._of_version(at) if self.new(at) else self._of_loss(at)

    def _of_answer(self) -> Iterator[tuple[str, float]]:
        verbs = {saying.verb for saying in self._sayings if saying.verb}
        yield "slips", log1p(self._slips)
        yield "adds", float(speaks_of("addition", self._asked))
        yield "adds alone", float(verbs == {"add"})
        yield "removes", float(any(speaks_of("removal", text) for text in (self._answer.prose, self._asked)))
        yield "markers", float(any(block.has_markers for block in self._answer.blocks))

    def _of_others(self, at: int) -> Iterator[tuple[str, float]]:
        others = [number for number in range(len(self.found)) if number != at]
        total, spoken = sum(self._sizes[each] for each in others), self._others_spoken(at)
        near = min(self._distance(at, other) for other in (at - 1, at + 1) if 0 <= other < len(self.found))
        yield "others", log1p(len(others))
        yield "others spoken", spoken
        yield "share", self._sizes[at] / (total + self._sizes[at])
        yield "others come", float(any(len(self.new(each)) > len(self.old(each)) for each in others))
        yield "touches", float(near == 0)
        yield "near", float(0 < near <= _NEAR)
        yield "middle", float(_NEAR < near <= _MIDDLE)

    def _others_spoken(self, at: int) -> float:
        others = [number for number in range(len(self.found)) if number != at]
        total = sum(self._sizes[each] for each in others)
        return sum(self._sizes[each] * self._shares[each] for each in others) / max(1, total)

    def _distance(self, at: int, other: int) -> int:
        first, second = (self.found[number] for number in sorted((at, other)))
        return second.after_start - first.after_end

    def _of_words(self, at: int) -> Iterator[tuple[str, float]]:
        gone, come = (stems(" ".join(side)) for side in self._differing[at])
        words, line = gone ^ come, stems(" ".join((*self.old(at), *self.new(at))))
        is_unspoken, others = float(not words & self._spoken), self._others_spoken(at)
        yield "no words", float(not words)
        yield "spoken", share(words, self._spoken)
        yield "asked", share(words, self._asked_stems)
        yield "unspoken", float(bool(words)) * is_unspoken
        yield "line spoken", share(line, self._spoken)
        yield "unspoken, others are", is_unspoken * others
        yield "unspoken and slips", is_unspoken * log1p(self._slips)
        yield "line unspoken, others are", (1 - share(line, self._spoken)) * others
        yield "unspoken removal", is_unspoken * speaks_of("removal", f"{self._answer.prose}\n{self._asked}")

    def _of_names(self, at: int) -> Iterator[tuple[str, float]]:
        gone, come = ([token for token in side if _is_name(token)] for side in self._around(at))
        new, _, had, has = self._counts
        yield "named", float(any(token in self._told and not token.islower() for token in (*gone, *come)))
        yield "new name", float(any(token not in had for token in come))
        yield "known name", float(any(token in had for token in come))
        yield "name gone", float(any(token not in has for token in gone))
        yield "name used", float(any(new[token] > 0 for token in gone))

    def _around(self, at: int) -> tuple[list[str], list[str]]:
        """The differing tokens, or those beside them where no word differs."""
        gone, come = self._differing[at]
        if any(any(map(str.isalnum, token)) for token in (*gone, *come)):
            return [*gone], [*come]
        return beside(self.old(at), self.new(at)), []

    def _of_lines(self, at: int) -> Iterator[tuple[str, float]]:
        each, old = self.found[at], self.old(at)
        above = next((text for text in reversed(self.after[: each.after_start]) if text.strip()), "")
        below = next((text for text in self.after[each.after_end :] if text.strip()), "")
        yield "head spoken", share(stems(self._head(at)), self._spoken)
        yield "above new", float(above.strip() not in self._had)
        yield "below new", float(below.strip() not in self._had)
        yield "above shown", float(above.strip() in self._places)
        yield "below shown", float(below.strip() in self._places)
        yield "elsewhere", float(any(self._has[line.strip()] for line in old))
        yield "tokens", log1p(sum(map(len, self._differing[at])))
        yield "lines", log1p(len(old))
        yield from ((f"is {kind}", 1.0) for kind in {kind(line.strip()) for line in old})

    def _head(self, at: int) -> str:
        """The line above a stretch that stands less deep."""
        width = min(len(lead_of(line)) for line in self.new(at) or self.old(at))
        above = self.after[max(0, self.found[at].after_start - _ABOVE) : self.found[at].after_start]
        heads = (line for line in reversed(above) if is_telling(line) and len(lead_of(line)) < width)
        return next(heads, "")

    def _of_version(self, at: int) -> Iterator[tuple[str, float]]:
        (gone, come), old, new = self._differing[at], self.old(at)[0].strip(), self.new(at)[0].strip()
        kind = "left out" if gone and not come else "added" if come and not gone else "replaced" if gone else "spaced"
        words = stems(" ".join((*gone, *come)))
        yield kind, 1.0
        yield f"{kind}, unspoken", float(not words & self._spoken)
        yield f"in {where(old, new)}", 1.0
        yield "unlike", 1 - self.likeness(at)
        yield "cut", float(old.startswith(new.rstrip(" .;{,")))
        subject = head(old).name
        yield "same subject", float(head(old) == head(new))
        yield "subject asked", share(stems(subject), self._asked_stems)
        yield "subject used", float(_is_name(subject) and self._counts[0][subject] > (subject in tokens(new)))
        yield "there before", float(self._had[new] > 0)
        for number, place in self._places.get(new, ()):
            lines = self._written[number]
            yield "top", float(place == 0)
            yield "end", float(place == len(lines) - 1)
            yield "above marker", float(place + 1 < len(lines) and lines[place + 1].kind == "marker")
            yield "below marker", float(place > 0 and lines[place - 1].kind == "marker")

    def _of_loss(self, at: int) -> Iterator[tuple[str, float]]:
        each = self.found[at]
        above = next((text.strip() for text in reversed(self.after[: each.after_start]) if text.strip()), "")
        below = next((text.strip() for text in self.after[each.after_end :] if text.strip()), "")
        places = set(self._places.get(below, ()))
        yield "in one piece", float(any((number, n + 1) in places for number, n in self._places.get(above, ())))


def _is_name(token: str) -> bool:
    return token.isidentifier() and len(token) > _SHORTEST
