"""In: a file, and a replacement or a call of any agent. Out: `Repair`: the same letter for letter, or the places."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from redraft.by_format import lawful
from redraft.calls.naming import Named
from redraft.edit.exact.calls import ENDINGS, is_call
from redraft.edit.exact.find import healed
from redraft.edit.exact.near import nearest
from redraft.edit.exact.page import Page
from redraft.edit.exact.read import apply_steps, call_steps, read_steps
from redraft.edit.exact.spelled import between, spelled, telling
from redraft.edit.exact.steps import RefusedError, Replacement, SketchError, Step
from redraft.edit.guard.check import WRITTEN, Status
from redraft.edit.request import Request
from redraft.edit.text.newlines import newlined
from redraft.edit.twins import failing
from redraft.errors import RedraftError
from redraft.result import Result
from redraft.writing import Form

Outcome = Literal["exact", "repaired", "no_change", "refused"]
MOST_PLACES = 3


@dataclass(frozen=True)
class Edit:
    """A replacement that works: `old` stands once, or in all places that change where `replace_all` says so.

    `lines` are the first and the last line of the file that it covers, from 1.
    """

    old: str
    new: str
    lines: tuple[int, int]
    replace_all: bool = False


@dataclass(frozen=True)
class Place:
    """Lines that a refused edit may mean: `old` is their own text, with as much around it as tells them from others.

    `differs` pairs what the call says with what stands there, None where one of them has no such line.
    """

    lines: tuple[int, int]
    old: str
    differs: tuple[tuple[str | None, str | None], ...] = ()


@dataclass(frozen=True, repr=False)
class Repair:
    """What became of a call.

    `status`: "exact" where it works as it is, "repaired" where `edits` in its place do, made in this order;
    "no_change" where nothing is left to do, "refused" where no one place is meant: `message` says what is
    open, `places` which may be meant. `healed` names each slip that was mended. `output` is the new file; replacing the
    edits' old texts letter for letter, in the file with newlines for its line endings, gives the same.
    """

    status: Outcome
    message: str = ""
    edits: tuple[Edit, ...] = ()
    healed: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    output: str | None = None

    def __repr__(self) -> str:
        lines = [edit.lines for edit in self.edits or self.places]
        return f"Repair(status={self.status!r}, message={self.message!r}, lines={lines}, healed={self.healed})"

    def record(self) -> dict[str, Any]:
        """What `redraft repair --json` prints, without the new file."""
        return {
            "status": self.status,
            "message": self.message,
            "healed": list(self.healed),
            "edits": [vars(edit) | {"lines": list(edit.lines)} for edit in self.edits],
            "places": [vars(place) | {"lines": list(place.lines)} for place in self.places],
        }


def repair(
    text: str,
    old: str,
    new: str,
    *,
    path: str = "",
    replace_all: bool = False,
    count: int | None = None,
    line: int | None = None,
) -> Repair:
    """A replacement whose old text does not stand in the file once becomes one whose old text does, or is refused.

    The rules are those of exact formats: what is mended is named, all of the old text agrees afterwards, and one place
    remains. `replace_all` means all places, `count` says how many these are, `line` at which line of the file the
    old text begins.

    >>> repair("def a():\\n    return 1\\n", "  return 1", "  return 2").edits
    (Edit(old='    return 1', new='    return 2', lines=(2, 2), replace_all=False),)
    """
    for name, value in {"text": text, "old": old, "new": new, "path": path}.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is a str, not {type(value).__name__}")
    form = Form.of(text)
    if not old and form.endings.text.strip():
        return Repair("refused", "the old text is empty, and the file is not: put a line of the file in both texts")
    slips = (ENDINGS,) if "\r" in old + new and "\r" not in text else ()
    old, new = (newlined(each, form.endings.text) for each in (old, new))
    many = 0 if replace_all else count or 1
    step = Replacement(old, new, 1, path, is_piece=True, number=line, count=many, is_call=True, slips=slips)
    return _repaired(form, [step], path)


def repair_call(text: str, call: str, *, path: str = "") -> Repair:
    """The same for a call as any agent writes it: JSON, tags, SEARCH/REPLACE blocks, a patch, a diff.

    Raises RedraftError for what is no call.
    """
    form = Form.of(text)
    plain, path = form.endings.text, Request(text, call, path=path).place
    try:
        value = _arguments(call)
        steps = call_steps(plain, value, path) if is_call(value) else read_steps(plain, call, path)
    except RefusedError as refused:
        return Repair("refused", str(refused).replace("the answer", "the call"))
    except SketchError as sketch:
        raise RedraftError("this is a sketch and no call with old and new text: redraft apply takes it") from sketch
    if not steps:
        raise RedraftError("this is no call that edits a file: give its old and new text")
    return _repaired(form, steps, path)


def repaired(request: Request) -> Result:
    """What the call of a request makes of its file, as other ways to apply edits say it."""
    found = repair_call(request.original, request.update, path=request.path)
    status: Status = "no_change" if found.status == "no_change" else "applied"
    if found.output is None:
        return Result("needs_context", None, 0.0, "format", found.message)
    return Result(status, found.output, 1.0, "format", found.message, healed=found.healed)


def _arguments(call: str) -> Any:
    """The value of a call that is nothing but JSON, else None."""
    with suppress(ValueError, RecursionError):
        return json.loads(call, strict=False)
    return None


def _repaired(form: Form, steps: Sequence[Step], path: str) -> Repair:
    text = form.endings.text
    named = Named.of(steps)
    result = lawful(Request(text, named.text, path=path), apply_steps(text, named.steps, named.lines))
    if result.status not in WRITTEN:
        return Repair("refused", named.said(result.message), places=_places(text, named))
    if result.status == "no_change":
        is_same = all(isinstance(step, Replacement) and step.old == step.new for step in steps)
        said = "the old and the new text are the same" if is_same else "the file has all of it already"
        return Repair("no_change", said, output=form.restored(result).output)
    edits = _edits(text, named.steps, result.output or "")
    is_exact = _is_exact(named.steps, edits) and (ENDINGS not in result.healed or "\r\n" in form.endings.endings)
    healed_slips = () if is_exact else result.healed
    return Repair("exact" if is_exact else "repaired", "", edits, healed_slips, (), form.restored(result).output)


def _edits(text: str, steps: Sequence[Step], output: str) -> tuple[Edit, ...]:
    """Replacements that make the output of the text, each proved by making them."""
    replacements = [step for step in steps if isinstance(step, Replacement)]
    found = [*spelled(text, replacements)] if len(replacements) == len(steps) else []
    made = text
    for each in found:
        is_one = each.is_all or made.count(each.old) == 1
        made = each.applied(made) if is_one else ""
    if made != output:
        found = between(Page.of(text), output)
    return tuple(Edit(each.old, each.new, (each.start, each.end), each.is_all) for each in found)


def _is_exact(steps: Sequence[Step], edits: Sequence[Edit]) -> bool:
    texts = [(step.old, step.new) if isinstance(step, Replacement) else None for step in steps]
    return texts == [(edit.old, edit.new) for edit in edits] or not all(texts)


def _places(text: str, named: Named) -> tuple[Place, ...]:
    """Where the first edit that fails may be meant: its places where it has several, else those most like it."""
    page = Page.of(text)
    step = failing(text, named.steps)
    if step is None or not step.old.strip():
        return ()
    spots = healed(step, page)
    lines = page.lines
    near = [] if spots else nearest(step.old, page, MOST_PLACES)
    found = [(spot.start, spot.end) for spot in spots[:MOST_PLACES]] or [(each.start, each.end) for each in near]
    differs = [each.differs for each in near] or [()] * len(found)
    return tuple(
        Place((start + 1, end), "\n".join(lines[slice(*telling(page, start, end))]), other)
        for (start, end), other in zip(found, differs, strict=True)
    )
