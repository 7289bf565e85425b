"""In: a file's lines and a chat answer. Out: the sketch as the embedded model reads it, in the file's own spelling.

Blocks in pairs, before and after, are read as diffs. Nothing here says where a line goes, but for the hunks of a diff:
what they remove stands in the file, and so its neighbours are known.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from redraft.edit.align.spelling import Known
from redraft.edit.answer.answer import parse
from redraft.edit.answer.block import Line
from redraft.edit.merge.spelled import runs, spelled

CONTEXT = 3  # lines that a hunk of a diff is widened by, at most
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
    known, shown = spelled(original, parse(update, original, path).blocks)
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
