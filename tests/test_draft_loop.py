"""Whatever is drafted, the loop emits the target, in at most as many forwards as tokens."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from redraft.draft import Drafter, Origin
from redraft.draft.accept import emit
from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, WHOLE, Cost, Fastest, Fixed, Policy
from redraft.draft.loop import Accepted, speculate
from redraft.draft.statistics import Statistics
from redraft.engines.scripted import Replay

END = 0
PROMPT = [9, 9, 9]
ids = st.lists(st.integers(1, 5), max_size=60)
policies = st.one_of(st.builds(Fixed, st.integers(0, 8)), st.just(WHOLE), st.builds(lambda: Fastest(Cost(5.0, 1.0))))


@dataclass
class Hostile:
    """Drafts from a script, whatever the output and the limit."""

    drafts: list[list[int]]
    _last: list[int] = field(default_factory=list)

    def draft(self, output: Sequence[int], limit: int) -> Sequence[int]:
        self._last = self.drafts.pop() if self.drafts else []
        return self._last

    def origins(self) -> Sequence[Origin]:
        return ["prediction"] * len(self._last)


@dataclass
class Teasing:
    """Drafts the target up to an error, then the end token again and again."""

    target: list[int]
    right: int

    def draft(self, output: Sequence[int], limit: int) -> Sequence[int]:
        return [*self.target[len(output) : len(output) + self.right], *[END] * 40]

    def origins(self) -> Sequence[Origin]:
        return ["update"] * (40 + self.right)


def decode(target: list[int], drafter: Drafter, policy: Policy, max_tokens: int = 1000) -> list[Accepted]:
    verifier = Replay(len(PROMPT), target)
    return list(speculate(verifier, PROMPT, drafter, policy, (END,), max_tokens))


def emitted(forwards: list[Accepted]) -> list[int]:
    return [token for forward in forwards for token in forward.ids]


def check(target: list[int], drafter: Drafter, policy: Policy, max_tokens: int = 1000) -> None:
    forwards = decode([*target, END], drafter, policy, max_tokens)
    assert emitted(forwards) == [*target, END][:max_tokens]
    assert len(forwards) <= len(emitted(forwards))
    for forward in forwards:
        assert len(forward.ids) == len(forward.origins) == len(forward.margins)
        assert forward.accepted <= forward.drafted
        assert forward.accepted == sum(origin != "model" for origin in forward.origins)


@given(target=ids, drafts=st.lists(st.lists(st.integers(-2, 6), max_size=90), max_size=60), policy=policies)
def test_any_draft_gives_the_target(target: list[int], drafts: list[list[int]], policy: Policy) -> None:
    check(target, Hostile(drafts), policy)


@given(target=ids, right=st.integers(0, 20), policy=policies, max_tokens=st.integers(0, 70))
def test_repeated_end_tokens_and_limits_change_nothing(
    target: list[int], right: int, policy: Policy, max_tokens: int
) -> None:
    check(target, Teasing(target, right), policy, max_tokens)


@given(target=ids, sources=st.lists(ids, max_size=4), policy=policies)
def test_the_edit_drafter_gives_the_target(target: list[int], sources: list[list[int]], policy: Policy) -> None:
    origins: list[Origin] = ["prediction", "original", "update", "update"]
    check(target, EditDrafter(list(zip(origins, sources, strict=False))), policy)


@given(target=ids.filter(bool))
def test_one_forward_writes_what_was_predicted(target: list[int]) -> None:
    forwards = decode([*target, END], EditDrafter([("prediction", target)]), WHOLE)
    assert [(forward.drafted, forward.accepted) for forward in forwards] == [(len(target), len(target))]
    assert forwards[0].origins == ("prediction",) * len(target) + ("model",)


def test_without_a_draft_every_token_takes_a_forward() -> None:
    forwards = decode([1, 2, 3, END], EditDrafter([("prediction", [1, 2, 3])]), VANILLA)
    assert [forward.ids for forward in forwards] == [(1,), (2,), (3,), (END,)]
    assert {forward.origins for forward in forwards} == {("model",)}


def test_a_drafted_end_token_counts_as_accepted() -> None:
    (forward,) = decode([1, 2, END], Hostile([[1, 2, END, END]]), WHOLE)
    assert (forward.ids, forward.drafted, forward.accepted) == ((1, 2, END), 4, 3)


def test_emit_stops_after_the_first_difference_and_after_an_end() -> None:
    assert emit([1, 2, 3], [1, 2, 7, 8], (END,)) == [1, 2, 7]
    assert emit([1, 2], [1, 2, 3], (END,)) == [1, 2, 3]
    assert emit([END, END], [END, END, END], (END,)) == [END]
    assert emit([], [4], (END,)) == [4]


@given(target=ids, source=ids)
def test_statistics_sum_up(target: list[int], source: list[int]) -> None:
    statistics = Statistics()
    forwards = decode([*target, END], EditDrafter([("original", source)]), Fixed(7))
    for forward in forwards:
        statistics.add(forward.origins, forward.drafted, forward.accepted)
    assert statistics.forwards == len(forwards) == sum(statistics.histogram.values())
    assert statistics.tokens.total() == len(target) + 1
    assert statistics.accepted == sum(n * count for n, count in statistics.histogram.items())
    assert statistics.accepted == statistics.tokens.total() - statistics.tokens["model"]
    assert statistics.accepted <= statistics.drafted
