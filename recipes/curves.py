"""In: decisions, how sure they were and whether they were right. Out: tables and pictures of reliability and risk."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from risk import RISKS, curve, most

from redraft.measure.accuracy.share import Share
from redraft.measure.report.drawing import COLOURS, new_figure, save_figure
from redraft.measure.report.reliability import Scored, bins
from redraft.measure.report.table import grid

Groups = Mapping[str, Sequence[Scored]]


def reliability(groups: Groups) -> Iterator[str]:
    """Markdown: a row for each kind of decision and bin."""
    rows = (
        (name, each.name, f"{each.said:.3f}", str(Share.of(each.hits)))
        for name, found in groups.items()
        for each in bins(found)
    )
    return grid(("decisions", "confidence", "mean", "right"), rows, names=2)


def risks(groups: Groups, counts: Mapping[str, int]) -> Iterator[str]:
    """Markdown: how much of all cases is written at a given share of silent errors; `counts` are all cases."""
    header = ("decisions", "silent errors", "written", "right", "from confidence")
    return grid(header, (_risk(name, found, counts[name], risk) for name, found in groups.items() for risk in RISKS))


def _risk(name: str, found: Sequence[Scored], count: int, risk: float) -> Sequence[str]:
    point = most(curve(found), risk * count)
    shares = (risk, point.written / count, point.right / count)
    return name, *(f"{100 * share:.1f}%" for share in shares), f"{point.chance:.3f}"


def draw(path: Path, groups: Groups, counts: Mapping[str, int]) -> None:
    """Both side by side; raises RedraftError without matplotlib and where the file cannot be written."""
    figure = new_figure(figsize=(10, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot((0, 1), (0, 1), color="#bbbbbb", linewidth=1)
    for at, (name, found) in enumerate(groups.items()):
        colour = COLOURS[at % len(COLOURS)]
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
    for each in bins(found):
        low, high = each.interval
        reach = [[each.share - low], [high - each.share]]
        axes.errorbar(each.said + shift, each.share, yerr=reach, fmt="o", color=colour, capsize=2)
        place = (each.said + shift, each.share)
        axes.annotate(str(len(each.hits)), place, (4, 4), textcoords="offset points", fontsize=7)
