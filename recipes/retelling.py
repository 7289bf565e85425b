"""In: cases with answers that people wrote. Out: weights that tell lines that are only retold from edits.

    python recipes/retelling.py OUT.json CASES.jsonl...

Cases come from `redraft eval fetch SET`. The reader's first text is compared with the file and with the right one: a
small change that brings it nearer to what is right when it is taken back was only retold. Prints how many texts become
right and wrong, each answer judged by weights that have seen none of its repository.
"""

import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

from redraft.edit.answer.answer import parse
from redraft.edit.merge import read as reading
from redraft.edit.merge import retelling
from redraft.edit.merge.differences import Differences
from redraft.edit.merge.retelling import is_asked, retellable, stretches, taken_back
from redraft.edit.outline import outline
from redraft.edit.text.changes import LineChange, changed_lines, line_changes
from redraft.measure.accuracy.logistic import Example, fit
from redraft.measure.cases import Case, read_cases

_THRESHOLDS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True)
class Judged:
    """What a reading makes of a file, the right files, and each small change: its signs, and whether it is retold."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    right: tuple[tuple[str, ...], ...]
    changes: tuple[tuple[LineChange, dict[str, float], int], ...]
    tidy: bool | None


def judged(case: Case) -> Judged | None:
    """The small changes of a case; None where the reader has no text."""
    request = case.request
    original, update = request.original.replace("\r\n", "\n"), request.update.replace("\r\n", "\n")
    found = reading.read(original, update, request.path, request.instruction)
    if not found.candidates:
        return None
    before, after = _lines(original), _lines(found.candidates[0].text)
    right = tuple(_lines(text.replace("\r\n", "\n")) for text in (case.expected, *case.accepted))
    nearest = min(right, key=lambda text: changed_lines(line_changes(after, text)))
    known = reading.known_of(outline(before, request.path))
    answer = parse(update, before, request.path, known)
    changes: list[tuple[LineChange, dict[str, float], int]] = []
    if is_asked(before, answer, request.instruction):
        all_changes = stretches(before, after)
        seen = Differences(before, after, all_changes, answer, request.instruction, known)
        for at in retellable(seen, update):
            without = taken_back(before, after, [all_changes[at]])
            gain = changed_lines(line_changes(after, nearest)) - changed_lines(line_changes(without, nearest))
            changes.append((all_changes[at], seen.signs(at), gain))
    return Judged(case.id, before, after, right, tuple(changes), case.tidy)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n"))


def main(out: Path, paths: list[Path]) -> None:
    retelling._RETOLD = retelling._DOUBTED = 2.0  # nothing is taken back
    cases = [case for path in paths for case in read_cases(path)]
    with Pool() as pool:
        found = [each for each in pool.map(judged, cases, chunksize=4) if each]
    groups = _repositories(paths)
    changes = [(each, *change) for each in found for change in each.changes if change[2]]
    weights = {each.name: len(each.changes) ** -0.5 for each in found if each.changes}
    examples = [
        Example(signs, gain > 0, groups.get(each.name, each.name), weights[each.name])
        for each, _, signs, gain in changes
    ]
    best = fit(examples)
    out.write_text(json.dumps(dict(sorted(best.weights.items())), indent=1) + "\n", encoding="utf-8")
    right = sum(example.right for example in examples)
    print(
        f"{len(best.weights)} weights of strength {best.strength} from {right} retold and {len(examples) - right} edits"
    )
    held = defaultdict(list)
    for (each, change, *_), chance in zip(changes, best.held, strict=True):
        held[each.name].append((change, chance))
    for least in _THRESHOLDS:
        mended, spoilt = _taken(found, held, least)
        print(f"above {least}: mended {len(mended)} {mended}, spoilt {len(spoilt)} {spoilt}")


def _repositories(paths: list[Path]) -> dict[str, str]:
    rows = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return {str(row["id"]): row.get("repository") or row.get("path", "") for row in rows}


def _taken(
    found: list[Judged], held: dict[str, list[tuple[LineChange, float]]], least: float
) -> tuple[list[str], list[str]]:
    """The cases whose text becomes right, and no longer is, where what is likelier is taken back."""
    mended: list[str] = []
    spoilt: list[str] = []
    for each in found:
        back = taken_back(each.before, each.after, [change for change, chance in held[each.name] if chance >= least])
        if back in (each.after, each.before) or (each.after in each.right) == (back in each.right):
            continue
        (mended if back in each.right else spoilt).append(each.name)
    return mended, spoilt


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(path) for path in sys.argv[2:]])
