"""In: a file's lines and a chat answer. Out: the sketch as the embedded model reads it, in the file's own spelling.

Blocks in pairs, before and after, are read as diffs. Nothing here says where a line goes, but for the hunks of a diff:
what they remove stands in the file, and so its neighbours are known.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, takewhile
from pathlib import PurePosixPath

from redraft.edit.align.spelling import Known, corrected, indented
from redraft.edit.sketch import Block, Line, blocks, path_comment

CONTEXT = 3  # lines that a hunk of a diff is widened by, at most
LONG_BLOCK = 2000  # lines, above which frequent ones are left aside when a pair of blocks is compared
_CUT = Line("", "marker")


@dataclass(frozen=True)
class SketchLine:
    """A line of the sketch as the model reads it, with its newline.

    A cut between two snippets is a marker without text; a line without text that is no marker is the file's end.
    `at_top`: the new file is known to begin with it.
    """

    text: str
    marker: bool
    at_top: bool = False


def read(original: Sequence[str], update: str, path: str = "") -> list[SketchLine]:
    """The lines of all blocks of an update, with a cut after each block; lines that a diff removes are left out.

    The lines of `original` have no newlines.
    """
    known, shown = spelled(original, update, path)
    cut = (run for block in shown for run in runs((*block.lines, _CUT)))
    lines: list[SketchLine] = []
    at_end = False
    for run in _joined(cut, known):
        if run[0].kind == "marker":
            text = run[0].text + "\n" * (run[0] != _CUT)
            lines.append(SketchLine("" if at_end else text, not at_end))
        else:
            found, at_top, at_end = _widened(run, known)
            if at_top := at_top and all(line.marker for line in lines):
                lines = []
            lines += [SketchLine(line.text + "\n", False, at_top and not n) for n, line in enumerate(found)]
    return lines


def spelled(original: Sequence[str], update: str, path: str = "") -> tuple[Known, tuple[Block, ...]]:
    """The blocks of an update in the file's own spelling, pairs of them as diffs, and what they are spelled by."""
    shown = [_without_title(block, original, path) for block in blocks(update, path)]
    known = Known(original, [line.text for block in shown for line in block.lines if line.kind != "marker"])
    found = (
        Block(tuple(line for run in runs(block.lines) for line in corrected(run, known)))
        for block in _without_pairs(shown, known)
    )
    return known, tuple(block for block in found if block.lines)


def _without_title(block: Block, lines: Sequence[str], path: str) -> Block:
    """Models like to open a block with the file's path in a comment."""
    first = block.lines[0].text
    title = path_comment(first)
    same = not path or PurePosixPath(title).name == PurePosixPath(path).name
    if title and same and first not in lines and len(block.lines) > 1:
        return Block(block.lines[1:], block.blanks)
    return block


def runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines between markers, and each marker alone."""
    for is_marker, run in groupby(lines, key=lambda line: line.kind == "marker"):
        if is_marker:
            yield from ([line] for line in run)
        else:
            yield list(run)


def _without_pairs(found: Sequence[Block], known: Known) -> Iterator[Block]:
    """Blocks that come in pairs, the first of each standing in the file as it is, become one diff a pair."""
    texts = [[line.text for line in block.lines] + [""] * block.blanks for block in found]
    plain = all(line.kind == "code" and not line.added for block in found for line in block.lines)
    pairs = list(zip(texts[::2], texts[1::2], strict=True)) if plain and len(texts) % 2 == 0 else []
    if not pairs or not all(_is_pair(before, after, known) for before, after in pairs):
        yield from found
        return
    for before, after in pairs:
        yield Block(tuple(_difference(before, after)))


def _is_pair(before: list[str], after: list[str], known: Known) -> bool:
    """Whether the first stands in the file and the second does not, unless as what is left of the first."""
    if not known.find(indented(before, known)):
        return False
    is_left = len(after) < len(before) and "\n".join(after) in "\n".join(before)
    return is_left or not known.find(indented(after, known))


def _difference(before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    matcher = SequenceMatcher(None, before, after, autojunk=len(after) > LONG_BLOCK)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from (Line(text, "code") for text in before[a:b])
        else:
            yield from (Line(text, "removed") for text in before[a:b])
            yield from (Line(text, "code", added=True) for text in after[c:d])


def _joined(found_runs: Iterable[list[Line]], known: Known) -> list[list[Line]]:
    """Hunks of diffs that stand close together become one: what widens the one may be what the other changes."""
    found: list[list[Line]] = []
    last: list[Line] = []
    end = None
    for run in filter(None, found_runs):
        if run[0].kind == "marker":
            found.append(run)
            continue
        start = _start(run, known)
        shared = 0 if start is None or end is None else max(0, end - start)
        context = takewhile(lambda line: line.kind == "code" and not line.added, run)
        if start is not None and end is not None and start <= end + 2 * CONTEXT and shared <= sum(1 for _ in context):
            while found[-1] is not last:
                found.pop()
            last += [Line(text, "code") for text in known.lines[end:start]] + run[shared:]
        else:
            found.append(last := run)
        end = None if start is None else start + _height(run)
    return found


def _start(run: Sequence[Line], known: Known) -> int | None:
    """Where a hunk of a diff stands, if that is one place."""
    if not any(line.added or line.kind == "removed" for line in run):
        return None
    places = known.find([line.text for line in run if not line.added])
    return places[0] if len(places) == 1 else None


def _height(run: Sequence[Line]) -> int:
    """How many lines of the file a hunk of a diff shows."""
    return sum(not line.added for line in run)


def _widened(run: Sequence[Line], known: Known) -> tuple[list[Line], bool, bool]:
    """Lines without those that a diff removes, and whether they are known to begin or to end the file.

    A hunk of a diff gets context up to a line that tells its place on both sides.
    """
    start = _start(run, known)
    kept = [line for line in run if line.kind != "removed"]
    if start is None:
        return kept, False, False
    end = start + _height(run)
    above = _context(known, run[0], range(start - 1, max(start - 1 - CONTEXT, -1), -1))
    below = _context(known, run[-1], range(end, min(end + CONTEXT, len(known.lines))))
    return [*above[::-1], *kept, *below], start == len(above), end + len(below) == len(known.lines)


def _context(known: Known, edge: Line, numbers: range) -> list[Line]:
    if not edge.added and edge.kind == "code" and known.tells(edge.text):
        return []
    texts = [known.lines[number] for number in numbers]
    until = next((count for count, text in enumerate(texts, 1) if known.tells(text)), CONTEXT)
    return [Line(text, "code") for text in texts[:until]]
