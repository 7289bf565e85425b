"""In: mined edits. Out: the embedded model: its tokenizer, its training, the shipped weights; and tuned others."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.cli.lean import lean
from redraft.cli.training import Edits, Out, bar, need, quiet
from redraft.cli.tune import bits, tune

train = typer.Typer(no_args_is_help=True, help="Make the embedded model, or fine-tune another to apply edits.")
train.command()(tune)
train.command()(lean)
train.command()(bits)


@train.command()
def tokenizer(edits: Edits, out: Out) -> None:
    """Learn the tokenizer from the files of the edits."""
    need("tokenizers")
    from redraft.data.edits import read_edits
    from redraft.train.run_folder import writing
    from redraft.train.tokenizer import train_tokenizer

    made = train_tokenizer(edit.before for edit in read_edits(edits))
    with writing(out):
        made.save_pretrained(out)
    print(json.dumps({"vocabulary": len(made), "folder": str(out)}))


@train.command()
def build(
    tokenizer: Annotated[Path, typer.Argument(metavar="TOKENIZER", help="The tokenizer's folder.")], out: Out
) -> None:
    """Write the network as it is built, before any training: the model that comes with the package."""
    from redraft.train.trainer import open_model, open_tokenizer, write_model

    quiet()
    known = open_tokenizer(tokenizer)
    write_model(open_model(None, known, seed=0), known, out)
    _print_written(out)


@train.command()
def run(
    edits: Edits,
    out: Out,
    tokenizer: Annotated[Path, typer.Option(metavar="FOLDER", help="The tokenizer's folder.")],
    start: Annotated[
        Path | None,
        typer.Option("--from", metavar="FOLDER", help="A model to go on from; without it, a copy-ready one."),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="Optimiser steps.")] = 300,
    tokens: Annotated[int, typer.Option(min=1, help="Tokens a step, prompt and output.")] = 4096,
    longest: Annotated[int, typer.Option(min=64, help="Longest sample, in tokens.")] = 1536,
    rate: Annotated[float, typer.Option(help="Learning rate, relative to the size of each parameter.")] = 1e-4,
    seed: Annotated[int, typer.Option(help="Decides which samples are seen, in which order.")] = 0,
    save_every: Annotated[int, typer.Option(min=1, help="Steps from checkpoint to checkpoint.")] = 40,
) -> None:
    """Train; stopped and started again, it goes on from the last checkpoint. One JSON line a step goes to log.jsonl."""
    need("tokenizers")
    from redraft.data.edits import read_edits
    from redraft.train.run_folder import writing
    from redraft.train.trainer import Recipe, Trainer, open_model, open_tokenizer

    quiet()
    known = open_tokenizer(tokenizer)
    recipe = Recipe(steps=steps, tokens=tokens, longest=longest, rate=rate, seed=seed)
    trainer = Trainer(open_model(start, known, seed), known, list(read_edits(edits)), recipe, out)
    if trainer.resume():
        print(f"going on from step {trainer.progress.step}", file=typer.get_text_stream("stderr"))
    with writing(out), (out / "log.jsonl").open("a") as log:
        for record in _shown(trainer.run(), trainer.progress.step, steps):
            log.write(json.dumps(record) + "\n")
            log.flush()
            if record["step"] % save_every == 0:
                trainer.save()
    trainer.save()
    print(
        json.dumps(
            {"steps": trainer.progress.step, "tokens": trainer.progress.tokens, "folder": str(out / "checkpoint")}
        )
    )


@train.command()
def export(
    checkpoint: Annotated[Path, typer.Argument(metavar="CHECKPOINT", help="A checkpoint's folder.")], out: Out
) -> None:
    """Write a checkpoint as it is shipped: tokenizer and bfloat16 safetensors in shards of at most 15 MB."""
    from redraft.train.trainer import export_model

    quiet()
    export_model(checkpoint, out)
    _print_written(out)


def _print_written(out: Path) -> None:
    print(json.dumps({"bytes": sum(file.stat().st_size for file in out.iterdir()), "folder": str(out)}))


def _shown(records: Iterator[dict[str, Any]], done: int, steps: int) -> Iterator[dict[str, Any]]:
    """The records, with a progress bar on a terminal."""
    with bar() as shown:
        task = shown.add_task("", total=steps, completed=done)
        for record in records:
            said = "loss {loss:.3f}  accuracy {accuracy:.4f}  {tokens_per_second:.0f} tokens/s".format(**record)
            shown.update(task, completed=record["step"], description=said)
            yield record
