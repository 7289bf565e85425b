"""In: a file of JSON lines. Out: its lines with their numbers, the request that a line makes, and more lines."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from redraft.edit.request import Message, Request
from redraft.errors import RedraftError


def read_lines(source: Path) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    try:
        lines = source.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise RedraftError(f"cannot read {source}: {error.strerror}") from error
    except UnicodeDecodeError as error:
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


def append(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Adds the rows as JSON lines; raises RedraftError where the file cannot be written."""
    try:
        with path.open("a", encoding="utf-8") as out:
            out.write("".join(json.dumps(row) + "\n" for row in rows))
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error.strerror}") from error


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """A new file of the rows as JSON lines; raises RedraftError where it cannot be written."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error.strerror}") from error


def drop_torn(path: Path) -> bool:
    """Takes off a last line that was not written to its end; returns whether there was one."""
    try:
        content = path.read_bytes() if path.is_file() else b""
        is_torn = bool(content) and not content.endswith(b"\n")
        if is_torn:
            os.truncate(path, content.rfind(b"\n") + 1)
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error.strerror}") from error
    return is_torn
