"""In: a manifest, of cases or of answers. Out: what it lists, and these with their texts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft.edit import jsonl
from redraft.evals import answers, cases

Listed = cases.Case | answers.Answer


def read(path: Path) -> list[cases.Case] | list[answers.Answer]:
    """The cases or the answers of a manifest; raises RedraftError for a bad line and for none."""
    lines = jsonl.read_lines(path)
    if lines and "answer" in jsonl.parse(lines[0][1]):
        return answers.read_answers(path)
    return cases.read_manifest(path)


def tasks(listed: Sequence[Listed], clones: Path) -> Iterator[cases.Task | answers.AnswerTask]:
    """Each with its texts; raises RedraftError that names the missing clones, or the failing case."""
    for one in listed:
        if isinstance(one, answers.Answer):
            yield from answers.put_together([one], clones)
        else:
            yield from cases.materialise([one], clones)
