"""Which outputs the guards let through."""

import pytest

from redraft.edit.guard.check import check

FILE = "import os\n\n\ndef first():\n    return os.name\n\n\ndef second():\n    return 2\n"
SKETCH = "# ... existing code ...\ndef second():\n    return 3\n"


def test_a_right_output_is_applied() -> None:
    verdict = check(FILE, SKETCH, FILE.replace("2", "3"))
    assert (verdict.status, verdict.message) == ("applied", "")


def test_an_output_equal_to_the_file() -> None:
    assert check(FILE, SKETCH, FILE).status == "no_change"


def test_a_leaked_marker_is_named_with_its_line() -> None:
    verdict = check(FILE, SKETCH, "import os\n\n    # ... existing code ...\ndef second():\n    return 3\n")
    assert verdict.status == "marker_leak"
    assert "line 3" in verdict.message
    assert "# ... existing code ..." in verdict.message


def test_a_marker_that_the_file_holds_is_no_leak() -> None:
    file = "# ... existing code ...\n" + FILE
    assert check(file, SKETCH, file.replace("2", "3")).status == "applied"
    assert check(file, SKETCH, "# ... existing code ...\n" + file.replace("2", "3")).status == "marker_leak"


def test_the_body_of_a_stub_is_no_leak() -> None:
    update = "class P:\n    def f(self):\n        ...\n"
    assert (
        check("class P:\n    x = 1\n", update, "class P:\n    def f(self):\n        ...\n    x = 1\n").status
        == "applied"
    )


def test_an_output_cut_by_the_limit() -> None:
    assert check(FILE, SKETCH, FILE.replace("2", "3"), finish="length").status == "truncated"


@pytest.mark.parametrize("update", [SKETCH.replace("# ...", "def first():\n    return 7\n# ..."), ""])
def test_an_output_that_stops_early(update: str) -> None:
    verdict = check(FILE, update, "import os\n\n\ndef first():\n    return os.name\n")
    assert verdict.status == "truncated"
    assert verdict.message.startswith("the end of the file is missing")


def test_a_new_end_that_the_sketch_shows() -> None:
    third = "\n\ndef third():\n    return 4\n"
    assert check(FILE, SKETCH + third, FILE.replace("2", "3") + third).status == "applied"
    assert check(FILE, SKETCH + third, FILE + third).status == "unrelated_change"


def test_a_file_emptied_by_the_model() -> None:
    assert check(FILE, SKETCH, "").status == "truncated"
    assert check("", "x = 1\n", "x = 1\n").status == "applied"


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_messages_are_one_line(finish: str) -> None:
    for output in ("", FILE, SKETCH, FILE[:30]):
        verdict = check(FILE, SKETCH, output, finish)
        assert (verdict.status == "applied") == (verdict.message == "")
        assert "\n" not in verdict.message
