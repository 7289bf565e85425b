"""In: git clones and the sets of answers, then a packed file. Out: that packed file; a trained adapter."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from redraft.cli.lines import bar, check_folder, counts, shown
from redraft.data.clones import find_clones
from redraft.data.mine import is_reserved
from redraft.data.region_samples import Outside, RegionSample, region_sample
from redraft.errors import RedraftError
from redraft.measure.sets.manifests import Listed, read, tasks
from redraft.measure.sets.named import UNREAD, find_manifest, manifests

_SKETCHES = "sketches-1814"

train = typer.Typer(no_args_is_help=True, help="Train an adapter for the embedded model.")

Clones = Annotated[Path, typer.Argument(metavar="CLONES", help="A folder of git clones.")]
Model = Annotated[str, typer.Option(metavar="FOLDER", help="The folder of a plain Llama or Qwen2 model.")]


def pack(
    clones: Clones,
    out: Annotated[Path, typer.Option("--out", metavar="SAFETENSORS", help="Where the ids go.")],
    model: Model,
    longest: Annotated[int, typer.Option(min=64, help="Tokens of a sample; longer ones are left out.")] = 1600,
    sketches: Annotated[float, typer.Option(help="The share of sketches by rules.")] = 0.12,
    seed: Annotated[int, typer.Option(help="Decides the order, and which sketches are taken.")] = 0,
) -> int:
    """Pack samples of regions from all answers that may be trained on, as far as their repositories are cloned."""
    _need("tokenizers")
    from redraft.engines.folder import open_folder
    from redraft.engines.tokens import folder_tokens
    from redraft.train.packed import write_packed

    check_folder(out)
    tokens = folder_tokens(open_folder(Path(model)))
    listed = list(_listed(clones, sketches, seed))
    met = Counter[str]()
    samples = list(_samples(shown(listed, "read", len(listed)), clones, met))
    Random(seed).shuffle(samples)
    told = write_packed(samples, tokens, longest, out)
    for style, count in sorted(met.items()):
        print(f"{style}: {count:,}", file=sys.stderr)
    print(f"{counts(Counter(told))} in {out}", file=sys.stderr)
    return 0


def _listed(clones: Path, sketches: float, seed: int) -> Iterator[Listed]:
    """What the sets list of repositories that are cloned and may be learned from, each answer once."""
    unread = {one.repository for name in UNREAD for one in read(find_manifest(name))}
    cloned = {clone.name for clone in find_clones(clones)}
    names = [name for name in manifests() if name.startswith("answers-") and name not in UNREAD]
    found: dict[str, Listed] = {}
    for name in names:
        for one in read(find_manifest(name)):
            if one.repository in cloned - unread and not is_reserved(one.repository):
                found.setdefault(getattr(one, "answer_blob", one.id), one)
    yield from found.values()
    ruled = [one for one in read(find_manifest(_SKETCHES)) if one.repository in cloned - unread]
    Random(seed).shuffle(ruled)
    yield from (one for one in ruled[: round(sketches * len(found))] if not is_reserved(one.repository))


def _samples(listed: Iterable[Listed], clones: Path, met: Counter[str]) -> Iterator[RegionSample]:
    for one in listed:
        try:
            (task,) = tasks([one], clones)
        except RedraftError:
            met["not in its clone"] += 1
            continue
        sample = region_sample(one.repository, task)
        is_outside = isinstance(sample, Outside)
        met[f"{task.style}, {'outside of its regions' if is_outside else 'inside'}"] += 1
        if isinstance(sample, RegionSample):
            yield sample


@train.command()
def regions(
    packed: Annotated[Path, typer.Argument(metavar="SAFETENSORS", help="As `redraft data regions` writes it.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write.")],
    model: Model,
    tokens: Annotated[int, typer.Option(min=1, help="Tokens of training in all.")] = 1_000_000,
    rate: Annotated[float, typer.Option(help="Learning rate, which falls as a cosine to a twentieth.")] = 4e-4,
    rank: Annotated[int, typer.Option(min=1, help="The rank of the adapter's matrices.")] = 16,
    longest: Annotated[int, typer.Option(min=64, help="Tokens of a sample; longer ones are left out.")] = 1600,
    batch: Annotated[int, typer.Option(min=64, help="Tokens of a step, about.")] = 4096,
    validated: Annotated[int, typer.Option(min=0, help="Held out samples that are looked at.")] = 32,
    every: Annotated[int, typer.Option(min=1, help="Steps from one such look to the next.")] = 40,
    compiled: Annotated[bool, typer.Option("--compile/--eager", help="Compile the layers.")] = False,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; without it, as torch chooses.")] = None,
    seed: Annotated[int, typer.Option(help="Decides the order.")] = 0,
) -> int:
    """Train an adapter that writes regions anew; started again, it goes on from its last state."""
    _need("tokenizers")
    import torch

    from redraft.train.regions import RegionCourse, RegionRun

    if threads:
        torch.set_num_threads(threads)
    course = RegionCourse(tokens, rate, rank, batch, min(batch, 4096), longest, seed)
    run = RegionRun(Path(model), packed, course, out)
    if compiled:
        run.net.compile_layers()
    last: dict[str, Any] = {}
    with bar() as watched:
        task = watched.add_task("", total=tokens)

        def say(record: dict[str, Any]) -> None:
            last.update(record)
            said = f"step {record['step']}  {record['nats']:.4f} nats  {record['tokens_per_second']:.0f} tokens/s"
            watched.update(task, completed=record["tokens"], description=said)

        run.train(validated, every, say)
    print(json.dumps(last))
    return 0


def _need(package: str) -> None:
    """Raises RedraftError, which says what to install, when a package is missing."""
    try:
        __import__(package)
    except ImportError as error:
        raise RedraftError(f"training needs {package}: pip install 'redraft[train]'") from error
