"""In: a file before and after a commit. Out: the steps on the way, and what is to be predicted at each.

A step is a file with some of the commit's changes in it, the cursor where the last of them was made. The next one is
to be predicted, or nothing: where none is left, or none in the window.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.edit.text.changes import LineChange, line_changes
from redraft.next.predict import Situation, around
from redraft.next.sweep import Change

Kind = Literal["next", "inside", "quiet"]
_CONTEXT, _LAST = 2, 3  # lines around a change that its record shows, and changes that are recorded


@dataclass(frozen=True)
class Step:
    """`window` are the lines that are shown, from 0; `after` is what stands there next, the same where quiet."""

    kind: Kind
    now: Situation
    window: tuple[int, int]
    after: str

    @property
    def before(self) -> str:
        return "\n".join(self.now.lines[slice(*self.window)])


def steps(path: str, before: str, after: str, earlier: Sequence[Change] = (), seed: int = 0) -> Iterator[Step]:
    """One step with something to say and one without, as far as the commit has them; `earlier` are changes before."""
    old, new = before.split("\n"), after.split("\n")
    found, chance = line_changes(old, new), random.Random(f"{seed} {path} {len(before)} {len(after)}")
    if not found:
        return
    between = list(_next(path, old, new, found, earlier))
    speaking = between or list(_inside(path, old, new, found, earlier, chance))  # these are many more
    if speaking:
        yield chance.choice(speaking)
    yield chance.choice([*_quiet(path, old, new, found, earlier)])


def typed(path: str, before: str, after: str, seed: int = 0) -> Step | None:
    """A step within a change: what is to come stands behind the cursor alone."""
    old, new = before.split("\n"), after.split("\n")
    chance = random.Random(f"{seed} {path} {len(before)} {len(after)} typed")
    found = list(_inside(path, old, new, line_changes(old, new), (), chance))
    return chance.choice(found) if found else None


def _next(
    path: str, old: list[str], new: list[str], found: Sequence[LineChange], earlier: Sequence[Change]
) -> Iterator[Step]:
    """After each change but the last: the next one, where it lies in the window around it."""
    for count in range(1, len(found)):
        now, cursor = _partly(old, new, found[:count]), _end(found[count - 1])
        window = around(cursor, len(now))
        upcoming = _moved(found[count], found[:count])
        if window[0] <= upcoming.start and upcoming.end <= window[1]:
            changes = _told(path, old, new, found[:count], earlier)
            come = new[upcoming.after_start : upcoming.after_end]
            yield _step("next", path, now, cursor, changes, [*now[: upcoming.start], *come, *now[upcoming.end :]])


def _inside(
    path: str,
    old: list[str],
    new: list[str],
    found: Sequence[LineChange],
    earlier: Sequence[Change],
    chance: random.Random,
) -> Iterator[Step]:
    """Within a change of a few new lines: some of them are written, the last one maybe half; the rest is to come."""
    for count, change in enumerate(found):
        lines = change.after_end - change.after_start
        if not 1 <= lines <= 8:
            continue
        written, typed = chance.randint(1, lines), [*new]
        at = change.after_start + written - 1
        begin = len(new[at]) - len(new[at].lstrip())
        if begin + 1 < len(new[at]) and (written == lines or chance.random() < 0.5):
            typed[at] = new[at][: chance.randint(begin + 1, len(new[at]) - 1)]
        elif written == lines:
            continue
        begun = LineChange(change.start, change.end, change.after_start, at + 1)
        now, whole = _partly(old, typed, [*found[:count], begun]), _partly(old, new, found[: count + 1])
        changes = _told(path, old, typed, [*found[:count], begun], earlier)
        yield _step("inside", path, now, _end(begun), changes, whole)


def _quiet(
    path: str, old: list[str], new: list[str], found: Sequence[LineChange], earlier: Sequence[Change]
) -> Iterator[Step]:
    """Behind the last change, and behind those whose next one is out of sight."""
    for count in range(1, len(found) + 1):
        now, cursor = _partly(old, new, found[:count]), _end(found[count - 1])
        window = around(cursor, len(now))
        rest = [_moved(change, found[:count]) for change in found[count:]]
        if all(change.start >= window[1] for change in rest):
            yield _step("quiet", path, now, cursor, _told(path, old, new, found[:count], earlier), now)


def _step(kind: Kind, path: str, now: list[str], cursor: int, changes: tuple[Change, ...], after: list[str]) -> Step:
    start, end = around(cursor, len(now))
    text = "\n".join(after[start : len(after) - (len(now) - end)])
    line = min(cursor, len(now) - 1)
    return Step(kind, Situation("\n".join(now), line + 1, len(now[line]) + 1, path, changes), (start, end), text)


def _partly(old: list[str], new: list[str], done: Sequence[LineChange]) -> list[str]:
    """The old lines with some changes made."""
    lines, at = list[str](), 0
    for change in done:
        lines += [*old[at : change.start], *new[change.after_start : change.after_end]]
        at = change.end
    return lines + old[at:]


def _end(change: LineChange) -> int:
    """The last new line of a change, where all changes before it are made."""
    return max(change.after_start, change.after_end - 1)


def _moved(change: LineChange, done: Sequence[LineChange]) -> LineChange:
    """Where a change lies once those before it are made."""
    by = sum(each.after_end - each.after_start - (each.end - each.start) for each in done)
    return LineChange(change.start + by, change.end + by, change.after_start, change.after_end)


def _told(
    path: str, old: list[str], new: list[str], done: Sequence[LineChange], earlier: Sequence[Change]
) -> tuple[Change, ...]:
    """The last changes with a little context, each as the file was then: nothing of what comes later."""
    made = list[Change]()
    for count in range(max(0, len(done) - _LAST), len(done)):
        each, was, now = done[count], *(_partly(old, new, done[:made_then]) for made_then in (count, count + 1))
        gone = each.after_start + each.end - each.start
        made.append(Change(path, _around(was, each.after_start, gone), _around(now, each.after_start, each.after_end)))
    return (*earlier, *made)[-_LAST:]


def _around(lines: list[str], start: int, end: int) -> str:
    return "".join(f"{line}\n" for line in lines[max(0, start - _CONTEXT) : end + _CONTEXT])
