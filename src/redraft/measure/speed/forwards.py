"""In: a case. Out: the forwards beyond the prompt's of a model that writes what is expected. No model, no clock."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.edit.decide import likeliest
from redraft.edit.prompts.template import find_template
from redraft.engines.scripted import Scripted
from redraft.measure.cases import Case

_WIDTH = 60


def count_forwards(case: Case, merged: bool = True) -> int:
    """`merged` drafts from the sketch merged into the file first, else from the file and the sketch alone."""
    request = case.request
    prediction = likeliest(request.original, request.update, request.path) if merged else None
    prompt = find_template("chat").prompt(request, prediction)
    # The file may hold what would stop a chat model.
    chunks = list(Scripted(case.expected).generate(replace(prompt, stop=())))
    assert "".join(chunk.text for chunk in chunks) == case.expected
    return sum(chunk.forwards for chunk in chunks) - 1


def histogram(counts: Sequence[int]) -> Iterator[str]:
    """A line for each number of forwards: how many edits took it."""
    edits = Counter(counts)
    scale = max(1.0, max(edits.values(), default=0) / _WIDTH)
    for forwards in range(max(counts, default=-1) + 1):
        yield f"{forwards:>4} {edits[forwards]:>5}  {'#' * round(edits[forwards] / scale)}".rstrip()
