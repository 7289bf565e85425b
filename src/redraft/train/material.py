"""In: samples, and pairs of a right and a wrong file. Out: what a network is trained on: ids, and where loss is."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from math import exp, log
from pathlib import Path
from random import Random
from typing import TypeVar

from redraft.data.lessons import Lesson
from redraft.data.samples import Sample
from redraft.edit.prompts.prompt import Part
from redraft.edit.prompts.template import Template
from redraft.edit.request import Request
from redraft.edit.text.window import Window, near_changes, near_update, window
from redraft.engines.tokens import Tokens
from redraft.errors import RedraftError

T = TypeVar("T")

BEFORE, AFTER = 4, 8  # ids around a change that count as near it
BEHIND = 12  # ids of a wrong text that are read behind the last difference
_FOLLOWED = 4  # ids in a row that are the same are no accident
_TURN, _TURN_WEIGHT = 3, 3.0  # ids at a turn that decide it, and how much more than others they are learned
_TRIES = 200  # draws in a row of which none fits, before it is taken that none does
_MARGINS = (1, 8)  # lines around an edit, drawn evenly on a scale of ratios


@dataclass(frozen=True)
class Material:
    """A prompt and its output in ids, the output from `start` on; `learned` are the places whose next id is learned,
    each with its weight.

    Of a pair the ids from `length` on are the wrong output from its first difference on: they follow the id at
    `shared - 1` and see nothing between `shared` and `length`. `right` and `wrong` are the places before the ids in
    which the two differ, `wrong_ids` are these ids of the wrong one.
    """

    ids: tuple[int, ...]
    start: int
    near: tuple[bool, ...]
    learned: tuple[int, ...]
    weights: tuple[float, ...]
    size: int
    length: int
    shared: int = 0
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    wrong_ids: tuple[int, ...] = ()

    @property
    def places(self) -> list[int]:
        """The position of each id in its text."""
        return [*range(self.length), *range(self.shared, self.shared + len(self.ids) - self.length)]


@dataclass(frozen=True)
class Maker:
    """Makes material; `others` is the share of ids far from changes and turns that carry loss.

    `whole` is the share of samples that may take `longest` ids, where the file as a whole is tried first; the others
    have to fit into `short`, which holds several times more places where something is decided.
    """

    tokens: Tokens
    template: Template
    longest: int
    short: int = 600
    others: float = 0.5
    whole: float = 0.05

    def of_sample(self, sample: Sample, rng: Random) -> Material | None:
        """At the widest of a few windows that fits, None where none does."""
        request, limit = Request(sample.before, sample.update, sample.instruction, sample.path), self._limit(rng)
        fitting = (
            self._material(replace(request, original=shown.text), str(shown.cut(sample.after)), limit, rng)
            for shown in self._windows(request, (sample.after,), limit, rng)
        )
        return next(filter(None, fitting), None)

    def of_lesson(self, lesson: Lesson, rng: Random) -> Material | None:
        """The same for a pair; None also where the two differ in nothing that the model reads."""
        request, limit = Request(lesson.original, lesson.update, lesson.instruction, lesson.path), self._limit(rng)
        for shown in self._windows(request, (lesson.right, lesson.wrong), limit, rng):
            right, wrong = (str(shown.cut(text)) for text in (lesson.right, lesson.wrong))
            made = self._material(replace(request, original=shown.text), right, limit, rng)
            if made and (pair := self._pair(made, right, wrong)):
                return pair
        return None

    def _limit(self, rng: Random) -> int:
        return self.longest if rng.random() < self.whole else min(self.short, self.longest)

    def _windows(self, request: Request, versions: Sequence[str], limit: int, rng: Random) -> Iterator[Window]:
        near = near_update(request.original, request.update) | near_changes(request.original, versions)
        if limit > self.short:
            yield window(request.original, (), 0)
        margin = round(exp(rng.uniform(*map(log, _MARGINS))))
        yield from (window(request.original, near, lines) for lines in (margin, min(margin, 6), 3, 1))

    def _material(self, request: Request, after: str, limit: int, rng: Random) -> Material | None:
        prompt, output = self._ids(request, after)
        if len(prompt) + len(output) > limit:
            return None
        before = self._ids(request, request.original)[1]
        near = near_changed(before, output)
        turns = turning((before, self.tokens.encode([Part(request.update)])), output)
        chosen = [at for at, is_near in enumerate(near) if is_near or at in turns or rng.random() < self.others]
        return Material(
            ids=(*prompt, *output),
            start=len(prompt),
            near=near,
            learned=tuple(len(prompt) - 1 + at for at in chosen),
            weights=tuple(_TURN_WEIGHT if at in turns else 1.0 for at in chosen),
            size=len(after.encode()),
            length=len(prompt) + len(output),
        )

    def _ids(self, request: Request, after: str) -> tuple[list[int], list[int]]:
        """A template spells a prediction as the model would write it: that of the right file is the output."""
        prompt = self.template.prompt(request, after)
        return self.tokens.open(prompt.parts, prompt.messages), self.tokens.encode(prompt.sources[0].parts)

    def _pair(self, made: Material, right: str, wrong: str) -> Material | None:
        output = list(made.ids[made.start :])
        other = self._ids(Request("", update="-"), wrong)[1]
        mine, theirs = differing(output, other)
        if not theirs:
            return None
        shared = made.start + _common(output, other)
        rest = other[shared - made.start : min(len(other), theirs[-1] + BEHIND)]
        wrong_places = [made.start + at - 1 for at in theirs]
        moved = [at if at < shared else at - shared + len(made.ids) for at in wrong_places]
        return replace(
            made,
            ids=(*made.ids, *rest),
            shared=shared,
            right=tuple(made.start + at - 1 for at in mine),
            wrong=tuple(moved),
            wrong_ids=tuple(other[at] for at in theirs),
        )


def near_changed(before: Sequence[int], after: Sequence[int]) -> tuple[bool, ...]:
    """For each id after an edit whether it is near a place where it differs from before."""
    near = [False] * len(after)
    for _, _, start, end in _differences(before, after):
        for at in range(max(0, start - BEFORE), min(len(after), end + AFTER)):
            near[at] = True
    return tuple(near)


def turning(texts: Iterable[Sequence[int]], after: Sequence[int]) -> set[int]:
    """The places of an output at which it begins to follow one of the texts, or ceases to, and a few behind them.

    There it is decided where to go on; all that follows is copied.
    """
    turns = set[int]()
    for text in texts:
        for block in SequenceMatcher(None, text, after, autojunk=False).get_matching_blocks():
            if block.size >= _FOLLOWED:
                turns |= {turn + at for turn in (block.b, block.b + block.size) for at in range(_TURN)}
    return {at for at in turns if at < len(after)}


def differing(one: Sequence[int], other: Sequence[int]) -> tuple[list[int], list[int]]:
    """The places in each where the two differ, and a few behind them."""
    found = _differences(one, other)
    mine = {at for start, end, _, _ in found for at in range(start, min(len(one), end + AFTER))}
    theirs = {at for _, _, start, end in found for at in range(start, min(len(other), end + AFTER))}
    return sorted(mine), sorted(theirs)


def _differences(one: Sequence[int], other: Sequence[int]) -> list[tuple[int, int, int, int]]:
    head = _common(one, other)
    tail = min(_common(one[::-1], other[::-1]), min(len(one), len(other)) - head)
    matcher = SequenceMatcher(None, one[head : len(one) - tail], other[head : len(other) - tail], autojunk=False)
    codes = matcher.get_opcodes()
    return [(head + a, head + b, head + c, head + d) for tag, a, b, c, d in codes if tag != "equal"]


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def usable(samples: Iterable[Sample]) -> list[Sample]:
    """Those that are to be applied; what is to be refused has no output."""
    return [sample for sample in samples if sample.expect == "applied"]


def drawing(known: Sequence[T], make: Callable[[T, Random], Material | None]) -> Callable[[Random], Material]:
    """Draws one of what is known and makes it anew each time; raises RedraftError where nothing fits."""

    def drawn(rng: Random) -> Material:
        found = (make(rng.choice(known), rng) for _ in range(_TRIES if known else 0))
        if (made := next(filter(None, found), None)) is None:
            raise RedraftError("none of the samples fits: allow more tokens (--longest)")
        return made

    return drawn


def read_lessons(path: Path) -> list[Lesson]:
    """The pairs of a JSON-lines file; raises RedraftError where it cannot be read or lacks a text."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        known = dict.fromkeys(Lesson.__dataclass_fields__, "")
        return [Lesson(**{name: str(line.get(name, known[name])) for name in known}) for line in lines]
    except (OSError, ValueError, AttributeError) as error:
        raise RedraftError(f"cannot read the pairs of {path}: {error}") from error
