"""In: outcomes and their cases. Out: a folder with a page, tables, pictures and records."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.cases import Case
from redraft.measure.report import plots
from redraft.measure.report.failures import failures
from redraft.measure.report.groups import by_system
from redraft.measure.report.page import page
from redraft.measure.report.table import markdown
from redraft.measure.report.tables import tables

PAGE = "index.html"


def report(outcomes: Sequence[Outcome], cases: Mapping[str, Case], out: Path) -> None:
    """Writes `index.html`, `tables.md`, `records.jsonl` and the pictures.

    The page holds the texts of the cases that did not come out exact; nothing else holds any text of a case. Raises
    RedraftError without outcomes, for two of one case and system, without matplotlib, and where a file cannot be
    written.
    """
    _check(outcomes)
    try:
        out.mkdir(parents=True, exist_ok=True)
        pictures = {name: path.read_bytes() for name, path in plots.draw(outcomes, out).items()}
        found = tables(outcomes)
        text = page(_title(outcomes), _counts(outcomes), found, pictures, failures(outcomes, cases))
        _write(out / PAGE, text)
        _write(out / "tables.md", markdown(found))
        _write(out / "records.jsonl", "".join(json.dumps(asdict(_bare(each))) + "\n" for each in outcomes))
    except OSError as error:
        raise RedraftError(f"cannot write {error.filename or out}: {error.strerror}") from error


def _check(outcomes: Sequence[Outcome]) -> None:
    if not outcomes:
        raise RedraftError("there are no records to report")
    (case, system), count = Counter((outcome.id, outcome.system) for outcome in outcomes).most_common(1)[0]
    if count > 1:
        raise RedraftError(f"the case {case} is there {count} times for {system}: give each record once")


def _bare(outcome: Outcome) -> Outcome:
    """Without the output, and the message, which may quote a line."""
    return replace(outcome, output=None, message="")


def _title(outcomes: Iterable[Outcome]) -> str:
    sets = sorted({outcome.set for outcome in outcomes} - {""})
    return " ".join(("Edits", *(["of", ", ".join(sets)] if sets else [])))


def _counts(outcomes: Sequence[Outcome]) -> str:
    edits, systems = len({outcome.id for outcome in outcomes}), len(by_system(outcomes))
    return f"{edits:,} edits, {systems} systems, {len(outcomes):,} records"


def _write(path: Path, text: str) -> None:
    """Half a character, which no encoding has, becomes a question mark."""
    path.write_text(text, encoding="utf-8", errors="replace")
