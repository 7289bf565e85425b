"""In: what Claude Code tells a hook. Out: what the hook answers: for an edit that fails, the call that works.

PreToolUse may change a call before it is made. Calls whose old text is not in the file do not get there in the versions
up to 2.1, which check it first; PostToolUseFailure and PostToolBatch come afterwards, and the model reads the answer.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redraft.calls.repair import Repair, repair_call
from redraft.calls.spell import like
from redraft.calls.told import told
from redraft.edit.text.endings import Endings
from redraft.errors import RedraftError
from redraft.files.read import read

EVENTS = ("PreToolUse", "PostToolUseFailure", "PostToolBatch")
TOOLS = ("Edit", "MultiEdit")
_FAILED = re.compile(
    r"tool_use_error|string to replace not found|not found in (?:the )?file|matches of the string|is_error\W+true",
    re.IGNORECASE,
)

Answer = dict[str, Any]


def answer(event: Mapping[str, Any]) -> Answer | None:
    """None where there is nothing to say: another tool, an edit that works, a file that cannot be read."""
    name = event.get("hook_event_name")
    if name == "PreToolUse":
        return _before(event)
    said = [*_failures(event)] if name in EVENTS else []
    texts = [text for call in said if (text := _told(call, event)) is not None]
    return _output(str(name), additionalContext="\n\n".join(texts)) if texts else None


def _before(event: Mapping[str, Any]) -> Answer | None:
    """The call with its texts as the file has them, where they are not so yet."""
    call = event.get("tool_input")
    found = _repair(call, event) if event.get("tool_name") in TOOLS and isinstance(call, Mapping) else None
    if found is None or found[0].status != "repaired":
        return None
    lines = _spelled(*found, json.dumps(call)).split("\n")
    return _output("PreToolUse", updatedInput=json.loads(lines[0])) if len(lines) == 1 else None


def _failures(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The arguments of the edits that failed."""
    if event.get("hook_event_name") == "PostToolUseFailure":
        calls: Any = [{**event, "tool_response": "tool_use_error"}]
    else:
        calls = event.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if not isinstance(call, Mapping) or call.get("tool_name") not in TOOLS:
            continue
        given = call.get("tool_input")
        if isinstance(given, Mapping) and _FAILED.search(json.dumps(call.get("tool_response"))):
            yield given


def _told(call: Mapping[str, Any], event: Mapping[str, Any]) -> str | None:
    found = _repair(call, event)
    if found is None or found[0].status == "exact":
        return None
    path = call.get("file_path")
    if not found[0].edits:
        return f"redraft on the failed edit of {path}: {told(found[0])}"
    what = "this call is" if "\n" not in (spelled := _spelled(*found, json.dumps(call))) else "these calls are"
    return f"redraft on the failed edit of {path}: {told(found[0])}. {what} the same and will match:\n{spelled}"


def _repair(call: Mapping[str, Any], event: Mapping[str, Any]) -> tuple[Repair, str, str] | None:
    path = call.get("file_path")
    if not isinstance(path, str) or not path:
        return None
    folder = event.get("cwd")
    try:
        text = read(Path(folder if isinstance(folder, str) else ".") / path).text
        return repair_call(text, json.dumps(call), path=path), text, path
    except (RedraftError, ValueError):
        return None


def _spelled(found: Repair, text: str, path: str, call: str) -> str:
    plain, output = (Endings.of(each.removeprefix("\ufeff")).text for each in (text, found.output or ""))
    return like(call, plain, output, found.edits, path)


def _output(event: str, **fields: Any) -> Answer:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}
