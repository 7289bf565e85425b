"""In: what Claude Code tells a hook. Out: what the hook answers: for an edit that fails, the call that works.

Claude Code looks for the old text before it asks any hook. Where it is not in the file, only PostToolBatch is told;
PostToolUseFailure is told of what fails later. PreToolUse sees edits that Claude Code would make, some with quotes that
the file does not have.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redraft.errors import RedraftError
from redraft.files.read import read

TOOL = "Edit"
ONE_CALL = ("PreToolUse", "PostToolUseFailure")
_FAILED = "tool_use_error"  # the tag around what Claude Code says of a call that it does not make

Answer = dict[str, Any]
Call = Mapping[str, Any]


def answer(event: Mapping[str, Any]) -> Answer | None:
    """None where there is nothing to say: another tool, an edit that works, a file that cannot be read."""
    name = event.get("hook_event_name")
    found = [(call, text) for call in _calls(event) if (text := _text(call, event.get("cwd"))) is not None]
    if not found:
        return None
    from redraft.calls.mended import explained, mended  # most events end above, before the readers are imported

    if name == "PreToolUse":
        call = mended(*found[0])
        return None if call is None else _output(name, updatedInput=call)
    texts = [said for call, text in found if (said := explained(call, text)) is not None]
    return _output(str(name), additionalContext="\n\n".join(texts)) if texts else None


def _calls(event: Mapping[str, Any]) -> Iterator[Call]:
    """The arguments of edits that are to be made, or that failed."""
    name = event.get("hook_event_name")
    calls = event.get("tool_calls") if name == "PostToolBatch" else [event] if name in ONE_CALL else None
    for call in calls if isinstance(calls, list) else ():
        if not isinstance(call, Mapping) or call.get("tool_name") != TOOL:
            continue
        given = call.get("tool_input")
        if isinstance(given, Mapping) and (call is event or _FAILED in json.dumps(call.get("tool_response"))):
            yield given


def _text(call: Call, folder: Any) -> str | None:
    """The file that a call is about; None where the call works in it, or there is none."""
    path = call.get("file_path")
    if not isinstance(path, str) or not path:
        return None
    try:
        text = read(Path(folder if isinstance(folder, str) else ".") / path).text
    except (RedraftError, ValueError):
        return None
    return None if text.count(str(call.get("old_string"))) == 1 else text


def _output(event: str, **fields: Any) -> Answer:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}
