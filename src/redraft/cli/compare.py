"""In: one edit. Out: the model token by token beside the model with drafts: speeds, sources, a picture."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.columns import Columns
from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from redraft.apply import Redraft, load
from redraft.cli import options
from redraft.cli.read import read_update
from redraft.edit.request import More, Request
from redraft.engines import Chunk, Sampling
from redraft.errors import RedraftError
from redraft.examples import NAMES, find_example
from redraft.files import read as files
from redraft.measure.report.acceptance import COLOURS, draw
from redraft.race import Run, both_ways, first_difference, race


def compare(
    file: Annotated[Path | None, typer.Argument(help="The file to rewrite; it is left as it is.")] = None,
    update: options.Update = None,
    instruction: options.Instruction = "",
    example: Annotated[str, typer.Option(metavar="|".join(NAMES), help="A demonstration instead of FILE.")] = "",
    engine: options.Engine = "embedded",
    plot: options.Plot = None,
    dtype: options.Dtype = None,
    template: options.Template = None,
    max_tokens: options.MaxTokens = None,
) -> int:
    """Rewrite FILE token by token and with drafts, side by side."""
    if (file is None) == (not example):
        raise typer.BadParameter(f"name a FILE, or an --example: {', '.join(NAMES)}")
    given = None if file is None else _given(file, update, instruction)
    editor = load(engine, dtype=dtype, template=template, readers="model")
    request = given or _shown(example, takes_instructions=editor.takes_instructions)
    vanilla, speculative = _run_both(editor, request, Sampling(max_tokens=max_tokens))
    for line in _summary(vanilla, speculative):
        print(line)
    if plot is not None:
        speeds = (f"{run.way} {run.speed:,.0f} characters/s" for run in (speculative, vanilla))
        title = f"{request.path}: {', '.join(speeds)}"
        draw(plot, speculative.runs, title, speculative.statistics().tokens)
    return 0


def _given(file: Path, update: str | None, instruction: str) -> Request:
    if not update and not instruction:
        raise RedraftError("nothing to do: give an --update or an --instruction")
    sketch = read_update(update) if update else ""
    return Request(files.read(file).text, sketch, instruction, str(file))


def _shown(name: str, takes_instructions: bool) -> Request:
    """The demonstration as it was first asked, or with a sketch for a model that needs one."""
    example = find_example(name)
    if takes_instructions:
        return Request(example.original, instruction=example.instruction, path=example.path)
    return Request(example.original, example.update, path=example.path)


def _run_both(editor: Redraft, request: Request, sampling: Sampling) -> tuple[Run, Run]:
    def ask(sampling: Sampling) -> Iterator[Chunk]:
        more = More(instruction=request.instruction, path=request.path)
        return editor.stream(request.original, request.update, sampling=sampling, **more)

    both = both_ways(ask, sampling)
    console = Console()
    with Live(console=console, refresh_per_second=8, transient=True) as live:
        for _ in race(both):
            if console.is_terminal:
                live.update(_side_by_side(both, console.height - 4))
    return both


def _side_by_side(runs: Sequence[Run], height: int) -> Columns:
    panels = (Panel(_tail(run, height), title=f"{run.way}: {run.speed:,.0f} characters/s") for run in runs)
    return Columns(panels, equal=True, expand=True)


def _tail(run: Run, height: int) -> Text:
    """The last lines of a run, coloured by who drafted them."""
    text = Text(no_wrap=True)
    for origin, piece in run.runs:
        text.append(piece, style=COLOURS[origin])
    return Text("\n").join(text.split("\n")[-height:])


def _summary(vanilla: Run, speculative: Run) -> Iterator[str]:
    for run in (vanilla, speculative):
        counted = f"{len(run.ids):,} tokens in {len(run.chunks):,} forwards"
        yield f"{run.way:<15} {counted}, {run.seconds:.2f} s: {run.speed:,.0f} characters/s"
    yield f"speed-up        {vanilla.seconds / speculative.seconds:.1f}x; {_equality(vanilla, speculative)}"
    sums = speculative.statistics()
    tokens = ", ".join(f"{origin} {count:,}" for origin, count in sums.tokens.most_common())
    yield f"tokens by source: {tokens}; {sums.accepted:,} of {sums.drafted:,} drafted tokens accepted"


def _equality(vanilla: Run, speculative: Run) -> str:
    at = first_difference(vanilla, speculative)
    if at is None:
        return "the same tokens"
    margins = [margin for chunk in vanilla.chunks for margin in chunk.margins]
    margin = f", where the margin is {margins[at]:.2g}" if at < len(margins) else ""
    return f"the tokens differ from number {at} on{margin}"
