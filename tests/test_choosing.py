"""A model that chooses: what it is offered, and that nothing is written which it would rather not."""

from dataclasses import asdict, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from redraft.apply import Redraft
from redraft.choosing import Proposed, costs_of, decided, is_likely, listed, proposed, rated, without_slips
from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes, split_lines
from redraft.engines.scripted import Scripted
from redraft.errors import MissingError
from redraft.reading import is_agreed, merged
from redraft.trust import chances, is_trusted

LINES = st.lists(st.sampled_from(["a = 1", "a = 2", "total = a + b", "total = a + c", "", "}"]), max_size=9)
FILE = "def a(x):\n    check(x)\n    return x\n\n\ndef b(x):\n    check(x)\n    return x\n"
EITHER = "# ...\n    check(x)\n    log(x)\n    return x\n# ...\n"
REQUEST = Request(FILE, EITHER, "", "a.py")


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


def test_costs_are_of_each_text() -> None:
    texts = listed(REQUEST)
    costs = costs_of(Scripted(texts[1]), REQUEST, texts)
    assert costs.keys() == {*texts}
    assert min(costs, key=lambda text: costs[text]) == texts[1]


def test_a_text_that_changes_what_the_model_is_not_shown_is_left_out() -> None:
    long = FILE + "".join(f"limit_{number} = {number}\n" for number in range(300))
    request = Request(long, EITHER, "", "a.py")
    texts = listed(request)
    elsewhere = texts[0].replace("limit_150 = 150\n", "")
    assert costs_of(Scripted(texts[0]), request, [*texts, elsewhere]).keys() == {*texts}
    assert costs_of(Scripted(texts[0]), request, [elsewhere]) == {}


def offered(request: Request, *costs: float) -> list[Proposed]:
    """What is listed, at these costs."""
    texts = [proposed(request, text, cost) for text, cost in zip(listed(request), costs, strict=False)]
    assert all(isinstance(each, Proposed) for each in texts)
    return [each for each in texts if isinstance(each, Proposed)]


def sure_of(request: Request, *costs: float) -> float:
    """The chance of the likeliest of them."""
    return max(chances("large", True, [asdict(each.signs) for each in offered(request, *costs)]))


def test_a_text_that_the_model_would_hardly_write_is_less_sure() -> None:
    assert sure_of(REQUEST, 0.05) > sure_of(REQUEST, 2.0) > sure_of(REQUEST, 9.0)


def test_a_text_is_less_sure_the_likelier_another_one_is() -> None:
    assert sure_of(REQUEST, 0.05) > sure_of(REQUEST, 0.05, 9.0) > sure_of(REQUEST, 0.05, 0.5)


def test_a_text_beside_words_that_ask_for_more_is_less_sure() -> None:
    more = replace(REQUEST, update=f"{REQUEST.update}\nAlso set `LIMIT` to `500`.\n")
    assert sure_of(more, 0.5) < sure_of(REQUEST, 0.5)


def test_of_two_texts_that_are_as_good_none_is_written() -> None:
    texts = offered(REQUEST, 0.05, 0.05)
    assert len(texts) == 2
    assert decided("large", REQUEST, merged(REQUEST), texts[:1]).status == "applied"
    result = decided("large", REQUEST, merged(REQUEST), texts)
    assert (result.status, result.message) == ("needs_context", merged(REQUEST).message)


def test_in_longer_files_texts_that_differ_in_blank_lines_speak_for_each_other() -> None:
    signs = replace(offered(REQUEST, 0.5)[0].signs, first=1.0, read=2.0)
    for lines, count in ((4, 1), (40, 2)):
        is_short = lines < 30
        sure = count * chances("large", is_short, [asdict(signs)] * 2)[0]
        file = "".join(f"limit_{number} = {number}\n" for number in range(lines))
        texts = [Proposed(f"{file}{blank}limit_new = 1\n", 0.5, signs, None) for blank in ("", "\n")]
        request = Request(file, "limit_new = 1", "", "a.py")
        refused = replace(merged(request), status="needs_context", confidence=0.0)
        found = decided("large", request, refused, texts)
        assert found.output == texts[0].text
        assert (found.status == "applied") == is_trusted("large", is_short, sure)
        assert is_trusted("large", is_short, sure) == (count == 2)


def test_nothing_is_decided_where_no_text_may_be_meant() -> None:
    assert decided("large", REQUEST, merged(REQUEST), []) == merged(REQUEST)


ALONE = "Double what `b` returns:\n\n```python\ndef b(x):\n    return 2 * x\n```\n"


def test_what_one_reader_alone_writes_in_a_small_file_is_confirmed_or_in_doubt() -> None:
    request = Request(FILE, ALONE, "", "a.py")
    alone = merged(request)
    assert alone.status == "applied"
    assert alone.output is not None
    for liked, is_kept in ((alone.output, True), (FILE, False)):
        (text,) = rated(Scripted(liked), request, [alone.output])
        assert is_likely("large", request, text) == is_kept


def test_what_both_readers_write_is_confirmed_where_words_stand_beside_it() -> None:
    block = "```python\ndef b(x):\n    check(x)\n    return 2 * x\n```\n"
    for words, is_left in (("", True), ("Certainly! Here is the change:\n\n", True), ("`b` doubles now:\n\n", False)):
        request = Request(FILE, words + block, "", "a.py")
        both = merged(request)
        assert both.status == "applied"
        assert is_agreed(request, both) == is_left
    longer = Request(FILE + "\n" * 40, request.update, "", "a.py")
    assert is_agreed(longer, merged(longer))


def test_a_model_that_is_missing_leaves_what_the_reader_writes() -> None:
    def missing() -> Any:
        raise MissingError("no torch")

    result = Redraft(missing, "auto").apply(FILE, ALONE, path="a.py")
    assert (result.status, result.decided_by) == ("applied", "merge")
