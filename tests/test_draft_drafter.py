"""The edit drafter: a function of sources and output, and few forwards after any one change."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.draft import Origin
from redraft.draft.drafter import EditDrafter
from redraft.draft.length import WHOLE
from redraft.draft.loop import speculate
from redraft.engines.scripted import Replay

END, NEWLINE = 0, 1
Sources = list[tuple[Origin, list[int]]]

small = st.lists(st.integers(1, 4), max_size=50)
origins: tuple[Origin, ...] = ("prediction", "original", "update")


def forwards(target: Sequence[int], sources: Sources) -> int:
    """Forwards beyond the one over the prompt."""
    verifier = Replay(1, [*target, END])
    return len(list(speculate(verifier, [9], EditDrafter(sources), WHOLE, (END,), 10_000))) - 1


def lines(first: int, count: int) -> list[int]:
    """Lines of a place of their own, shared signs and a name of their own, as code has."""
    return [i for n in range(first, first + count) for i in (NEWLINE, 1000 + n, 2, 3, 2000 + n, 4, 5)]


FILE = lines(0, 60)
cuts = st.integers(1, 58)


@given(sources=st.lists(small, min_size=1, max_size=3), output=small, steps=st.lists(st.integers(0, 9), max_size=9))
def test_following_along_drafts_what_a_fresh_drafter_drafts(
    sources: list[list[int]], output: list[int], steps: list[int]
) -> None:
    named = list(zip(origins, sources, strict=False))
    followed, length = EditDrafter(named), 0
    for step in steps:
        length += step
        fresh = EditDrafter(named)
        assert followed.draft(output[:length], 20) == fresh.draft(output[:length], 20)
        assert followed.origins() == fresh.origins()


@given(sources=st.lists(small, min_size=1, max_size=3), first=small, second=small)
def test_another_output_is_drafted_for_as_if_it_were_the_first(
    sources: list[list[int]], first: list[int], second: list[int]
) -> None:
    named = list(zip(origins, sources, strict=False))
    used = EditDrafter(named)
    used.draft(first, 20)
    assert used.draft(tuple(second), 20) == EditDrafter(named).draft(second, 20)


@given(sources=st.lists(small, max_size=3), output=small, limit=st.integers(0, 30))
def test_a_draft_keeps_to_its_limit_and_names_its_origins(
    sources: list[list[int]], output: list[int], limit: int
) -> None:
    drafter = EditDrafter(list(zip(origins, sources, strict=False)))
    draft = drafter.draft(output, limit)
    assert len(draft) == len(drafter.origins()) <= limit


def test_the_draft_before_any_output_is_the_best_source() -> None:
    drafter = EditDrafter([("prediction", [5, 6, 7]), ("original", [8])])
    assert drafter.draft([], 2) == [5, 6]
    assert list(drafter.origins()) == ["prediction", "prediction"]


@given(cut=cuts, count=st.integers(1, 20))
def test_a_deletion_takes_one_forward(cut: int, count: int) -> None:
    target = FILE[: 7 * cut] + FILE[7 * (cut + count) :]
    assert forwards(target, [("prediction", FILE)]) <= 2


@given(cut=cuts, offset=st.integers(0, 6))
def test_one_replaced_id_takes_one_forward(cut: int, offset: int) -> None:
    at = 7 * cut + offset
    assert forwards([*FILE[:at], 77, *FILE[at + 1 :]], [("prediction", FILE)]) == 1


@given(cut=cuts, new=st.integers(1, 6))
def test_an_insertion_takes_its_new_ids_and_at_most_two_forwards_more(cut: int, new: int) -> None:
    inserted = [NEWLINE, *range(5000, 5000 + new)]
    assert forwards(FILE[: 7 * cut] + inserted + FILE[7 * cut :], [("prediction", FILE)]) <= new + 2


@given(cut=cuts, count=st.integers(1, 5))
def test_an_insertion_that_stands_in_the_update_takes_two_forwards(cut: int, count: int) -> None:
    new = lines(100, count)
    update = FILE[7 * (cut - 1) : 7 * cut] + new + FILE[7 * cut : 7 * (cut + 1)]
    target = FILE[: 7 * cut] + new + FILE[7 * cut :]
    assert forwards(target, [("original", FILE), ("update", update)]) <= 2


@given(source=st.integers(0, 20), count=st.integers(2, 10), to=st.integers(32, 50))
def test_a_move_takes_at_most_two_forwards_a_seam(source: int, count: int, to: int) -> None:
    moved = FILE[7 * source : 7 * (source + count)]
    target = FILE[: 7 * source] + FILE[7 * (source + count) : 7 * to] + moved + FILE[7 * to :]
    assert forwards(target, [("prediction", FILE)]) <= 6


@given(cut=st.integers(1, 30), gap=st.integers(4, 20))
def test_after_the_original_was_right_the_prediction_is_gone_back_to(cut: int, gap: int) -> None:
    wrong, right = lines(100, 3), lines(200, 3)
    rest = FILE[7 * cut : 7 * (cut + gap)]
    prediction = FILE[: 7 * cut] + wrong + rest + right + FILE[7 * (cut + gap) :]
    target = FILE[: 7 * cut] + rest + right + FILE[7 * (cut + gap) :]
    assert forwards(target, [("prediction", prediction), ("original", FILE)]) <= 2


@settings(max_examples=30)
@given(start=st.integers(0, 40))
def test_a_repetition_of_the_output_is_drafted_from_it(start: int) -> None:
    new = list(range(7000 + start, 7040 + start))
    once = forwards(FILE + new, [("prediction", FILE)])
    assert forwards(FILE + new + new, [("prediction", FILE)]) <= once + 2
