"""In: an edit's original, update and output. Out: the status of the edit, and one line on what to do about it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from redraft.edit.align.likeness import quoted
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Block
from redraft.edit.answer.parsed import parsed
from redraft.edit.guard.account import Account, Evidence
from redraft.edit.guard.broken import why_broken
from redraft.edit.guard.declared import duplicates
from redraft.edit.guard.faults import new_faults
from redraft.edit.guard.leaks import leaked as leaks_of
from redraft.edit.guard.unmentioned import unmentioned
from redraft.edit.merge.passes.spelled import spelled
from redraft.edit.outline import Outline, outline
from redraft.edit.request import Request
from redraft.edit.text.changes import split_lines, surplus

Status = Literal[
    "applied",
    "no_change",
    "needs_context",
    "marker_leak",
    "truncated",
    "runaway",
    "unrelated_change",
    "syntax_broken",
    "error",
]

_DOTS = re.compile(r"\.{3}|\u2026")
_LEAKED = (
    "line {} of the new file would be a marker of the answer, {!r}: show the lines above and below what it stands for"
)
_EMPTY = "nothing would be left of the file: show what stays, or delete it yourself"
_UNFINISHED: dict[str, Status] = {"length": "truncated", "runaway": "runaway"}
_AT_LIMIT = "the model stopped at its limit before the end of the file; raise max_tokens"
WRITTEN: tuple[Status, ...] = ("applied", "no_change")  # all others are refused


class Verdict(Struct, frozen=True):
    """What the guards say about an output; `message` is empty when it is applied."""

    status: Status
    message: str = ""


def check(original: str, update: str, output: str, finish: str = "stop", path: str = "") -> Verdict:
    """The first guard that an output fails; `finish` is the engine's finish reason.

    Without an update, any change may be what the instruction asks for: only a lost end and broken syntax are seen.
    """
    if unfinished := _unfinished(output, finish):
        return unfinished
    shown = parsed(original, update, path).blocks
    if output == original:
        return Verdict("no_change", _unchanged(original, shown))
    if spoiled := _spoiled(original, shown, output):
        return spoiled
    changes = _beside_update(original, shown, output) if shown else _cut(original, output)
    return changes or unsound(original, output, path, update) or Verdict("applied")


@lru_cache(maxsize=8)
def check_merged(original: str, answer: Answer, output: str, path: str = "") -> Verdict:
    """The first guard that a text fails which was put together from the file and an answer.

    It holds nothing that is not the file's or the answer's; what counts is what leaks, is lost or breaks.
    """
    if not answer.is_whole:
        return Verdict("truncated", "the answer is cut off inside a block of code; ask for the rest of it")
    if output == original:
        return Verdict("no_change", "the file has all that the answer shows already")
    return _spoiled(original, answer.blocks, output) or unsound(original, output, path) or Verdict("applied")


def check_read(request: Request, answer: Answer, output: str, finish: str = "stop") -> Verdict:
    """The first guard that a text fails which a model wrote that reads answers itself.

    What `check` lets pass does. Else it may have taken back what the answer paraphrases of the file, and a comment may
    look like a marker; that it changes nothing at all is no reading.
    """
    original, path = request.original, request.place
    copied = check(original, request.update, output, finish, path)
    if copied.status == "applied" or finish in _UNFINISHED:
        return copied
    if output == original:
        return Verdict("needs_context", "the model changes nothing")
    if not output.strip():
        return Verdict("truncated", _EMPTY)
    if leaked := next((found for found in _leaked(original, answer.blocks, output) if _DOTS.search(found[1])), None):
        return Verdict("marker_leak", _LEAKED.format(*leaked))
    asked = "\n".join([request.instruction, *(message.content for message in request.conversation)])
    if fault := unsound(original, output, path, request.update):
        return fault
    strange = unmentioned(original, answer, asked, output, path)
    return Verdict("unrelated_change", strange) if strange else Verdict("applied")


def _unfinished(output: str, finish: str) -> Verdict | None:
    if finish not in _UNFINISHED:
        return None
    return Verdict(_UNFINISHED[finish], _AT_LIMIT if finish == "length" else ran_away(output))


def ran_away(text: str) -> str:
    """Why a text was stopped that says the same again and again."""
    last = next((line for line in reversed(text.split("\n")) if line.strip()), "")
    again = f"it went on with {quoted(last)} and the like, " if last else ""
    return (
        f"the model ran away: {again}and was stopped after {len(text):,} characters; a larger model (--engine) may do"
    )


def account(original: str, shown: Sequence[Block]) -> Account:
    """What the blocks of an update say about a file."""
    lines = original.split("\n")
    return Account(lines, spelled(lines, shown))


def _unchanged(original: str, shown: Sequence[Block]) -> str:
    missing = account(original, shown).judge(original).broken
    if missing:
        return f"nothing would change, though the answer shows more than the file has: {quoted(missing[0][-1])}"
    return "nothing would change: the file has all that the answer shows already"


def _spoiled(original: str, shown: Sequence[Block], output: str) -> Verdict | None:
    """Whether a marker got into the output, or nothing is left of the file."""
    if leaked := next(_leaked(original, shown, output), None):
        return Verdict("marker_leak", _LEAKED.format(*leaked))
    return Verdict("truncated", _EMPTY) if original.strip() and not output.strip() else None


def _leaked(original: str, shown: Sequence[Block], output: str) -> Iterator[tuple[int, str]]:
    """Markers of the update that the output has more often than the original."""
    written = [line for block in shown for line in block.lines]
    markers, code = ([line.text.strip() for line in written if line.kind == kind] for kind in ("marker", "code"))
    file, lines = ([*map(str.strip, text.split("\n"))] for text in (original, output))
    places = [at for at, text in enumerate(lines) if text in markers and not _is_stub(text, lines[:at])]
    return ((places[at] + 1, lines[places[at]]) for at in surplus([lines[at] for at in places], (*file, *code)))


def _is_stub(text: str, before: Sequence[str]) -> bool:
    """`...` is the whole body of a Python stub after a line that ends in a colon; all lines are stripped."""
    return text == "..." and next(filter(None, reversed(before)), "").endswith(":")


def _cut(original: str, output: str) -> Verdict | None:
    """An output that is the beginning of the file and no more."""
    old, new = ([*filter(None, map(str.strip, text.split("\n")))] for text in (original, output))
    if old and len(new) < len(old) and new == old[: len(new)]:
        return Verdict("truncated", f"the end of the file is missing; the last line looked for is {quoted(old[-1])}")
    return None


def _beside_update(original: str, shown: Sequence[Block], output: str) -> Verdict | None:
    """What changed, is gone or is missing that the update does not account for."""
    evidence = account(original, shown).judge(output)
    cut = next((stray for stray in (*evidence.strays, *evidence.unexplained) if stray.kind == "cut"), None)
    if cut is not None:
        return Verdict("truncated", f"the end of the file is missing after its line {cut.number}: {quoted(cut.text)}")
    return None if evidence.is_clean else _cut(original, output) or Verdict("unrelated_change", _strange(evidence))


def _strange(evidence: Evidence) -> str:
    if evidence.broken:
        above, below = evidence.broken[0]
        if above == below:
            return f"a line of the answer is not in the new file: {quoted(above)}"
        return f"these lines of the answer do not follow each other in the new file: {quoted(above)}, {quoted(below)}"
    stray = (*evidence.strays, *evidence.unexplained)[0]
    if stray.kind == "gone":
        return f"line {stray.number} of the file is gone, and the answer does not say so: {quoted(stray.text)}"
    return f"line {stray.number} of the new file is neither the file's there nor the answer's: {quoted(stray.text)}"


def unsound(original: str, output: str, path: str, update: str = "", is_exact: bool = False) -> Verdict | None:
    """What of an answer got into the output, what stands twice in it, and what cannot be read; the lines of the answer
    are named where it is given, and `is_exact` says that it said which lines it replaces."""
    before, after = outline(split_lines(original), path), outline(split_lines(output), path)
    if found := leaks_of(before, after):
        line = found[0].line
        what = f"line {line + 1} of the new file would be {_LEAKS[found[0].kind]}, {quoted(after.lines[line])}"
        return Verdict("marker_leak", f"{what}: leave it out of the code that the answer shows")
    if faults := new_faults(before, after, path):
        return Verdict("syntax_broken", why_broken(before, after, faults[0], update.split("\n"), is_exact))
    return _doubled(before, after)


_LEAKS = {
    "sign": "a line of a diff with its sign",
    "header": "a header of a patch",
    "conflict": "a conflict marker",
    "fence": "a fence of the answer",
    "marker": "a comment on what stays as it is",
    "deletion": "a comment on what is gone, which the file still has or had",
}


def _doubled(before: Outline, after: Outline) -> Verdict | None:
    twice = duplicates(before, after)
    if not twice:
        return None
    node = after.nodes[twice[0]]
    what = (
        f"line {node.head + 1} of the new file would have {node.name} a second time, {quoted(after.lines[node.head])}"
    )
    return Verdict("unrelated_change", f"{what}: show the old one where the new one takes its place")
