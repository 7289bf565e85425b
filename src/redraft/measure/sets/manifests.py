"""In: a manifest of answers or of failing calls. Out: what it lists, and these with their texts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft.edit import jsonl
from redraft.measure.sets import answers, calls

Listed = answers.Answer | calls.FailingCall


def read(path: Path) -> Sequence[Listed]:
    """What a manifest lists; raises RedraftError for a bad line and for none."""
    lines = jsonl.read_lines(path)
    is_of_calls = bool(lines) and "slip" in jsonl.parse(lines[0][1])
    return calls.read_calls(path) if is_of_calls else answers.read_answers(path)


def tasks(listed: Sequence[Listed], clones: Path) -> Iterator[answers.AnswerTask | calls.CallTask]:
    """Each with its texts; raises RedraftError that names the missing clones, or the failing case."""
    for one in listed:
        if isinstance(one, answers.Answer):
            yield from answers.put_together([one], clones)
        else:
            yield from calls.make([one], clones)
