"""In: the traits of samples before and after they are mixed. Out: how they are spread, as a table and as a picture."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from redraft.data.figure import new_figure, save_figure
from redraft.data.mix import Traits
from redraft.data.sizes import NAMES

TRAITS = ("language", "size", "style", "source", "expect")
_MOST_BARS = 24
_GIVEN, _MIXED = "#c4c9d1", "#3b7dd8"


class Distribution:
    """Counts of samples by trait, given and mixed; `add` once for each given sample, with its copies in the mix."""

    def __init__(self) -> None:
        self.given = {trait: Counter[str]() for trait in TRAITS}
        self.mixed = {trait: Counter[str]() for trait in TRAITS}

    def add(self, one: Traits, copies: int) -> None:
        for trait in TRAITS:
            value = str(getattr(one, trait))
            self.given[trait][value] += 1
            self.mixed[trait][value] += copies

    def rows(self, trait: str) -> list[tuple[str, int, int]]:
        """Value, given, mixed: sizes from small to large, all else from frequent to rare in the mix."""
        given, mixed = self.given[trait], self.mixed[trait]
        order = [name for name in NAMES if name in given] if trait == "size" else sorted(given)
        rows = [(value, given[value], mixed[value]) for value in order]
        return rows if trait == "size" else sorted(rows, key=lambda row: (-row[2], -row[1]))

    def table(self) -> Iterator[str]:
        """Lines of columns: the trait and its value, samples given and mixed, and their share of the mix."""
        rows = [(trait, *row) for trait in TRAITS for row in self.rows(trait)]
        wide = max((len(value) for _, value, *_ in rows), default=5)
        yield f"{'trait':8}  {'value':{wide}}  {'given':>8}  {'mixed':>8}  {'share':>6}"
        for trait, value, given, mixed in rows:
            share = mixed / max(1, self.mixed[trait].total())
            yield f"{trait:8}  {value:{wide}}  {given:8,}  {mixed:8,}  {share:6.1%}"

    def draw(self, path: Path) -> None:
        """A PNG of shares, given beside mixed; raises RedraftError without matplotlib or where it cannot be written."""
        panels = [(trait, self.rows(trait)[:_MOST_BARS]) for trait in TRAITS if self.given[trait]]
        bars = sum(len(rows) + 2 for _, rows in panels)
        figure = new_figure(figsize=(8, 1 + 0.24 * bars), layout="constrained")
        if panels:
            ratios = [len(rows) + 1 for _, rows in panels]
            grid = figure.subplots(len(panels), 1, squeeze=False, height_ratios=ratios)
            for axes, (trait, rows) in zip(grid[:, 0], panels, strict=True):
                self._panel(axes, trait, rows)
            grid[-1, 0].set_xlabel("share of all samples, %")
            grid[0, 0].legend(loc="lower right", frameon=False)
        figure.suptitle(f"{self._total(self.mixed):,} samples mixed of {self._total(self.given):,}")
        save_figure(figure, path, dpi=120)

    def _panel(self, axes: Any, trait: str, rows: Sequence[tuple[str, int, int]]) -> None:
        places = range(len(rows))
        for column, counts, colour, label, off in (
            (1, self.given, _GIVEN, "given", -0.2),
            (2, self.mixed, _MIXED, "mixed", 0.2),
        ):
            total = max(1, counts[trait].total())
            shares = [100 * int(row[column]) / total for row in rows]
            axes.barh([at + off for at in places], shares, 0.4, color=colour, label=label)
        axes.set_yticks(places, [row[0][:40] for row in rows], parse_math=False)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_title(trait, loc="left", fontsize=10, weight="bold")
        axes.spines[["top", "right"]].set_visible(False)

    @staticmethod
    def _total(counts: dict[str, Counter[str]]) -> int:
        return counts["source"].total()
