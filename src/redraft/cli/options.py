"""In: nothing. Out: the options that several commands share, each with its help, written once."""

from inspect import signature
from pathlib import Path
from typing import Annotated

import typer

from redraft.apply import Readers, load
from redraft.edit.prompts.prompt import Format
from redraft.engines.spec import SPECS

READERS: Readers = signature(load).parameters["readers"].default
SECONDS: float = signature(load).parameters["seconds"].default

Update = Annotated[
    str | None,
    typer.Option(
        "--update",
        "-u",
        metavar="PATH|-",
        help="The answer of a chat model; - reads standard input, as is done where it is a pipe.",
    ),
]
Instruction = Annotated[str, typer.Option(metavar="TEXT", help="What to do, in words.")]
Engine = Annotated[str, typer.Option(metavar="SPEC", help=f"One of {SPECS}.")]
Template = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="apply, chat, fenced, fastapply or regions; without it, the one that suits the model."
    ),
]
FormatOption = Annotated[
    Format, typer.Option("--format", help="What the model writes: the whole new file, or the hunks that change it.")
]
ReadersOption = Annotated[
    Readers,
    typer.Option("--readers", help="Who decides: model and deterministic merge together, or one of them alone."),
]
WindowOption = Annotated[
    int | None,
    typer.Option(
        "--window",
        min=0,
        metavar="LINES",
        help="How many lines around the edit the model reads and writes; 0 for the whole file. Without it, 4 for the "
        "embedded model and the whole file for others.",
    ),
]
NoSpeculation = Annotated[bool, typer.Option("--no-speculation", help="One token a forward; the same output, later.")]
Dtype = Annotated[
    str | None,
    typer.Option(metavar="float32|bfloat16|float8", help="Without it, what is fastest here."),
]
Time = Annotated[
    float,
    typer.Option("--time", min=0.1, metavar="SECONDS", help="What reading one edit may take, models not counted."),
]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Stop the output here.")]
Plot = Annotated[Path | None, typer.Option(metavar="PNG", help="Draw the output, coloured by who drafted it.")]
Clones = Annotated[
    Path, typer.Option("--clones", metavar="DIR", help="Git clones, bare or not: DIR/OWNER/NAME, or OWNER+NAME/repo.")
]
Clipboard = Annotated[bool, typer.Option("--clipboard", help="Take the answer from the clipboard.")]
Root = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The answer names its files, below DIR: all are written, or none.")
]
Diff = Annotated[bool, typer.Option("--diff", help="Print the diff and write nothing.")]
Stdout = Annotated[bool, typer.Option("--stdout", help="Print the new file and write nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print a record of each file.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 if a file would change.")]
Interactive = Annotated[bool, typer.Option("--interactive", "-i", help="Ask about each hunk.")]
Force = Annotated[bool, typer.Option("--force", help="Write also what a guard refuses.")]
Verify = Annotated[
    str, typer.Option(metavar="CMD", help="Run CMD on the new file ({} in it); if it fails, the old file comes back.")
]
Commit = Annotated[
    str | None, typer.Option(metavar="[MESSAGE]", help="Commit just these files in their git repository.")
]
Encoding = Annotated[
    str | None, typer.Option(metavar="NAME", help="Of the file; without it, as the file declares, or UTF-8.")
]
