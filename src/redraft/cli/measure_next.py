"""In: cursortab's scenarios, mined edits, and an engine. Out: how good its next edits are, and what drafts bring."""

import json
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console
from rich.progress import track

from redraft.cli import options, streams
from redraft.cli.lines import check_folder
from redraft.data.edits import read_edits
from redraft.engines import Sampling
from redraft.engines.spec import check_spec, load_engine
from redraft.errors import RedraftError
from redraft.measure.next.held_out import chosen
from redraft.measure.next.run import HEADS, Answer, at_positions, at_steps, line
from redraft.measure.next.scenarios import Position, Way, read_positions
from redraft.measure.report.table import grid
from redraft.models.sized import merged_of

_WAYS: tuple[Way, ...] = ("sweep", "fim")


def measure_next(
    scenarios: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="server/eval/scenarios in a clone of cursortab.nvim: its 50 positions."),
    ] = None,
    steps: Annotated[
        Path | None,
        typer.Option(metavar="EDITS.parquet", help="Mined edits of repositories that nobody trained on: their steps."),
    ] = None,
    count: Annotated[int, typer.Option(min=2, help="So many steps, half of them with nothing to say.")] = 300,
    way: Annotated[str, typer.Option(metavar="sweep,fim", help="As which of these cursortab asks.")] = "sweep,fim",
    engine: options.MeasuredEngine = "embedded",
    recorded: Annotated[
        str, typer.Option(metavar="MODEL", help="Score the answers that cursortab recorded of a model; none is asked.")
    ] = "",
    plain: Annotated[
        int, typer.Option(min=0, help="Ask so many a second time without drafts, and compare; all recorded ones.")
    ] = 0,
    warm: Annotated[bool, typer.Option("--warm", help="Time each a second time, its prompt read before.")] = False,
    max_tokens: Annotated[int, typer.Option(min=1, help="Of one answer.")] = 512,
    dtype: options.Dtype = None,
    out: Annotated[Path | None, typer.Option(metavar="ANSWERS.jsonl", help="A record an answer, without code.")] = None,
) -> int:
    """Score next edits: how alike, shown and quiet where they should be; tokens a forward, with drafts and without.

    Any endpoint is an engine, such as completions:URL#MODEL. An answer to a gap ends after 64 tokens.
    """
    if scenarios is None and steps is None:
        raise typer.BadParameter("name --scenarios, or --steps, or both")
    if out is not None:
        check_folder(out)
    positions = read_positions(scenarios) if scenarios else []
    found = chosen(read_edits(steps), count) if steps else []
    if recorded:
        sets = [(_recorded(positions, recorded, engine, plain > 0, dtype), len(positions))]
    else:
        opened, ways = load_engine(engine, dtype), _ways(way) if positions else []
        most = {"sweep": max_tokens, "fim": min(max_tokens, 64)}
        asked = (at_positions(opened, positions, each, Sampling(most[each]), plain, warm) for each in ways)
        sets = [(answers, len(positions)) for answers in asked]
        sets += [(at_steps(opened, found, Sampling(max_tokens)), len(found))] if found else []
    with out.open("w", encoding="utf-8") if out else nullcontext() as file:
        rows = [line(_kept(answers, many, file)) for answers, many in sets]
    streams.write("\n".join(grid(HEADS, rows)) + "\n")
    if recorded:
        _tell_of_llamacpp(positions, recorded)
    return 0


def _kept(answers: Iterable[Answer], count: int, file: IO[str] | None) -> list[Answer]:
    console = Console(stderr=True)
    kept = list[Answer]()
    for answer in track(answers, "predicting", total=count, console=console, disable=not console.is_terminal):
        kept.append(answer)
        if file is not None:
            print(json.dumps(answer.record()), file=file, flush=True)
    return kept


def _recorded(
    positions: list[Position], recorded: str, engine: str, is_timed: bool, dtype: str | None
) -> Iterator[Answer]:
    """Recorded answers, in the tokens of the engine's model, which is run only for its seconds."""
    kind, place = check_spec(engine)
    if kind not in ("embedded", "hf"):
        raise RedraftError("--recorded counts in the tokens of embedded or of hf:FOLDER")
    from redraft.engines.folder import open_folder
    from redraft.engines.tokens import folder_tokens
    from redraft.measure.next.replayed import replayed

    folder = Path(place) if place else merged_of().path
    tokens, model = folder_tokens(open_folder(folder)), None
    if is_timed:
        from redraft.engines.torch import TorchEngine

        model = TorchEngine(str(folder), dtype).model
    return replayed(tokens, positions, recorded, model)


def _tell_of_llamacpp(positions: list[Position], recorded: str) -> None:
    from redraft.measure.next.replayed import by_llamacpp

    count, forwards = by_llamacpp(positions, recorded)
    each = count / (forwards or 1)
    streams.tell(f"llama.cpp took {forwards:,} forwards for its {count:,} tokens: {each:.2f} a forward")


def _ways(named: str) -> list[Way]:
    ways = [each for each in _WAYS if each in named.split(",")]
    if not ways or len(ways) != len(named.split(",")):
        raise RedraftError(f"--way {named}: one of {', '.join(_WAYS)}, or both with a comma between")
    return ways
