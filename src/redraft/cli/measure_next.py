"""In: cursortab's scenarios, mined edits, and an engine. Out: how good its next edits are, and what drafts bring."""

import json
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console
from rich.progress import track

from redraft.cli import options, streams
from redraft.cli.lines import check_folder
from redraft.data.edits import read_edits
from redraft.engines import Engine, Sampling
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
    plain: Annotated[int, typer.Option(min=0, help="Ask so many a second time without drafts, and compare.")] = 0,
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
    positions = read_positions(scenarios) if scenarios else []
    found = chosen(read_edits(steps), count) if steps else []
    if recorded:
        return _recorded(positions, recorded, engine)
    opened: Engine = load_engine(engine, dtype)
    rows = list[tuple[str, ...]]()
    with ExitStack() as stack:
        if out is not None:
            check_folder(out)
        file = stack.enter_context(out.open("w", encoding="utf-8")) if out else None
        for each in _ways(way) if positions else ():
            sampling = Sampling(max_tokens if each == "sweep" else min(max_tokens, 64))
            made = at_positions(opened, positions, each, sampling, plain, warm)
            rows.append(line(_kept(made, len(positions), file)))
        if found:
            rows.append(line(_kept(at_steps(opened, found, Sampling(max_tokens)), len(found), file)))
    streams.write("\n".join(grid(HEADS, rows)) + "\n")
    return 0


def _kept(answers: Iterable[Answer], count: int, file: IO[str] | None) -> list[Answer]:
    console = Console(stderr=True)
    kept = list[Answer]()
    for answer in track(answers, "predicting", total=count, console=console, disable=not console.is_terminal):
        kept.append(answer)
        if file is not None:
            print(json.dumps(answer.record()), file=file, flush=True)
    return kept


def _recorded(positions: list[Position], model: str, engine: str) -> int:
    """Figures of recorded answers, in the tokens of the engine's model, which is not run."""
    kind, place = check_spec(engine)
    if kind not in ("embedded", "hf"):
        raise RedraftError("--recorded counts in the tokens of embedded or of hf:FOLDER")
    from redraft.engines.folder import open_folder
    from redraft.engines.tokens import folder_tokens
    from redraft.measure.next.replayed import by_llamacpp, replayed

    tokens = folder_tokens(open_folder(Path(place) if place else merged_of().path))
    streams.write("\n".join(grid(HEADS, [line([*replayed(tokens, positions, model)])])) + "\n")
    count, forwards = by_llamacpp(positions, model)
    streams.tell(
        f"llama.cpp took {forwards:,} forwards for its {count:,} tokens: {count / (forwards or 1):.2f} a forward"
    )
    return 0


def _ways(named: str) -> list[Way]:
    ways = [each for each in _WAYS if each in named.split(",")]
    if not ways or len(ways) != len(named.split(",")):
        raise RedraftError(f"--way {named}: one of {', '.join(_WAYS)}, or both with a comma between")
    return ways
