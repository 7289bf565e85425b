"""In: samples. Out: lessons from what the deterministic reader makes of them where that is wrong."""

from collections.abc import Iterable, Iterator

from redraft.data.lessons import Lesson, same_lines
from redraft.data.samples import Sample
from redraft.edit.align.merge import merge

MISREAD = "misread"


def misreadings(samples: Iterable[Sample]) -> Iterator[Lesson]:
    """A lesson for each sample that the reader understands otherwise; what it refuses teaches nothing."""
    for sample in samples:
        text = merge(sample.before, sample.update, sample.path).text if sample.expect == "applied" else None
        if text is not None and not same_lines(text, sample.after):
            yield Lesson(sample.path, sample.before, sample.update, sample.instruction, sample.after, text, MISREAD)
