"""In: edits and a model's name. Out: the model fine-tuned to apply edits, or its loss on them in bits per byte."""

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from redraft.cli import options
from redraft.cli.training import Edits, Out, bar, need
from redraft.data.edits import read_edits

Model = Annotated[
    str, typer.Option(metavar="NAME_OR_PATH", help="A Hugging Face model's folder or hub name, or embedded.")
]


def tune(
    edits: Edits,
    out: Out,
    model: Model,
    full: Annotated[bool, typer.Option("--full", help="Train all weights instead of LoRA.")] = False,
    rank: Annotated[int, typer.Option(min=1, help="Rank of LoRA.")] = 16,
    rate: Annotated[float | None, typer.Option(help="Learning rate; without it, 1e-4 for LoRA, 1e-5 for all.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="How often each edit is seen.")] = 1,
    longest: Annotated[int, typer.Option(min=64, help="Tokens of a pack; longer edits are left out.")] = 8192,
    batch: Annotated[int, typer.Option(min=1, help="Packs a step, on each device.")] = 8,
    seed: Annotated[int, typer.Option(help="Decides on sketches, order and the first LoRA weights.")] = 0,
    save_every: Annotated[int, typer.Option(min=1, help="Steps from checkpoint to checkpoint.")] = 50,
    dtype: Annotated[
        str | None, typer.Option(metavar="float32|bfloat16", help="Without it, what is fastest here.")
    ] = None,
) -> None:
    """Fine-tune a Hugging Face model to apply edits; stopped and started again, it goes on. See docs/tune.md."""
    need("trl")
    need("peft")
    from redraft.train.tune import Tuner, Tuning, last_checkpoint

    tuning = Tuning(None if full else rank, rate or (1e-5 if full else 1e-4), epochs, longest, batch, seed)
    known = list(read_edits(edits))
    tuner = Tuner(known, _path(model), out, tuning, dtype)
    if tuner.is_first:
        print(f"{len(tuner.answers):,} of {len(known):,} edits, up to {tuner.context:,} tokens", file=sys.stderr)
    if tuner.is_first and (last := last_checkpoint(out)):
        print(f"going on from {last.name}", file=sys.stderr)
    with bar() as shown:
        task = shown.add_task("")

        def say(record: dict[str, float], steps: int) -> None:
            said = "{bits_per_byte:.4f} bits a byte  accuracy {accuracy:.4f}".format(**record)
            shown.update(task, total=steps, completed=record["step"], description=said)

        steps = tuner.run(save_every, say)
    if tuner.is_first:
        print(json.dumps({"steps": steps, "edits": len(tuner.answers), "folder": str(out)}))


def bits(
    edits: Edits,
    model: Model = "embedded",
    seed: Annotated[int, typer.Option(help="Decides on the sketches.")] = 0,
    dtype: options.Dtype = None,
) -> None:
    """Print what a model loses on the answers, in bits per byte of their text: this compares across tokenizers."""
    from redraft.edit.prompts.template import find_template
    from redraft.engines.torch import TorchEngine
    from redraft.train.answers import answers
    from redraft.train.bits import measure

    known = list(read_edits(edits))
    engine = TorchEngine(_path(model), dtype)
    made = list(answers(engine.tokens, find_template(engine.template), known, engine.model.context, seed))
    print(f"{len(made):,} of {len(known):,} edits can be put to the model", file=sys.stderr)
    print(json.dumps(asdict(measure(engine.model, made))))


def _path(model: str) -> str:
    from redraft.models.sized import merged_of

    return str(merged_of().path) if model == "embedded" else model.removeprefix("hf:")
