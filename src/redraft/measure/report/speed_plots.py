"""In: records of speed. Out: PNGs: time and speed by size of file, where the time goes, what a forward accepts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from statistics import mean
from typing import Any

from redraft.errors import RedraftError
from redraft.measure.report import drawing
from redraft.measure.report.columns import answered
from redraft.measure.report.drawing import save_figure
from redraft.measure.report.groups import BY_SIZE
from redraft.measure.report.speed import BINS, bin_of
from redraft.measure.speed.phases import Phases
from redraft.measure.speed.record import Record


def draw(records: Sequence[Record], folder: Path) -> list[Path]:
    """What was written, those that there are figures for; raises RedraftError where one cannot be written."""
    found = answered(records)
    figures = {
        "time": _time([record for record in found if record.limit_seconds]),
        "phases": _phases([record for record in found if record.phases]),
        "accepted": _accepted([record for record in found if record.steps]),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RedraftError(f"cannot write {folder}: {error.strerror}") from error
    paths = {folder / f"{name}.png": figure for name, figure in figures.items() if figure is not None}
    for path, figure in paths.items():
        save_figure(figure, path, drawing.DPI)
    return list(paths)


def _time(records: Sequence[Record]) -> Any:
    """A dot an edit: seconds with drafts, without, and the limit, by the lines of the file."""
    if not records:
        return None
    figure = drawing.new(4.5)
    axes = figure.subplots()
    kinds = {
        "without drafts": [record.vanilla_seconds for record in records],
        "with drafts": [record.seconds for record in records],
        "the limit: one run over prompt and output": [record.limit_seconds for record in records],
    }
    lines = [max(record.lines, 1) for record in records]
    for (name, seconds), colour in zip(kinds.items(), (drawing.COLOURS[6], *drawing.COLOURS[1::-1]), strict=False):
        axes.scatter(lines, seconds, s=14, color=colour, alpha=0.6, linewidths=0, label=name)
    drawing.logarithmic(axes, "x")
    drawing.logarithmic(axes, "y")
    axes.set_xlabel("lines of the file")
    axes.set_ylabel("seconds")
    axes.grid(color=drawing.BAND)
    drawing.plain(axes)
    figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=9)
    return figure


def _phases(records: Sequence[Record]) -> Any:
    """A bar a size class: how its time divides."""
    if not records:
        return None
    groups = BY_SIZE.groups(records)
    figure = drawing.new(1.2 + 0.45 * len(groups))
    axes = figure.subplots()
    starts = [0.0] * len(groups)
    labels = [f"{name} lines ({len(found)})" for name, found in groups.items()]
    for colour, phase in zip(drawing.COLOURS, fields(Phases), strict=False):
        shares = [mean(100 * getattr(r.phases, phase.name) / r.seconds for r in found) for found in groups.values()]
        axes.barh(labels, shares, left=starts, color=colour, height=0.7, label=phase.name)
        starts = [start + share for start, share in zip(starts, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("% of the time, mean of the edits")
    drawing.plain(axes)
    axes.tick_params(axis="y", length=0)
    figure.legend(loc="outside upper left", ncols=len(fields(Phases)), frameon=False, fontsize=9)
    return figure


def _accepted(records: Sequence[Record]) -> Any:
    """How many forwards accepted how many drafted ids."""
    if not records:
        return None
    counts = Counter(bin_of(taken) for record in records for _, taken in record.steps)
    names = [name for name in BINS if counts[name]]
    figure = drawing.new(3.2)
    axes = figure.subplots()
    bars = axes.bar(names, [counts[name] for name in names], color=drawing.COLOURS[0], width=0.8)
    axes.bar_label(bars, fmt="{:,.0f}", fontsize=8)
    axes.set_xlabel("drafted ids accepted in a forward")
    axes.set_ylabel("forwards")
    drawing.plain(axes)
    return figure
