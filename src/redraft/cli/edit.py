"""In: a file, the numbers of some of its lines, and an instruction. Out: the file with new lines there, or a diff."""

import re
from pathlib import Path
from typing import Annotated

import typer

from redraft.apply import load
from redraft.changes.answer import Finish, finish
from redraft.changes.change import Change
from redraft.changes.write import recovered
from redraft.cli import options, show, streams
from redraft.cli.exclude import exclude
from redraft.cli.waiting import Waiting
from redraft.engines import Sampling
from redraft.errors import RedraftError
from redraft.files import read as files

_LINES = re.compile(r"(\d+)(?:\s*[-:,]\s*(\d+))?")


def edit(
    file: Annotated[Path, typer.Argument(help="The file.")],
    lines: Annotated[str, typer.Option("--lines", "-l", metavar="A-B", help="The lines to rewrite, counted from 1.")],
    instruction: Annotated[str, typer.Option("--instruction", "-m", metavar="TEXT", help="What to do with them.")],
    diff: options.Diff = False,
    stdout: options.Stdout = False,
    as_json: options.Json = False,
    dry_run: options.DryRun = False,
    best: options.Best = False,
    verify: options.Verify = "",
    commit: options.Commit = None,
    encoding: options.Encoding = None,
    engine: options.Engine = "embedded",
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    max_tokens: options.MaxTokens = None,
    window: Annotated[
        int | None,
        typer.Option(
            "--window",
            min=0,
            metavar="LINES",
            help="How many lines around the selected ones the model is shown; 0 for the whole file. Without it, the "
            "whole file, to the embedded model none.",
        ),
    ] = None,
) -> int:
    """Have an instruct model rewrite some lines of FILE; all other bytes stay as they are."""
    exclude({"--diff": diff, "--stdout": stdout, "--json": as_json})
    shown = show.Wanted(diff, stdout, as_json, check=False, is_dry=diff or stdout or dry_run)
    if shown.is_dry and (verify or commit is not None):
        raise typer.BadParameter("--verify and --commit need a file that is written, not only printed")
    streams.note(recovered())
    read, span = files.read(file, encoding), _span(lines)
    waiting = Waiting(f"rewriting lines of {file}")
    editor = load(engine, progress=waiting.progress, dtype=dtype, readers="auto", window=window)
    sampling = Sampling(max_tokens=max_tokens, speculate=not no_speculation)
    with waiting:
        result = editor.edit(read.text, span, instruction, path=str(file), sampling=sampling)
    if result.status == "error":
        raise RedraftError(result.message)
    done = finish([Change(str(file), read, result)], Finish(shown.is_dry, best, verify, commit))
    return show.report(done, shown, best)


def _span(lines: str) -> tuple[int, int]:
    """The first and the last line that are named."""
    found = _LINES.fullmatch(lines.strip())
    if found is None:
        raise typer.BadParameter(f"--lines takes numbers of lines such as 12-20, not {lines!r}")
    return int(found[1]), int(found[2] or found[1])
