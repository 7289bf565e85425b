"""In: nothing. Out: which model is embedded, its hashes and where it lies; and that model for other programs."""

import json
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import streams

model = typer.Typer(invoke_without_command=True, help="Say which model is embedded, and write it for other programs.")


@model.callback()
def which(context: typer.Context) -> None:
    """Print the embedded model's parts, their hashes and where the merged model lies; make it if it is not there."""
    if context.invoked_subcommand is None:
        from redraft.models.merged import merged

        made = merged()
        record = {**made.record, "folder": str(made.path), "intact": made.is_intact()}
        streams.write(json.dumps(record, indent=1) + "\n")


@model.command()
def base(folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write; a new folder.")]) -> None:
    """Write the base alone, dequantised, as a Hugging Face folder: `redraft train lean` starts from it."""
    from redraft.models.merged import write_base

    write_base(folder)
    streams.write(f"{folder}\n")


@model.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write.")],
    gguf: Annotated[bool, typer.Option("--gguf", help="One file for llama.cpp, in bfloat16.")] = False,
    quantize: Annotated[
        str | None, typer.Option(metavar="TYPE", help="With --gguf, in fewer bits: Q8_0 or Q4_0.")
    ] = None,
) -> None:
    """Write the embedded model as a plain Hugging Face folder, which every engine for Llama models loads."""
    from redraft.models.exported import export as written
    from redraft.models.merged import merged

    streams.write(f"{written(merged(), folder, gguf, quantize)}\n")
