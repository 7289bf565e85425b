"""In: git clones. Out: the answers of their repositories that may be learned from, as small cases."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from redraft.measure.score.small import Small
from redraft.measure.sets.answers import AnswerTask
from redraft.measure.sets.calls import CallTask
from redraft.measure.sets.learnable import learnable, with_texts

LINES = 600  # of the longest file


def longer(clones: Path, sketches: float = 0.0) -> Iterator[Small]:
    """`sketches` by rules for each answer. An id is the repository and a number: what is fitted holds out by it."""
    for number, (name, task) in enumerate(with_texts(learnable(clones, sketches), clones, Counter()), 1):
        yield from as_small(f"{name.replace('-', '_')}-{number}", task)


def as_small(name: str, task: AnswerTask | CallTask, lines: int = LINES) -> Iterator[Small]:
    """The task by that name; nothing where its file is too long."""
    if task.original.count("\n") <= lines and "\r" not in task.original:
        right = (task.expected, *getattr(task, "accepted", ()))
        yield Small(name, "", task.path, task.original, task.update, right, False)
