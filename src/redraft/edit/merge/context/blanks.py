"""In: a file before and after one block of an answer. Out: the new lines, with blank lines that were only paraphrased
as in the file.

Who shows lines to change them loses the blank lines around: those above and below what is replaced or taken out stay.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from redraft.edit.answer.block import Block
from redraft.edit.merge.lines.versions import versions
from redraft.edit.merge.lines.written import depth, written_places
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import written

_OPEN = ("{", "(", "[", ":", "do", "then", "=>", "->")
_CLOSED = ("}", ")", "]", "end", "fi", "done", "</")
_LEAST = 2  # blank lines kept between the same two lines that tell that others are meant, too


@lru_cache(maxsize=64)
def with_blanks_of(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """The new lines, with the file's blank lines between written ones, or versions of them, that follow each other in
    both, and no fewer than the file has around what is replaced or gone."""
    old, new = written_places(before), written_places(after)
    kept: dict[int, int] = {-1: -1, len(after): len(before)}
    least: dict[int, Sequence[str]] = {}
    a = b = 0
    ends = LineChange(len(old), len(old), len(new), len(new))
    lines, shown = written(before), written(after)
    for change in (*line_changes(lines, shown), ends):
        kept |= zip(new[b : change.after_start], old[a : change.start], strict=True)
        a, b = change.end, change.after_end
        pairs = versions(lines[change.start : a], shown[change.after_start : b])
        kept |= {new[change.after_start + n]: old[change.start + m] for m, n in pairs}
        least |= _around(before, old, change, new)
    follows = dict(pairwise((-1, *old, len(before))))
    out: list[str] = []
    for top, end in pairwise((-1, *new, len(after))):
        is_kept = top in kept and end in kept and follows[kept[top]] == kept[end]
        gap = before[kept[top] + 1 : kept[end]] if is_kept else after[top + 1 : end]
        lost = least.get(end, ())
        out += lost if len(lost) > len(gap) else gap
        out += after[end : end + 1]
    return tuple(out)


def _around(
    before: Sequence[str], old: Sequence[int], change: LineChange, new: Sequence[int]
) -> Iterator[tuple[int, Sequence[str]]]:
    """The blank lines of the file above and below a change that takes lines away, by the new line below them."""
    if change.start == change.end or not change.start or change.end == len(old) or change.after_end == len(new):
        return
    above, below = (before[old[at - 1] + 1 : old[at]] for at in (change.start, change.end))
    count, gone = change.after_end - change.after_start, change.end - change.start
    first, end = new[change.after_start], new[change.after_end]
    top, last = new[change.after_start - 1], new[change.after_end - 1]
    if not count:
        if end - top == 1 and not _ends_above(before, old, change):
            yield end, max(below, above, key=len)
        return
    # As many may be shown elsewhere.
    is_less = end - top - count < old[change.end] - old[change.start - 1] - gone
    if is_less or first - top > 1:
        yield first, above
    if is_less or end - last > 1:
        yield end, below


def _ends_above(before: Sequence[str], old: Sequence[int], change: LineChange) -> bool:
    """Whether lines that go part what stays no more: they stand at an end of it, or outside of it."""
    above, below = before[old[change.start - 1]], before[old[change.end]]
    is_outside = min(depth(before[at]) for at in old[change.start : change.end]) < depth(below)
    return is_outside or _opens(above) or below.lstrip().startswith(_CLOSED)


def _opens(text: str) -> bool:
    bare = text.rstrip()
    is_tag = bare.endswith(">") and not bare.endswith(("/>", "->")) and "</" not in bare
    return is_tag or bare.endswith(_OPEN)


def keeps_blanks(blocks: Sequence[Block], file: Sequence[str]) -> bool:
    """Whether blocks have the file's blank lines wherever they show lines that follow each other there."""
    if file and not file[-1].strip():  # what nobody shows
        return False
    gaps = dict(_gaps(file))
    shown = chain.from_iterable(_gaps(block.texts) for block in blocks)
    found = [(gaps[pair], gap) for pair, gap in shown if pair in gaps]
    return all(had == has for had, has in found) and sum(had > 0 for had, _ in found) >= _LEAST


def _gaps(lines: Sequence[str]) -> list[tuple[tuple[str, str], int]]:
    """Neighbouring written lines, stripped, and how many blank lines are between them."""
    pairs = pairwise(written_places(lines))
    return [((lines[over].strip(), lines[under].strip()), under - over - 1) for over, under in pairs]
