"""In: the lines of a block and the file. Out: the lines broken where the file breaks them, where only that differs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from msgspec.structs import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.merge.lines.tokens import unwrapped
from redraft.edit.text.lines import lead_of, written

_LEAST = 4  # tokens that tell which lines are meant
_BEGUN = 3  # tokens by which lines are looked up
_MOST_LINES, _MOST_PLACES = 12, 20


def wrapped(blocks: Sequence[Block], lines: Sequence[str], takes: bool) -> list[Block]:
    """The blocks with lines that are wrapped or joined otherwise as the file has them.

    `takes`: notes in the blocks say that something is gone, so that breaks are not all that may change.
    """
    shown = [_stripped(block.texts) for block in blocks]
    others = [[text for other in shown if other is not own for text in (*other, "")] for own in shown]
    return [_Wrapping(lines, elsewhere, takes).block(block) for block, elsewhere in zip(blocks, others, strict=True)]


class _Wrapping:
    """The lines of a file, looked up by what they say whatever their breaks; `shown` are lines of other blocks.

    Who shows lines in both ways, or nothing but lines of the file, means their breaks.
    """

    def __init__(self, lines: Sequence[str], shown: Sequence[str], takes: bool) -> None:
        self._lines, self._shown, self._takes = lines, shown, takes
        self._written = _stripped(lines)

    def block(self, block: Block) -> Block:
        found = tuple(self._rewrapped(block.lines))
        if found == block.lines:
            return block
        runs = groupby((line for line in found if line.text.strip()), key=lambda line: line.kind == "marker")
        is_known = not self._takes and all(is_marker or _stand(_texts(run), self._written) for is_marker, run in runs)
        is_paraphrased = block.explicit or not (set(_stripped(block.texts)) - self._texts).isdisjoint(self._shown)
        if not is_known or is_paraphrased:
            return replace(block, lines=found)
        return block if self._shown or block.has_markers else self._broken(block, found)

    def _broken(self, block: Block, found: Sequence[Line]) -> Block:
        """The block as a diff: its lines instead of the one stretch of the file that says the same."""
        own = _texts(found)
        is_one = sum(self._written[at : at + len(own)] == own for at in range(len(self._written))) == 1
        come = tuple(replace(line, added=True) for line in block.lines)
        gone = tuple(replace(line, kind="removed") for line in found)
        return replace(block, lines=(*gone, *come)) if is_one else block

    def _rewrapped(self, lines: Sequence[Line]) -> Iterator[Line]:
        at = 0
        while at < len(lines):
            end, texts = self._rewrapping(lines, at)
            yield from (replace(lines[at], text=text) for text in texts)
            if not texts:
                yield lines[at]
            at = max(end, at + 1)

    def _rewrapping(self, lines: Sequence[Line], at: int) -> tuple[int, tuple[str, ...]]:
        """Where lines end that say what lines of the file say in other breaks, and those; none where there are none."""
        if lines[at].kind == "marker" or lines[at].added or lines[at].text.strip() in self._texts:
            return at, ()
        shown = [
            line.text if line.kind == lines[at].kind and not line.added else "" for line in lines[at:][:_MOST_LINES]
        ]
        begun = tuple(unwrapped(shown[:_BEGUN])[:_BEGUN])
        found = {pair for place in self._places.get(begun, ())[:_MOST_PLACES] if (pair := self._same(shown, place))}
        if len(found) != 1:
            return at, ()
        (count, texts), *_ = found
        if _stand(_stripped(texts), self._shown):
            return at, ()
        old, new = lead_of(texts[0]), lead_of(shown[0])
        return at + count, tuple(new + text.removeprefix(old) for text in texts)

    def _same(self, shown: Sequence[str], place: int) -> tuple[int, tuple[str, ...]] | None:
        """How many of the lines say what lines of the file from a place on say, and these."""
        old = self._lines[place : place + _MOST_LINES]
        m = n = 1
        while m <= len(shown) and n <= len(old) and shown[m - 1].strip() and old[n - 1].strip():
            mine, yours = unwrapped(shown[:m]), unwrapped(old[:n])
            least = min(len(mine), len(yours))
            if mine == yours and (m, n) != (1, 1):
                return (m, tuple(old[:n])) if least >= _LEAST else None
            if mine[:least] != yours[:least] or mine == yours:
                return None
            m, n = (m + 1, n) if len(mine) < len(yours) else (m, n + 1)
        return None

    @cached_property
    def _texts(self) -> frozenset[str]:
        return frozenset(map(str.strip, self._lines))

    @cached_property
    def _places(self) -> dict[tuple[str, ...], list[int]]:
        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for at in range(len(self._lines)):
            places[tuple(unwrapped(self._lines[at : at + _BEGUN])[:_BEGUN])].append(at)
        return places


def _stand(run: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether a run of lines is among others as it is."""
    return "\n".join(("", *run, "")) in "\n".join(("", *lines, ""))


def _texts(lines: Iterable[Line]) -> list[str]:
    return _stripped(line.text for line in lines)


def _stripped(lines: Iterable[str]) -> list[str]:
    """The written lines, stripped."""
    return [*map(str.strip, written(lines))]
