"""In: nothing. Out: the options that several commands share, each with its help, written once."""

from inspect import signature
from pathlib import Path
from typing import Annotated

import typer

from redraft.apply import Readers, load
from redraft.config import configured
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
        help="The file with the chat model's answer; - for standard input. A pipe is read without it.",
    ),
]
Instruction = Annotated[
    str,
    typer.Option(
        metavar="TEXT", help="What was asked for, in words; it helps where the answer can be read in two ways."
    ),
]


def _configured(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """The engine that is configured, where the call names none."""
    source = context.get_parameter_source(parameter.name or "")
    is_said = source is None or source.name not in ("DEFAULT", "DEFAULT_MAP")
    return value if is_said else configured("engine") or value


Engine = Annotated[
    str,
    typer.Option(
        metavar="SPEC",
        callback=_configured,
        help=f"One of {SPECS}. Without it, what `redraft config set engine SPEC` or REDRAFT_ENGINE says.",
    ),
]
MeasuredEngine = Annotated[str, typer.Option(metavar="SPEC", help=f"One of {SPECS}.")]
Template = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="apply, chat, fenced, fastapply or regions; without it, the one that suits the model."
    ),
]
FormatOption = Annotated[
    Format,
    typer.Option(
        "--format", help="What a model that writes is asked for: the whole new file, or SEARCH/REPLACE blocks."
    ),
]
ReadersOption = Annotated[
    Readers,
    typer.Option("--readers", help="auto asks a model in doubt, merge never asks one, model has it write the file."),
]
WindowOption = Annotated[
    int | None,
    typer.Option(
        "--window",
        min=0,
        metavar="LINES",
        help="How many lines around the edit the model reads and writes; 0 for the whole file. Without it, 4 for "
        "models of the template apply and the whole file for others.",
    ),
]
NoSpeculation = Annotated[
    bool, typer.Option("--no-speculation", help="Do not use drafts: the model writes the same, only slower.")
]
Dtype = Annotated[
    str | None,
    typer.Option(
        metavar="float32|bfloat16", help="How exactly a local model computes; without it, what is fastest here."
    ),
]
Time = Annotated[
    float,
    typer.Option("--time", min=0.1, metavar="SECONDS", help="What reading one edit may take, models not counted."),
]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Stop a model that writes after so many tokens.")]
Plot = Annotated[Path | None, typer.Option(metavar="PNG", help="Draw the output, coloured by who drafted it.")]
Clones = Annotated[
    Path, typer.Option("--clones", metavar="DIR", help="Git clones, bare or not: DIR/OWNER/NAME, or OWNER+NAME/repo.")
]
Clipboard = Annotated[bool, typer.Option("--clipboard", help="Take the answer from the clipboard.")]
Root = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Apply the answer to the files that it names below DIR: all are written, or none."
    ),
]
Diff = Annotated[
    bool, typer.Option("--diff", help="Print the diff and write nothing; of a refused answer only with --best.")
]
Stdout = Annotated[bool, typer.Option("--stdout", help="Print the new file and write nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print a record of each file.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 if a file would change.")]
Interactive = Annotated[bool, typer.Option("--interactive", "-i", help="Ask about each hunk.")]
Best = Annotated[
    bool, typer.Option("--best", "--force", help="Write the likeliest text also where the edit is refused; look at it.")
]
AskAgain = Annotated[
    bool,
    typer.Option("--ask-again", help="Where the edit is refused, print a message to send back to the chat model."),
]
Verify = Annotated[
    str, typer.Option(metavar="CMD", help="Run CMD on the new file ({} in it); if it fails, the old file comes back.")
]
Commit = Annotated[
    str | None, typer.Option(metavar="[MESSAGE]", help="Commit just these files in their git repository.")
]
Encoding = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The encoding of the file; without it, what the file declares, or UTF-8."),
]
