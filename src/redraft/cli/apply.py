"""In: a file and a sketch or an instruction, or an answer that names its files. Out: new files, diffs or records."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from redraft.apply import Redraft, Result, load
from redraft.cli import options
from redraft.cli.read import read_input, read_update
from redraft.edit import answer, files
from redraft.edit.guard.check import WRITTEN
from redraft.edit.writing import write_all
from redraft.engines import Sampling
from redraft.errors import RedraftError


@dataclass(frozen=True)
class Edit:
    """One file, what is to be done to it, and the name by which the user knows it."""

    name: str
    file: files.File
    update: str


def apply(
    file: Annotated[Path | None, typer.Argument(help="The file; without it, standard input to output.")] = None,
    update: options.Update = None,
    instruction: options.Instruction = "",
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The update names its files, below DIR: all are written, or none."),
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print the diff and leave the file as it is.")] = False,
    stdout: Annotated[bool, typer.Option("--stdout", help="Print the new file and leave the file as it is.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record of the edit.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write also what a guard refuses.")] = False,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of the file; without it, as the file declares, or UTF-8.")
    ] = None,
    engine: options.Engine = "embedded",
    output_format: options.FormatOption = "whole",
    readers: options.ReadersOption = "both",
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    template: options.Template = None,
    max_tokens: options.MaxTokens = None,
) -> int:
    """Rewrite FILE as the sketch or the instruction says, or all files that the update names."""
    if diff + stdout + as_json > 1:
        raise typer.BadParameter("--diff, --stdout and --json exclude each other")
    if root is not None and (file is not None or stdout):
        raise typer.BadParameter("--root goes without FILE and --stdout: the update names the files")
    edits = _named(update, root, encoding) if root is not None else [_given(file, update, encoding)]
    if not instruction.strip() and not any(edit.update.strip() for edit in edits):
        raise RedraftError("nothing to do: the update is empty and there is no --instruction")
    editor = load(
        engine,
        dtype=dtype,
        readers=readers,
        template=template,
        speculate=not no_speculation,
        output_format=output_format,
    )
    results = list(_results(edits, editor, instruction, Sampling(max_tokens=max_tokens)))
    taken = all(result.output is not None and (result.status in WRITTEN or force) for result in results)
    is_stream = root is None and file is None
    for edit, result in zip(edits, results, strict=True):
        _show(edit, result, diff, as_json, (stdout or is_stream) and taken, root is not None)
    if taken and not (diff or stdout or is_stream):
        changed = [(e.file, r.output or "") for e, r in zip(edits, results, strict=True) if r.output != e.file.text]
        write_all(changed)
    for edit, result in zip(edits, results, strict=True):
        _say(edit, result, taken)
    return 0 if taken else 3


def _given(file: Path | None, update: str | None, encoding: str | None) -> Edit:
    """The one file, or standard input."""
    if file is None and (update == "-" or sys.stdin.isatty()):
        raise typer.BadParameter("name the FILE to rewrite, or pipe it in")
    sketch = read_update(update) if update else ""
    found = read_input(encoding) if file is None else files.read(file, encoding)
    return Edit(str(file or ""), found, sketch)


def _named(update: str | None, root: Path, encoding: str | None) -> list[Edit]:
    """The files that the update names."""
    if update is None:
        raise typer.BadParameter("--root needs an --update that names its files")
    if not root.is_dir():
        raise RedraftError(f"there is no folder {root}")
    edits: dict[Path, Edit] = {}
    text = read_update(update)
    for part in answer.parts(text):
        place = answer.find(part.path, root)
        if not place.exists() and not (answer.is_whole(part) and answer.is_named(part.path, text)):
            raise RedraftError(f"there is no file {part.path} below {root}, and its block is no whole new file")
        found = files.read(place, encoding) if place.exists() else files.new(place, encoding)
        # Two names of one file are one edit.
        before = f"{edits[found.path].update}\n" if found.path in edits else ""
        edits[found.path] = Edit(str(place.relative_to(root)), found, before + part.update)
    return list(edits.values())


def _results(edits: Sequence[Edit], editor: Redraft, instruction: str, sampling: Sampling) -> Iterator[Result]:
    """Raises RedraftError with the message of an edit that is an error."""
    for edit in edits:
        with Console(stderr=True).status(f"rewriting {edit.name or edit.file.path}"):
            result = editor.apply(
                edit.file.text, edit.update, instruction=instruction, path=edit.name, sampling=sampling
            )
        if result.status == "error":
            raise RedraftError(result.message)
        yield result


def _show(edit: Edit, result: Result, diff: bool, as_json: bool, text: bool, named: bool) -> None:
    """What goes to standard output."""
    if diff:
        _print(_diff(edit.name or edit.file.path.name, edit.file.text, result.output))
    elif as_json:
        _print(json.dumps(({"path": edit.name} if named else {}) | result.record()) + "\n")
    elif text:
        sys.stdout.buffer.write(files.encode(edit.file, result.output or ""))


def _diff(name: str, before: str, after: str | None) -> str:
    """A unified diff as git applies it; nothing where there is no output."""
    old, new = (text.split("\n") for text in (before, before if after is None else after))
    lines = unified_diff(_kept(old), _kept(new), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _kept(lines: Sequence[str]) -> list[str]:
    """Lines with their newlines; only these end a line."""
    return [line + "\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode())


def _say(edit: Edit, result: Result, taken: bool) -> None:
    lines = _diff("", edit.file.text, result.output).split("\n")[2:]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    changed = f"{added} lines added, {removed} removed" if taken else "the file is as it was"
    speed = f"{result.chars_per_second:,.0f} characters/s in {result.seconds:.2f} s, {result.forwards} forwards"
    sure = f", confidence {result.confidence:.3f} ({result.decided_by})" if result.confidence else ""
    reason = f": {result.message}" if result.message else ""
    print(f"{result.status}{reason} ({edit.file.path}: {changed}{sure}; {speed})", file=sys.stderr)
