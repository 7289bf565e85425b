"""In: JSON lines, one edit each. Out: JSON lines in the same order, one result each, also for lines that are malformed."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from redraft.apply import Readers, Redraft, Result, load
from redraft.cli import options
from redraft.edit.request import Message
from redraft.engines import Sampling
from redraft.errors import RedraftError


def batch(
    source: Annotated[Path, typer.Argument(metavar="IN.jsonl", help="Edits: id, path, original, update, instruction.")],
    target: Annotated[Path, typer.Argument(metavar="OUT.jsonl", help="Results, a line each.")],
    engine: options.Engine = "embedded",
    readers: options.ReadersOption = "model",
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    template: options.Template = None,
    max_tokens: options.MaxTokens = None,
) -> int:
    """Apply many edits with one model load."""
    lines = _lines(source)
    editor = load(engine, dtype=dtype, readers=readers, template=template, speculate=not no_speculation)
    records = _records(lines, editor, Sampling(max_tokens=max_tokens), readers)
    console = Console(stderr=True)
    shown = track(records, "edits", total=len(lines), console=console, disable=not console.is_terminal)
    _write(target, shown)
    return 0


def _lines(source: Path) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    try:
        lines = source.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RedraftError(f"cannot read {source}: {error}") from error
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _write(target: Path, records: Iterable[dict[str, Any]]) -> None:
    try:
        with target.open("w", encoding="utf-8") as out:
            for record in records:
                out.write(json.dumps(record) + "\n")
                out.flush()
    except OSError as error:
        raise RedraftError(f"cannot write {target}: {error.strerror}") from error


def _records(
    lines: Iterable[tuple[int, str]], editor: Redraft, sampling: Sampling, readers: Readers
) -> Iterator[dict[str, Any]]:
    for number, line in lines:
        edit_id = None
        try:
            fields = _fields(line)
            edit_id = fields.get("id")
            result = _edit(fields, editor, sampling)
        except RedraftError as error:
            result = Result("error", None, None, readers, f"line {number}: {error}")
        yield {"id": edit_id} | asdict(result)


def _edit(fields: dict[str, Any], editor: Redraft, sampling: Sampling) -> Result:
    if "original" not in fields:
        raise RedraftError("`original` is missing")
    return editor.apply(
        _text(fields, "original"),
        _text(fields, "update"),
        instruction=_text(fields, "instruction"),
        path=_text(fields, "path"),
        conversation=_conversation(fields.get("conversation") or []),
        sampling=sampling,
    )


def _fields(line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise RedraftError(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise RedraftError("not a JSON object")
    return fields


def _text(fields: dict[str, Any], key: str) -> str:
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
    return tuple(Message(_text(turn, "role"), _text(turn, "content")) for turn in turns)
