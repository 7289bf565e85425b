"""In: nothing. Out: the options that several commands share, each with its help, written once."""

from pathlib import Path
from typing import Annotated

import typer

from redraft.apply import Readers
from redraft.edit.prompts.prompt import Format

Update = Annotated[
    str | None,
    typer.Option(metavar="PATH|-", help="The sketch, as a chat model writes it; - reads standard input."),
]
Instruction = Annotated[str, typer.Option(metavar="TEXT", help="What to do, in words.")]
Engine = Annotated[
    str, typer.Option(metavar="SPEC", help="embedded, hf:NAME_OR_PATH, openai:URL#MODEL or scripted:PATH.")
]
Template = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="apply, redraft, chat, fenced or fastapply; without it, the one that suits the model."
    ),
]
FormatOption = Annotated[
    Format, typer.Option("--format", help="What the model writes: the whole new file, or the hunks that change it.")
]
ReadersOption = Annotated[
    Readers,
    typer.Option("--readers", help="Who decides: model and deterministic merge together, or one of them alone."),
]
NoSpeculation = Annotated[bool, typer.Option("--no-speculation", help="One token a forward; the same output, later.")]
Dtype = Annotated[
    str | None,
    typer.Option(
        metavar="float32|bfloat16", help="Without it, float32 for the embedded model, else what is fastest here."
    ),
]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="Stop the output here.")]
Plot = Annotated[Path | None, typer.Option(metavar="PNG", help="Draw the output, coloured by who drafted it.")]
Clones = Annotated[
    Path, typer.Option("--clones", metavar="DIR", help="Git clones, bare or not: DIR/OWNER/NAME, or OWNER+NAME/repo.")
]
