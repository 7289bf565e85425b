"""In a file of mixed line endings each line keeps its own, also where it is changed."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.text.endings import Endings

ENDS = st.lists(st.sampled_from(["\n", "\r\n"]), min_size=2, max_size=12)


@given(ENDS, st.data())
def test_a_changed_line_ends_as_it_did(ends: list[str], data: st.DataObject) -> None:
    lines = [f"line {number}" for number in range(len(ends))]
    at = data.draw(st.integers(0, len(ends) - 1))
    changed = [f"new {at}" if number == at else line for number, line in enumerate(lines)]

    def joined(parts: list[str]) -> str:
        return "".join(line + end for line, end in zip(parts, ends, strict=True))

    assert Endings.of(joined(lines)).restored("".join(f"{line}\n" for line in changed)) == joined(changed)


def test_lines_beside_a_change_end_as_they_did_and_new_ones_as_the_one_before() -> None:
    form = Endings.of("a\r\nb\nc\r\nd\n")
    assert form.restored("a\nB\nC\nnew\nd\n") == "a\r\nB\nC\r\nnew\r\nd\n"
    assert form.restored("a\nd\n") == "a\r\nd\n"
    assert form.restored("new\na\nb\nc\nd") == "new\r\na\r\nb\nc\r\nd"
