"""In: cases. Out: right outputs and damaged ones, as careless models damage them, and what the guards say about each.

Damage is done more than FAR lines away from what the edit changes: what lies near may be meant.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from redraft.edit.answer.parsed import parsed
from redraft.edit.guard.check import WRITTEN, check, check_read
from redraft.edit.text.changes import line_changes
from redraft.measure.cases import Case

FAR = 5
RIGHT = "right"
_IMPORT = re.compile(r"\s*(?:import|from|#\s*include|use|using|require)\b")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Damaged:
    """An output of a case and what was done to it."""

    case: Case
    kind: str
    output: str


@dataclass(frozen=True)
class Verdicts:
    """For one kind of output: how many there are, how many were refused, and some that were judged wrongly.

    `refused_read` are those that are refused of a model that reads answers itself, slips included.
    """

    kind: str
    count: int
    refused: int
    refused_read: int
    missed: tuple[str, ...]


def damaged(cases: Sequence[Case], count: int, seed: int = 0) -> Iterator[Damaged]:
    """So many damaged outputs, kinds and cases by turns; fewer where the cases are too small for it."""
    rng = Random(seed)
    if not cases:
        return
    order = rng.sample(cases, len(cases))
    turns = (_damage(case, kind, rng) for kind in cycle(KINDS) for case in [order[rng.randrange(len(order))]])
    yield from islice(filter(None, islice(turns, 20 * count)), count)


def judge(outputs: Iterable[Damaged]) -> list[Verdicts]:
    """What the guards say, by kind; right outputs are to be applied and all others to be refused."""
    found: dict[str, list[tuple[str, bool, bool]]] = {}
    for made in outputs:
        request = made.case.request
        answer = parsed(request.original, request.update, request.path)
        strict = check(request.original, request.update, made.output, path=request.path)
        read = check_read(request, answer, made.output)
        refused = strict.status not in WRITTEN, read.status not in WRITTEN
        found.setdefault(made.kind, []).append((made.case.id, *refused))
    return [
        Verdicts(
            kind,
            len(said),
            sum(refused for _, refused, _ in said),
            sum(refused for _, _, refused in said),
            tuple(name for name, refused, _ in said if refused == (kind == RIGHT))[:5],
        )
        for kind, said in found.items()
    ]


def right(cases: Iterable[Case]) -> Iterator[Damaged]:
    return (Damaged(case, RIGHT, case.expected) for case in cases)


def _damage(case: Case, kind: str, rng: Random) -> Damaged | None:
    """None where there is no line far from the edit that can be damaged so."""
    lines = case.expected.split("\n")
    changes = line_changes(case.request.original.split("\n"), lines)
    near = {number for c in changes for number in range(c.after_start - FAR, c.after_end + FAR)}
    far = [number for number, line in enumerate(lines) if line.strip() and number not in near]
    new = KINDS[kind](lines, far, max(near, default=0), rng) if far else None
    return Damaged(case, kind, "\n".join(new)) if new and new != lines else None


def _dropped(lines: list[str], far: list[int], last: int, rng: Random) -> list[str]:
    at = rng.choice(far)
    return lines[:at] + lines[at + 1 :]


def _changed(lines: list[str], far: list[int], last: int, rng: Random) -> list[str] | None:
    at = rng.choice(far)
    words = list(_WORD.finditer(lines[at]))
    if not words:
        return None
    word = rng.choice(words)
    return [*lines[:at], f"{lines[at][: word.end()]}_{lines[at][word.end() :]}", *lines[at + 1 :]]


def _doubled(lines: list[str], far: list[int], last: int, rng: Random) -> list[str]:
    at = rng.choice(far)
    return lines[: at + 1] + lines[at:]


def _moved(lines: list[str], far: list[int], last: int, rng: Random) -> list[str] | None:
    start, end = rng.choice(far), rng.choice(far)
    if abs(start - end) < FAR:
        return None
    rest = lines[:start] + lines[start + 1 :]
    return [*rest[:end], lines[start], *rest[end:]]


def _lost_import(lines: list[str], far: list[int], last: int, rng: Random) -> list[str] | None:
    imports = [number for number in far if _IMPORT.match(lines[number])]
    return _dropped(lines, imports, last, rng) if imports else None


def _cut(lines: list[str], far: list[int], last: int, rng: Random) -> list[str] | None:
    behind = [number for number in far if number > last]
    return [*lines[: rng.choice(behind)], ""] if behind else None


KINDS = {
    "a line dropped": _dropped,
    "a line changed": _changed,
    "a line doubled": _doubled,
    "a line moved": _moved,
    "an import lost": _lost_import,
    "the tail cut": _cut,
}
