"""In: outcomes and the repositories of their cases. Out: how sure each ground is, by one half, and how that holds."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from redraft.data.figure import new_figure, save_figure
from redraft.edit.guard.check import WRITTEN
from redraft.errors import RedraftError
from redraft.evals.outcome import Outcome

SURE = 0.9
_COMMON = ("agreement", "model alone", "merge alone", "merge alone, unsure")
_Z = 1.96  # of a normal distribution, for 95%


@dataclass(frozen=True)
class Share:
    """How many of so many were right, with a 95% interval (Wilson 1927)."""

    right: int
    count: int

    @property
    def interval(self) -> tuple[float, float]:
        if not self.count:
            return 0.0, 1.0
        rate, n = self.right / self.count, self.count
        middle = (rate + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        reach = _Z * sqrt(rate * (1 - rate) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.right} of {self.count} ({100 * low:.1f}-{100 * high:.1f}%)"


def halves(outcomes: Iterable[Outcome], repositories: Mapping[str, str]) -> tuple[list[Outcome], list[Outcome]]:
    """Outcomes of applied edits by repository: every other one to each half. Raises RedraftError for a strange case."""
    numbers = {name: number for number, name in enumerate(sorted(set(repositories.values())))}
    parts: tuple[list[Outcome], list[Outcome]] = ([], [])
    for outcome in outcomes:
        if outcome.id not in repositories:
            raise RedraftError(f"the manifest has no case {outcome.id}")
        if outcome.status in WRITTEN:
            parts[numbers[repositories[outcome.id]] % 2].append(outcome)
    return parts


def shares(outcomes: Iterable[Outcome]) -> dict[str, Share]:
    """For each ground, how many of its edits were right."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for outcome in outcomes:
        counts[outcome.ground or ""].append(outcome.equal_as_trees)
    return {ground: Share(sum(right), len(right)) for ground, right in counts.items()}


def confidences(found: Mapping[str, Share], grounds: Sequence[str]) -> dict[str, float]:
    """The confidence of each ground; one half where none was seen.

    Grounds that take one of two differing readers are rare: each is drawn towards what is right of all of them together
    by as much as two edits weigh (a beta prior with that mean). Every other one is drawn towards one half (Laplace).
    """
    rare = [share for ground, share in found.items() if ground not in _COMMON]
    pooled = sum(share.right for share in rare) / max(1, sum(share.count for share in rare))
    confidence = {}
    for ground in grounds:
        share = found.get(ground, Share(0, 0))
        prior = 0.5 if ground in _COMMON or not share.count else pooled
        confidence[ground] = round((share.right + 2 * prior) / (share.count + 2), 4)
    return confidence


def table(first: Mapping[str, Share], second: Mapping[str, Share], confidence: Mapping[str, float]) -> Iterator[str]:
    """Markdown: for each ground the half that gives its confidence, and the other one."""
    yield "| ground | right in the first half | confidence | right in the other half |"
    yield "|---|---|---|---|"
    for ground, value in confidence.items():
        yield f"| {ground} | {first.get(ground, '-')} | {value:.3f} | {second.get(ground, '-')} |"


def above(outcomes: Iterable[Outcome], confidence: Mapping[str, float], least: float = SURE) -> Share:
    """How many of the results that are surer than `least` are right."""
    sure = [outcome.equal_as_trees for outcome in outcomes if confidence.get(outcome.ground or "", 0) > least]
    return Share(sum(sure), len(sure))


def write(path: Path, confidence: Mapping[str, float]) -> None:
    """Raises RedraftError where the file cannot be written."""
    try:
        path.write_text(json.dumps(dict(confidence), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error.strerror}") from error


def draw(path: Path, found: Mapping[str, Share], confidence: Mapping[str, float]) -> None:
    """The calibration curve: what was said against what was right, with intervals; raises RedraftError as above."""
    figure = new_figure(figsize=(6.4, 6), layout="constrained")
    axes = figure.subplots()
    axes.plot((0, 1), (0, 1), color="#bbbbbb", linewidth=1, label="as said")
    for ground, share in sorted(found.items(), key=lambda item: confidence[item[0]]):
        rate, (low, high) = share.right / share.count, share.interval
        bars = [[rate - low], [high - rate]]
        axes.errorbar(
            confidence[ground], rate, yerr=bars, fmt="o", capsize=3, alpha=0.8, label=f"{ground}, {share.count}"
        )
    axes.set_xlim(0.6, 1.01)
    axes.set_ylim(0.3, 1.02)
    axes.set_xlabel("confidence, from one half of the repositories")
    axes.set_ylabel("right, in the other half (95% intervals)")
    axes.legend(loc="lower right", frameon=False, title="ground, results", fontsize=8)
    save_figure(figure, path, dpi=120)
