"""In: a model's verdicts, and what the exact grader or a human says of the same outputs. Out: how far they agree."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.judging.verdict import Verdict
from redraft.measure.report.table import grid

ACCEPTED = 4  # from this score on the model would let an output pass
_GRADERS: dict[str, Callable[[Outcome], bool]] = {
    "exact": lambda outcome: outcome.exact,
    "equal as trees": lambda outcome: outcome.equal_as_trees,
}


def kappa(pairs: Iterable[tuple[int, int]]) -> float | None:
    """How far two raters agree beyond chance (Cohen 1960): 1 always, 0 as often as chance, below 0 less often.

    None where chance alone makes them agree always: no pairs, or both say one and the same thing of all.
    """
    return _kappa(pairs, lambda one, other: one != other)


def weighted_kappa(pairs: Iterable[tuple[int, int]]) -> float | None:
    """As `kappa`, for ratings: a disagreement weighs as the square of how far apart they are (Cohen 1968)."""
    return _kappa(pairs, lambda one, other: (one - other) ** 2)


def _kappa(pairs: Iterable[tuple[int, int]], weight: Callable[[int, int], float]) -> float | None:
    """1 - observed / expected disagreement; expected is that of raters with the same habits who see other things."""
    counts = Counter(pairs)
    firsts, seconds = Counter[int](), Counter[int]()
    for (one, other), times in counts.items():
        firsts[one] += times
        seconds[other] += times
    observed = sum(weight(*pair) * times for pair, times in counts.items()) * counts.total()
    expected = sum(weight(one, other) * firsts[one] * seconds[other] for one in firsts for other in seconds)
    return 1 - observed / expected if expected else None


@dataclass(frozen=True)
class Table:
    """How many outputs the judge and a grader accept: both, the judge alone, the grader alone, neither."""

    both: int
    judge: int
    grader: int
    neither: int

    @property
    def count(self) -> int:
        return self.both + self.judge + self.grader + self.neither

    @property
    def accuracy(self) -> float | None:
        return (self.both + self.neither) / self.count if self.count else None

    @property
    def kappa(self) -> float | None:
        cells = {(1, 1): self.both, (1, 0): self.judge, (0, 1): self.grader, (0, 0): self.neither}
        return kappa(Counter(cells).elements())


def table(pairs: Iterable[tuple[bool, bool]]) -> Table:
    """Of what the judge and what the grader says, in this order."""
    found = Counter(pairs)
    return Table(found[True, True], found[True, False], found[False, True], found[False, False])


def with_graders(outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Markdown: for each judge and grader how far they agree. Equal outputs of one case count once."""
    header = ("judge", "grader", "outputs", f"both accept (score {ACCEPTED} or 5)", "judge alone", "grader alone")
    yield from grid((*header, "neither", "accuracy", "kappa"), _beside_graders(outcomes, verdicts), names=2)


def _beside_graders(outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> Iterator[Sequence[str]]:
    by_key = {(outcome.id, outcome.system): outcome for outcome in outcomes}
    for model in dict.fromkeys(verdict.model for verdict in verdicts):
        judged = {
            (verdict.id, verdict.output): (verdict.score >= ACCEPTED, by_key[verdict.id, verdict.system])
            for verdict in verdicts
            if verdict.model == model and (verdict.id, verdict.system) in by_key
        }
        for name, grader in _GRADERS.items():
            found = table((accepts, grader(outcome)) for accepts, outcome in judged.values())
            cells = (found.count, found.both, found.judge, found.grader, found.neither)
            yield model, name, *map(str, cells), _figure(found.accuracy), _figure(found.kappa)


def with_hand(hand: Mapping[str, int], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Markdown: how far each judge agrees with ratings by hand, by id."""
    yield from grid(("judge", "rated", "same score", "mean difference", "weighted kappa"), _beside_hand(hand, verdicts))


def _beside_hand(hand: Mapping[str, int], verdicts: Sequence[Verdict]) -> Iterator[Sequence[str]]:
    rated = [verdict for verdict in verdicts if verdict.id in hand]
    for model in dict.fromkeys(verdict.model for verdict in rated):
        pairs = [(verdict.score, hand[verdict.id]) for verdict in rated if verdict.model == model]
        same = fmean(one == other for one, other in pairs)
        apart = fmean(abs(one - other) for one, other in pairs)
        rated_share, kappa_ = f"{len(pairs)} of {len(hand)}", _figure(weighted_kappa(pairs))
        yield model, rated_share, f"{100 * same:.1f}%", f"{apart:.2f}", kappa_


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
