"""In: git clones and the sets of answers, then a packed file. Out: that packed file; a trained adapter."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.apply import load
from redraft.cli.lines import bar, check_folder, shown
from redraft.cli.packing import counted, said, write_regions
from redraft.data.list_samples import ListSample, Own, Settled, list_sample
from redraft.data.region_samples import Outside
from redraft.edit.request import Request
from redraft.errors import RedraftError
from redraft.measure.accuracy.grade import best_grade
from redraft.measure.cases import case_of
from redraft.measure.sets.answers import AnswerTask
from redraft.measure.sets.calls import CallTask
from redraft.measure.sets.learnable import learnable, with_texts
from redraft.measure.sets.manifests import Listed

if TYPE_CHECKING:
    from redraft.engines.tokens import Tokens
    from redraft.train.run import Run

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
    tokens = tokens_for(model, out)
    met = Counter[str]()
    return write_regions(_read(learnable(clones, sketches, seed), clones, met), tokens, longest, out, seed, met)


def pack_lists(
    clones: Clones,
    out: Annotated[Path, typer.Option("--out", metavar="SAFETENSORS", help="Where the ids go.")],
    model: Model,
    longest: Annotated[int, typer.Option(min=64, help="Tokens of a list; longer ones are left out.")] = 1600,
    most: Annotated[int | None, typer.Option(min=1, help="Answers to read, drawn of all.")] = None,
    own: Annotated[str | None, typer.Option("--own", metavar="SPEC", help="An engine whose own texts join.")] = None,
    seed: Annotated[int, typer.Option(help="Decides the order, and which answers are drawn.")] = 0,
) -> int:
    """Pack the texts that a model would choose among, the right one among them, of all answers in doubt that may be
    trained on."""
    tokens = tokens_for(model, out)
    from redraft.train.lists import write_lists

    met = Counter[str]()
    drawn = learnable(clones)
    Random(seed).shuffle(drawn)
    texts = own_texts(own)
    found = [counted(_list_sample(name, task, texts), met) for name, task in _read(drawn[:most], clones, met)]
    samples = [sample for sample in found if isinstance(sample, ListSample)]
    return said(met, write_lists(samples, tokens, longest, out), out)


def _read(listed: list[Listed], clones: Path, met: Counter[str]) -> Iterator[tuple[str, AnswerTask | CallTask]]:
    return with_texts(shown(listed, "read", len(listed)), clones, met)


def _list_sample(repository: str, task: AnswerTask | CallTask, own: Own) -> ListSample | Settled | Outside:
    return list_sample(repository, task, _graded(task), lambda request: (task.expected, *own(request)))


def own_texts(spec: str | None) -> Own:
    """What the model of an engine writes of a request itself, whatever becomes of it; nothing without an engine."""
    redraft = load(spec, readers="model") if spec else None

    def written(request: Request) -> Iterable[str]:
        output = redraft.answer(request).output if redraft else None
        return () if output is None else (output,)

    return written


def tokens_for(model: str, out: Path) -> "Tokens":
    """The tokenizer of a model's folder; raises RedraftError also where the file to write can have no place."""
    _need("tokenizers")
    from redraft.engines.folder import open_folder
    from redraft.engines.tokens import folder_tokens

    check_folder(out)
    return folder_tokens(open_folder(Path(model)))


def _graded(task: AnswerTask | CallTask) -> Callable[[str], bool]:
    case = case_of(asdict(task))
    return lambda text: best_grade(case, text).equal_as_trees


Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write.")]
TokenCount = Annotated[int, typer.Option(min=1, help="Tokens of training in all.")]
Rank = Annotated[int, typer.Option(min=1, help="The rank of the adapter's matrices.")]
Longest = Annotated[int, typer.Option(min=64, help="Tokens of a sample; longer ones are left out.")]
Batch = Annotated[int, typer.Option(min=64, help="Tokens of a step, about.")]
Rate = Annotated[float, typer.Option(help="Learning rate, which falls as a cosine to a twentieth.")]
Begin = Annotated[Path | None, typer.Option("--from", metavar="FOLDER", help="An adapter to begin with.")]
Validated = Annotated[int, typer.Option(min=0, help="Held out samples that are looked at.")]
Every = Annotated[int, typer.Option(min=1, help="Steps from one such look to the next.")]
Compiled = Annotated[bool, typer.Option("--compile/--eager", help="Compile the layers.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads; without it, as torch chooses.")]
Seed = Annotated[int, typer.Option(help="Decides the order.")]


@train.command()
def regions(
    packed: Annotated[
        list[Path], typer.Argument(metavar="SAFETENSORS...", help="As `data regions` and `data small` write them.")
    ],
    out: Out,
    model: Model,
    begin: Begin = None,
    tokens: TokenCount = 1_000_000,
    rate: Rate = 4e-4,
    rank: Rank = 16,
    longest: Longest = 1600,
    batch: Batch = 4096,
    validated: Validated = 32,
    every: Every = 40,
    compiled: Compiled = False,
    threads: Threads = None,
    seed: Seed = 0,
) -> int:
    """Train an adapter that writes regions anew; started again, it goes on from its last state."""
    _need("tokenizers")
    from redraft.train.regions import RegionRun
    from redraft.train.run import Course

    _set_threads(threads)
    course = Course(tokens, rate, rank, batch, longest, seed)
    return _trained(RegionRun(Path(model), packed, course, out, begin), compiled, validated, every)


@train.command()
def policy(
    lists: Annotated[list[Path], typer.Argument(metavar="SAFETENSORS...", help="As `redraft data lists` writes them.")],
    out: Out,
    model: Model,
    begin: Begin = None,
    loss: Annotated[str, typer.Option(metavar="reward|pairs", help="What is to become less.")] = "reward",
    writing: Annotated[float, typer.Option(min=0, help="What a nat of the right text weighs beside it.")] = 0.0,
    tokens: TokenCount = 200_000,
    rate: Rate = 2e-4,
    rank: Rank = 16,
    pull: Annotated[float, typer.Option(min=0, help="The way back in each step, as a multiple of the rate.")] = 10.0,
    longest: Longest = 1600,
    batch: Batch = 4096,
    validated: Validated = 32,
    every: Every = 20,
    compiled: Compiled = False,
    threads: Threads = None,
    seed: Seed = 0,
) -> int:
    """Train an adapter that chooses among what the readers list, or none of it: by the expected reward, without
    drawing. Started again, it goes on from its last state."""
    _need("tokenizers")
    from redraft.train.policy import LOSSES, PolicyRun
    from redraft.train.run import Course

    if loss not in LOSSES:
        raise RedraftError(f"--loss is {' or '.join(LOSSES)}, not {loss!r}")
    _set_threads(threads)
    course = Course(tokens, rate, rank, batch, longest, seed, pull)
    run = PolicyRun(Path(model), lists, course, out, begin, loss, writing)
    return _trained(run, compiled, validated, every)


@train.command()
def distill(
    packed: Annotated[Path, typer.Argument(metavar="SAFETENSORS", help="As `redraft data regions` writes it.")],
    out: Out,
    teacher: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder of a plain Llama or Qwen2 model.")],
    student: Annotated[
        str,
        typer.Option(metavar="FOLDER|LAYERS", help="Another such folder, or layers of the teacher: 12 or 0-9,22,23."),
    ],
    weight: Annotated[float, typer.Option(min=0, max=1, help="The teacher's share of the loss; 0: none.")] = 0.5,
    temperature: Annotated[float, typer.Option(min=1, help="How much softer teacher and student are compared.")] = 1.0,
    top: Annotated[int, typer.Option(min=1, help="How many of the teacher's likeliest ids are kept.")] = 20,
    logits: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where these are kept, for other runs too; else in --out.")
    ] = None,
    begin: Begin = None,
    tokens: TokenCount = 1_000_000,
    rate: Rate = 4e-4,
    rank: Rank = 16,
    longest: Longest = 1600,
    batch: Batch = 4096,
    validated: Validated = 32,
    every: Every = 40,
    compiled: Compiled = False,
    threads: Threads = None,
    seed: Seed = 0,
) -> int:
    """Train an adapter for a small model on regions and on what a large one makes of them; --weight 0 is the same
    without a teacher. Started again, it goes on from its last state."""
    _need("tokenizers")
    from redraft.train.distill import DistilledRun
    from redraft.train.run import Course
    from redraft.train.teacher import ask, check_vocabulary

    _set_threads(threads)
    folder = _student(student, teacher, out)
    check_vocabulary(teacher, folder)
    course = Course(tokens, rate, rank, batch, longest, seed)
    run = DistilledRun(folder, packed, course, out, begin, weight, temperature)
    if weight:
        kept = logits or out / "logits"
        run.known = ask(teacher, packed, run.ahead(), top, kept, lambda all_: shown(all_, "teacher", len(all_)))
        size = sum(file.stat().st_size for file in kept.glob("*.safetensors"))
        said = f"the teacher's {top} likeliest ids of each of {sum(len(each.ids) for each in run.known.values()):,}"
        print(f"{said}: {size / 1e6:.1f} MB in {kept}", file=sys.stderr)
    return _trained(run, compiled, validated, every)


def _student(said: str, teacher: Path, out: Path) -> Path:
    """A folder as it is; layers of the teacher are written beside the run."""
    from redraft.train.cut import layers_of, write_cut
    from redraft.train.run import plain_folder

    if Path(said).is_dir():
        return Path(said)
    whole = plain_folder(teacher)
    write_cut(whole, layers_of(said, whole.config["num_hidden_layers"]), out / "student")
    return out / "student"


def _set_threads(threads: int | None) -> None:
    if threads:
        import torch

        torch.set_num_threads(threads)


def _trained(run: "Run[Any]", compiled: bool, validated: int, every: int) -> int:
    if compiled:
        run.net.compile_layers()
    last: dict[str, Any] = {}
    with bar() as watched:
        task = watched.add_task("", total=run.course.tokens)

        def say(record: dict[str, Any]) -> None:
            last.update(record)
            loss = record.get("nats", record.get("loss", 0.0))
            said = f"step {record['step']}  loss {loss:.4f}  {record['tokens_per_second']:.0f} tokens/s"
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
