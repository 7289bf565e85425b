"""In: a file and a sketch or an instruction, or an answer that names its files. Out: new files, diffs or records."""

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from redraft.apply import load
from redraft.changes.answer import finish
from redraft.changes.change import Change
from redraft.changes.plan import Order, change_of, plan
from redraft.changes.write import recovered
from redraft.cli import options, show, streams
from redraft.cli.exclude import exclude
from redraft.cli.interactive import Questions, chosen
from redraft.cli.read import is_piped, read_clipboard, read_input, read_update
from redraft.edit.named.advice import also_named
from redraft.engines import Sampling
from redraft.errors import RedraftError
from redraft.files import read as files


@dataclass(frozen=True)
class Task:
    """The answer, and what it is about: a file that was read, or all that it names below a folder."""

    answer: str
    name: str = ""
    file: files.File | None = None
    root: Path | None = None

    @property
    def is_stream(self) -> bool:
        return self.file is not None and not self.name


def apply(
    file: Annotated[
        Path | None, typer.Argument(help="The file. Without it, the answer names its files, or the file is piped in.")
    ] = None,
    update: options.Update = None,
    instruction: options.Instruction = "",
    clipboard: options.Clipboard = False,
    root: options.Root = None,
    diff: options.Diff = False,
    stdout: options.Stdout = False,
    as_json: options.Json = False,
    dry_run: options.DryRun = False,
    check: options.Check = False,
    interactive: options.Interactive = False,
    force: options.Force = False,
    verify: options.Verify = "",
    commit: options.Commit = None,
    encoding: options.Encoding = None,
    engine: options.Engine = "embedded",
    output_format: options.FormatOption = "whole",
    readers: options.ReadersOption = options.READERS,
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    template: options.Template = None,
    max_tokens: options.MaxTokens = None,
    window: options.WindowOption = None,
    seconds: options.Time = options.SECONDS,
) -> int:
    """Apply a chat model's answer, or an instruction, to FILE, or to all files that the answer names."""
    exclude({"--diff": diff, "--stdout": stdout, "--json": as_json, "--check": check})
    exclude({"--interactive": interactive, "--stdout": stdout, "--json": as_json, "--check": check})
    exclude({"--update": update is not None, "--clipboard": clipboard})
    shown = show.Wanted(diff, stdout, as_json, check, is_dry=diff or stdout or check or dry_run)
    streams.note(recovered())
    task = _task(file, root, read_clipboard() if clipboard else update and read_update(update), instruction, encoding)
    if stdout and task.file is None:
        raise typer.BadParameter("--stdout prints one file: name the FILE")
    if task.is_stream:
        shown = replace(shown, text=not (diff or as_json or check), is_dry=True)
    if shown.is_dry and (verify or commit is not None):
        raise typer.BadParameter("--verify and --commit need a file that is written, not only printed or checked")
    editor = load(
        engine,
        dtype=dtype,
        readers=readers,
        template=template,
        output_format=output_format,
        window=window,
        seconds=seconds,
    )
    sampling = Sampling(max_tokens=max_tokens, speculate=not no_speculation)
    changes = _changes(task, Order(editor, instruction, encoding, sampling))
    if interactive:
        changes = list(chosen(changes, Questions()))
    done = finish(changes, dry_run=shown.is_dry, force=force, verify=verify, commit=commit)
    return show.report(done, shown, force, also_named(task.answer, task.name) if task.name else [])


def _task(file: Path | None, root: Path | None, answer: str | None, instruction: str, encoding: str | None) -> Task:
    """What is asked for, by what is named and what is piped in."""
    if root is not None and file is not None:
        raise typer.BadParameter("--root goes without FILE: the answer names the files")
    is_asked = answer is not None or bool(instruction.strip())
    if file is not None:
        sketch = answer if answer is not None else "" if instruction.strip() else _piped()
        return _worded(Task(sketch, str(file), files.read(file, encoding)), instruction)
    if root is None and is_asked and is_piped() and (piped := read_input(encoding)).data:
        return _worded(Task(answer or "", "", piped), instruction)
    if answer is None and instruction.strip():
        raise typer.BadParameter("name the FILE that the --instruction is about")
    return _worded(Task(answer if answer is not None else _piped(), root=root or Path()), "")


def _piped() -> str:
    if not is_piped():
        raise RedraftError("there is no answer: give --update PATH, --clipboard, or pipe it in")
    return read_input().text


def _worded(task: Task, instruction: str) -> Task:
    if not task.answer.strip() and not instruction.strip():
        raise RedraftError("nothing to do: the answer is empty and there is no --instruction")
    return task


def _waiting(task: Task) -> AbstractContextManager[object]:
    """Says on a terminal what is under way."""
    from rich.console import Console  # a tenth of the start, and a pipe needs none

    what = task.name or "standard input" if task.file else "the files of the answer"
    return Console(stderr=True).status(f"applying the answer to {what}")


def _changes(task: Task, order: Order) -> list[Change]:
    with _waiting(task) if sys.stderr.isatty() else nullcontext():
        if task.file is None:
            return plan(task.root or Path(), task.answer, order)
        return [change_of(task.name, task.file, task.answer, order)]
