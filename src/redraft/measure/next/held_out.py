"""In: mined edits. Out: steps of commits, and what a model predicts at them: exact, the right place, quiet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from redraft.data.edits import Edit
from redraft.engines import Engine, Sampling
from redraft.next.predict import anew, is_unfinished
from redraft.next.steps import Step, steps


@dataclass(frozen=True)
class Predicted:
    """What a model made of a step's window, and the work that it took."""

    step: Step
    new: str
    ids: tuple[int, ...]
    forwards: int

    @property
    def is_exact(self) -> bool:
        return self.new == self.step.after

    @property
    def is_quiet(self) -> bool:
        return self.new == self.step.before

    @property
    def is_in_place(self) -> bool:
        """Whether the first line that changes is the one that does."""
        return not self.is_quiet and _first(self.step.before, self.new) == _first(self.step.before, self.step.after)


def chosen(edits: Iterable[Edit], count: int, seed: int = 0) -> list[Step]:
    """Steps of so many edits at most, of as many repositories and both kinds, the same ones each time."""
    ordered = sorted(edits, key=lambda edit: sha256(f"{seed} {edit.commit} {edit.path}".encode()).digest())
    found = [step for edit in ordered for step in steps(edit.path, edit.before, edit.after, seed=seed)]
    speaking = [step for step in found if step.kind != "quiet"][: count - count // 2]
    return [*speaking, *[step for step in found if step.kind == "quiet"][: count // 2]]


def predicted(engine: Engine, found: Iterable[Step], sampling: Sampling) -> Iterator[Predicted]:
    """One prediction a step; an answer that is cut off, or that only lacks lines at the end, says nothing."""
    for step in found:
        chunks, new = anew(engine, step.now, *step.window, sampling)
        if new is None or is_unfinished(step.before, new):
            new = step.before
        ids = tuple(id_ for chunk in chunks for id_ in chunk.ids)
        yield Predicted(step, new, ids, sum(chunk.forwards for chunk in chunks))


def _first(before: str, after: str) -> int:
    pairs = enumerate(zip(before.split("\n"), after.split("\n"), strict=False))
    return next((number for number, (old, new) in pairs if old != new), -1)
