"""In: an edit and the lines that its sketch keeps. Out: the sketch in pieces, shown or elided, in order."""

from collections.abc import Set
from dataclasses import dataclass

from redraft.data.anchors import LEAST_ELIDED
from redraft.edit.text.changes import LineChange


@dataclass(frozen=True)
class Changed:
    """A file before and after, as lines, the hunks between them, and its path."""

    before: list[str]
    after: list[str]
    hunks: list[LineChange]
    path: str


@dataclass(frozen=True)
class Elided:
    """Lines `start:end` of the file before that the sketch leaves out."""

    start: int
    end: int


@dataclass(frozen=True)
class Shown:
    """Lines shown, from line `start` of the file before on, each with its sign as in a diff: " ", "-" or "+"."""

    start: int
    signed: tuple[tuple[str, str], ...]

    @property
    def lines(self) -> list[str]:
        """The lines as they are after the edit."""
        return [line for sign, line in self.signed if sign != "-"]


def pieces(edit: Changed, kept: Set[int]) -> list[Elided | Shown]:
    """Shown and elided stretches by turns; what is not kept is elided where that is worth a marker."""
    found: list[Elided | Shown] = []
    shown: list[tuple[str, str]] = []
    start = at = 0
    for hunk in [*edit.hunks, None]:
        end = hunk.start if hunk else len(edit.before)
        for run_start, run_end, keep in _stretches(kept, at, end):
            if keep:
                shown += [(" ", line) for line in edit.before[run_start:run_end]]
                continue
            found += [Shown(start, tuple(shown))] if shown else []
            found.append(Elided(run_start, run_end))
            start, shown = run_end, []
        if hunk:
            shown += [("-", line) for line in edit.before[hunk.start : hunk.end]]
            shown += [("+", line) for line in edit.after[hunk.after_start : hunk.after_end]]
            at = hunk.end
    return found + ([Shown(start, tuple(shown))] if shown else [])


def _stretches(kept: Set[int], start: int, end: int) -> list[tuple[int, int, bool]]:
    """`start:end` in maximal stretches of kept and of elided lines; a very short elided one is kept."""
    found: list[tuple[int, int, bool]] = []
    at = start
    while at < end:
        stop = next((n for n in range(at, end) if (n in kept) != (at in kept)), end)
        keep = at in kept or stop - at < LEAST_ELIDED
        if found and found[-1][2] and keep:
            found[-1] = (found[-1][0], stop, True)
        else:
            found.append((at, stop, keep))
        at = stop
    return found
