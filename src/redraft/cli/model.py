"""In: nothing. Out: which models are here, fetched where that is asked for, or written out to train from."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli import streams

if TYPE_CHECKING:
    from redraft.models.sized import Sized

model = typer.Typer(invoke_without_command=True, help="Say which models are here, and fetch them.")


@model.callback()
def which(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print a record: hashes and folders, too.")] = False,
) -> None:
    """Print which models are here and where they lie; with --json, also whether they are as they were written."""
    if context.invoked_subcommand is None:
        from redraft.models.sized import MODELS, state_of

        found = {name: state_of(each) for name, each in MODELS.items()}
        if as_json:
            streams.write(json.dumps(found, indent=1) + "\n")
            return
        for name, state in found.items():
            streams.write(_told(MODELS[name], state) + "\n")


def _told(model: "Sized", state: dict[str, Any]) -> str:
    place = state["folder"] or state["weights"]
    if place is None:
        return f"{model.name}: not here; {model.command} fetches {model.file} ({model.bytes / 1e6:,.0f} MB)"
    changed = "" if state.get("intact", True) else "; it is not as it was written: remove it, and it is made again"
    adapter = f", with the adapter {state['adapter']}" if state["adapter"] else ""
    return f"{model.name}: {place}{adapter}{changed}"


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
    if name == "large":
        streams.tell("to use it from now on: redraft config set engine embedded:large")


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
    name: Annotated[str, typer.Option("--model", metavar="small|large", help="Which one.")] = "small",
) -> None:
    """Write a base alone, dequantised, as a Hugging Face folder: `redraft train regions` starts from it."""
    from redraft.models.sized import base_of, find_model

    base_of(find_model(name), folder)
    streams.write(f"{folder}\n")
