"""In: cases, and a model. Out: what it makes of those that the reader does not settle, for `recipes/trust.py`.

    python recipes/doubts.py embedded:large CASES.jsonl --out benchmarks/choice/doubts-large.jsonl --most 150
    python recipes/doubts.py embedded --clones CLONES --out benchmarks/choice/doubts-small-other.jsonl --most 700

Clones are of public repositories: answers about their longer files are taken, from a set on which nothing of the reader
was fitted, of repositories that no adapter is trained on. Of what the reader settles of these its text is looked at,
too. A record holds what the reader did (`found`: right, wrong or refused), and of each text that may be meant whether
it means what is right, the first text that means the same (`same`), and what speaks for it. Cases that OUT holds are
not asked again.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from longer import as_small
from rich.progress import track

from redraft.choosing import Proposed, meaning_of
from redraft.data.clones import find_clones
from redraft.edit.evidence import is_short
from redraft.edit.guard.check import WRITTEN
from redraft.edit.prompts.template import find_template
from redraft.edit.request import Request
from redraft.engines.spec import load_engine, size_of
from redraft.in_doubt import listed_texts, own_text, rated_texts
from redraft.measure.score.small import Small, read_small
from redraft.measure.sets.answers import Answer
from redraft.measure.sets.learnable import with_texts
from redraft.measure.sets.manifests import read
from redraft.measure.sets.named import find_manifest
from redraft.reading import is_agreed, is_settled, merged
from redraft.result import Result
from redraft.rewrite import Rewriter
from redraft.train.packed import is_held
from redraft.writing import as_read

_SET = "answers-other"  # nothing of the reader was fitted on it
_LINES = 450  # of the longest file


def main(
    spec: str,
    out: Annotated[Path, typer.Option()],
    cases: Annotated[list[Path] | None, typer.Argument()] = None,
    clones: Annotated[Path | None, typer.Option(help="A folder of git clones.")] = None,
    most: Annotated[int, typer.Option(help="So many cases of each file, and of all clones, drawn by chance.")] = 100,
) -> None:
    known = {json.loads(line)["id"] for line in out.read_text().splitlines()} if out.exists() else set[str]()
    engine = load_engine(spec)
    model = Rewriter(engine, find_template(engine.template), size=size_of(spec))
    drawn = [(file.stem, case) for file in cases or () for case in _drawn(file, most)]
    longer = () if clones is None else _longer(clones, most)
    with out.open("a", encoding="utf-8") as written:
        for name, case in track(chain(drawn, longer), total=len(drawn) + (most if clones else 0)):
            if case.id in known:
                continue
            if record := _record(model, name, case):
                written.write(json.dumps(record) + "\n")
                written.flush()


def _drawn(file: Path, most: int) -> list[Small]:
    found = read_small(file)
    return Random(0).sample(found, min(most, len(found)))


def _longer(clones: Path, most: int) -> Iterator[tuple[str, Small]]:
    """Answers by the way that they were written."""
    known = {clone.name for clone in find_clones(clones)}
    answers = (one for one in read(find_manifest(_SET)) if isinstance(one, Answer))
    listed = [one for one in answers if is_held(one.repository) and one.repository in known]
    for one in Random(0).sample(listed, min(most, len(listed))):
        for _, task in with_texts([one], clones, Counter()):
            cases = as_small(one.id, task, _LINES)
            yield from (("tidy" if one.tidy else "careless", case) for case in cases if not is_short(case.original))


def _record(model: Rewriter, name: str, case: Small) -> dict[str, Any] | None:
    """None where no model is asked."""
    request = as_read(Request(case.original, case.update, "", case.path))[1]
    found = merged(request)
    if is_settled(found) and is_agreed(request, found):
        texts = _settled(model, request, found)
        if not texts:
            return None
    else:
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


def _settled(model: Rewriter, request: Request, found: Result) -> list[Proposed]:
    """What the reader writes of a longer file, where the model can look at it."""
    is_change = found.status == "applied" and found.decided_by != "format" and not is_short(request.original)
    return rated_texts(model, request, [found.output]) if is_change and found.output is not None else []


if __name__ == "__main__":
    typer.run(main)
