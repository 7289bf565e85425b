"""In: outcomes and the repositories of their cases. Out: the weights by which a decision says how sure it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from boosted import boosted
from logistic import Example
from risk import curve, most, surest

from redraft.edit.trees import Tree, chance
from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.report.reliability import Scored

SURE = 0.97  # of what is at least as sure as the threshold `sure`, so much has to be right
MERGE = "merge"
_RULES = 0.5  # what all sketches by rules weigh together, beside all answers
_LOST = 0.02  # the share of right sketches by rules that may be refused
_DEVELOPED = "developed"  # on an answer that the reader was developed on


@dataclass(frozen=True)
class Silent:
    """The shares of all tidy and of all careless answers that may be written and wrong."""

    tidy: float
    careless: float


@dataclass(frozen=True)
class Records:
    """Of answers, and the repository of each.

    `developed`: answers that the reader which read them was developed on. `unread`: those of which nobody had read a
    failure then. A fit learns from both, and is judged by the unread ones where there are any.
    """

    developed: Sequence[Outcome]
    unread: Sequence[Outcome]
    repositories: Mapping[str, str]

    def __post_init__(self) -> None:
        strange = next((each.id for each in self.all if each.id not in self.repositories), None)
        if strange is not None:
            raise RedraftError(f"no manifest has the case {strange}")

    @property
    def all(self) -> list[Outcome]:
        return [*self.unread, *self.developed]

    @property
    def judged(self) -> list[Outcome]:
        return list(self.unread or self.developed)

    def chosen(self, holds: Callable[[Outcome], bool]) -> "Records":
        developed, unread = ([each for each in some if holds(each)] for some in (self.developed, self.unread))
        return Records(developed, unread, self.repositories)


@dataclass(frozen=True)
class Calibrated:
    """The trees, and how sure the judged decisions were by fits that did not see their repository. `gains` is what each
    feature helps."""

    trees: Sequence[Tree]
    gains: Mapping[str, float]
    judged: Sequence[Scored]


# What is seen of a text, and whether it is right.
_Way = tuple[Mapping[str, float], bool]


def _is_read(outcome: Outcome) -> bool:
    return outcome.system == MERGE and outcome.is_decided


def by_reading(records: Records, rules: Sequence[Outcome] = ()) -> Calibrated:
    """How sure the deterministic reader's decisions are; `rules` tell what a sketch without any words is worth."""
    decided = records.chosen(_is_read)
    sketches = [(each, way) for each in rules if _is_read(each) for way in _ways(each)]
    examples = _examples(decided, _ways)
    weight = _RULES * len(examples) / max(1, len(sketches))
    more = [Example(features, is_right, each.id, weight) for each, (features, is_right) in sketches]
    found = boosted([*examples, *more])
    return Calibrated(found.trees, found.gains, _judged(decided, found.held, _ways))


def thresholds(records: Records, merge: Calibrated, silent: Silent) -> dict[str, float]:
    """From which confidence hardly anything is wrong, and from which a text is written."""
    cases = [each for each in records.judged if each.system == MERGE]
    sure = surest(curve(merge.judged), SURE).chance
    least = max(_least(cases, merge.judged, tidy, silent) for tidy in (True, False))
    return {"sure": max(sure, least), "merge": least}


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


def _ways(outcome: Outcome) -> list[_Way]:
    """Of each candidate, the one taken first; of that alone where no more is known."""
    known = [(each.features, each.right) for each in outcome.weighed if each.features]
    return known or [(outcome.features, outcome.equal_as_trees)]


def _examples(decided: Records, ways: Callable[[Outcome], list[_Way]]) -> list[Example]:
    """A reader is right more often on what it was developed on: that is a sign of its own, which is nowhere else."""
    if len({is_right for each in decided.all for _, is_right in ways(each)}) < 2:
        raise RedraftError("there is nothing to fit: too few answers, or all are right or all wrong")
    mark = {_DEVELOPED: 1.0} if decided.unread else {}
    marks = [*({} for _ in decided.unread), *(mark for _ in decided.developed)]
    return [
        Example({**features, **marked}, is_right, decided.repositories[each.id])
        for each, marked in zip(decided.all, marks, strict=True)
        for features, is_right in ways(each)
    ]


def _judged(decided: Records, held: Sequence[float], ways: Callable[[Outcome], list[_Way]]) -> list[Scored]:
    """The text that is taken of each answer that the fit is judged by."""
    chances, found = iter(held), list[Scored]()
    for each in decided.judged:
        (taken, is_right), *_ = [(next(chances), is_right) for _, is_right in ways(each)]
        found.append(Scored(round(taken, 4), is_right, each.tidy))
    return found


def _chance(outcome: Outcome, merge: Calibrated) -> float:
    return chance(merge.trees, outcome.features) if outcome.features else 0.0
