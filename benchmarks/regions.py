"""In: clones, a model that writes regions. Out: of answers of held out repositories, what reader, model and both make.

    python benchmarks/regions.py CLONES FOLDER OUT.jsonl --count 100 --longest 0

FOLDER is a base with its adapter merged in; `--longest` leaves out what shows more signs. A line of OUT is an
answer; started again, it goes on. The last line of standard output sums up: right, silently wrong, refused.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import typer

from redraft.edit.prompts.template import find_template
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.edit.text.window import window
from redraft.engines.torch import TorchEngine
from redraft.errors import RedraftError
from redraft.measure.accuracy.grade import best_grade
from redraft.measure.cases import Case
from redraft.measure.sets.answers import Answer, put_together, read_answers
from redraft.measure.sets.manifests import read
from redraft.measure.sets.named import UNREAD, manifests
from redraft.reading import merged, read_request
from redraft.regional import REGIONS, signs_of, written
from redraft.rewrite import Rewriter
from redraft.train.packed import is_held


def main(clones: Path, folder: Path, out: Path, count: int = 100, longest: int = 0, seed: int = 0) -> None:
    model = Rewriter(TorchEngine(str(folder)), find_template(REGIONS))
    known = {json.loads(line)["id"] for line in out.read_text().splitlines()} if out.exists() else set()
    with out.open("a") as file:
        for case in _cases(clones, count, longest, seed):
            if case.id not in known:
                file.write(json.dumps(_record(model, case)) + "\n")
                file.flush()
    print(json.dumps(_summary([json.loads(line) for line in out.read_text().splitlines()])))


def _cases(clones: Path, count: int, longest: int, seed: int) -> Iterator[Case]:
    """As many tidy as careless ones, of repositories that are held out."""
    known = manifests()
    unread = {one.repository for name in UNREAD for one in read(known[name])}
    names = [name for name in known if name.startswith("answers-") and name not in UNREAD]
    listed = {one.answer_blob: one for name in names for one in read_answers(known[name])}
    held = [one for one in listed.values() if is_held(one.repository) and one.repository not in unread]
    held.sort(key=lambda one: one.id)
    Random(seed).shuffle(held)
    met = Counter[bool]()
    for one in held:
        if met[one.tidy] < count // 2 and (case := _case(one, clones)) and _is_short(case, longest):
            met[one.tidy] += 1
            yield case


def _is_short(case: Case, longest: int) -> bool:
    """Whether answer and regions have at most so many signs; 0 for any."""
    size = len(case.request.update) + sum(len(line) + 1 for lines in shown(case.request).texts for line in lines)
    return not longest or size <= longest


def _case(one: Answer, clones: Path) -> Case | None:
    try:
        (task,) = put_together([one], clones)
    except RedraftError:
        return None  # its repository is not cloned
    request = Request(task.original, task.update, task.instruction, task.path)
    more = {"accepted": tuple(task.accepted), "as_data": task.as_data, "tidy": task.tidy}
    return Case(one.id, request, task.expected, task.language, task.style, **more)  # type: ignore[arg-type]


def _record(model: Rewriter, case: Case) -> dict[str, Any]:
    started = time.perf_counter()
    found = merged(case.request)
    read = time.perf_counter() - started
    reading = read_request(case.request)
    record: dict[str, Any] = {"id": case.id, "style": case.style, "lines": case.request.original.count("\n")}
    record |= {"reader": found.status, "reader_right": _right(case, found.output), "read": round(read, 2)}
    record |= {"listed": any(_right(case, each.text) for each in reading.candidates)}
    try:
        chunks = written(model, case.request, reading)
        output = model.file(case.request, window(case.request.original, (), 0), chunks)
    except RedraftError as error:
        return record | {"model": "none", "model_right": False, "message": str(error)}
    signs = asdict(signs_of(case.request, reading, chunks, output))
    ids = sum(len(chunk.ids) for chunk in chunks)
    counts = {"prompt": chunks[-1].prompt_tokens, "ids": ids, "forwards": len(chunks)}
    record |= {"model": chunks[-1].finish, "model_right": _right(case, output), "signs": signs, **counts}
    return record | {"wrote": round(time.perf_counter() - started - read, 2)}


def _right(case: Case, output: str | None) -> bool:
    return best_grade(case, output).equal_as_trees


def _summary(records: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for style in sorted({record["style"] for record in records}):
        own = [record for record in records if record["style"] == style]
        taken = [record for record in own if record["reader"] in ("applied", "no_change")]
        found[style] = {
            "answers": len(own),
            "reader right": sum(record["reader_right"] for record in taken),
            "reader silent": sum(not record["reader_right"] for record in taken),
            "model right": sum(record["model_right"] for record in own),
            "either right": sum(record["model_right"] or record["reader_right"] for record in own),
            "right where the reader refuses": sum(record["model_right"] for record in own if record not in taken),
            "listed": sum(record["listed"] for record in own),
        }
    return found


if __name__ == "__main__":
    sys.exit(typer.run(main))
