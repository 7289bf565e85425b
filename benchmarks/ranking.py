"""In: a set's name, or a file of cases, and an engine. Out: how often it prefers the right text to a wrong reading.

    python benchmarks/ranking.py SET|CASES.jsonl [ENGINE] [RECORDS.jsonl]

A pair is the expected file and the best candidate of the deterministic reader that is wrong: where the reader errs that
is what it would write, elsewhere its second choice. `reader` counts both kinds apart; nats are of right less wrong.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redraft.edit.merge.read import read
from redraft.edit.prompts.template import find_template
from redraft.engines import Ranker
from redraft.engines.spec import load_engine
from redraft.errors import RedraftError
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets.named import read_set
from redraft.ranking import rank


def pairs(cases: list[Case]) -> Iterator[tuple[Case, str, bool]]:
    """A case, a wrong text for it, and whether that was the reader's first choice."""
    for case in cases:
        request = case.request
        right = {text.replace("\r\n", "\n") for text in (case.expected, *getattr(case, "accepted", ()))}
        original = request.original.replace("\r\n", "\n")
        candidates = read(original, request.update, request.path, request.instruction).candidates
        wrong = next((number for number, one in enumerate(candidates) if one.text not in right), None)
        if wrong is not None:
            yield case, candidates[wrong].text, wrong == 0


def main(name: str, spec: str = "embedded", out: str = "") -> None:
    cases = read_cases(Path(name)) if name.endswith(".jsonl") else read_set(name).cases
    engine = load_engine(spec)
    assert isinstance(engine, Ranker)
    template, records = find_template(getattr(engine, "template", "chat")), list[dict[str, Any]]()
    for case, wrong, is_first in pairs(cases):
        original, expected = (text.replace("\r\n", "\n") for text in (case.request.original, case.expected))
        request = type(case.request)(original, case.request.update, case.request.instruction, case.request.path)
        try:
            right_nats, wrong_nats = rank(engine, template, request, [expected, wrong])
        except RedraftError as error:
            print(case.id, error, file=sys.stderr)
            continue
        records.append({"id": case.id, "reader": "wrong" if is_first else "right", "nats": right_nats - wrong_nats})
        if out:
            Path(out).write_text("".join(json.dumps(record) + "\n" for record in records))
    for kind in ("wrong", "right"):
        found = [record["nats"] > 0 for record in records if record["reader"] == kind]
        print(json.dumps({"reader": kind, "pairs": len(found), "right_preferred": sum(found)}))


main(*sys.argv[1:])
