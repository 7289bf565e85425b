"""In: a call of an agent's editing tool that fails, and the file. Out: the call that works, or why there is none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.calls.repair import Repair, repair_call
from redraft.calls.report import described
from redraft.calls.spell import AGENTS, check_agent, like, spelled_for
from redraft.changes.change import Change
from redraft.changes.write import write
from redraft.cli import options, streams
from redraft.cli.exclude import exclude
from redraft.cli.lines import write_lines
from redraft.cli.read import is_piped, read_clipboard, read_input, read_update
from redraft.edit import jsonl
from redraft.edit.exact.read import files_of
from redraft.edit.text.endings import Endings
from redraft.errors import RedraftError
from redraft.files import read as files
from redraft.files.place import find
from redraft.result import Result

_TEXT = "call"


def repair(
    file: Annotated[Path | None, typer.Argument(help="The file. Without it, the call names it.")] = None,
    call: Annotated[
        str | None,
        typer.Option("--call", "-c", metavar="PATH|-", help="The call; - reads standard input, as is done for a pipe."),
    ] = None,
    clipboard: Annotated[bool, typer.Option("--clipboard", help="Take the call from the clipboard.")] = False,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the file lies that the call names, or its path's end.")
    ] = None,
    words: Annotated[
        str, typer.Option("--as", metavar="AGENT", help=f"Write it as a call of {', '.join(AGENTS)}; else as it came.")
    ] = "",
    is_write: Annotated[
        bool, typer.Option("--write", help="Write the file, too; `redraft undo` takes it back.")
    ] = False,
    as_json: options.Json = False,
    batch: Annotated[
        Path | None,
        typer.Option(metavar="IN.jsonl|-", help="Many calls: id, path, call, original; a record a line comes out."),
    ] = None,
    encoding: options.Encoding = None,
) -> int:
    """Make an edit call that fails work: the same call, letter for letter as the file has it, or why there is none."""
    exclude({"--call": call is not None, "--clipboard": clipboard, "--batch": batch is not None})
    exclude({"--write": is_write, "--batch": batch is not None})
    if words:
        check_agent(words)
    if batch is not None:
        write_lines(None, _records(batch, root, words), "calls", 0)
        return 0
    given = read_clipboard() if clipboard else read_update(call) if call else _piped()
    read = files.read(file or _place(given, root), encoding)
    name = str(file or files_of(given)[0])
    found = repair_call(read.text, given, path=name)
    if as_json:
        streams.write(json.dumps(_record(found, given, read.text, name, words)) + "\n")
    elif found.edits:
        streams.write(_spelled(found, given, read.text, name, words) + "\n")
    streams.tell(f"redraft: {described(found)}")
    if is_write and found.edits:
        write([Change(name, read, Result("applied", found.output, 1.0, "format", ""))])
        streams.say(f"{name}: written")
    return 3 if found.status == "refused" else 0


def _piped() -> str:
    if not is_piped():
        raise RedraftError("there is no call: give --call PATH, --clipboard, or pipe it in")
    return read_input().text


def _place(call: str, root: Path | None) -> Path:
    """The file that a call names; with a root also the one there whose path ends so."""
    named = files_of(call)
    if not named and _is_cut(call):
        raise RedraftError("the call is cut off: its JSON does not end; ask for it again")
    if len(named) != 1:
        what = f"the call names {', '.join(named)}" if named else "the call names no file"
        raise RedraftError(f"{what}: name the FILE that is meant")
    path = Path(named[0])
    if not path.is_absolute():
        return find(named[0], root or Path())
    if root is None:
        if path.exists():
            return path
    elif path.is_relative_to(root.resolve()):
        return find(named[0], root)
    elif end := _end_below(root, path):
        return find(end, root)
    raise RedraftError(f"there is no file {path}: name the FILE here, or the folder of its project with --root")


def _end_below(root: Path, path: Path) -> str:
    """The longest end of a path that is a file below a folder; "" where none is."""
    ends = ("/".join(path.parts[at:]) for at in range(1, len(path.parts)))
    return next((end for end in ends if (root / end).is_file()), "")


def _is_cut(call: str) -> bool:
    """Whether a call is JSON without its end."""
    text = call.strip()
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text[:1] in ("{", "[") and text[-1:] != {"{": "}", "[": "]"}[text[0]]
    return False


def _spelled(found: Repair, call: str, text: str, path: str, words: str) -> str:
    if not words and found.status == "exact":
        return call.removesuffix("\n")
    plain, output = (Endings.of(each.removeprefix("\ufeff")).text for each in (text, found.output or ""))
    if words:
        return spelled_for(words, plain, output, found.edits, path)
    return like(call, plain, output, found.edits, path)


def _record(found: Repair, call: str, text: str, path: str, words: str) -> dict[str, Any]:
    spelled = _spelled(found, call, text, path, words) if found.edits else None
    return {"path": path, **found.record(), _TEXT: spelled}


def _records(source: Path, root: Path | None, words: str) -> Iterator[dict[str, Any]]:
    lines = (
        [(number, line) for number, line in enumerate(read_input().text.split("\n"), 1) if line.strip()]
        if str(source) == "-"
        else jsonl.read_lines(source)
    )
    for number, line in lines:
        edit_id = None
        try:
            fields = jsonl.parse(line)
            edit_id = fields.get("id")
            yield {"id": edit_id} | _one(fields, root, words)
        except RedraftError as error:
            yield {"id": edit_id, "status": "error", "message": f"line {number}: {error}"}


def _one(fields: dict[str, Any], root: Path | None, words: str) -> dict[str, Any]:
    """The record of a line: its `call` is a text, or an object as the agent sent it."""
    given = fields.get("call")
    call = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    path = jsonl.text(fields, "path")
    if "original" in fields:
        text = jsonl.text(fields, "original")
    else:
        read = files.read((root or Path()) / path if path else _place(call, root))
        text, path = read.text, path or str(read.path)
    return _record(repair_call(text, call, path=path), call, text, path, words)
