"""An edit in any exact format gives the edited file, healed where it has a slip, refused where it has two places."""

import json
from collections.abc import Callable
from html import escape

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from redraft.edit.exact.read import Exact, read_exact

from . import rendering
from .rendering import NUMBERS, PLACED, PLACELESS, Edit, Render

WORDS = (
    "let",
    "x",
    "=",
    "1;",
    "return",
    "f(a, b)",
    "{",
    "}",
    "if",
    "'s'",
    '"t"',
    "é",
    "\\d",
    "$1",
    "&&",
    "<b>",
    "#",
    "a.b",
)
SETTINGS = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))

lines = st.builds(
    lambda depth, words: "  " * depth + " ".join(words),
    st.integers(0, 3),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
)
blank_or = st.one_of(lines, lines, lines, st.just(""))


@st.composite
def edits(draw: st.DrawFn, fresh: bool = True) -> Edit:
    """An edit whose old lines stand in the file once, and whose new ones do not."""
    file = [
        f"{line} {number}" if line and draw(st.booleans()) else line
        for number, line in enumerate(draw(st.lists(blank_or, min_size=1, max_size=14)))
    ]
    start = draw(st.integers(0, len(file) - 1))
    end = draw(st.integers(start + 1, min(len(file), start + 4)))
    new = draw(st.lists(lines, max_size=4).map(lambda found: [f"{line} new{at}" for at, line in enumerate(found)]))
    edit = Edit(tuple(file), start, end, tuple(new))
    assume(edit.old[0].strip() and edit.old[-1].strip() and edit.old != edit.new)
    old = "\n".join(edit.old)
    assume(sum(edit.original.startswith(old, at) for at in range(len(edit.original))) == 1)
    return edit


def outcome(edit: Edit, render: Render) -> Exact | None:
    return read_exact(edit.original, render(edit), "a.txt")


def named(render: Render) -> str:
    return render.__name__


@pytest.mark.parametrize("render", PLACED + NUMBERS, ids=named)
@given(edit=edits())
@SETTINGS
def test_an_edit_gives_the_edited_file(render: Render, edit: Edit) -> None:
    assume(edit.new or render is not rendering.plain_diff)
    assume(edit.new or render not in rendering.TAGS)
    found = outcome(edit, render)
    assert found is not None
    assert (found.text, found.message) == (edit.edited, "")


@pytest.mark.parametrize("render", PLACELESS, ids=named)
@given(edit=edits())
@SETTINGS
def test_what_stands_twice_is_refused(render: Render, edit: Edit) -> None:
    twice = Edit((*edit.lines, "middle", *edit.old), edit.start, edit.end, edit.new)
    found = outcome(twice, render)
    assert found is not None
    assert found.text is None
    assert f"{edit.start + 1}" in found.message
    assert f"{len(edit.lines) + 2}" in found.message


@pytest.mark.parametrize("render", PLACED, ids=named)
@given(edit=edits())
@SETTINGS
def test_applied_again_it_changes_nothing_or_is_refused(render: Render, edit: Edit) -> None:
    first = outcome(edit, render)
    assume(first is not None and first.text is not None)
    again = read_exact(edit.edited, render(edit), "a.txt")
    assert again is not None
    assert again.text in (None, edit.edited)


def _trailing(line: str) -> str:
    return f"{line}  " if line.strip() else line


def _deeper(line: str) -> str:
    return f"    {line}" if line.strip() else line


HEALED: dict[str, Callable[[Edit], Edit]] = {
    "blanks at the ends of lines": lambda edit: Edit(tuple(map(_trailing, edit.lines)), edit.start, edit.end, edit.new),
    "one common shift of indentation": lambda edit: Edit(
        tuple(map(_deeper, edit.lines)), edit.start, edit.end, tuple(map(_deeper, edit.new))
    ),
}


@pytest.mark.parametrize("slip", HEALED)
@pytest.mark.parametrize("render", [each for each in PLACED if each is not rendering.plain_diff], ids=named)
@given(edit=edits())
@SETTINGS
def test_a_slip_of_blanks_is_healed_and_named(render: Render, slip: str, edit: Edit) -> None:
    assume(not any(line.strip() == "" for line in edit.old) and edit.new)
    there = HEALED[slip](edit)
    assume(len(edit.old) > 1)
    found = read_exact(there.original, render(edit), "a.txt")
    assert found is not None
    if found.text is None:
        assert "times" in found.message or "not in the file" in found.message
        return
    assert [line.rstrip() for line in found.text.split("\n")] == [line.rstrip() for line in there.edited.split("\n")]
    assert slip in found.healed


@pytest.mark.parametrize("render", rendering.BLOCKS + rendering.CALLS, ids=named)
@pytest.mark.parametrize("bar", ["{:>4} | {}", "{:>6}\u2192{}", "{:>6}\t{}"])
@given(edit=edits())
@SETTINGS
def test_a_gutter_of_numbers_is_taken_off(render: Render, bar: str, edit: Edit) -> None:
    assume(all(line.strip() for line in edit.old) and edit.new)
    lines = [bar.format(number, line) for number, line in enumerate(edit.lines, 1)]
    new = [bar.format(number, line) for number, line in enumerate(edit.new, edit.start + 1)]
    found = read_exact(edit.original, render(Edit(tuple(lines), edit.start, edit.end, tuple(new))), "a.txt")
    assert found is not None
    assert (found.text, found.healed) == (edit.edited, ("gutter of line numbers",))


@given(edit=edits())
@SETTINGS
def test_entities_on_both_sides_are_read(edit: Edit) -> None:
    old, new = (tuple(escape(line, quote=False) for line in side) for side in (edit.old, edit.new))
    assume(old != edit.old)
    lines = (*edit.lines[: edit.start], *old, *edit.lines[edit.end :])
    found = outcome(Edit(lines, edit.start, edit.end, new), rendering.zed)
    read = read_exact(edit.original, rendering.zed(Edit(lines, edit.start, edit.end, new)), "a.txt")
    assert found is not None
    assert read is not None
    if edit.new:
        assert (read.text, read.healed) == (edit.edited, ("entities for signs",))


@given(
    edit=edits(),
    at=st.integers(0, 400),
    put=st.text(max_size=3),
    count=st.integers(0, 30),
    kind=st.sampled_from(PLACED + NUMBERS),
)
@settings(max_examples=100, deadline=None)
def test_a_mangled_answer_never_raises(edit: Edit, at: int, put: str, count: int, kind: Render) -> None:
    text = kind(edit)
    at = at % (len(text) + 1)
    found = read_exact(edit.original, text[:at] + put + text[at + count :], "a.txt")
    assert found is None or "\n" not in found.message
    cut = read_exact(edit.original, text[:at], "a.txt")
    assert cut is None or "\n" not in cut.message


@given(edit=edits(), render=st.sampled_from((*rendering.BLOCKS, rendering.patch, rendering.zed)))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_what_is_cut_off_in_new_text_is_called_so(edit: Edit, render: Render) -> None:
    assume(edit.new)
    text = render(edit)
    first = text.rindex(edit.new[-1]) + len(edit.new[-1])
    found = read_exact(edit.original, text[:first], "a.txt")
    assert found is not None
    assert found.text is None
    assert "cut off" in found.message


def test_json_of_json_is_opened() -> None:
    given = {"tool": "edit", "arguments": json.dumps({"path": "a.txt", "old_str": "b", "new_str": "c"})}
    assert read_exact("a\nb\n", json.dumps(given), "a.txt") == Exact("a\nc\n")
