"""In: a file and a sketch or an instruction. Out: the file rewritten in place, or its diff, text or record."""

import json
import sys
from dataclasses import asdict
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from redraft.apply import Result, load
from redraft.cli import options
from redraft.cli.read import read_input, read_update
from redraft.edit import files
from redraft.engines import Sampling
from redraft.errors import RedraftError

_WRITTEN = ("applied", "no_change")


def apply(
    file: Annotated[Path | None, typer.Argument(help="The file; without it, standard input to output.")] = None,
    update: options.Update = None,
    instruction: options.Instruction = "",
    diff: Annotated[bool, typer.Option("--diff", help="Print the diff and leave the file as it is.")] = False,
    stdout: Annotated[bool, typer.Option("--stdout", help="Print the new file and leave the file as it is.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record of the edit.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write also what a guard refuses.")] = False,
    engine: options.Engine = "embedded",
    readers: options.ReadersOption = "both",
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    template: options.Template = None,
    max_tokens: options.MaxTokens = None,
) -> int:
    """Rewrite FILE as the sketch or the instruction says."""
    if diff + stdout + as_json > 1:
        raise typer.BadParameter("--diff, --stdout and --json exclude each other")
    original, sketch = _read(file, update)
    if not sketch.strip() and not instruction.strip():
        raise RedraftError("nothing to do: the update is empty and there is no --instruction")
    with Console(stderr=True).status(f"rewriting {original.path}"):
        editor = load(engine, dtype=dtype, readers=readers, template=template, speculate=not no_speculation)
        sampling = Sampling(max_tokens=max_tokens)
        path = str(file or "")
        result = editor.apply(original.text, sketch, instruction=instruction, path=path, sampling=sampling)
    if result.status == "error":
        raise RedraftError(result.message)
    accepted = result.output is not None and (result.status in _WRITTEN or force)
    if diff:
        _print(_diff(path or original.path.name, original.text, result.output or ""))
    elif as_json:
        _print(json.dumps(asdict(result)) + "\n")
    elif (stdout or file is None) and accepted:
        sys.stdout.buffer.write(files.encode(original, result.output or ""))
    if accepted and file is not None and not diff and not stdout and result.output != original.text:
        files.write(original, result.output or "")
    _say(result, original, accepted)
    return 0 if accepted else 3


def _read(file: Path | None, update: str | None) -> tuple[files.File, str]:
    """The original and the text of the update."""
    if file is None and (update == "-" or sys.stdin.isatty()):
        raise typer.BadParameter("name the FILE to rewrite, or pipe it in")
    sketch = read_update(update) if update else ""
    return (read_input() if file is None else files.read(file)), sketch


def _diff(name: str, before: str, after: str) -> str:
    lines = unified_diff(before.splitlines(True), after.splitlines(True), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode())


def _say(result: Result, original: files.File, accepted: bool) -> None:
    lines = _diff("", original.text, result.output or "").splitlines()[2:]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    changed = f"{added} lines added, {removed} removed" if accepted else "the file is as it was"
    speed = f"{result.chars_per_second:,.0f} characters/s in {result.seconds:.2f} s, {result.forwards} forwards"
    reason = f": {result.message}" if result.message else ""
    print(f"{result.status}{reason} ({original.path}: {changed}; {speed})", file=sys.stderr)
