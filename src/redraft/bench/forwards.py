"""In: a case. Out: how many forwards its edit takes beyond the prompt's, were the model to write what is expected. No clock."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.bench.cases import Case
from redraft.edit.merge import merge
from redraft.edit.template import find_template
from redraft.engines.scripted import Scripted

_WIDTH = 60


def count_forwards(case: Case) -> int:
    engine = Scripted(case.expected)
    request = case.request
    prediction = merge(request.original, request.update, request.path).text if request.update.strip() else None
    prompt = find_template(engine.template).prompt(request, prediction)
    # The file may hold what would stop a chat model.
    chunks = list(engine.generate(replace(prompt, stop=())))
    assert "".join(chunk.text for chunk in chunks) == case.expected
    return sum(chunk.forwards for chunk in chunks) - 1


def histogram(counts: Sequence[int]) -> Iterator[str]:
    """A line for each number of forwards: how many edits took it."""
    edits = Counter(counts)
    scale = max(1.0, max(edits.values(), default=0) / _WIDTH)
    for forwards in range(max(counts, default=-1) + 1):
        yield f"{forwards:>4} {edits[forwards]:>5}  {'#' * round(edits[forwards] / scale)}".rstrip()
