"""In: a file, an update and an output. Out: what of the output's changes the update accounts for, and what not."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, product, zip_longest

from msgspec import Struct

from redraft.edit.align.likeness import without_comment
from redraft.edit.answer.block import Block, Line
from redraft.edit.guard.fit import Fit, Run, Stray, Stretch, spelling
from redraft.edit.text.lines import is_telling

_STUB = "..."  # a marker, or the body of a stub: both may be meant
_CHOICES = 100  # places of a run that are looked at

_Spans = Sequence[tuple[int, int]]


class Evidence(Struct, frozen=True):
    """What speaks against an output.

    `broken`: neighbouring lines of the update that are no neighbours in the output. `unexplained`: written lines of the
    file that are gone beside a run, outside of its first and its last line. `strays`: changes away from all runs, the
    first ones. `repeated`: lines that the file has once, and the output more often than the update. `apart`: how many
    runs stand nowhere in one piece.
    """

    broken: tuple[tuple[str, str], ...]
    unexplained: tuple[Stray, ...]
    strays: tuple[Stray, ...]
    repeated: int
    apart: int = 0

    @property
    def is_clean(self) -> bool:
        return not (self.broken or self.unexplained or self.strays)


class Account:
    """What an update says about a file; `judge` holds an output against it.

    `before` is the file as it was before other blocks of the update changed it.
    """

    def __init__(self, lines: Sequence[str], shown: Sequence[Block], before: Sequence[str] = ()) -> None:
        self._file = _Text(lines)
        self._had = Counter(lines) | Counter(before)
        self._runs = [run for block in shown for run in _runs(block.lines)]
        self._kept = self._without([run for run in self._runs if not run.new])
        self._shown = frozenset(spelling(text) for run in self._runs for text in run.new)
        self._has_stub = any(line.text.strip() == _STUB for block in shown for line in block.lines)

    def judge(self, output: str) -> Evidence:
        return self.judge_lines(output.split("\n"))

    def judge_lines(self, lines: Sequence[str]) -> Evidence:
        if self._has_stub:
            lines = [line for line in lines if line.strip() != _STUB or line in self._file.lines]
        text = _Text(lines)
        spans = [self._spans(run, text) for run in self._runs]
        changes = Fit(self._kept, lines, list(self._stretches(lines, spans)), self._shown).changes()
        apart = sum(bool(run.new) and not found for run, found in zip(self._runs, spans, strict=True))
        return Evidence(self._broken(text), *changes, self._repeated(lines), apart)

    def _broken(self, text: "_Text") -> tuple[tuple[str, str], ...]:
        spelled = [_spellings(text.lines[number]) for number in text.written]
        there = {pair for above, below in pairwise(spelled) for pair in product(above, below)}
        lost = [pair for run in self._runs for pair in pairwise(run.new) if tuple(map(spelling, pair)) not in there]
        alone = (run.new[0] for run in self._runs if len(run.new) == 1)
        return (*lost, *((line, line) for line in alone if spelling(line) not in text.places))

    def _repeated(self, lines: Sequence[str]) -> int:
        shown = Counter(text for run in self._runs for text in run.new)
        return sum(
            max(0, n - max(1, shown[x])) for x, n in Counter(lines).items() if self._had[x] == 1 and is_telling(x)
        )

    def _without(self, gone: Sequence[Run]) -> list[str]:
        """The file without what the update takes out and shows nothing beside."""
        taken: set[int] = set()
        for run in gone:
            found = self._file.standing(run.old)
            if len(found) == 1:
                taken.update(range(*found[0]))
        return [line for number, line in enumerate(self._file.lines) if number not in taken]

    def _stretches(self, lines: Sequence[str], spans: Sequence[_Spans]) -> Iterator[Stretch]:
        """What lies between the runs, from the first line of the output to its last."""
        at, before = 0, None
        for start, end, number in sorted((*span, number) for number, found in enumerate(spans) for span in found):
            if start >= at:
                yield Stretch(at, start, before)
                before = self._runs[number]
                at = end
            elif end > at:
                before, at = self._runs[number], end
        yield Stretch(at, len(lines), before)

    def _spans(self, run: Run, text: "_Text") -> _Spans:
        """Where a run stands in the output: as often as in the file, or in the update; more is left to be a stray."""
        found = text.standing(run.new)
        if len(found) < 2 or not any(map(is_telling, run.new)):
            return found
        return found[: max(len(self._file.standing(run.new)), self._runs.count(run))]


def _runs(lines: Sequence[Line]) -> Iterator[Run]:
    groups = [(marker, list(group)) for marker, group in groupby(lines, key=lambda line: line.kind == "marker")]
    for (is_marker, group), more in zip_longest(groups, groups[1:]):
        written = [line for line in group if line.text.strip() and not is_marker]
        if written:
            new = tuple(line.text for line in written if line.kind != "removed")
            yield Run(new, tuple(line.text for line in written if not line.added), more is not None)


class _Text:
    """Lines, the places of those that are written, and where each spelling stands among these."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.written = [number for number, line in enumerate(lines) if line.strip()]
        self.places: dict[str, list[int]] = defaultdict(list)
        for at, number in enumerate(self.written):
            for text in _spellings(lines[number]):
                self.places[text].append(at)

    def standing(self, run: Sequence[str]) -> _Spans:
        """Where the lines of a run stand one after the other, blank lines aside: from the first to behind the last."""
        keys = [spelling(text) for text in run]
        starts = self.places.get(keys[0], ())[:_CHOICES] if keys else ()
        stretches = (self.written[start : start + len(keys)] for start in starts)
        return [(numbers[0], numbers[-1] + 1) for numbers in stretches if self._is_spelled(numbers, keys)]

    def _is_spelled(self, numbers: Sequence[int], keys: Sequence[str]) -> bool:
        same = (key in _spellings(self.lines[number]) for number, key in zip(numbers, keys, strict=False))
        return len(numbers) == len(keys) and all(same)


@lru_cache(maxsize=65536)
def _spellings(line: str) -> frozenset[str]:
    """How a sketch may spell a written line that is kept as it is."""
    return frozenset((spelling(line), spelling(without_comment(line))))
