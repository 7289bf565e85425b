"""In: git clones. Out: the weights by which the readers say how sure they are in a longer file; how that holds.

    python recipes/agreement.py CLONES [--out src/redraft/agreement.json]

An example is the likeliest text of an answer that may be learned from, or of a sketch by rules, if no guard and no law
is against it, and the other reader does not read something else plainly. What is printed comes from a fit that has
seen nothing of the repository.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from multiprocessing import Pool
from pathlib import Path

from confidence import undecided
from logistic import Example, fit
from tqdm import tqdm
from typer import Argument, Option, run

from redraft.agreement import signs_of
from redraft.edit.evidence import is_short
from redraft.edit.request import Request
from redraft.measure.accuracy.grade import best_grade
from redraft.measure.cases import case_of
from redraft.measure.sets.answers import AnswerTask
from redraft.measure.sets.calls import CallTask
from redraft.measure.sets.learnable import learnable, with_texts
from redraft.reading import sketched
from redraft.writing import as_read

SKETCHES = 5.0  # for each answer: all that there are
BOUNDS = (0.8, 0.85, 0.88, 0.89, 0.9, 0.91, 0.92, 0.95)


def main(
    clones: Path = Argument(..., metavar="CLONES"),  # noqa: B008
    out: Path | None = Option(None, metavar="JSON", help="Write weights and bound."),  # noqa: B008
    least: float = Option(0.9, min=0, max=1, help="The confidence from which a text is written."),
    processes: int = Option(2, min=1),
) -> None:
    """Fit how sure the readers are of a text in a longer file, and show how that holds on other repositories."""
    listed = learnable(clones, SKETCHES)
    with Pool(processes) as pool:
        each = pool.imap(read, with_texts(listed, clones, Counter()), chunksize=8)
        found = [one for one in tqdm(each, desc="answers", total=len(listed)) if one is not None]
    fitted = fit([example for _, example in found])
    for bound in BOUNDS:
        print(f"from {bound}: {counted(found, fitted.held, bound)}")
    if out is not None:
        of = f"recipes/agreement.py CLONES, {date.today()}"
        out.write_text(json.dumps({"fitted": of, "least": least, "weights": fitted.weights}, indent=1) + "\n")


def read(named: tuple[str, AnswerTask | CallTask]) -> tuple[str, Example] | None:
    """An example, and what kind of answer it is of; None where not this confidence decides whether it is written."""
    repository, task = named
    case = case_of(asdict(task))
    told = Request(case.request.original, case.request.update, "", case.request.path)
    request = as_read(told)[1]
    found = None if is_short(request.original) else undecided(request)
    if found is None or found[1].text in (None, request.original):
        return None
    reading, decision = found
    sketch = sketched(request, reading.answer)
    if sketch is not None and sketch.is_plain and sketch.text != decision.text:
        return None
    right = best_grade(case, decision.text).equal_as_trees
    tidy = getattr(task, "tidy", None)
    kind = "by rules" if tidy is None else "tidy" if tidy else "careless"
    return kind, Example(signs_of(reading.answer, decision, sketch), right, repository)


def counted(found: Sequence[tuple[str, Example]], chances: Sequence[float], bound: float) -> str:
    """By kind: how many are written from a bound on, right and wrong."""
    taken = Counter((kind, one.right) for (kind, one), chance in zip(found, chances, strict=True) if chance >= bound)
    kinds = sorted({kind for kind, _ in found})
    return ", ".join(f"{kind} {taken[kind, True]} right and {taken[kind, False]} wrong" for kind in kinds)


if __name__ == "__main__":
    run(main)
