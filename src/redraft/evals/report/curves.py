"""In: decisions, how sure they were and whether they were right. Out: tables and pictures of reliability and risk."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from redraft.data.figure import new_figure, save_figure
from redraft.evals.risk import RISKS, Scored, curve, most
from redraft.evals.share import Share

_EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")

Groups = Mapping[str, Sequence[Scored]]


def bins(found: Sequence[Scored]) -> Iterator[tuple[float, float, float, Share]]:
    """Bounds, mean of what was said, and what was right, for each bin that holds decisions."""
    for low, high in pairwise(_EDGES):
        inside = [each for each in found if low < each.chance <= high or (low == 0 and each.chance == 0)]
        if inside:
            said = sum(each.chance for each in inside) / len(inside)
            yield low, high, said, Share.of(each.right for each in inside)


def reliability(groups: Groups) -> Iterator[str]:
    """Markdown: a row for each kind of decision and bin."""
    yield "| decisions | confidence | mean | right |"
    yield "|---|---|---:|---:|"
    for name, found in groups.items():
        for low, high, said, right in bins(found):
            yield f"| {name} | {low:.2f}-{high:.2f} | {said:.3f} | {right} |"


def risks(groups: Groups, counts: Mapping[str, int]) -> Iterator[str]:
    """Markdown: how much of all cases is written at a given share of silent errors; `counts` are all cases."""
    yield "| decisions | silent errors | written | right | from confidence |"
    yield "|---|---:|---:|---:|---:|"
    for name, found in groups.items():
        points, count = curve(found), counts[name]
        for risk in RISKS:
            point = most(points, risk * count)
            shares = f"{100 * point.written / count:.1f}% | {100 * point.right / count:.1f}%"
            yield f"| {name} | {100 * risk:.1f}% | {shares} | {point.chance:.3f} |"


def draw(path: Path, groups: Groups, counts: Mapping[str, int]) -> None:
    """Both side by side; raises RedraftError without matplotlib and where the file cannot be written."""
    figure = new_figure(figsize=(10, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot((0, 1), (0, 1), color="#bbbbbb", linewidth=1)
    for at, (name, found) in enumerate(groups.items()):
        colour = _COLOURS[at % len(_COLOURS)]
        _reliability(left, found, colour, 0.006 * at)
        points = curve(found)
        written = [100 * point.written / counts[name] for point in points]
        wrong = [100 * point.wrong / counts[name] for point in points]
        right.step(written, wrong, where="post", color=colour, label=f"{name}, {counts[name]} cases")
    for risk in RISKS:
        right.axhline(100 * risk, color="#dddddd", linewidth=0.8, zorder=0)
    left.set(xlabel="confidence (line: as said)", ylabel="right (95% interval)", xlim=(0, 1.02), ylim=(0, 1.02))
    right.set(xlabel="written, % of all cases", ylabel="silently wrong, % of all cases", xlim=(0, 100), ylim=(0, 20))
    right.legend(frameon=False, fontsize=9)
    save_figure(figure, path, dpi=150)


def _reliability(axes: Any, found: Sequence[Scored], colour: str, shift: float) -> None:
    for _, _, said, right in bins(found):
        rate, (low, high) = right.right / right.count, right.interval
        axes.errorbar(
            said + shift, rate, yerr=[[max(0.0, rate - low)], [max(0.0, high - rate)]], fmt="o", color=colour, capsize=2
        )
        axes.annotate(str(right.count), (said + shift, rate), (4, 4), textcoords="offset points", fontsize=7)
