"""The length policy: a measured cost, and how this edit's drafts fared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.draft.length import WHOLE, Cost, Fastest, fit

costs = st.builds(Cost, st.floats(0.001, 1.0), st.floats(1e-5, 0.1))
fates = st.lists(st.tuples(st.integers(0, 400), st.floats(0, 1)), max_size=30)


def lengths(cost: Cost, *fate: tuple[int, int]) -> list[int]:
    policy = Fastest(cost)
    chosen = [policy.length()]
    for drafted, accepted in fate:
        policy.seen(drafted, accepted)
        chosen.append(policy.length())
    return chosen


@given(fixed=st.floats(0, 1), per_token=st.floats(0, 0.1))
def test_fit_finds_the_line_that_was_measured(fixed: float, per_token: float) -> None:
    cost = fit([(k, fixed + per_token * k) for k in (1, 8, 64)])
    assert cost.fixed == pytest.approx(fixed, abs=1e-6)
    assert cost.per_token == pytest.approx(per_token, abs=1e-6)


@given(st.lists(st.tuples(st.integers(1, 100), st.floats(0.001, 1)), min_size=1, max_size=5))
def test_fit_of_any_measurement_has_no_negative_cost(samples: list[tuple[int, float]]) -> None:
    cost = fit(samples)
    assert cost.fixed >= -1e-9
    assert cost.per_token >= 0


@given(cost=costs, fate=fates)
def test_there_is_always_a_length(cost: Cost, fate: list[tuple[int, float]]) -> None:
    assert min(lengths(cost, *((drafted, int(drafted * share)) for drafted, share in fate))) >= 1


def test_long_after_success_short_after_rejections() -> None:
    fresh, accepted, diverged, again, lost = lengths(Cost(5.0, 1.0), (170, 170), (200, 120), (30, 0), (30, 0))
    assert accepted > fresh > diverged > again > lost


def test_new_text_is_noticed_and_so_is_its_end() -> None:
    cost, new, copied = Cost(1.0, 0.02), [(9, 1), (9, 0), (9, 0)], [(40, 40)]
    assert lengths(cost, *10 * new)[-1] <= 8
    assert lengths(cost, *10 * new, *2 * copied)[-1] >= 32
    assert lengths(cost, *5000 * [(1, 0)])[-1] == 1


def test_the_dearer_a_token_the_shorter_the_draft() -> None:
    assert lengths(Cost(10.0, 0.1)) > lengths(Cost(10.0, 1.0)) > lengths(Cost(10.0, 10.0))


def test_where_tokens_cost_nothing_all_is_drafted() -> None:
    assert lengths(Cost(1.0, 0.0), (10, 0)) == [WHOLE.tokens, WHOLE.tokens]
