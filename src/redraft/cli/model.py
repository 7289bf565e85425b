"""In: nothing. Out: which models there are, fetched where that is asked for; the embedded one for other programs."""

import json
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import streams

model = typer.Typer(invoke_without_command=True, help="Say which model is embedded, and write it for other programs.")


@model.callback()
def which(context: typer.Context) -> None:
    """Print which models are here, the embedded one's parts, their hashes and where it lies; make it if it is not."""
    if context.invoked_subcommand is None:
        from redraft.models.merged import merged
        from redraft.models.sized import MODELS, is_ready, merged_of, state_of

        made = merged_of() if is_ready() else merged()
        record = {**made.record, "folder": str(made.path), "intact": made.is_intact()}
        record |= {name: state_of(each) for name, each in MODELS.items()}
        streams.write(json.dumps(record, indent=1) + "\n")


@model.command()
def get(
    name: Annotated[str, typer.Argument(metavar="[small|large]", help="Which one.")] = "small",
    given: Annotated[
        Path | None, typer.Option("--from", metavar="FILE|FOLDER", help="Where it lies; without it, the hub.")
    ] = None,
) -> None:
    """Fetch a model's weights and check them by their hash; an interrupted download goes on where it ended."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from redraft.models.fetching import get as fetched
    from redraft.models.sized import find_model

    found = find_model(name)
    console = Console(stderr=True)
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as shown:
        task = shown.add_task("", total=found.bytes)
        path = fetched(found, given, lambda done: shown.update(task, completed=done))
    streams.write(f"{path}\n")


@model.command()
def find() -> None:
    """Look for models that other programs serve on this machine: Ollama, LM Studio, llama.cpp and vLLM."""
    from redraft.engines.local import USUAL
    from redraft.engines.local import find as found_engines

    found = found_engines()
    for name, spec in found:
        streams.write(f"{spec}\n")
        streams.tell(f"  from {name}; to use it from now on: redraft config set engine '{spec}'")
    if not found:
        ports = ", ".join(f"{name} ({port})" for name, port in USUAL.items())
        streams.tell(f"nobody answers at the usual ports: {ports}")


@model.command()
def base(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write; a new folder.")],
    name: Annotated[
        str | None, typer.Option("--model", metavar="small|large", help="Which one; without it, the 135M.")
    ] = None,
) -> None:
    """Write a base alone, dequantised, as a Hugging Face folder: `redraft train` starts from it."""
    from redraft.models.merged import write_base
    from redraft.models.sized import base_of, find_model

    if name is None:
        write_base(folder)
    else:
        base_of(find_model(name), folder)
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
