"""Which reader decides, on what ground, and when neither does."""

import pytest

from redraft.apply import Redraft, load
from redraft.edit.align.merge import Merge, Placed, merge
from redraft.edit.decide import CONFIDENCE, Written, decide
from redraft.edit.prompts.template import find_template
from redraft.engines import Sampling
from redraft.engines.scripted import Scripted

FILE = "import os\n\n\ndef first():\n    return os.name\n\n\ndef second(value):\n    return value\n\n\nend = 1\n"
SKETCH = "# ... existing code ...\ndef second(value):\n    return value + 1\n# ... existing code ...\n"
RIGHT = FILE.replace("return value", "return value + 1")
SURE = (Placed((1, 3), (7, 9), 1.0),)
UNSURE = (Placed((1, 3), (7, 9), 0.5),)
LOST = RIGHT.replace("import os\n", "")


def decided(model: str, merged: str, margin: float | None = 9.0, hunks: tuple[Placed, ...] = SURE) -> tuple[str, ...]:
    found = decide(FILE, SKETCH, "a.py", Written(model, margin), Merge(merged, hunks))
    return found.decided_by, found.ground, found.text or ""


def test_equal_texts_are_both_readers() -> None:
    assert decided(RIGHT, RIGHT) == ("both", "agreement", RIGHT)


def test_the_one_that_changes_nothing_else_is_taken() -> None:
    assert decided(LOST, RIGHT) == ("merge", "account", RIGHT)
    assert decided(RIGHT, LOST) == ("model", "account", RIGHT)
    assert decided(RIGHT, LOST, margin=0.1) == ("model", "account", RIGHT)


def test_when_both_change_more_neither_is_taken() -> None:
    found = decide(FILE, SKETCH, "a.py", Written(LOST, 9.0), Merge(RIGHT.replace("end = 1", "end = 2"), SURE))
    assert found.text is None
    assert found.reason.startswith("the model and the merge differ at lines 1, 12 of the output")


def test_blank_lines_are_the_merges_and_spelling_is_the_models() -> None:
    spaced = RIGHT.replace("def second", "\ndef second")
    assert decided(spaced, RIGHT)[:2] == ("merge", "blank lines")
    assert decided(RIGHT.replace("value + 1", "value+1"), RIGHT)[:2] == ("model", "spelling")


BLOCK = "f = [\n    1,\n    2,\n]\nend = 1\n"
INSERT = "# ...\n    3,\n# ...\n"


def test_what_can_be_parsed_is_taken() -> None:
    file = "[\n    1,\n    2\n]\n"
    inside, outside = file.replace("1,\n", "1,\n    3,\n"), file + "    3,\n"
    for written, merged, winner in ((inside, outside, "model"), (outside, inside, "merge")):
        found = decide(file, INSERT, "a.json", Written(written, 9.0), Merge(merged, SURE))
        assert (found.decided_by, found.ground, found.text) == (winner, "syntax", inside)


def test_a_model_that_hardly_preferred_what_it_wrote_is_not_taken() -> None:
    first, second = (BLOCK.replace(line, line + "    3,\n") for line in ("    1,\n", "    2,\n"))
    grounds = {
        margin: decide(BLOCK, INSERT, "a.py", Written(first, margin), Merge(second, SURE)).ground
        for margin in (0.1, 9.0, None)
    }
    assert grounds == {0.1: "margin", 9.0: "certainty", None: "certainty"}


def test_a_merge_that_repeats_lines_is_taken_only_where_it_is_sure() -> None:
    sketch = SKETCH.replace("    return", "    os.name\n    return")
    repeating = RIGHT.replace("    return value", "    os.name\n    return value")
    file = FILE.replace("return os.name", "os.name")
    repeating = repeating.replace("return os.name", "os.name")
    for hunks, text in ((SURE, repeating), (UNSURE, None)):
        written = Written(repeating.replace("import os\n", ""), 9.0)
        found = decide(file, sketch, "a.py", written, Merge(repeating, hunks))
        assert (found.ground, found.text) == ("account, repeating", text)


def test_a_merge_that_is_refused_refuses_the_edit() -> None:
    found = decide(FILE, SKETCH, "a.py", Written(RIGHT, 9.0), Merge(None, reason="twice"))
    assert (found.text, found.reason, found.decided_by) == (None, "twice", "merge")


def apply(target: str) -> tuple[str, str, float | None]:
    result = Redraft(Scripted(target), find_template("chat"), readers="both").apply(FILE, SKETCH, path="a.py")
    return result.status, result.decided_by, result.confidence


def test_a_result_says_who_decided_and_how_sure_that_is() -> None:
    assert apply(RIGHT) == ("applied", "both", CONFIDENCE["agreement"])
    assert apply(LOST) == ("applied", "merge", CONFIDENCE["account"])
    assert CONFIDENCE["agreement"] > CONFIDENCE["account"]


def test_the_lines_in_doubt_are_named() -> None:
    result = Redraft(Scripted(LOST), find_template("chat"), readers="both").apply(FILE, SKETCH, path="a.py")
    assert result.output == RIGHT
    assert result.message == "the model and the merge differ at line 1 of the output; account decides for the merge"


def test_a_model_that_ran_into_its_limit_has_not_read_the_edit() -> None:
    editor = Redraft(Scripted(RIGHT), find_template("chat"), readers="both")
    result = editor.apply(FILE, SKETCH, path="a.py", sampling=Sampling(max_tokens=3))
    assert (result.status, result.decided_by, result.output) == ("applied", "merge", RIGHT)


def test_an_instruction_alone_is_the_models() -> None:
    editor = Redraft(Scripted(RIGHT), find_template("chat"), readers="both")
    result = editor.apply(FILE, instruction="add one", path="a.py")
    assert (result.status, result.decided_by) == ("applied", "model")


@pytest.mark.slow
def test_the_embedded_model_and_the_merge_agree() -> None:
    result = load().apply(FILE, SKETCH, path="a.py")
    assert (result.status, result.decided_by, result.output) == ("applied", "both", RIGHT)
    assert merge(FILE, SKETCH, "a.py").text == RIGHT
