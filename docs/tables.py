"""In: the published records of an evaluation. Out: the tables of docs/evaluation.md, between their marks."""

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from redraft.measure.accuracy.outcome import Outcome, read_outcomes
from redraft.measure.report.columns import COUNTS, counted, share
from redraft.measure.report.groups import BY_SIZE, by_system, exact

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "evaluation.md"
MARKED = re.compile(r"(<!-- (?P<set>[\w-]+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def table(name: str) -> str:
    """The table of a set, from benchmarks/NAME/records.jsonl."""
    outcomes = read_outcomes(ROOT / "benchmarks" / name / "records.jsonl")
    return "\n".join(lines(outcomes))


def lines(outcomes: list[Outcome]) -> Iterator[str]:
    sizes = {size: by_system(group) for size, group in BY_SIZE.groups(outcomes).items()}
    columns = ["system", "edits", "exact (95% interval)", *sizes, "silent errors", "refused", "characters/s, median"]
    yield f"| {' | '.join(columns)} |"
    yield "|---" + "|---:" * (len(columns) - 1) + "|"
    for system, found in by_system(outcomes).items():
        by_size = [systems.get(system, []) for systems in sizes.values()]
        cells = [
            f"`{system}`",
            str(len(found)),
            share(exact(found)),
            *(f"{sum(exact(group))} of {len(group)}" for group in by_size),
            counted(found, COUNTS["silent errors"]),
            counted(found, COUNTS["refused"]),
            f"{median(outcome.chars_per_second for outcome in found):,.0f}",
        ]
        yield f"| {' | '.join(cells)} |"


def with_tables(text: str) -> str:
    return MARKED.sub(lambda found: found[1] + table(found["set"]) + found[3], text)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
