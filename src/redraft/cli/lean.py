"""In: samples, pairs, a Llama folder. Out: the model trained on few cores, its log and curves; an adapter of it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli import options, streams
from redraft.cli.training import Out, bar, need

if TYPE_CHECKING:
    from redraft.train.lean_run import Run

Samples = Annotated[Path, typer.Argument(metavar="SAMPLES.parquet", help="Samples, as `redraft data mix` writes them.")]


def lean(
    samples: Samples,
    out: Out,
    model: Annotated[str, typer.Option(metavar="FOLDER", help="The folder of a plain Llama.")],
    pairs: Annotated[
        Path | None, typer.Option(metavar="PAIRS.jsonl", help="Right and wrong files, which are learned to rank.")
    ] = None,
    valid: Annotated[
        Path | None, typer.Option(metavar="SAMPLES.parquet", help="Samples of other repositories, to validate on.")
    ] = None,
    valid_pairs: Annotated[
        Path | None, typer.Option(metavar="PAIRS.jsonl", help="Pairs of other repositories, to validate on.")
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="Optimiser steps.")] = 300,
    minutes: Annotated[
        float | None, typer.Option(min=0.1, help="End after so many minutes of steps, if that is earlier.")
    ] = None,
    rate: Annotated[float, typer.Option(help="Learning rate, which falls as a cosine to a twentieth.")] = 2e-4,
    batch: Annotated[int, typer.Option(min=1, help="Sequences a step.")] = 8,
    longest: Annotated[
        int, typer.Option(min=64, help="Tokens of a sequence; edits that need more are left out.")
    ] = 1900,
    rank: Annotated[
        int, typer.Option(min=0, help="Also write an adapter, what the training changed cut to this rank; 0 for none.")
    ] = 32,
    output_format: options.FormatOption = "whole",
    compiled: Annotated[
        bool | None,
        typer.Option("--compile/--eager", help="Compile the layers; without it, where a C++ compiler is found."),
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="Steps from one validation and saved state to the next.")] = 40,
    seed: Annotated[int, typer.Option(help="Decides what is drawn, and in which order.")] = 0,
) -> None:
    """Train all matrices of a small Llama to apply edits, on two cores; started again, it goes on. See docs/tune.md."""
    need("tokenizers")
    from redraft.train.course import Course, can_compile
    from redraft.train.lean_run import Run, Sources, adapt

    course = Course(steps, minutes, rate, batch, seed=seed)
    sources = Sources(samples, pairs, valid, valid_pairs)
    run = Run(Path(model), sources, course, longest, output_format, out)
    result = _watched(run, can_compile() if compiled is None else compiled, every)
    if rank:
        result["energy_kept"] = round(adapt(Path(model), out, rank, out / "adapter"), 4)
    streams.write(json.dumps(result | {"folder": str(out)}) + "\n")


def cut(
    tuned: Annotated[Path, typer.Argument(metavar="FOLDER", help="A model that was trained.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder of the adapter.")],
    base: Annotated[Path, typer.Option(metavar="FOLDER", help="The model that it was before all training.")],
    rank: Annotated[int, typer.Option(min=1, help="The rank of the adapter's matrices.")] = 32,
) -> None:
    """Write what a training changed, cut to low rank, as an adapter: of one that went on from another training, too."""
    need("tokenizers")
    from redraft.train.lean_run import adapt

    kept = adapt(base, tuned, rank, out)
    streams.write(json.dumps({"rank": rank, "energy_kept": round(kept, 4), "folder": str(out)}) + "\n")


def _watched(run: "Run", compiled: bool, every: int) -> dict[str, Any]:
    with bar() as shown:
        task = shown.add_task("", total=100)

        def say(record: dict[str, Any]) -> None:
            said = "step {step}  {nats:.4f} nats  accuracy {accuracy:.4f}  {tokens_per_second} tokens/s".format(
                **record
            )
            shown.update(task, completed=round(100 * record["done"]), description=said)

        return run.train(compiled, every, say)
