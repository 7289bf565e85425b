"""In: small cases, git clones. Out: weights that tell sentences which bid what no code shows from those that explain.

    pip install scikit-learn
    python recipes/unheard.py src/redraft/edit/guard/unheard.json CASES... [--clones DIR] [--whole SET...] [--tried]

Each text that a reader makes of an answer, words left unheard, is right, or lacks what only words tell, or is neither
and teaches nothing. From an answer with several blocks whose right file is known one block is taken out, so that the
sentence above it bids what no code shows. With clones the answers of their repositories that may be learned from count,
each half. Of `--whole`, sets of larger files by name or as `redraft eval fetch` writes them, only right texts count:
their answers show all that they change. `--tried` fits six times without a sixth of the writers, whom the first letters
of an id name, and says of several bounds what they would lose and catch.
"""

import json
import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy
from longer import longer
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from redraft.by_format import behind
from redraft.edit.answer.answer import Answer, Block
from redraft.edit.guard import unheard
from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes, split_lines
from redraft.errors import RedraftError
from redraft.measure.cases import read_cases
from redraft.measure.score.small import Small, read_small
from redraft.measure.sets.named import read_set
from redraft.reading import merged, read_request, weighed
from redraft.writing import as_read

STRENGTH, TEXTS, ROUNDS = 0.1, 4, 6
LESS, WHOLE = 0.3, 0.5  # what an answer without one of its blocks counts, and one about a larger file
LEAST = {"small": 0.4, "large": 0.6}  # in large files hardly any sentence bids what no block shows
OTHERS = 0.15  # what a sentence weighs beside the likeliest one of a text that lacks something
SMALLEST = 0.05  # weights below it are left out
FOLDS = 6
BLOCK = re.compile(r"(?ms)^[ \t]*```[^\n]*\n.*?^[ \t]*```[ \t]*\n?")
OF_A_BLOCK = re.compile(r"(?i)\b(?:this|these|the following|here)\b|\b(?:below|so|before|after|like)\W*$")


@dataclass(frozen=True)
class Heard:
    """The signs of each sentence of an answer beside a text; `lacks`: whether one of them bids what that has not."""

    writer: str
    sentences: tuple[frozenset[str], ...]
    lacks: bool
    weight: float
    is_written: bool


def heard(case: Small) -> Iterator[Heard]:
    """What the readers make of a case."""
    yield from _of(case, 1.0)
    for less in _less(case):
        yield from (one for one in _of(less, LESS) if one.lacks)


def _of(case: Small, weight: float) -> Iterator[Heard]:
    request = as_read(Request(case.original, case.update, "", case.path))[1]
    try:
        found, answer = merged(request), read_request(request).answer
    except RedraftError:
        return
    if found.decided_by == "format" and not answer.blocks:
        answer = Answer((Block.plain(found.output or ""),), behind(request.update))
    texts = [] if found.decided_by == "format" else [each.text for each in weighed(request)[0].candidates[:1]]
    for text in dict.fromkeys((found.output, *texts)):
        lacks = text is not None and text not in case.right and _lacks(request.original, text, answer, case.right)
        if text in (None, request.original) or not (lacks or text in case.right) or not answer.prose.strip():
            continue
        sentences = tuple(each for _, each in unheard.signs(answer, request.original, text))
        is_written = found.status == "applied" and text == found.output
        yield Heard(re.split(r"[\d-]", case.id)[0], sentences, lacks, weight, is_written)


def _lacks(original: str, text: str, answer: Answer, right: Iterable[str]) -> bool:
    """Whether a text does a part of what a right one does, and no block shows the rest."""
    shown = {line.text.strip() for line in answer.lines}
    done = _done(original, text)
    rests = [whole - done for each in right if not done - (whole := _done(original, each))]
    return any(rest and not any(sign == "+" and line in shown for sign, line in rest) for rest in rests)


def _done(original: str, text: str) -> Counter[tuple[str, str]]:
    """The lines that go and come."""
    old, new = split_lines(original), split_lines(text)
    changes = line_changes(old, new)
    gone = (("-", line.strip()) for each in changes for line in old[each.start : each.end])
    come = (("+", line.strip()) for each in changes for line in new[each.after_start : each.after_end])
    return Counter(one for lines in (gone, come) for one in lines if one[1])


def _less(case: Small) -> Iterator[Small]:
    """The case without one of its blocks; the sentence above it stays."""
    found = [*BLOCK.finditer(case.update)]
    for block in found if len(found) > 1 else ():
        head, tail = case.update[: block.start()].rstrip(), case.update[block.end() :].lstrip("\n")
        if head.endswith(":") and not OF_A_BLOCK.search(head.rpartition("\n")[2][:-1]):
            yield replace(case, update=f"{head[:-1]}.\n\n{tail}")


def _whole(source: str) -> Iterator[Small]:
    for case in read_cases(Path(source)) if Path(source).suffix else read_set(source).cases:
        asked, right = case.request, (case.expected, *case.accepted)
        yield Small(case.id, "", asked.path, asked.original, asked.update, right, False)


def fitted(texts: Sequence[Heard]) -> dict[str, Any]:
    """Of a text that lacks something the likeliest sentence bids it: which one that is, each round says anew."""
    counts = Counter(sign for one in texts for sign in {sign for each in one.sentences for sign in each})
    rows = [{sign: 1.0 for sign in each if counts[sign] >= TEXTS} for one in texts for each in one.sentences]
    owners = numpy.repeat(numpy.arange(len(texts)), [len(one.sentences) for one in texts])
    lacks = numpy.array([one.lacks for one in texts])[owners]
    weights = numpy.array([one.weight for one in texts])[owners]
    vectors = DictVectorizer()
    matrix = vectors.fit_transform(rows)
    matrix.indices, matrix.indptr = matrix.indices.astype(numpy.int32), matrix.indptr.astype(numpy.int32)
    bids, share = lacks, numpy.where(lacks, 1.0 / numpy.bincount(owners)[owners], 1.0)
    for _ in range(ROUNDS):
        model = LogisticRegression(C=STRENGTH, max_iter=300, solver="liblinear", random_state=0)
        model.fit(matrix, bids, sample_weight=weights * share)
        values = model.decision_function(matrix)
        best = numpy.full(len(texts), -numpy.inf)
        numpy.maximum.at(best, owners, values)
        bids = lacks & (values >= best[owners])
        share = numpy.where(lacks & ~bids, OTHERS, 1.0)
    pairs = zip(vectors.get_feature_names_out(), model.coef_[0], strict=True)
    kept = {name: round(float(weight), 2) for name, weight in pairs if abs(weight) >= SMALLEST}
    return {"bias": round(float(model.intercept_[0]), 2), "weights": kept}


def chance(fit: dict[str, Any], one: Heard) -> float:
    values = (fit["bias"] + sum(fit["weights"].get(sign, 0.0) for sign in each) for each in one.sentences)
    return float(1 / (1 + numpy.exp(-max(values, default=-9.0))))


def tried(texts: Sequence[Heard]) -> None:
    """Prints what bounds lose and catch, of texts that would be written, by writers that nothing was learned from."""
    writers = sorted({one.writer for one in texts})
    seen = list[tuple[Heard, float]]()
    for fold in range(FOLDS):
        out = set(writers[fold::FOLDS])
        fit = fitted([one for one in texts if one.writer not in out])
        seen += [(one, chance(fit, one)) for one in texts if one.writer in out and one.is_written and one.weight == 1.0]
    for least in (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7):
        counts = Counter((one.lacks, value > least) for one, value in seen)
        lost, caught = (
            f"{counts[lacks, True]} of {counts[lacks, True] + counts[lacks, False]}" for lacks in (False, True)
        )
        print(f"from {least}: right ones refused {lost}, lacking ones {caught}")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--whole", nargs="*", default=())
    parser.add_argument("--tried", action="store_true")
    given = parser.parse_args()
    unheard._fitted = lambda: {"bias": -99.0, "weights": {}, "least": LEAST}  # nothing is heard while texts are made
    cases = [case for file in given.cases for case in read_small(file) if case.right]
    texts = [one for case in cases for one in heard(case)]
    if given.clones:
        texts += [replace(one, weight=WHOLE * one.weight) for case in longer(given.clones) for one in heard(case)]
    texts += [one for source in given.whole for case in _whole(source) for one in _of(case, WHOLE) if not one.lacks]
    print(f"{len(texts)} texts of {len(cases)} cases, {sum(one.lacks for one in texts)} of them lack something")
    if given.tried:
        tried(texts)
    names = [Path(each).stem for each in (*given.cases, *given.whole)] + ["clones"] * bool(given.clones)
    from_ = f"recipes/unheard.py, {', '.join(names)}"
    given.out.write_text(json.dumps({"from": from_, "least": LEAST, **fitted(texts)}, sort_keys=True, indent=0) + "\n")


if __name__ == "__main__":
    main()
