"""In: cases with answers, and sketches by rules. Out: trees that tell what an answer replaces.

    python recipes/outdated.py OUT.json --paraphrases OTHER.json --cases CASES.jsonl... --sets MANIFEST.jsonl... \\
        [--halves]

Cases come from `redraft eval fetch SET`. Of the reader's first text, with the request and without, each stretch that
stays beside what the answer shows is an example: it goes where the text without it is nearer to what is right by all
its lines. Each half of the answers is read with trees of `recipes/paraphrases.py --halves` that have seen nothing of
its repositories: they lie beside OTHER.json. The cases of tests/conformance are examples, too. Prints how many
texts become right and wrong, each answer judged by trees that have seen none of its repository. `--halves` as there.
"""

from argparse import ArgumentParser
from collections import Counter
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from boosted import boosted, fitted, written
from logistic import Example
from paraphrases import MADE, first_text, half, made, with_unasked

from redraft.edit.merge.judge import outdated, paraphrases
from redraft.edit.merge.judge.outdated import without
from redraft.edit.merge.judge.remains import Remain
from redraft.edit.merge.judge.staying import Signs, Staying
from redraft.edit.text.changes import changed_lines, line_changes
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets import manifests

_ROUNDS = 500
_THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class Judged:
    """Whether a first text is right, and each stretch of it: its signs, and whether it is to go, and nothing else."""

    name: str
    is_right: bool
    stretches: tuple[tuple[Signs, bool, bool], ...]


def judged(case: Case) -> Judged | None:
    """The stretches of a case; None where the reader has no text."""
    first = first_text(case)
    if first is None:
        return None
    after, right = first.after, [*map(_written, first.right)]
    seen = Staying(first.before, after, first.answer, case.request.instruction, first.known).found()
    nearest = min(right, key=partial(_far, _written(after)))
    stretches = ((its, *_goes(after, each, nearest, right)) for each, its in seen)
    return Judged(case.id, _written(after) in right, tuple(stretches))


def _goes(after: tuple[str, ...], each: Remain, nearest: list[str], right: list[list[str]]) -> tuple[bool, bool]:
    """Whether a stretch is to go, and whether the text is right then."""
    text, gone, left = _written(after), _written(after[each.start : each.end]), _written(without(after, each))
    had, has = Counter(text), Counter(nearest)
    is_lost = all(had[line] > has[line] for line in gone)
    return is_lost and _far(left, nearest) == _far(text, nearest) - len(gone), left in right


def _far(lines: list[str], others: list[str]) -> int:
    return changed_lines(line_changes(lines, others))


def _written(lines: tuple[str, ...] | list[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]


def _with_trees(path: Path) -> None:
    paraphrases._TREES = path


def main(out: Path, paraphrased: Path, paths: list[Path], sets: list[Path], has_halves: bool) -> None:
    outdated._GOES = outdated.DOUBTED = 2.0  # nothing goes
    groups = {each.id: each.repository for path in sets for each in manifests.read(path)}
    cases = with_unasked(case for path in paths for case in read_cases(path))
    found: list[Judged] = []
    for number in (0, 1):
        with Pool(initializer=_with_trees, initargs=(paraphrased.with_stem(f"{paraphrased.stem}-{number}"),)) as pool:
            unseen = [case for case in cases if half(groups[case.id]) == number]
            found += [each for each in pool.map(judged, unseen, chunksize=4) if each]
    with Pool(initializer=_with_trees, initargs=(paraphrased,)) as pool:
        by_hand = [each for each in pool.map(judged, made(), chunksize=4) if each]
    fit(out, found, by_hand, groups, has_halves)


def fit(out: Path, found: list[Judged], by_hand: list[Judged], groups: dict[str, str], has_halves: bool) -> None:
    """Writes the trees, and prints what they do to texts that they have not seen."""
    stretches = [(each, stretch) for each in found for stretch in each.stretches]
    examples = [Example(signs, goes, groups[each.name]) for each, (signs, goes, _) in stretches]
    examples += [Example(signs, goes, each.name, MADE) for each in by_hand for signs, goes, _ in each.stretches]
    for without_half in (0, 1) if has_halves else ():
        others = [each for each in examples if half(each.group) != without_half]
        path = out.with_stem(f"{out.stem}-{without_half}")
        path.write_text(written(fitted(others, _ROUNDS)) + "\n", encoding="utf-8")
    best = boosted(examples, _ROUNDS)
    out.write_text(written(best.trees) + "\n", encoding="utf-8")
    print(f"{len(best.trees)} trees; of {len(stretches)} stretches {sum(goes for _, (_, goes, _) in stretches)} go")
    likeliest: dict[int, tuple[float, Judged, tuple[bool, bool]]] = {}
    for (each, (_, *its)), chance in zip(stretches, best.held, strict=False):
        if chance > likeliest.get(id(each), (0.0,))[0]:
            likeliest[id(each)] = (chance, each, (its[0], its[1]))
    for least in _THRESHOLDS:
        taken = [(each, its) for chance, each, its in likeliest.values() if chance >= least]
        counts = Counter(_outcome(each, *its) for each, its in taken)
        print(f"from {least}: {dict(sorted(counts.items()))}")


def _outcome(each: Judged, goes: bool, is_right: bool) -> str:
    return f"{'right' if each.is_right else 'wrong'} to {'right' if is_right else 'nearer' if goes else 'wrong'}"


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--paraphrases", type=Path, required=True)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--sets", type=Path, nargs="+", required=True)
    parser.add_argument("--halves", action="store_true")
    given = parser.parse_args()
    main(given.out, given.paraphrases, given.cases, given.sets, given.halves)
