"""In: samples. Out: lessons from the texts that the reader weighs for them, but for the right one."""

from collections.abc import Iterable, Iterator

from redraft.data.lessons import Lesson, same_lines
from redraft.data.samples import Sample
from redraft.edit.merge.read import read

MISREAD, WEIGHED = "misread", "weighed"
_MOST = 2


def misreadings(samples: Iterable[Sample]) -> Iterator[Lesson]:
    """At most _MOST lessons a sample: what the reader takes for the best and is wrong, and what else it weighs.

    What it refuses teaches nothing.
    """
    for sample in samples:
        if sample.expect == "applied":
            found = read(sample.before, sample.update, sample.path, sample.instruction).candidates
            wrong = [(number, one.text) for number, one in enumerate(found) if not same_lines(one.text, sample.after)]
            for number, text in wrong[:_MOST]:
                kind = WEIGHED if number else MISREAD
                yield Lesson(sample.path, sample.before, sample.update, sample.instruction, sample.after, text, kind)
