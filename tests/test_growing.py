"""Changes that are told while a new version is written make that version, wherever the file's lines repeat."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.text.growing import Growing
from redraft.edit.text.window import window

LINES = st.lists(st.sampled_from(["a", "b", "", "    c", "}"]), max_size=30)


def put_in(old: list[str], new: list[str]) -> list[str]:
    """The file with all changes in it; no two of them overlap, and they come in order."""
    growing = Growing(old)
    changes = [change for line in new for change in growing.feed(line)]
    changes += growing.flush()
    made, at = [], 0
    for change in changes:
        assert at <= change.start <= change.end
        made += [*old[at : change.start], *change.lines]
        at = change.end
    return [*made, *old[at:]]


@given(LINES, LINES)
def test_the_changes_make_the_new_version(old: list[str], new: list[str]) -> None:
    assert put_in(old, new) == new


def test_a_change_is_told_three_lines_after_its_end() -> None:
    old = [f"line {number}" for number in range(20)]
    growing = Growing(old)
    told = [len(list(growing.feed(line))) for line in [*old[:5], "new", *old[6:]]]
    assert [number for number, count in enumerate(told) if count] == [8]
    assert list(growing.flush()) == []


def test_lines_of_a_window_have_the_numbers_of_the_file() -> None:
    lines = [f"{number}\n" for number in range(30)]
    shown = window("".join(lines), [15], 2)
    numbers = shown.numbers()
    texts = shown.text.splitlines(keepends=True)
    assert len(numbers) == len(texts) + 1
    assert numbers[-1] == 30
    assert all(text == lines[number] for text, number in zip(texts, numbers, strict=False) if "unchanged" not in text)
