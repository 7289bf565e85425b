"""In: a file of JSON lines, one edit each. Out: its lines with their numbers, and the request that a line makes."""

import json
from pathlib import Path
from typing import Any

from redraft.edit.request import Message, Request
from redraft.errors import RedraftError


def read_lines(source: Path) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    try:
        lines = source.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RedraftError(f"cannot read {source}: {error}") from error
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def parse(line: str) -> dict[str, Any]:
    """Raises RedraftError for a line that is not a JSON object."""
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise RedraftError(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RedraftError("not a JSON object")
    return fields


def request(fields: dict[str, Any]) -> Request:
    """The edit of a `batch` input line; raises RedraftError that names the field."""
    if "original" not in fields:
        raise RedraftError("`original` is missing")
    return Request(
        text(fields, "original"),
        text(fields, "update"),
        text(fields, "instruction"),
        text(fields, "path"),
        _conversation(fields.get("conversation") or []),
    )


def text(fields: dict[str, Any], key: str) -> str:
    """The text under a key, "" where there is none."""
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RedraftError(f"`{key}` is not a string")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise RedraftError(f"`{key}` holds half a character (a lone surrogate)")
    return value


def _conversation(turns: Any) -> tuple[Message, ...]:
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        raise RedraftError("`conversation` is not a list of messages")
    return tuple(Message(text(turn, "role"), text(turn, "content")) for turn in turns)
