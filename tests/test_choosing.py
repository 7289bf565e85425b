"""A model that chooses: what it is offered, and that nothing is written which it would rather not."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from redraft.apply import Redraft
from redraft.choosing import costs_of, listed, signs_of, without_slips
from redraft.edit.guard.check import WRITTEN
from redraft.edit.prompts.template import find_template
from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes, split_lines
from redraft.engines.scripted import Scripted
from redraft.reading import merged

LINES = st.lists(st.sampled_from(["a = 1", "a = 2", "total = a + b", "total = a + c", "", "}"]), max_size=9)
FILE = "def a(x):\n    check(x)\n    return x\n\n\ndef b(x):\n    check(x)\n    return x\n"
EITHER = "# ...\n    check(x)\n    log(x)\n    return x\n# ...\n"
REQUEST = Request(FILE, EITHER, "", "a.py")


class Pricing(Scripted):
    """It ranks each text by how much of a piece it has."""

    def rank(self, prompt: Any, texts: Sequence[str]) -> list[float]:
        return [float(20 * text.count(self.target)) for text in texts]


@given(LINES, LINES)
def test_a_text_without_slips_has_fewer_changes_and_no_others(old: list[str], new: list[str]) -> None:
    original, text = "\n".join(old) + "\n", "\n".join(new) + "\n"
    changes = line_changes(split_lines(original), split_lines(text))
    for less in without_slips(original, text):
        assert less != text
        left = line_changes(split_lines(text), split_lines(less))
        assert 0 < len(left) < len(changes)


def test_all_that_is_listed_changes_the_file() -> None:
    texts = listed(REQUEST)
    assert len(texts) > 1
    assert FILE not in texts
    assert len({*texts}) == len(texts)


def test_costs_are_of_each_text_and_of_the_unchanged_file() -> None:
    texts = listed(REQUEST)
    costs = costs_of(Scripted(texts[1]), REQUEST, texts)
    assert costs is not None
    assert costs.keys() == {*texts, FILE}
    assert min(costs, key=lambda text: costs[text]) == texts[1]


def test_a_model_that_prefers_the_file_as_it_is_speaks_against_all_others() -> None:
    texts = listed(REQUEST)
    chosen, unchanged = (dict.fromkeys(texts, 3.0) | {FILE: cost} for cost in (9.0, 0.0))
    assert signs_of(REQUEST, texts, chosen).confidence > signs_of(REQUEST, texts, unchanged).confidence


def test_what_the_reader_is_sure_of_is_not_asked() -> None:
    sure = "```python\ndef b(x):\n    return 2 * x\n```\n"
    engine = Pricing("nothing that could be liked")
    result = Redraft.of(engine, find_template("chat"), "auto").apply(FILE, sure, path="a.py")
    assert result == merged(Request(FILE, sure, "", "a.py")) or result.decided_by != "ranking"
    assert result.status in WRITTEN
