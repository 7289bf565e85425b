"""Every edit ends: in time, with a reason that helps, whatever the file and the answer are."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import Kind, kinds

from redraft.apply import Redraft
from redraft.budget import paused, within
from redraft.changes.plan import Order, planned
from redraft.changes.tree import Texts
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.template import find_template
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.scripted import Scripted
from redraft.errors import RedraftError, TimeUpError, TooDeepError

# Where time is up within a callback of the garbage collector, Python says so, goes on, and is interrupted again.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

KINDS = kinds()
LONG, SHORT = 30.0, 0.05


def endless() -> None:
    while True:
        pass


def swallowing() -> None:
    while True:
        try:
            endless()
        except Exception:
            continue


def nested(depth: int = 0) -> int:
    return nested(depth + 1) + 1


@pytest.mark.parametrize("work", [endless, swallowing])
def test_work_that_does_not_end_is_interrupted(work: Callable[[], object]) -> None:
    with pytest.raises(TimeUpError, match=r"longer than 0\.05 seconds"):
        within(SHORT, work)


def test_what_is_nested_too_deep_is_an_error_that_can_be_shown() -> None:
    with pytest.raises(TooDeepError):
        within(LONG, nested)


def test_nothing_is_interrupted_behind_its_end() -> None:
    for _ in range(200):
        with pytest.raises(TimeUpError):
            within(0.0, endless)
    endless_for(0.2)


def test_work_in_time_returns_what_it_returns_and_raises_what_it_raises() -> None:
    assert within(LONG, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        within(LONG, lambda: 1 // 0)


def test_inner_work_has_the_time_of_the_outer_one() -> None:
    with pytest.raises(TimeUpError, match=f"{SHORT:g} seconds"):
        within(SHORT, lambda: within(LONG, endless))


def test_the_time_of_a_model_does_not_count() -> None:
    def work() -> str:
        with paused():
            time.sleep(4 * SHORT)
        return "done"

    assert within(SHORT, work) == "done"


def test_each_thread_has_a_time_of_its_own() -> None:
    found: dict[int, object] = {}

    def run(at: int) -> None:
        try:
            found[at] = within(SHORT if at % 2 else LONG, endless if at % 2 else lambda: at)
        except TimeUpError as error:
            found[at] = type(error)

    threads = [threading.Thread(target=run, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {at: TimeUpError if at % 2 else at for at in range(8)}


# An interrupt may come inside of what the tests' library does when garbage is collected; another one follows.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_of_edit_ends_with_a_reason(kind: Kind) -> None:
    request = kind.of(40_000)
    result = Redraft(seconds=0.2).answer(request)
    assert result.status in ("applied", "no_change") or result.message
    if result.status == "error":
        assert result.output is None
        assert "seconds" in result.message or "nested" in result.message


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(KINDS), st.sampled_from(KINDS), st.integers(500, 6_000))
def test_kinds_together_end_with_a_reason(one: Kind, other: Kind, size: int) -> None:
    request = one.of(size)
    update = request.update + "\n\n" + other.of(size).update
    result = Redraft(seconds=0.2).apply(request.original, update, path=request.path)
    assert result.status in ("applied", "no_change") or result.message


def test_a_model_is_asked_as_long_as_it_likes() -> None:
    class Slow(Scripted):
        def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
            endless_for(2.0)
            yield from super().generate(prompt, sampling)

    engine = Slow("a = 2\n")
    assert Redraft.of(engine, find_template("chat"), seconds=1.0).apply("a = 1\n", "a = 2\n").output == "a = 2\n"


def endless_for(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def test_an_answer_about_files_has_one_time_for_all() -> None:
    request = next(kind for kind in KINDS if kind.name == "imports").of(30_000)
    texts = {f"a{at}.py": request.original for at in range(3)}
    answer = "\n".join(f"`{path}`:\n\n{request.update}" for path in texts)
    with pytest.raises(RedraftError, match="seconds"):
        planned(Texts(texts), answer, Order(Redraft(seconds=0.1)))
