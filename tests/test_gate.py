"""No change may cost accuracy: on the natural set not fewer results are exact, and not more are wrong unsaid."""

from fetched import needs_small
from redraft.measure.accuracy.outcome import Outcome, outcomes, sampled
from redraft.measure.accuracy.systems import read_systems
from redraft.measure.report.groups import exact
from redraft.measure.sets.named import NATURAL, read_set

SAMPLE = 24
# Raise a floor, and lower a ceiling, when a change makes it possible; `redraft eval run --set natural` counts anew.
MERGE_FLOOR, MERGE_CEILING = 27, 0  # 32 before longer files asked for more than that two readers agree
FLOOR, CEILING = 8, 1


def run(systems: str, count: int | None) -> list[Outcome]:
    return list(outcomes(sampled(read_set(NATURAL).cases, count), read_systems(systems), set()))


def counts(found: list[Outcome]) -> tuple[int, int]:
    """How many are exact, and how many are wrong without a word."""
    return sum(exact(found)), sum(outcome.silent_error for outcome in found)


def test_the_merge_is_as_right_as_it_was() -> None:
    right, silent = counts(run("merge", None))
    assert right >= MERGE_FLOOR
    assert silent <= MERGE_CEILING


@needs_small
def test_the_embedded_model_is_as_right_as_it_was() -> None:
    right, silent = counts(run("embedded", SAMPLE))
    assert right >= FLOOR
    assert silent <= CEILING


@needs_small
def test_the_embedded_model_loses_little_on_the_right_file_and_more_on_a_wrong_one() -> None:
    case = next(case for case in read_set(NATURAL).cases if case.id == "game-loop-fixed-step")
    model, merge = read_systems("embedded+model,merge")
    right = model.bits_per_byte(case.request, case.expected)
    wrong = model.bits_per_byte(case.request, case.request.original)
    assert right is not None
    assert wrong is not None
    assert 0 <= right < wrong
    assert merge.bits_per_byte(case.request, case.expected) is None
