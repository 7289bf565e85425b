"""In: files of small cases, git clones. Out: the weights by which the reader says how sure it is; how that holds.

    python recipes/confidence.py CASES.jsonl... [--clones DIR] [--out src/redraft/edit/confidence.json]

With clones the answers of their repositories that may be learned from count, and sketches by rules beside them.

An example is the likeliest text of an answer, if no guard and no law is against it. What is printed comes from a fit
that has seen nothing of the writer, whom the letters of an id name, or of the repository.
"""

import json
import re
from collections.abc import Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from logistic import Example, fit
from longer import longer
from msgspec.structs import replace
from tqdm import tqdm
from typer import Argument, Option, run

from redraft.by_format import exactly, wholly
from redraft.edit.decide import Decision
from redraft.edit.guard.check import WRITTEN
from redraft.edit.merge.reading import Reading
from redraft.edit.request import Request
from redraft.measure.score.small import Small, read_small
from redraft.reading import guarded, weighed
from redraft.writing import as_read

SURE = 0.97  # of what is at least as sure as the bound "sure", so much is right
SKETCHES = 0.18  # of the longer answers that clones give
BOUNDS = (0.6, 0.7, 0.75, 0.8, 0.825, 0.85, 0.875, 0.9, 0.925, 0.95)


def main(
    cases: list[Path] = Argument(..., metavar="CASES.jsonl"),  # noqa: B008
    clones: Path | None = Option(None, metavar="DIR", help="Learn from longer answers, too."),  # noqa: B008
    out: Path | None = Option(None, metavar="JSON", help="Write weights and bounds."),  # noqa: B008
    written: float = Option(0.88, min=0, max=1, help="The confidence from which a text is written."),
    bare: float = Option(0.78, min=0, max=1, help="The same of an answer without a word."),
) -> None:
    """Fit how sure the reader is of its likeliest text, and show how that holds on other answers."""
    asked = [(path.stem, case) for path in cases for case in read_small(path)]
    if clones is not None:
        asked += [("longer", case) for case in longer(clones, SKETCHES)]
    read = ((name, example(case)) for name, case in tqdm(asked, desc="cases"))
    found = [(name, each) for name, each in read if each is not None]
    fitted = fit([each for _, each in found])
    held = sorted(zip(fitted.held, (each.right for _, each in found), strict=True), reverse=True)
    for least in BOUNDS:
        print(f"from {least}: {counted(held, least)}")
    sure = surest(held, SURE)
    print(f"from {sure:.4f}: {counted(held, sure)}, {SURE:.0%} of them right")
    for name in dict.fromkeys(name for name, _ in found):
        own = [(chance, each.right) for (other, each), chance in zip(found, fitted.held, strict=True) if other == name]
        print(f"{name}, from {written}: {counted(own, written)}, of {len(own)} texts")
    if out is not None:
        least = {"written": written, "bare": bare, "sure": round(max(sure, written), 4)}
        given = " ".join([*(path.name for path in cases), *(["--clones"] if clones else [])])
        of = f"recipes/confidence.py {given}, {date.today()}"
        out.write_text(json.dumps({"fitted": of, "least": least, "weights": fitted.weights}, indent=1) + "\n")


def example(case: Small) -> Example | None:
    """The likeliest text of a case; None where not its confidence decides whether it is written."""
    found = undecided(as_read(Request(case.original, case.update, "", case.path))[1])
    return found and Example(found[1].features, found[1].text in case.right, group(case.id))


def undecided(request: Request) -> tuple[Reading, Decision] | None:
    """What the reader makes of an answer where nothing but its confidence decides whether the text is written."""
    if exactly(request) is not None or wholly(request) is not None:
        return None
    reading, decision = weighed(request)
    sure = replace(decision, is_sure=True)
    if decision.text is None or guarded(request, reading, sure, "merge").status not in WRITTEN:
        return None
    return reading, decision


def group(name: str) -> str:
    """The repository of an answer to a commit, or the writer of another."""
    return name.rpartition("-")[0] if "/" in name else re.split(r"[-\d]", name)[0]


def counted(held: Sequence[tuple[float, bool]], least: float) -> str:
    taken = [is_right for chance, is_right in held if chance >= least]
    return f"{sum(taken)} right and {len(taken) - sum(taken)} wrong"


def surest(held: Sequence[tuple[float, bool]], share: float) -> float:
    """The least confidence from which so large a share is right; `held` begins with the surest."""
    best, taken = 1.0, list[bool]()
    for chance, same in groupby(held, key=itemgetter(0)):
        taken += [is_right for _, is_right in same]
        best = chance if sum(taken) >= share * len(taken) else best
    return best


if __name__ == "__main__":
    run(main)
