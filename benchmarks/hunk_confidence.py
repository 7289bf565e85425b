"""In: a set's name, or a file of cases. Out: how near the confidence of hunks is to how often a hunk is right.

    python benchmarks/hunk_confidence.py SET|CASES.jsonl

A hunk is right if the expected file has the same change. `share` is how much of the doubt about the file leaves a hunk
that all other candidates of the reader have, too: 0 gives each hunk the confidence of its file. The Brier score is the
mean squared distance from 1 for right and 0 for wrong hunks: less is better.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from redraft.apply import load
from redraft.changes import hunks
from redraft.changes.change import lines_of
from redraft.edit.evidence import Evidence
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets.named import read_set

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def judged(cases: list[Case], share: float) -> Iterator[tuple[float, bool]]:
    """The confidence of each hunk, also of what is refused in doubt, and whether it is right."""
    hunks._SHARED = share
    editor = load(readers="merge")
    for case in cases:
        original = case.request.original.replace("\r\n", "\n")
        result = editor.answer(replace(case.request, original=original))
        if result.output is None or not result.weighed:
            continue
        wanted = made(original, replace(result, output=case.expected.replace("\r\n", "\n"), weighed=()))
        sure = replace(result, confidence=Evidence(**result.features).confidence)
        for change, hunk in zip(made(original, sure), hunks.hunks(original, sure), strict=True):
            yield hunk.confidence, change in wanted


def made(original: str, result: hunks.Result) -> list[tuple[int, int, tuple[str, ...]]]:
    new = lines_of(result.output or "")
    found = hunks.hunks(original, result)
    return [(each.start, each.end, tuple(new[each.after_start : each.after_end])) for each in found]


def main(name: str) -> None:
    cases = read_cases(Path(name)) if name.endswith(".jsonl") else read_set(name).cases
    for share in SHARES:
        found = list(judged(list(cases), share))
        brier = sum((confidence - is_right) ** 2 for confidence, is_right in found) / len(found)
        right = sum(is_right for _, is_right in found) / len(found)
        said = sum(confidence for confidence, _ in found) / len(found)
        print(f"share {share:.2f}: {len(found)} hunks, {right:.1%} right, {said:.1%} said, Brier {brier:.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
