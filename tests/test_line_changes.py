"""In: long texts with repeated lines. Out: their differences, which make one of the other."""

from redraft.edit.text.changes import line_changes


def test_the_differences_of_long_texts_make_the_new_one() -> None:
    old = [line for n in range(600) for line in (f"def step_{n}():", "    return 1", "")]
    new = [*old[:90], "x = 1", *old[93:900], *old[906:1500], "    return 2", *old[1501:]]
    out: list[str] = []
    at = 0
    changes = line_changes(old, new)
    for change in changes:
        out += old[at : change.start] + new[change.after_start : change.after_end]
        at = change.end
    assert out + old[at:] == new
    assert len(changes) == 3
