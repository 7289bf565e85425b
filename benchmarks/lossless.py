"""In: cases, an engine, a dtype. Out: whether its first tokens with drafts are those without, for each case.

    python benchmarks/lossless.py SET|CASES.jsonl ENGINE DTYPE COUNT TOKENS RECORDS.jsonl

The cases with the shortest files are taken. Each difference is listed with the margin of the token that fell otherwise.
"""

import json
import sys
from pathlib import Path

from redraft.edit.merge.read import read
from redraft.edit.prompts.template import find_template
from redraft.engines import Chunk, Sampling
from redraft.engines.spec import load_engine
from redraft.measure.cases import read_cases
from redraft.measure.sets.named import read_set


def main(name: str, spec: str, dtype: str, count: str, tokens: str, out: str) -> None:
    cases = read_cases(Path(name)) if name.endswith(".jsonl") else read_set(name).cases
    engine = load_engine(spec, dtype)
    template = find_template(engine.template)
    with Path(out).open("w") as records:
        for case in sorted(cases, key=lambda case: (len(case.request.original), case.id))[: int(count)]:
            found = read(case.request.original, case.request.update, case.request.path).candidates
            prompt = template.prompt(case.request, found[0].text if found else None)
            both = []
            for speculate in (True, False):
                both.append(list(engine.generate(prompt, Sampling(max_tokens=int(tokens), speculate=speculate))))
            record = compared(*both)
            records.write(json.dumps({"id": case.id, **record}) + "\n")
            records.flush()


def compared(drafted: list[Chunk], plain: list[Chunk]) -> dict[str, object]:
    with_drafts, without = ([id_ for chunk in chunks for id_ in chunk.ids] for chunks in (drafted, plain))
    margins = [margin for chunk in plain for margin in chunk.margins]
    at = next((n for n, (a, b) in enumerate(zip(with_drafts, without, strict=False)) if a != b), None)
    record = {"tokens": len(without), "forwards": [len(drafted), len(plain)], "equal": with_drafts == without}
    return record if at is None else record | {"at": at, "margin": margins[at]}


main(*sys.argv[1:])
