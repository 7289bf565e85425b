"""In: an edit's original, update and output. Out: the status of the edit, and one line on what to do about it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.edit.likeness import TELLING, weight
from redraft.edit.sketch import blocks

Status = Literal[
    "applied", "no_change", "needs_context", "marker_leak", "truncated", "unrelated_change", "syntax_broken", "error"
]


@dataclass(frozen=True)
class Verdict:
    """What the guards say about an output; `message` is empty when it is applied."""

    status: Status
    message: str = ""


def check(original: str, update: str, output: str, finish: str = "stop", path: str = "") -> Verdict:
    """The first guard that an output fails; `finish` is the engine's finish reason."""
    if finish == "length":
        return Verdict("truncated", "the model stopped at its limit before the end of the file; raise max_tokens")
    if output == original:
        return Verdict("no_change", "the output equals the file: the update changes nothing, or is already in it")
    if leaked := next(_leaked(original, update, output, path), None):
        return Verdict("marker_leak", f"line {leaked[0]} of the output is a marker of the update: {leaked[1]!r}")
    if lost := _lost_end(original, update, output, path):
        return Verdict("truncated", f"the end of the file is missing; the last line looked for is {lost!r}")
    return Verdict("applied")


def _leaked(original: str, update: str, output: str, path: str) -> Iterator[tuple[int, str]]:
    """Markers of the update that the output has more often than the original."""
    markers = {line.text.strip() for block in blocks(update, path) for line in block.lines if line.kind == "marker"}
    allowed = Counter(line.strip() for line in original.split("\n"))
    lines = output.split("\n")
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text not in markers or _is_stub(text, lines[: number - 1]):
            continue
        allowed[text] -= 1
        if allowed[text] < 0:
            yield number, text


def _is_stub(text: str, before: Sequence[str]) -> bool:
    """`...` is the whole body of a Python stub after a line that ends in a colon."""
    return text == "..." and next((line for line in reversed(before) if line.strip()), "").rstrip().endswith(":")


def _lost_end(original: str, update: str, output: str, path: str) -> str:
    """The original's last line when it is missing and the update does not show another end; else nothing."""
    old = [line.strip() for line in original.split("\n") if line.strip()]
    new = [line.strip() for line in output.split("\n") if line.strip()]
    if not old:
        return ""
    if not update.strip():
        return old[-1] if new == old[: len(new)] else ""
    sketched = {line.text.strip() for block in blocks(update, path) for line in block.lines if line.kind == "code"}
    if new and new[-1] in sketched:
        return ""
    telling = next((line for line in reversed(old) if weight(line) >= TELLING), old[-1])
    ended = bool(new) and new[-1] == old[-1] and (telling in new or telling not in old[-3:])
    return "" if ended else telling
