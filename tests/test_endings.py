"""Line endings of any kind come back; new lines end like their neighbours."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.apply import load
from redraft.edit.text.endings import Endings


@given(st.text(alphabet="ab\r\n", max_size=40))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    endings = Endings.of(text)
    assert endings.restored(endings.text) == text


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["\n", "\r\n"])), max_size=12), st.data())
def test_lines_that_stay_keep_their_endings(lines: list[tuple[str, str]], data: st.DataObject) -> None:
    endings = Endings.of("".join(line + end for line, end in lines))
    at = data.draw(st.integers(0, len(lines)))
    texts = [line for line, _ in lines]
    new = endings.restored("\n".join([*texts[:at], "NEW", *texts[at:], ""]))
    kept = new.replace("NEW\r\n", "").replace("NEW\n", "")
    assert kept == "".join(line + end for line, end in lines)


def test_a_new_line_ends_like_the_line_before() -> None:
    assert Endings.of("a\nb\r\nc\r\n").restored("a\nx\nb\ny\nc\n") == "a\nx\nb\r\ny\r\nc\r\n"
    assert Endings.of("a\r\nb\r\n").restored("x\na\nb") == "x\r\na\r\nb"
    assert Endings.of("a\rb\r").restored("a\nx\nb\n") == "a\rx\rb\r"


def test_an_edit_of_a_file_with_mixed_endings_touches_no_other_line() -> None:
    original = "def a():\r\n    return 1\n\r\ndef b():\n    return 2\r\n"
    result = load(readers="merge").apply(original, "def b():\n    return 3\n", path="a.py")
    assert result.output == "def a():\r\n    return 1\n\r\ndef b():\n    return 3\n"
