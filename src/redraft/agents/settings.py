"""In: the text of an agent's settings, and how redraft is started. Out: the text with its entry, or without."""

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.errors import RedraftError

NAME = "redraft"
HOOK = ("agents", "hook")
_HOOKED = {"PreToolUse": "Edit", "PostToolUseFailure": "Edit", "PostToolBatch": None}
_TABLE = re.compile(r"\n*^\[mcp_servers\.redraft(?:\.[^\]\n]*)?\][^\n]*\n(?:(?!\[)[^\n]*\n?)*", re.MULTILINE)

Edit = Callable[[str, Sequence[str], bool], str]  # the text, the command, whether its entry goes


@dataclass(frozen=True)
class Setting:
    """A file of an agent's settings, below the project or the user's home, and how the entry gets in and out."""

    place: str
    edit: Edit
    is_home: bool = False

    def path(self, project: Path) -> Path:
        return (Path.home() if self.is_home else project) / self.place


def _entry(key: str, made: Callable[[Sequence[str]], Mapping[str, Any]]) -> Edit:
    """In JSON, an object of servers by name under a key."""

    def edit(text: str, command: Sequence[str], is_removed: bool) -> str:
        settings = _object(text)
        servers = settings.get(key, {})
        if not isinstance(servers, dict):
            raise RedraftError(f"{key!r} in the settings is not an object: put the entry in by hand")
        others = {name: each for name, each in servers.items() if name != NAME}
        servers = others if is_removed else {**others, NAME: made([*command, "mcp", "--root", "."])}
        settings = {**settings, key: servers}
        if not servers:
            del settings[key]
        return _json(settings)

    return edit


def _hooks(text: str, command: Sequence[str], is_removed: bool) -> str:
    """The hooks of Claude Code, beside those that are there."""
    settings = _object(text)
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(each, list) for each in hooks.values()):
        raise RedraftError("'hooks' in the settings is not an object of lists: put the hook in by hand")
    line = shlex.join([*command, *HOOK])
    kept = {event: [each for each in found if not _is_own(each)] for event, found in hooks.items()}
    for event, matcher in {} if is_removed else _HOOKED.items():
        named = {} if matcher is None else {"matcher": matcher}
        own = {**named, "hooks": [{"type": "command", "command": line, "timeout": 10}]}
        kept[event] = [*kept.get(event, []), own]
    found = {event: each for event, each in kept.items() if each}
    settings = {**settings, "hooks": found}
    if not found:
        del settings["hooks"]
    return _json(settings)


def _is_own(group: Any) -> bool:
    hooks = group.get("hooks", []) if isinstance(group, dict) else []
    return any(str(each.get("command", "")).endswith(" ".join(HOOK)) for each in hooks if isinstance(each, dict))


def _table(text: str, command: Sequence[str], is_removed: bool) -> str:
    """The table of Codex's TOML; the rest of the file stays as it is written."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RedraftError(f"the settings are no TOML: {error}") from error
    left = _TABLE.sub("\n", text).strip("\n")
    if is_removed:
        return f"{left}\n" if left else ""
    started = json.dumps(command[0]), json.dumps([*command[1:], "mcp", "--root", "."])
    table = f"[mcp_servers.{NAME}]\ncommand = {started[0]}\nargs = {started[1]}\n"
    return f"{left}\n\n{table}" if left else table


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text) if text.strip() else {}
    except ValueError as error:
        said = "the settings are no plain JSON (they may have comments)"
        raise RedraftError(f"{said}: {error}; put the entry in by hand, docs/agents.md shows it") from error
    if not isinstance(found, dict):
        raise RedraftError("the settings are no object: put the entry in by hand, docs/agents.md shows it")
    return found


def _json(settings: Mapping[str, Any]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n" if settings else ""


def _started(command: Sequence[str]) -> Mapping[str, Any]:
    return {"command": command[0], "args": list(command[1:])}


AGENTS: Mapping[str, Sequence[Setting]] = {
    "claude-code": (Setting(".mcp.json", _entry("mcpServers", _started)), Setting(".claude/settings.json", _hooks)),
    "codex": (Setting(".codex/config.toml", _table, is_home=True),),
    "gemini": (Setting(".gemini/settings.json", _entry("mcpServers", _started)),),
    "cursor": (Setting(".cursor/mcp.json", _entry("mcpServers", _started)),),
    "zed": (
        Setting(".zed/settings.json", _entry("context_servers", lambda command: {**_started(command), "env": {}})),
    ),
    "opencode": (
        Setting(
            "opencode.json",
            _entry("mcp", lambda command: {"type": "local", "command": list(command), "enabled": True}),
        ),
    ),
}
