"""In: what a model wrote and what the merge made of one edit. Out: which of the two is taken, on what ground.

The two readers know nothing of each other: the model writes a file token by token, the merge aligns the sketch with the
file. Where they make the same of an edit, both would have to make the same mistake.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from redraft.edit.align.likeness import form
from redraft.edit.align.merge import Merge
from redraft.edit.guard.account import Account, Evidence
from redraft.edit.syntax import broken
from redraft.edit.text.changes import line_changes

Reader = Literal["both", "model", "merge"]
Ground = Literal[
    "agreement",  # the two texts are equal
    "blank lines",  # they differ in blank lines alone: the merge, which counts the sketch's own
    "account",  # only one of them changes nothing that the update does not account for
    "account, repeating",  # so, but it repeats lines that the file has
    "spelling",  # they differ in spacing, quotes, separators alone: the model, which copies the sketch
    "syntax",  # one of them can be parsed
    "margin",  # the model hardly preferred what it wrote: the merge
    "places",  # one of them changes the file in fewer places
    "repetition",  # one of them repeats fewer lines
    "certainty",  # nothing else tells them apart: the merge
    "model alone",
    "merge alone",
    "merge alone, unsure",
]
# The share of edits decided on each ground that were right, as `redraft eval calibrate` counts and writes it.
CONFIDENCE: dict[Ground, float] = json.loads(Path(__file__).with_name("confidence.json").read_text(encoding="utf-8"))
LEAST_MARGIN = 3.0  # nats between a model's first and second choice
LEAST_CERTAINTY = 0.95  # of the merge's hunks, where it stands against the model


@dataclass(frozen=True)
class Written:
    """A model's text, and its smallest margin (nats) where it did not follow the draft; None if it always did."""

    text: str
    margin: float | None


@dataclass(frozen=True)
class Decision:
    """The text that is taken, None when none is; `reason` says why then, and else what was in doubt."""

    text: str | None
    decided_by: Reader
    ground: Ground
    reason: str = ""


def decide(original: str, update: str, path: str, written: Written, merged: Merge) -> Decision:
    """The first rule that tells the two texts apart decides."""
    if merged.text is None:
        return Decision(None, "merge", "merge alone", merged.reason)
    if written.text == merged.text:
        return Decision(merged.text, "both", "agreement")
    account = Account.of(original, update, path)
    seen = account.judge(written.text), account.judge(merged.text)
    doubt = f"the model and the merge differ at {_lines(written.text, merged.text)} of the output"
    ground, winner = _told_apart(original, path, written, merged.text, seen)
    if ground == "account" and winner is None:
        return Decision(None, "both", ground, f"{doubt} and neither does only what the update says: show more context")
    if ground == "account, repeating" and winner == "merge" and certainty(merged) < LEAST_CERTAINTY:
        return Decision(None, "merge", ground, f"{doubt} and the merge is not sure: show more context")
    text = written.text if winner == "model" else merged.text
    return Decision(text, winner or "merge", ground, f"{doubt}; {ground} decides for the {winner}")


def certainty(merged: Merge) -> float:
    """How sure the merge is of the hunk that it is least sure of."""
    return min((hunk.certainty for hunk in merged.hunks), default=1.0)


def _told_apart(
    original: str, path: str, written: Written, merged: str, seen: tuple[Evidence, Evidence]
) -> tuple[Ground, Literal["model", "merge"] | None]:
    texts = written.text, merged
    clean = tuple(evidence.is_clean for evidence in seen)
    if clean[1] and _forms(texts[0], False) == _forms(texts[1], False):
        return "blank lines", "merge"
    if not any(clean):
        return "account", None
    if clean[0] != clean[1]:
        repeats = seen[clean.index(True)].repeated
        return "account, repeating" if repeats else "account", "model" if clean[0] else "merge"
    if _forms(texts[0], True) == _forms(texts[1], True):
        return "spelling", "model"
    faults = [len(broken(original, text, path)) for text in texts]
    if faults[0] != faults[1]:
        return "syntax", _lesser(faults)
    if written.margin is not None and written.margin < LEAST_MARGIN:
        return "margin", "merge"
    places = [len(line_changes(_written(original), _written(text))) for text in texts]
    if abs(places[0] - places[1]) > 1:
        return "places", _lesser(places)
    repeated = [evidence.repeated for evidence in seen]
    if repeated[0] != repeated[1]:
        return "repetition", _lesser(repeated)
    return "certainty", "merge"


def _lesser(pair: Sequence[int]) -> Literal["model", "merge"]:
    return "model" if pair[0] < pair[1] else "merge"


def _written(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _forms(text: str, careless: bool) -> list[str]:
    return [form(line) if careless else line.rstrip() for line in _written(text)]


def _lines(text: str, other: str) -> str:
    """Where two texts differ, as lines of the second one."""
    found = line_changes(text.split("\n"), other.split("\n"))
    spans = [
        f"{c.after_start + 1}-{c.after_end}" if c.after_end > c.after_start + 1 else f"{c.after_start + 1}"
        for c in found
    ]
    named = ", ".join(spans[:4]) + (", ..." if len(spans) > 4 else "")
    return f"line{'s' if len(spans) > 1 or '-' in named else ''} {named}"
