"""In: an Edit of Claude Code and the text of its file. Out: the call that works, or what to tell the model of it."""

import json
from collections.abc import Mapping
from typing import Any

from redraft.calls.repair import Repair, repair_call
from redraft.calls.report import described
from redraft.calls.spell import like
from redraft.edit.text.endings import Endings
from redraft.errors import RedraftError


def mended(call: Mapping[str, Any], text: str) -> dict[str, Any] | None:
    """The call with its texts as the file has them, where one call makes the edit and they are not so yet."""
    found = _repair(call, text)
    if found is None or found.status != "repaired":
        return None
    lines = _spelled(found, call, text).split("\n")
    return dict(json.loads(lines[0])) if len(lines) == 1 else None


def explained(call: Mapping[str, Any], text: str) -> str | None:
    """What a model is to read of its call that failed."""
    found = _repair(call, text)
    if found is None or found.status == "exact":
        return None
    said = f"redraft on the failed edit of {call['file_path']}: {described(found)}"
    if not found.edits:
        return said
    what = "This call is" if "\n" not in (spelled := _spelled(found, call, text)) else "These calls are"
    return f"{said}. {what} the same and will match:\n{spelled}"


def _repair(call: Mapping[str, Any], text: str) -> Repair | None:
    try:
        return repair_call(text, json.dumps(call), path=call["file_path"])
    except (RedraftError, ValueError):
        return None


def _spelled(found: Repair, call: Mapping[str, Any], text: str) -> str:
    plain, output = (Endings.of(each.removeprefix("\ufeff")).text for each in (text, found.output or ""))
    return like(json.dumps(call), plain, output, found.edits, call["file_path"])
