"""In: outcomes. Out: PNGs of accuracy against speed, accuracy by group, confidence against what is right, and time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.report import drawing
from redraft.measure.report.drawing import save_figure
from redraft.measure.report.groups import BY_LANGUAGE, BY_SIZE, BY_STYLE, Grouping, by_system, exact
from redraft.measure.report.intervals import interval
from redraft.measure.report.reliability import Bin, bins, scored

_LONGEST, _PANELS = 44, 3


@dataclass(frozen=True)
class Look:
    """How a system is shown in every picture."""

    name: str
    colour: str
    marker: str


def draw(outcomes: Sequence[Outcome], folder: Path) -> dict[str, Path]:
    """The PNGs by their names; raises RedraftError without matplotlib or where one cannot be written.

    `pareto` and `speed` need outcomes that took time, `calibration` those with a confidence.
    """
    looks = looks_of(outcomes)
    figures = {each.name: _by_group(outcomes, each, looks) for each in (BY_SIZE, BY_LANGUAGE, BY_STYLE)}
    answered = [outcome for outcome in outcomes if outcome.status != "error" and outcome.seconds > 0]
    pace = {name: median(o.chars_per_second for o in found) for name, found in by_system(answered).items()}
    if fast := {name: speed for name, speed in pace.items() if speed > 0}:
        figures |= {"pareto": _pareto(outcomes, fast, looks), "speed": _speed(answered, looks)}
    found = {name: bins(scored(group)) for name, group in by_system(outcomes).items()}
    if sure := {name: each for name, each in found.items() if each}:
        figures["calibration"] = _calibration(sure, looks)
    paths = {name: folder / f"{name}.png" for name in figures}
    for name, figure in figures.items():
        save_figure(figure, paths[name], drawing.DPI)
    return paths


def looks_of(outcomes: Sequence[Outcome]) -> dict[str, Look]:
    return {
        name: Look(_short(name), drawing.COLOURS[at % len(drawing.COLOURS)], drawing.MARKERS[at % len(drawing.MARKERS)])
        for at, name in enumerate(by_system(outcomes))
    }


def frontier(points: Sequence[tuple[float, float]]) -> list[int]:
    """The numbers of the points, from the left, to which no other is better in one value and no worse in the other."""

    def is_beaten(point: tuple[float, float]) -> bool:
        return any(other[0] >= point[0] and other[1] >= point[1] and other != point for other in points)

    return sorted((at for at, point in enumerate(points) if not is_beaten(point)), key=lambda at: points[at])


def _short(name: str, longest: int = _LONGEST) -> str:
    """As matplotlib can show it: printable, not taken for a formula, without the middle of what is too long."""
    half = longest // 2
    cut = name if len(name) <= longest else f"{name[:half]}\u2026{name[-half:]}"
    return "".join(sign if sign.isprintable() else "?" for sign in cut).replace("$", r"\$")


def _bars(hits: Sequence[bool]) -> tuple[float, float, float]:
    """A share in percent, and how far its interval reaches down and up."""
    low, high = interval(hits)
    share = mean(hits)
    return 100 * share, 100 * (share - low), 100 * (high - share)


def _pareto(outcomes: Sequence[Outcome], pace: Mapping[str, float], looks: Mapping[str, Look]) -> Any:
    """Hollow are systems that not all cases were run by: they had other cases, so they are not on the frontier."""
    figure = drawing.new(5.0)
    axes = figure.subplots()
    groups = {name: found for name, found in by_system(outcomes).items() if name in pace}
    shares = {name: _bars(exact(found)) for name, found in groups.items()}
    points = [(pace[name], share) for name, (share, _, _) in shares.items()]
    total = len({outcome.id for outcome in outcomes})
    whole = [point for point, found in zip(points, groups.values(), strict=True) if len(found) == total]
    if best := [whole[at] for at in frontier(whole)]:
        axes.plot(*zip(*best, strict=True), color=drawing.GREY, linewidth=1.2, linestyle="--", zorder=1)
    for name, (share, down, up) in shares.items():
        style = {"fmt": looks[name].marker, "color": looks[name].colour, "markersize": 8, "elinewidth": 1.2}
        style |= {} if len(groups[name]) == total else {"markerfacecolor": "white"}
        axes.errorbar(pace[name], share, yerr=[[down], [up]], zorder=2, **style)
    axes.margins(0.12, 0.12)
    drawing.logarithmic(axes, "x")
    axes.set_ylim(top=min(axes.get_ylim()[1], 101.5))
    axes.set_xlabel("characters a second, median (dashed: the Pareto frontier)")
    axes.set_ylabel("exact, % (95% interval)")
    axes.grid(color=drawing.BAND)
    drawing.plain(axes)
    counts = ["" if len(found) == total else f" ({len(found)} of {total} edits)" for found in groups.values()]
    shown = [replace(looks[name], name=looks[name].name + count) for name, count in zip(groups, counts, strict=True)]
    _legend(figure, shown)
    return figure


def _by_group(outcomes: Sequence[Outcome], grouping: Grouping, looks: Mapping[str, Look]) -> Any:
    groups = grouping.groups(outcomes)
    figure = drawing.new(1.2 + len(groups) * max(0.3, 0.095 * len(looks) + 0.1) + 0.1 * len(looks))
    axes = figure.subplots()
    for at, (name, look) in enumerate(looks.items()):
        found = {row: exact(o for o in group if o.system == name) for row, group in enumerate(groups.values())}
        shares = {row + 0.8 * ((at + 0.5) / len(looks) - 0.5): _bars(hits) for row, hits in found.items() if hits}
        share, *reach = zip(*shares.values(), strict=True)
        style = {"fmt": look.marker, "color": look.colour, "markersize": 4.5, "elinewidth": 1}
        axes.errorbar(share, list(shares), xerr=reach, clip_on=False, **style)
    for row in range(1, len(groups), 2):
        axes.axhspan(row - 0.5, row + 0.5, color=drawing.BAND, zorder=0, linewidth=0)
    counts = [len({outcome.id for outcome in found}) for found in groups.values()]
    axes.set_yticks(range(len(groups)), [f"{_short(name)} ({n})" for name, n in zip(groups, counts, strict=True)])
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlim(max(0, 10 * (axes.get_xlim()[0] // 10)), 100)
    axes.set_xlabel(f"exact, % (95% interval), by {grouping.title} (number of edits)")
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    drawing.plain(axes)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.get_major_locator().set_params(steps=[1, 2, 5, 10])
    _legend(figure, list(looks.values()))
    return figure


def _legend(figure: Any, looks: Sequence[Look]) -> None:
    """Above the picture, in as many columns as the names leave room for."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=look.colour, marker=look.marker, linestyle="", label=look.name) for look in looks]
    columns = max(1, min(len(looks), 110 // (max(len(look.name) for look in looks) + 6)))
    figure.legend(handles=handles, loc="outside upper left", ncols=columns, frameon=False, fontsize=9)


def _calibration(found: Mapping[str, list[Bin]], looks: Mapping[str, Look]) -> Any:
    """A panel a system; as many beside each other as can be read."""
    order = {each.name: each.said for shown in found.values() for each in shown}
    names = sorted(order, key=lambda name: order[name])
    columns = min(_PANELS, len(found))
    figure = drawing.new(0.6 + 2.6 * -(-len(found) // columns))
    panels = figure.subplots(-(-len(found) // columns), columns, sharex=True, sharey=True, squeeze=False).flatten()
    lowest = min(100 * each.interval[0] for shown in found.values() for each in shown)
    for at, (system, shown) in enumerate(found.items()):
        _reliability(panels[at], shown, names, looks[system])
        panels[at].set_title(_short(system, _LONGEST // 2 + 8), fontsize=9)
        panels[at].tick_params(axis="x", labelsize=8, labelbottom=at + columns >= len(found))
    panels[0].set_xticks(range(len(names)), [name.replace("to 0", "\u2264 ").replace("to", "\u2264") for name in names])
    panels[0].set_xlim(-0.6, len(names) - 0.4)
    panels[0].set_ylim(lowest - 0.15 * (100 - lowest) - 1, 101)
    for axes in panels[len(found) :]:
        axes.set_axis_off()
    figure.supxlabel("confidence, number of edits (line: as said)", fontsize=10)
    figure.supylabel("right, % (95% interval)", fontsize=10)
    return figure


def _reliability(axes: Any, found: Sequence[Bin], names: Sequence[str], look: Look) -> None:
    for each in found:
        x, (share, down, up) = names.index(each.name), _bars(each.hits)
        axes.hlines(100 * each.said, x - 0.3, x + 0.3, color="black", linewidth=1.4)
        style = {"fmt": look.marker, "color": look.colour, "markersize": 6, "elinewidth": 1.2}
        axes.errorbar(x, share, yerr=[[down], [up]], clip_on=False, **style)
        axes.annotate(
            str(len(each.hits)),
            (x, 0.02),
            xycoords=axes.get_xaxis_transform(),
            ha="center",
            fontsize=8,
            color=drawing.INK,
        )
    axes.grid(axis="y", color=drawing.BAND)
    drawing.plain(axes)


def _speed(answered: Sequence[Outcome], looks: Mapping[str, Look]) -> Any:
    """A dot an edit, and a line through the medians of the size classes."""
    figure = drawing.new(5.0)
    axes = figure.subplots()
    systems = by_system(answered)
    for name, found in systems.items():
        look = looks[name]
        lines, seconds = [max(outcome.lines, 1) for outcome in found], [outcome.seconds for outcome in found]
        axes.scatter(lines, seconds, s=9, color=look.colour, alpha=0.25, linewidths=0)
        classes = BY_SIZE.groups(found).values()
        middles = [median(max(outcome.lines, 1) for outcome in group) for group in classes]
        typical = [median(outcome.seconds for outcome in group) for group in classes]
        axes.plot(middles, typical, color=look.colour, marker=look.marker, markeredgecolor="white", linewidth=1.6)
    drawing.logarithmic(axes, "x")
    drawing.logarithmic(axes, "y")
    axes.set_xlabel("lines of the file (dot: an edit; line: medians of the size classes)")
    axes.set_ylabel("seconds")
    axes.grid(color=drawing.BAND)
    drawing.plain(axes)
    _legend(figure, [looks[name] for name in systems])
    return figure
