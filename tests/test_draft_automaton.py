"""The automaton's longest match against a search by hand, for any sources and any running sequence."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.draft.automaton import SuffixAutomaton

runs = st.lists(st.integers(0, 3), max_size=40)


def occurs(run: list[int], text: list[int]) -> bool:
    return any(text[start : start + len(run)] == run for start in range(len(text) - len(run) + 1))


def longest_by_hand(sources: list[list[int]], output: list[int]) -> int:
    texts = [*sources, output[:-1]]
    return next(n for n in range(len(output), -1, -1) if any(occurs(output[len(output) - n :], text) for text in texts))


@given(sources=st.lists(runs, max_size=3), output=runs)
def test_longest_is_what_a_search_finds_after_every_id(sources: list[list[int]], output: list[int]) -> None:
    automaton = SuffixAutomaton(sources)
    for length, token in enumerate(output, start=1):
        automaton.extend(token)
        assert automaton.longest == longest_by_hand(sources, output[:length])


def test_a_match_does_not_run_over_the_end_of_a_source() -> None:
    automaton = SuffixAutomaton([[1, 2], [3, 4]])
    for token in (1, 2, 3):
        automaton.extend(token)
    assert automaton.longest == 1
