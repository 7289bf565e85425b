"""In: small cases, and a model. Out: what it makes of those that the reader does not settle, for `recipes/trust.py`.

    python recipes/doubts.py embedded:large CASES.jsonl --out benchmarks/choice/doubts-large.jsonl --most 150

A record holds what the reader did (`found`: right, wrong or refused), and of each text that may be meant whether it
means what is right, the first text that means the same (`same`), and what speaks for it. Cases that OUT holds are not
asked again.
"""

import json
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from rich.progress import track

from redraft.choosing import meaning_of
from redraft.edit.guard.check import WRITTEN
from redraft.edit.prompts.template import find_template
from redraft.edit.request import Request
from redraft.engines.spec import load_engine, size_of
from redraft.in_doubt import listed_texts, own_text
from redraft.measure.score.small import Small, read_small
from redraft.reading import is_agreed, is_settled, merged
from redraft.rewrite import Rewriter
from redraft.writing import as_read


def main(
    spec: str,
    cases: list[Path],
    out: Annotated[Path, typer.Option()],
    most: Annotated[int, typer.Option(help="So many cases of each file, drawn by chance.")] = 100,
) -> None:
    known = {json.loads(line)["id"] for line in out.read_text().splitlines()} if out.exists() else set[str]()
    engine = load_engine(spec)
    model = Rewriter(engine, find_template(engine.template), size=size_of(spec))
    drawn = [(file.stem, case) for file in cases for case in _drawn(file, most)]
    with out.open("a", encoding="utf-8") as written:
        for name, case in track([each for each in drawn if each[1].id not in known]):
            if record := _record(model, name, case):
                written.write(json.dumps(record) + "\n")
                written.flush()


def _drawn(file: Path, most: int) -> list[Small]:
    found = read_small(file)
    return Random(0).sample(found, min(most, len(found)))


def _record(model: Rewriter, name: str, case: Small) -> dict[str, Any] | None:
    """None where no model is asked."""
    request = as_read(Request(case.original, case.update, "", case.path))[1]
    found = merged(request)
    if is_settled(found) and is_agreed(request, found):
        return None
    own, _ = own_text(model, request)
    texts = [*own, *listed_texts(model, request, own)]
    right = [meaning_of(case.original, text) for text in case.right]
    means = [meaning_of(case.original, each.text) for each in texts]
    is_right = meaning_of(case.original, found.output or "") in right
    did = "refused" if found.status not in WRITTEN else "right" if is_right else "wrong"
    offered = [
        {"right": mean in right, "same": means.index(mean), "signs": asdict(each.signs)}
        for mean, each in zip(means, texts, strict=True)
    ]
    return {"set": name, "id": case.id, "found": did, "texts": offered}


if __name__ == "__main__":
    typer.run(main)
