"""In: cases with answers that people wrote. Out: weights that tell notes to the reader from comments of the code.

    pip install scikit-learn
    python recipes/notes.py OUT.json --cases CASES.jsonl... [--beside WEIGHTS.json]

Cases come from `redraft eval fetch SET`, and from tests/conformance. A comment that the file does not have is a note
where the right file does not have it either. What the tables of marker words know is learnt from at half weight, so
that the weights also know the usual ones; of each feature that fewer than four answers have nothing is learnt.
`--beside`: the mean with weights that were fitted before, on answers in manners that these cases hardly have.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs
from paraphrases import made

from redraft.edit.answer import answer as parsing
from redraft.edit.answer.notes import Beside, features
from redraft.edit.merge.read import known_of
from redraft.edit.outline import outline
from redraft.measure.cases import Case, read_cases

STRENGTH, ANSWERS, KNOWN_WEIGHT, BARE_WEIGHT = 0.5, 4, 0.5, 0.4


@dataclass(frozen=True)
class Comment:
    names: frozenset[str]
    is_note: bool
    weight: float


def comments(case: Case) -> list[Comment]:
    """The comments of an answer's blocks that the file does not have."""
    lines = tuple(case.request.original.replace("\r\n", "\n").split("\n"))
    known = known_of(outline(lines, case.request.path), case.request.path)
    right = {line.strip() for text in (case.expected, *case.accepted) for line in text.split("\n")}
    read = parsing.parse(case.request.update.replace("\r\n", "\n"), lines, case.request.path, known)
    share = 1.0 if read.prose.strip() else BARE_WEIGHT
    found: list[Comment] = []
    for block in (block for block in read.blocks if not block.explicit):
        for at, line in enumerate(block.lines):
            shown = [*block.lines[:at], structs.replace(line, kind="code"), *block.lines[at + 1 :]]
            seen = Beside(shown, lines, known)
            if line.kind != "removed" and seen.is_unknown_comment(at):
                weight = share * (KNOWN_WEIGHT if line.kind == "marker" else 1.0)
                found.append(Comment(frozenset(features(seen, at)), line.text.strip() not in right, weight))
    return found


def fitted(by_answer: list[list[Comment]]) -> dict[str, float]:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    counts = Counter(name for found in by_answer for name in {name for each in found for name in each.names})
    every = [each for found in by_answer for each in found]
    vectors = DictVectorizer(sparse=False)
    rows = vectors.fit_transform([{name: 1.0 for name in each.names if counts[name] >= ANSWERS} for each in every])
    model = LogisticRegression(C=STRENGTH, l1_ratio=1.0, solver="liblinear", random_state=0, fit_intercept=False)
    model.fit(rows, [each.is_note for each in every], sample_weight=[each.weight for each in every])
    pairs = zip(vectors.get_feature_names_out(), model.coef_[0], strict=True)
    return {name: round(float(weight), 2) for name, weight in pairs if abs(weight) > 0.02}


def mean(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    names = sorted({*one, *other})
    return {name: round((one.get(name, 0.0) + other.get(name, 0.0)) / 2, 2) for name in names}


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--beside", type=Path)
    given = parser.parse_args()
    parsing._NOTE = 1.0  # as the tables of words alone have it
    cases = [*(case for path in given.cases for case in read_cases(path)), *made()]
    weights = fitted([comments(case) for case in cases])
    if given.beside:
        weights = mean(weights, json.loads(given.beside.read_text("utf-8")))
    given.out.write_text(json.dumps(weights, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(weights)} weights from {len(cases)} answers")
