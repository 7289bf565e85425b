"""In: a manifest of cases, answers, calls or borrowed examples. Out: what it lists, and these with their texts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft.edit import jsonl
from redraft.measure.sets import answers, borrowed, calls, public

Listed = public.PublicEdit | answers.Answer | borrowed.Borrowed | calls.FailingCall


def read(path: Path) -> Sequence[Listed]:
    """What a manifest lists; raises RedraftError for a bad line and for none."""
    lines = jsonl.read_lines(path)
    keys = jsonl.parse(lines[0][1]).keys() if lines else ()
    if "answer" in keys:
        return answers.read_answers(path)
    if "slip" in keys:
        return calls.read_calls(path)
    return borrowed.read_borrowed(path) if "number" in keys else public.read_manifest(path)


def tasks(listed: Sequence[Listed], clones: Path) -> Iterator[public.Task | answers.AnswerTask | calls.CallTask]:
    """Each with its texts; raises RedraftError that names the missing clones, or the failing case."""
    for one in listed:
        if isinstance(one, answers.Answer):
            yield from answers.put_together([one], clones)
        elif isinstance(one, borrowed.Borrowed):
            yield from borrowed.borrow([one], clones)
        elif isinstance(one, calls.FailingCall):
            yield from calls.make([one], clones)
        else:
            yield from public.materialise([one], clones)
