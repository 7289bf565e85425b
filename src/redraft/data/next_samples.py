"""In: mined edits. Out: samples of next edits in Sweep's format, half of them with nothing to change."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from redraft.data.edits import Edit
from redraft.next import sweep
from redraft.next.predict import before_last, shown_before
from redraft.next.steps import Step, steps
from redraft.next.sweep import Change


@dataclass(frozen=True)
class Sample:
    """Where a step comes from, and what a model reads and writes; the answer ends with the token that ends it."""

    edit: Edit
    step: Step

    def record(self) -> dict[str, Any]:
        """`prompt` and `answer` are texts whose special tokens `redraft.next.recognise` tells."""
        now, window = self.step.now, self.step.before
        others = shown_before(now.lines, self.step.window[0])
        found = sweep.write(now.path, window, now.changes, before_last(window, now.changes), others)
        answer = self.step.after if self.step.after.endswith("\n") else f"{self.step.after}\n"
        names = ("repository", "commit", "path", "language", "license")
        return {name: getattr(self.edit, name) for name in names} | {
            "kind": self.step.kind,
            "prompt": "".join(part.text for part in found.prompt.parts),
            "answer": answer + sweep.FILE,
        }


def samples(edits: Iterable[Edit], seed: int = 0) -> Iterator[Sample]:
    """As many with something to say as without, edit after edit; what the commit before changed is history, too."""
    known = list(edits)
    made = {(edit.repository, edit.path, edit.after_blob): edit for edit in known}
    speaking, still = list[Sample](), list[Sample]()
    for edit in known:
        earlier = _changes(made.get((edit.repository, edit.path, edit.before_blob)))
        for step in steps(edit.path, edit.before, edit.after, earlier, seed):
            (still if step.kind == "quiet" else speaking).append(Sample(edit, step))
    pairs = zip_longest(speaking, still[: len(speaking)])
    yield from (sample for pair in pairs for sample in pair if sample is not None)


def _changes(edit: Edit | None) -> tuple[Change, ...]:
    """The changes of the commit before, as its last step tells them."""
    if edit is None:
        return ()
    *_, last = steps(edit.path, edit.before, edit.after)
    return last.now.changes
