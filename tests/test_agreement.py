"""How far a judge agrees with the exact grader and with ratings by hand: kappa on tables counted by hand."""

import pytest

from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.judging.agreement import kappa, table, weighted_kappa, with_graders, with_hand
from redraft.measure.judging.curated import SYSTEM
from redraft.measure.judging.verdict import Verdict


def outcome(name: str, system: str, exact: bool, as_trees: bool) -> Outcome:
    return Outcome(
        name, system, "python", "hunks", 2, "up to 100", exact, exact, as_trees, not as_trees,
        None, "applied", "", 0.9, "both", *(0,) * 5, 0.0, 0.0,
    )  # fmt: skip


def verdict(name: str, score: int, system: str = "s", model: str = "m", output: str = "") -> Verdict:
    return Verdict(name, system, model, score, "", output or name + system, (), "")


def pairs(*cells: tuple[int, int, int]) -> list[tuple[int, int]]:
    return [(one, other) for one, other, times in cells for _ in range(times)]


def test_kappa() -> None:
    # 35 of 50 are alike (0.7), and 25/50 * 30/50 + 25/50 * 20/50 = 0.5 by chance: 0.2 / 0.5.
    assert kappa(pairs((1, 1, 20), (1, 0, 5), (0, 1, 10), (0, 0, 15))) == pytest.approx(0.4)
    assert kappa(pairs((1, 1, 7), (0, 0, 3))) == 1
    assert kappa(pairs((1, 0, 5), (0, 1, 5))) == -1
    assert kappa(pairs((1, 1, 4), (1, 0, 4), (0, 1, 2), (0, 0, 2))) == pytest.approx(0)
    # Three categories: 7 of 10 alike, (4 * 5 + 3 * 3 + 3 * 2) / 100 = 0.35 by chance.
    three = pairs((1, 1, 4), (2, 2, 2), (2, 3, 1), (3, 1, 1), (3, 2, 1), (3, 3, 1))
    assert kappa(three) == pytest.approx((0.7 - 0.35) / 0.65)


def test_kappa_of_constant_raters() -> None:
    assert kappa([]) is None
    assert kappa([(1, 1)] * 9) is None
    assert weighted_kappa([(5, 5)] * 9) is None
    assert kappa([(1, 0)] * 9) == 0
    assert weighted_kappa(pairs((5, 1, 3), (5, 4, 1))) == 0


def test_weighted_kappa() -> None:
    # Apart by squares: (4 + 4) / 5 = 1.6; all 25 pairs of 1 to 5 are 4 apart on average.
    assert weighted_kappa([(1, 1), (2, 2), (3, 5), (4, 4), (5, 3)]) == pytest.approx(1 - 1.6 / 4)
    assert weighted_kappa([(n, n) for n in range(1, 6)]) == 1
    assert weighted_kappa([(n, 6 - n) for n in range(1, 6)]) == pytest.approx(-1)
    near, far = [(1, 2), (2, 1), (5, 5)], [(1, 5), (5, 1), (2, 2)]
    assert kappa(near) == kappa(far)
    assert (weighted_kappa(near) or 0) > (weighted_kappa(far) or 0)
    cells = pairs((1, 1, 20), (1, 0, 5), (0, 1, 10), (0, 0, 15))
    assert weighted_kappa(cells) == pytest.approx(kappa(cells))


def test_tables_of_two_by_two() -> None:
    found = table([(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15)
    assert (found.both, found.judge, found.grader, found.neither, found.count) == (20, 5, 10, 15, 50)
    assert (found.accuracy, found.kappa) == (0.7, pytest.approx(0.4))
    assert (table([]).accuracy, table([]).kappa) == (None, None)


def test_a_judge_is_compared_with_both_graders_and_equal_outputs_count_once() -> None:
    found = [
        outcome("one", "a", True, True),
        outcome("one", "b", True, True),
        outcome("two", "a", True, True),
        outcome("two", "b", False, True),
        outcome("three", "a", False, False),
        outcome("three", "b", False, True),
    ]
    said = [
        *(verdict("one", 5, system, output="right") for system in "ab"),
        verdict("two", 3, "a"),
        verdict("two", 4, "b"),
        verdict("three", 1, "a"),
        verdict("three", 5, "b"),
        verdict("one", 1, "a", "other"),
        verdict("four", 1, "a"),
        verdict("inventory-1", 1, SYSTEM),
    ]
    *_, exact, trees, other_exact, other_trees = with_graders(found, said)
    assert exact == "| m | exact | 5 | 1 | 2 | 1 | 1 | 0.400 | -0.154 |"
    assert trees == "| m | equal as trees | 5 | 3 | 0 | 1 | 1 | 0.800 | 0.545 |"
    assert other_exact == "| other | exact | 1 | 0 | 0 | 1 | 0 | 0.000 | 0.000 |"
    assert other_trees.startswith("| other | equal as trees | 1 |")


def test_a_judge_is_compared_with_ratings_by_hand() -> None:
    hand = {"a": 1, "b": 2, "c": 5, "d": 4, "e": 3, "f": 3}
    said = [verdict(name, score) for name, score in zip("abcdex", range(1, 7), strict=True)]
    *_, line = with_hand(hand, said)
    assert line == "| m | 5 of 6 | 60.0% | 0.80 | 0.600 |"
