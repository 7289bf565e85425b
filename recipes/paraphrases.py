"""In: cases with answers, and sketches by rules. Out: trees that tell changes that are only paraphrased from edits.

    python recipes/paraphrases.py OUT.json --cases CASES.jsonl... --sets MANIFEST.jsonl... [--halves]

Cases come from `redraft eval fetch SET`. The reader's first text, with the request and without, is compared with the
file and the right one: a change that brings it nearer to what is right when it is taken back was only paraphrased. The
cases of tests/conformance, which were made to say what is meant, are examples, too, but none that is counted. Prints
how many texts become right and wrong, each answer judged by trees that have seen none of its repository. `--halves`
writes OUT-0.json and OUT-1.json, too, trees that have seen nothing of the repositories whose `half` is 0 and 1: with
these each half can be read as if nothing had been learned from it.
"""

import runpy
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path
from zlib import crc32

from boosted import boosted, fitted, written
from logistic import Example

from redraft.edit.answer.answer import Answer
from redraft.edit.merge import read as reading
from redraft.edit.merge.judge import outdated, paraphrases
from redraft.edit.merge.judge.paraphrases import taken_back
from redraft.edit.merge.judge.signs import Signs, signs
from redraft.edit.outline import outline
from redraft.edit.request import Request
from redraft.edit.text.changes import LineChange, changed_lines, line_changes
from redraft.edit.words import Known
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets import manifests

_ROUNDS = 600  # the judged changes are many, so more trees still help
_THRESHOLDS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
_CONFORMANCE = Path(__file__).parent.parent / "tests" / "test_conformance.py"
MADE = 4.0  # what one of these examples weighs


@dataclass(frozen=True)
class Judged:
    """What a reading makes of a file, the right files, and each change: its signs, and whether it is paraphrased."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    right: tuple[tuple[str, ...], ...]
    changes: tuple[tuple[LineChange, Signs, bool], ...]


@dataclass(frozen=True)
class FirstText:
    """The first text of a case, in lines, with what it was made of, and the right ones."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    right: tuple[tuple[str, ...], ...]
    answer: Answer
    known: Known


def first_text(case: Case) -> FirstText | None:
    """None where the reader has no text."""
    request = case.request
    original, update = request.original.replace("\r\n", "\n"), request.update.replace("\r\n", "\n")
    found = reading.read(original, update, request.path, request.instruction)
    if not found.candidates:
        return None
    before, after = lines_of(original), lines_of(found.candidates[0].text)
    right = tuple(lines_of(text.replace("\r\n", "\n")) for text in (case.expected, *case.accepted))
    known = reading.known_of(outline(before, request.path), request.path)
    return FirstText(before, after, right, found.answer, known)


def judged(case: Case) -> Judged | None:
    """The changes of a case; None where the reader has no text."""
    first = first_text(case)
    if first is None:
        return None
    before, after = first.before, first.after
    nearest = min(first.right, key=lambda text: changed_lines(line_changes(after, text)))
    far, changes = changed_lines(line_changes(after, nearest)), []
    for change, its in signs(before, after, first.answer, case.request.instruction, first.known):
        without = taken_back(before, after, [change])
        changes.append((change, its, changed_lines(line_changes(without, nearest)) < far))
    return Judged(case.id, before, after, first.right, tuple(changes))


def with_unasked(cases: Iterable[Case]) -> list[Case]:
    """Cases, and behind them those with a request without it."""
    found = [*cases]
    asked = (case for case in found if case.request.instruction)
    return found + [replace(case, request=replace(case.request, instruction="")) for case in asked]


def lines_of(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n"))


def main(out: Path, paths: list[Path], sets: list[Path], has_halves: bool) -> None:
    paraphrases._PARAPHRASED = paraphrases._PARAPHRASED_ALONE = paraphrases.DOUBTED = 2.0  # all stays
    outdated._GOES = outdated.DOUBTED = 2.0
    cases = with_unasked(case for path in paths for case in read_cases(path))
    with Pool() as pool:
        found = [each for each in pool.map(judged, cases, chunksize=4) if each]
        by_hand = [each for each in pool.map(judged, made(), chunksize=4) if each]
    groups = {each.id: each.repository for path in sets for each in manifests.read(path)}
    changes = [(number, *change) for number, each in enumerate(found) for change in each.changes]
    examples = [Example(its, is_paraphrased, groups[found[number].name]) for number, _, its, is_paraphrased in changes]
    examples += [Example(its, paraphrased, each.name, MADE) for each in by_hand for _, its, paraphrased in each.changes]
    for without in (0, 1) if has_halves else ():
        others = [each for each in examples if half(each.group) != without]
        out.with_stem(f"{out.stem}-{without}").write_text(written(fitted(others, _ROUNDS)) + "\n", encoding="utf-8")
    best = boosted(examples, _ROUNDS)
    out.write_text(written(best.trees) + "\n", encoding="utf-8")
    print(f"{len(best.trees)} trees; of {len(changes)} changes {sum(change[-1] for change in changes)} are paraphrased")
    held = defaultdict(list)
    for (number, change, *_), chance in zip(changes, best.held[: len(changes)], strict=True):
        held[number].append((change, chance))
    for least in _THRESHOLDS:
        print(f"above {least}: {dict(_taken(found, held, least))}")


def made() -> list[Case]:
    """The cases of tests/conformance that are to be applied."""
    found = runpy.run_path(str(_CONFORMANCE))["cases"]()
    return [
        Case(each.name, Request(each.original, each.update, path=each.path), each.expected, "", "")
        for each in found
        if each.status == "applied" and each.output is None
    ]


def half(repository: str) -> int:
    return crc32(repository.encode()) % 2


def _taken(found: list[Judged], held: dict[int, list[tuple[LineChange, float]]], least: float) -> Counter[str]:
    """How many texts become right, and no longer are, where what is likelier is taken back."""
    counts: Counter[str] = Counter()
    for number, each in enumerate(found):
        back = taken_back(each.before, each.after, [change for change, chance in held[number] if chance >= least])
        if back not in (each.after, each.before):
            counts[f"{each.after in each.right} to {back in each.right}"] += 1
    return counts


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--sets", type=Path, nargs="+", required=True)
    parser.add_argument("--halves", action="store_true")
    given = parser.parse_args()
    main(given.out, given.cases, given.sets, given.halves)
