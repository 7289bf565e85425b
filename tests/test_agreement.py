"""In a longer file two readers are compared: what the one makes of an answer says how sure the other is."""

import pytest
from agreement import counted
from hypothesis import given
from hypothesis import strategies as st
from logistic import Example
from msgspec.structs import replace

from redraft.agreement import Licensed, in_longer, signs_of
from redraft.edit.request import Request
from redraft.reading import compared, merged, weighed

FILE = "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(12))
ANSWER = "Here `f3` adds 30:\n\n```python\ndef f3(x):\n    return x + 30\n```\n"
REQUEST = Request(FILE, ANSWER, "", "a.py")
READING, DECISION = weighed(REQUEST)
SAME = Licensed(DECISION.text or "", True)
OTHER = Licensed(FILE.replace("x + 4", "x + 40"), True)

shares = st.floats(0, 1)


def test_what_both_read_is_written_with_the_confidence_of_both() -> None:
    reading, decision, sketch = compared(REQUEST)
    assert sketch == SAME
    found = merged(REQUEST)
    assert (found.status, found.output) == ("applied", FILE.replace("x + 3\n", "x + 30\n"))
    assert found.confidence == decision.confidence == in_longer(FILE, reading.answer, DECISION, sketch).confidence
    assert {"plain", "other", "bare", "faithful"} <= {*found.features}


def test_a_plain_word_of_the_other_reader_makes_it_surer() -> None:
    plain, doubted, none = (
        in_longer(FILE, READING.answer, DECISION, each).confidence for each in (SAME, Licensed(SAME.text, False), None)
    )
    assert plain > doubted
    assert plain > none


@given(paraphrased=shares, outdated=shares, most=shares)
def test_more_of_what_speaks_against_a_text_makes_it_less_sure(
    paraphrased: float, outdated: float, most: float
) -> None:
    features = {**DECISION.features, "paraphrased": paraphrased, "outdated": outdated}
    held = in_longer(FILE, READING.answer, replace(DECISION, features=features, most=most), SAME)
    assert 0 <= held.confidence <= round(most, 4)
    worse = {**features, "paraphrased": 1.0}
    assert (
        in_longer(FILE, READING.answer, replace(DECISION, features=worse, most=most), SAME).confidence
        <= held.confidence
    )


def test_a_text_without_a_place_is_never_sure_enough() -> None:
    assert in_longer(FILE, READING.answer, DECISION, SAME).is_sure
    assert not in_longer(FILE, READING.answer, replace(DECISION, has_place=False), SAME).is_sure


@pytest.mark.parametrize("text", [None, FILE])
def test_what_changes_nothing_is_left_as_it_was_decided(text: str | None) -> None:
    decision = replace(DECISION, text=text)
    assert in_longer(FILE, READING.answer, decision, OTHER) is decision


def test_signs_say_what_the_other_reader_reads() -> None:
    told = [
        (signs["plain"], signs["other"])
        for each in (SAME, OTHER, None)
        if (signs := signs_of(READING.answer, DECISION, each))
    ]
    assert told == [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]


def test_the_recipe_counts_by_kind_from_a_bound_on() -> None:
    right, wrong = Example({}, True, "a"), Example({}, False, "b")
    found = [("tidy", right), ("tidy", wrong), ("careless", right), ("tidy", right)]
    assert counted(found, [0.9, 0.8, 0.95, 0.5], 0.8) == "careless 1 right and 0 wrong, tidy 1 right and 1 wrong"
