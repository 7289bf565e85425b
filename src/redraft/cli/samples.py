"""In: mined edits, and a chat model if there is one. Out: apply samples in Parquet, and mixes of them for training."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import track

from redraft.data.chat import Answers, Chat
from redraft.data.distribution import Distribution
from redraft.data.edits import read_edits
from redraft.data.manners import ALL_STYLES
from redraft.data.mix import MIXTURE, Mixture, copies, traits
from redraft.data.recipe import SYNTHETIC, Recipe
from redraft.data.rows import count_rows
from redraft.data.samples import RuleWriter, Sample, check_styles, chosen, read_samples, write_samples
from redraft.engines.endpoint import Endpoint
from redraft.errors import RedraftError

Item = TypeVar("Item")
Edits = Annotated[Path, typer.Argument(metavar="EDITS.parquet", help="Edits, as `redraft data mine` writes them.")]


def sketch(
    edits: Edits,
    out: Annotated[Path, typer.Option("--out", metavar="SAMPLES.parquet", help="A sample a row.")],
    styles: Annotated[
        str, typer.Option(metavar="A,B,...", help=f"Of {', '.join(ALL_STYLES)}; without it, all, evenly.")
    ] = "",
    per_edit: Annotated[int, typer.Option(min=1, help="At most so many styles of one edit.")] = 1,
    count: Annotated[int | None, typer.Option(min=1, help="At most so many edits; without it, all.")] = None,
    negatives: Annotated[
        bool, typer.Option("--negatives", help="Add ambiguous sketches, which expect needs_context.")
    ] = False,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="OpenAI-compatible, ends before /chat/completions.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Who writes, at the endpoint.")] = None,
    synthetic: Annotated[float, typer.Option(help="Share of samples that the model writes, of all.")] = SYNTHETIC,
    key: Annotated[str, typer.Option(metavar="VARIABLE", help="Environment variable with the key.")] = "OPENAI_API_KEY",
    answers: Annotated[
        Path | None, typer.Option(metavar="JSONL", help="Where answers are kept; without it, beside the samples.")
    ] = None,
    parallel: Annotated[int, typer.Option(min=1, help="Questions at a time.")] = 4,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds to wait for an answer.")] = 120.0,
    seed: Annotated[int, typer.Option(help="Decides styles, wordings and which edits are taken.")] = 0,
) -> int:
    """Write the update of each edit as a chat model would, by rules; with --endpoint, let a model write most of them.

    The model first words an instruction for the edit and then answers it; what it says is kept where the deterministic
    merge finds one place for all of it, and the guards agree. Started again, it is asked only what it did not answer.
    """
    check_folder(out)
    written = RuleWriter(check_styles([s for s in styles.split(",") if s] or ALL_STYLES), per_edit, negatives, seed)
    if endpoint is None:
        return _by_rules(edits, out, written, count)
    if model is None:
        raise RedraftError("--endpoint needs --model NAME")
    answers = answers or out.with_suffix(".answers.jsonl")
    check_folder(answers)
    kept = Answers(answers)
    chat = Chat(Endpoint(endpoint, model, os.environ.get(key, ""), timeout), kept)
    recipe = Recipe(chat, model, written, synthetic, parallel)
    taken = chosen(read_edits(edits), count, seed)
    made = write_samples(out, shown(recipe.samples(taken), "samples", len(taken)))
    print(f"{made:,} samples: {recipe.kept:,} by {model}, {recipe.ruled:,} by rules", file=sys.stderr)
    print(f"dropped: {counts(recipe.faults)}", file=sys.stderr)
    print(f"asked {chat.asked:,} times, {len(kept):,} answers kept; failed: {counts(chat.failures)}", file=sys.stderr)
    _check_any(made, out)
    return 0


def _by_rules(edits: Path, out: Path, written: RuleWriter, count: int | None) -> int:
    found = chosen(read_edits(edits), count, written.seed) if count else read_edits(edits)
    rows = count_rows(edits)
    taken = shown(found, "edits", min(count or rows, rows))
    made = write_samples(out, (sample for edit in taken for sample in written.samples(edit)))
    print(f"{made:,} samples: {counts(written.written)}", file=sys.stderr)
    print(f"{written.dropped:,} edits dropped: no style can say them", file=sys.stderr)
    _check_any(made, out)
    return 0


def mix(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SAMPLES.parquet...", help="Samples, as `redraft data sketch` writes them.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="MIX.parquet", help="A sample a row.")],
    short: Annotated[float, typer.Option(help="Share kept of files under 100 lines.")] = MIXTURE.short,
    no_ops: Annotated[float, typer.Option(help="Share kept of edits that change nothing.")] = MIXTURE.no_ops,
    per_name: Annotated[int, typer.Option(min=1, help="At most so many of one file name.")] = MIXTURE.per_name,
    balance: Annotated[
        float, typer.Option(help="How far languages and sizes shrink to the median one: 0 not, 1 wholly.")
    ] = MIXTURE.balance,
    weight: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE=NUMBER", help="Copies of a source's samples; repeatable.")
    ] = None,
    answers: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Of the mix, answers by writers or models; 0.2 is usual.")
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="At most so many in all.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="PNG", help="Draw the distribution.")] = None,
    seed: Annotated[int, typer.Option(help="Decides which samples are taken.")] = 0,
) -> int:
    """Mix samples for training, equal ones once; prints how they are spread, and draws it."""
    for written in (out, *([plot] if plot else [])):
        check_folder(written)
    if out.resolve() in {source.resolve() for source in sources}:
        raise RedraftError(f"{out} is read and would be written")
    weights = dict(_weight(text) for text in weight or ())
    mixture = Mixture(short, no_ops, per_name, balance, weights, answers, count, seed)
    total = sum(map(count_rows, sources))
    read = shown((one for source in sources for one in read_samples(source)), "read", total)
    found = {one.key: one for one in map(traits, read)}
    taken = copies(found.values(), mixture)
    spread = Distribution()
    for one in found.values():
        spread.add(one, taken[one.key])
    again = shown((one for source in sources for one in read_samples(source)), "mixed", total)
    made = write_samples(out, _taken(again, dict(taken)))
    for line in spread.table():
        print(line)
    print(f"{made:,} samples mixed of {len(found):,}, {total - len(found):,} equal ones left out", file=sys.stderr)
    _check_any(made, out)
    if plot:
        spread.draw(plot)
    return 0


def check_folder(out: Path) -> None:
    """Raises RedraftError where a file cannot be written: before the work, not after it."""
    if out.is_dir() or not out.parent.is_dir():
        raise RedraftError(f"cannot write {out}: {'it is a folder' if out.is_dir() else f'no folder {out.parent}'}")


def _check_any(made: int, out: Path) -> None:
    """Raises RedraftError where no sample came out: whoever goes on with the file would find that out later."""
    if not made:
        raise RedraftError(f"there are no samples: {out} is not written")


def _taken(samples: Iterable[Sample], left: dict[str, int]) -> Iterator[Sample]:
    for sample in samples:
        for _ in range(left.pop(traits(sample).key, 0)):
            yield sample


def _weight(text: str) -> tuple[str, float]:
    source, _, number = text.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        source = ""
    if not source:
        raise RedraftError(f"--weight is SOURCE=NUMBER, not {text!r}")
    return source, weight


def shown(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    """The items, with a progress bar on a terminal."""
    console = Console(stderr=True)
    return track(items, what, total=total, console=console, disable=not console.is_terminal)


def counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items(), key=lambda c: -c[1])) or "none"
