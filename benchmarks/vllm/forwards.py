"""In: cases. Out: how many steps vLLM takes for each, counted without a model: the new file is what it writes.

    python benchmarks/vllm/forwards.py CASES

The drafts are those of redraft's scheduler, 128 ids at most, on a GPU and on a processor; the model's own mistakes are
not in it. For each size of file: edits, tokens of the prompt, tokens written, steps in the median and mean.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median

from measure import Job, jobs

from redraft.data.sizes import bucket
from redraft.draft.accept import emit
from redraft.edit.prompts.asked import END
from redraft.edit.prompts.prompt import Part
from redraft.engines.cost import cost_of
from redraft.engines.folder import open_folder
from redraft.engines.tokens import read_tokens
from redraft.engines.vllm import MOST_DRAFTED
from redraft.engines.vllm.drafts import RequestDrafts
from redraft.measure.cases import read_cases
from redraft.models.sized import merged_of


def steps(job: Job, target: Sequence[int], device: str) -> int:
    """The prompt's step, which gives the first token, and those that verify drafts."""
    drafts, output, count = RequestDrafts(job.prediction, job.prompt, cost_of(device, "bfloat16")), [target[0]], 1
    while len(output) < len(target):
        draft = drafts.next(output, min(MOST_DRAFTED, len(target) - len(output) - 1))
        output += emit(draft, target[len(output) : len(output) + len(draft) + 1], ())
        count += 1
    return count


def main(source: str) -> None:
    tokenizer = open_folder(merged_of().path).plain_tokenizer
    assert tokenizer is not None
    tokens = read_tokens(tokenizer)
    cases = read_cases(Path(source))
    rows: dict[str, list[tuple[int, int, int, int]]] = {}
    for case, job in zip(cases, jobs(cases, tokens), strict=True):
        target = tokens.encode((Part(case.expected), END))
        row = (len(job.prompt), len(target), steps(job, target, "cuda"), steps(job, target, "cpu"))
        for size in (bucket(case.request.original), "all"):
            rows.setdefault(size, []).append(row)
    print("size | edits | prompt | written | steps on a GPU, mean | on a processor, mean")
    for size, found in sorted(rows.items()):
        columns = list(zip(*found, strict=True))
        middle = " | ".join(f"{median(column):g}" for column in columns[:2])
        print(f"{size} | {len(found)} | {middle} | ", end="")
        print(" | ".join(f"{median(column):g}, {mean(column):.1f}" for column in columns[2:]))


if __name__ == "__main__":
    main(*sys.argv[1:])
