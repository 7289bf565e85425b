"""In: outcomes and the repositories of their cases. Out: the weights by which a decision says how sure it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log

from redraft.edit.decide import joint, probability, ranked
from redraft.errors import RedraftError
from redraft.measure.accuracy.logistic import Example, Fit, fit
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.accuracy.risk import Scored, curve, most, surest

SURE = 0.97  # of what is at least as sure as the threshold from which no model is asked, so much has to be right
MERGE = "merge"
_RATIOS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # nats that a unit of the reader's costs may weigh
_FEWEST = 20  # decisions that a regression is fitted on
_RULES = 0.5  # what all sketches by rules weigh together, beside all answers
_LOST = 0.02  # the share of right sketches by rules that may be refused


@dataclass(frozen=True)
class Silent:
    """The shares of all tidy and of all careless answers that may be written and wrong."""

    tidy: float
    careless: float


@dataclass(frozen=True)
class Answers:
    """Which cases there are to learn from and which to judge by, with their repositories."""

    known: Mapping[str, str]
    held: Mapping[str, str]

    @staticmethod
    def of(train: Mapping[str, str], dev: Mapping[str, str]) -> "Answers":
        """All of `train` and every other repository of `dev`; the others are held out."""
        numbers = {name: number for number, name in enumerate(sorted(set(dev.values())))}
        half = {case: name for case, name in dev.items() if numbers[name] % 2 == 0}
        return Answers({**train, **half}, {case: name for case, name in dev.items() if case not in half})


@dataclass(frozen=True)
class Calibrated:
    """Weights of one kind of decision, and how sure the decisions were by fits that did not see their repository."""

    kind: str
    fit: Fit
    known: Sequence[Scored]
    held: Sequence[Scored]
    more: Mapping[str, float] = field(default_factory=dict)

    @property
    def weights(self) -> dict[str, float]:
        return {**self.fit.weights, **self.more}

    @property
    def all(self) -> list[Scored]:
        return [*self.known, *self.held]


def by_reading(outcomes: Sequence[Outcome], answers: Answers, rules: Sequence[Outcome] = ()) -> Calibrated:
    """How sure the deterministic reader's decisions are; `rules` tell what a sketch without any words is worth."""
    decided = {each.id: each for each in _of(outcomes, answers) if each.system == MERGE and each.is_decided}
    sketches = [each for each in rules if each.system == MERGE and each.is_decided]
    weight = _RULES * sum(name in answers.known for name in decided) / max(1, len(sketches))
    more = [Example(each.features, each.equal_as_trees, each.id, weight) for each in sketches]
    return _calibrated("merge", decided, {name: each.features for name, each in decided.items()}, answers, rules=more)


def by_ranking(outcomes: Sequence[Outcome], answers: Answers) -> Calibrated | None:
    """The same of decisions that a model had a part in; None where there are too few."""
    asked = {each.id: each for each in _of(outcomes, answers) if each.decided_by == "ranking" and each.is_decided}
    if len(asked) < _FEWEST:
        return None
    ratio = min(_RATIOS, key=lambda ratio: sum(_surprise(each, ratio) for each in asked.values()))
    seen = {name: dict(each.features) | ranked(_joint(each, ratio)) for name, each in asked.items()}
    taken = {name: _first(each, ratio) for name, each in asked.items()}
    return _calibrated("ranked", asked, seen, answers, taken, {"nats a cost": ratio})


def thresholds(
    outcomes: Sequence[Outcome], answers: Answers, merge: Calibrated, ranking: Calibrated | None, silent: Silent
) -> dict[str, float]:
    """From which confidence no model is asked, and from which a text is written, by who decides."""
    cases = [each for each in _of(outcomes, answers) if each.system == MERGE]
    sure = surest(curve(merge.all), SURE).chance
    least = max(_least(cases, merge.all, tidy, silent) for tidy in (True, False))
    found = {"sure": max(sure, least), "merge": least}
    if ranking is not None:
        doubted = [each for each in cases if each.candidates > 1 and _chance(each, merge) < found["sure"]]
        # Rankings are few: what they allow is never less than what the reader alone is asked for.
        ranks = [_least_ranked(cases, doubted, merge, ranking, least, t, silent) for t in (True, False)]
        found["ranked"] = max(least, *ranks)
    return found


def least_bare(merge: Calibrated, rules: Sequence[Outcome]) -> float:
    """The confidence from which a sketch without a word around it is written: of those by rules nearly all right ones.

    Tools write such sketches, and chat models hardly ever do.
    """
    right = [each for each in rules if each.is_decided and each.equal_as_trees and each.features["bare"]]
    chances = sorted(_chance(each, merge) for each in right)
    return chances[int(_LOST * len(chances))] if chances else 0.5


def _least(cases: Sequence[Outcome], found: Sequence[Scored], tidy: bool, silent: Silent) -> float:
    """The confidence from which so few of the answers of one kind are wrong; those of unknown kind are of both."""
    count = sum(each.tidy in (tidy, None) for each in cases)
    share = silent.tidy if tidy else silent.careless
    return most(curve(each for each in found if each.tidy in (tidy, None)), share * count).chance


def _least_ranked(
    cases: Sequence[Outcome],
    doubted: Sequence[Outcome],
    merge: Calibrated,
    ranking: Calibrated,
    least: float,
    tidy: bool,
    silent: Silent,
) -> float:
    """The same for decisions by a model, which may err as often as is left by those that it is not asked about."""
    asked = {each.id for each in doubted}
    mine = [each for each in cases if each.tidy in (tidy, None)]
    wrong = sum(
        each.is_decided and not each.equal_as_trees and _chance(each, merge) >= least
        for each in mine
        if each.id not in asked
    )
    ranked_ones = [each for each in ranking.all if each.tidy in (tidy, None)]
    sampled = len(ranked_ones) / max(1, sum(each.id in asked for each in mine))
    share = silent.tidy if tidy else silent.careless
    return most(curve(ranked_ones), max(0.0, share * len(mine) - wrong) * sampled).chance


def _of(outcomes: Iterable[Outcome], answers: Answers) -> list[Outcome]:
    found = list(outcomes)
    strange = next((each.id for each in found if each.id not in answers.known and each.id not in answers.held), None)
    if strange is not None:
        raise RedraftError(f"no manifest has the case {strange}")
    return found


def _calibrated(
    kind: str,
    decided: Mapping[str, Outcome],
    seen: Mapping[str, Mapping[str, float]],
    answers: Answers,
    right: Mapping[str, bool] | None = None,
    more: Mapping[str, float] | None = None,
    rules: Sequence[Example] = (),
) -> Calibrated:
    def is_right(name: str) -> bool:
        return decided[name].equal_as_trees if right is None else right[name]

    known = [name for name in decided if name in answers.known]
    if len({is_right(name) for name in known}) < 2:
        raise RedraftError("there is nothing to fit: too few answers, or all are right or all wrong")
    found = fit([*(Example(seen[name], is_right(name), answers.known[name]) for name in known), *rules])
    held = [name for name in decided if name in answers.held]
    return Calibrated(
        kind,
        found,
        [
            Scored(round(chance, 4), is_right(name), decided[name].tidy)
            for name, chance in zip(known, found.held, strict=False)
        ],
        [Scored(probability(found.weights, seen[name]), is_right(name), decided[name].tidy) for name in held],
        more or {},
    )


def _chance(outcome: Outcome, merge: Calibrated) -> float:
    return probability(merge.weights, outcome.features) if outcome.features else 0.0


def _joint(outcome: Outcome, ratio: float) -> list[float]:
    """Nats for each candidate, in the reader's order."""
    pairs = sorted((cost, nats or 0.0) for cost, nats, _ in outcome.weighed)
    return joint([cost for cost, _ in pairs], [nats for _, nats in pairs], ratio)


def _first(outcome: Outcome, ratio: float) -> bool:
    """Whether the candidate is right that is taken where a unit of cost weighs so many nats."""
    return max(outcome.weighed, key=lambda each: (each[1] or 0.0) - ratio * each[0])[2]


def _surprise(outcome: Outcome, ratio: float) -> float:
    """Nats that a choice by these weights loses on the right candidates; 0 where none is right."""
    if not outcome.oracle:
        return 0.0
    scores = [(nats or 0.0) - ratio * cost for cost, nats, _ in outcome.weighed]
    top = max(scores)
    shares = [exp(max(-50.0, (score - top) / 4)) for score in scores]
    right = sum(share for share, (_, _, is_right) in zip(shares, outcome.weighed, strict=True) if is_right)
    return -log(max(right / sum(shares), 1e-9))
