"""In: cases and a vLLM server. Out: whether the completions engine writes what the server writes, requests, tokens.

    python benchmarks/completions_server.py CASES URL#MODEL RECORDS.jsonl OUT.jsonl [N]

RECORDS are of `benchmarks/vllm/measure.py` with the same model and dtype: what plain vLLM wrote for each edit, as a
count and a digest. The N shortest files of the cases are taken that are there, 30 by default; a run that was stopped
goes on where it was. The last line of standard output sums up.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from completions_requests import summary

from redraft.engines import Sampling
from redraft.engines.completions import CompletionsEngine
from redraft.measure.asked import Asked
from redraft.measure.cases import read_cases


def plain_outputs(records: Path) -> dict[str, list[Any]]:
    """Of each edit how many tokens plain vLLM wrote, their digest, and the limit that it had."""
    lines = [json.loads(line) for line in records.read_text("utf-8").splitlines()]
    found = [(edit, said, line["most_tokens"]) for line in lines for edit, said in line["outputs"]["plain"].items()]
    return {edit: [*said, most] for edit, said, most in found}


def main(cases: Path, place: str, records: Path, out: Path, count: int) -> None:
    expected, asked = plain_outputs(records), Asked("apply", window=0)
    engine = CompletionsEngine.of(place)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.exists() else []
    shortest = sorted((case for case in read_cases(cases) if case.id in expected), key=lambda case: len(case.expected))
    with out.open("a", encoding="utf-8") as lines:
        for case in shortest[:count]:
            if case.id in [row["id"] for row in rows]:
                continue
            tokens, digest, most = expected[case.id]
            chunks = list(engine.generate(asked.prompt(case.request), Sampling(max_tokens=most)))
            # Where the limit of the records was lower still, only as much is compared.
            ids = [id_ for chunk in chunks for id_ in chunk.ids][:tokens]
            equal = sha256(json.dumps(ids).encode()).hexdigest()[:12] == digest
            row = {"id": case.id, "equal": equal, "tokens": tokens, "requests": sum(c.forwards for c in chunks)}
            row |= {"read": chunks[-1].prompt_tokens, "written": sum(c.completion_tokens or 0 for c in chunks)}
            rows.append(row)
            lines.write(json.dumps(row) + "\n")
            lines.flush()
    print(json.dumps(summary(rows)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(Path, sys.argv[3:5]), int(sys.argv[5]) if len(sys.argv) > 5 else 30)
