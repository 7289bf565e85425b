"""In: a file and a sketch or an instruction, or an answer that names its files. Out: new files, diffs or records."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.apply import load
from redraft.changes.answer import AnswerResult, Finish, finish, settled
from redraft.changes.change import Change
from redraft.changes.plan import Order, change_of, plan
from redraft.changes.write import recovered
from redraft.cli import options, show, streams
from redraft.cli.exclude import exclude
from redraft.cli.interactive import Questions, chosen, is_offered, wants_best
from redraft.cli.read import is_piped, read_clipboard, read_input, read_update
from redraft.cli.waiting import Waiting
from redraft.edit.named.advice import also_named
from redraft.engines import Sampling
from redraft.errors import RedraftError
from redraft.files import read as files

_WORDS_ALONE = (
    "the built-in model applies code, and an --instruction alone is no code: give the answer of a chat model with "
    "--update, --clipboard or a pipe; name a chat model that writes it, --engine openai:URL#MODEL; or have some lines "
    "rewritten, redraft edit {} --lines A-B --instruction TEXT"
)


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

    def again(self, encoding: str | None) -> "Task":
        """The same, with the file as it is now."""
        return replace(self, file=_read(Path(self.name), encoding)) if self.name else self


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
    new: Annotated[
        bool, typer.Option("--new", help="Make FILE and its folders if not there, of an answer that is all of it.")
    ] = False,
    best: options.Best = False,
    ask_again: options.AskAgain = False,
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
    exclude({"--diff": diff, "--stdout": stdout, "--json": as_json, "--check": check, "--ask-again": ask_again})
    exclude({"--interactive": interactive, "--stdout": stdout, "--json": as_json, "--check": check})
    exclude({"--update": update is not None, "--clipboard": clipboard})
    shown = show.Wanted(diff, stdout, as_json, check, is_dry=diff or stdout or check or dry_run, ask_again=ask_again)
    task = _task(file, root, read_clipboard() if clipboard else update and read_update(update), instruction, encoding)
    if task.is_stream:
        shown = replace(shown, text=not (diff or as_json or check or ask_again), is_dry=True)
    _check(task, stdout, shown.is_dry and (bool(verify) or commit is not None), engine)
    waiting = Waiting(f"applying the answer to {task.name or 'the files that it names'}")
    model: dict[str, Any] = {"dtype": dtype, "template": template, "window": window, "seconds": seconds}
    editor = load(engine, readers=readers, output_format=output_format, progress=waiting.progress, **model)
    order = Order(editor, instruction, encoding, Sampling(max_tokens, speculate=not no_speculation))
    how, plan_now = Finish(shown.is_dry, best, verify, commit), partial(_changes, task, order, new, waiting)
    done = _finished(plan_now, how, shown, interactive)
    is_best = best or (done.written and not done.is_accepted)
    return show.report(done, shown, is_best, also_named(task.answer, task.name) if task.name else [])


def _check(task: Task, is_printed: bool, is_vain: bool, engine: str) -> None:
    """Raises BadParameter for options that do not go together, and where there is no code and none is written."""
    if is_printed and task.file is None:
        raise typer.BadParameter("--stdout prints one file: name the FILE")
    if is_vain:
        raise typer.BadParameter("--verify and --commit need a file that is written, not only printed or checked")
    if not task.answer.strip() and engine.startswith("embedded"):
        raise typer.BadParameter(_WORDS_ALONE.format(task.name or "FILE"))


def _finished(
    planned: Callable[[], list[Change]], how: Finish, shown: show.Wanted, is_interactive: bool
) -> AnswerResult:
    """What was planned, written as far as somebody at the terminal wants it."""
    if is_interactive:
        return finish(list(chosen(planned(), Questions())), how)
    done = settled(planned, how)
    if is_offered(done, shown) and wants_best(done.changes, Questions()):
        return finish(done.changes, replace(how, force=True))
    return done


def _task(file: Path | None, root: Path | None, answer: str | None, instruction: str, encoding: str | None) -> Task:
    """What is asked for, by what is named and what is piped in; edits that were stopped are taken back first."""
    streams.note(recovered())
    if root is not None and file is not None:
        raise typer.BadParameter("--root goes without FILE: the answer names the files")
    is_asked = answer is not None or bool(instruction.strip())
    if file is not None:
        sketch = answer if answer is not None else "" if instruction.strip() else _piped()
        return _worded(Task(sketch, str(file), _read(file, encoding)), instruction)
    if root is None and is_asked and is_piped() and (piped := read_input(encoding)).data:
        return _worded(Task(answer or "", "", piped), instruction)
    if answer is None and instruction.strip():
        raise typer.BadParameter("name the FILE that the --instruction is about")
    return _worded(Task(answer if answer is not None else _piped(), root=root or Path()), "")


def _read(path: Path, encoding: str | None) -> files.File:
    """A file as it is, or one that may be made: below a folder, and with no link on its way that leads nowhere."""
    there = next(each for each in (path.absolute(), *path.absolute().parents) if os.path.lexists(each))
    return files.new(path, encoding) if there.is_dir() and there != path.absolute() else files.read(path, encoding)


def _piped() -> str:
    if not is_piped():
        raise RedraftError("there is no answer: give --update PATH, --clipboard, or pipe it in")
    return read_input().text


def _worded(task: Task, instruction: str) -> Task:
    if not task.answer.strip() and not instruction.strip():
        raise RedraftError("nothing to do: the answer is empty and there is no --instruction")
    return task


def _changes(task: Task, order: Order, is_new: bool, waiting: Waiting) -> list[Change]:
    """What becomes of the files as they are now."""
    task = task.again(order.encoding)
    with waiting:
        if task.file is None:
            return plan(task.root or Path(), task.answer, order)
        return [change_of(task.name, task.file, task.answer, order, is_new)]
