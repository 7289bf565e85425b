"""Each further style says its edit in its own way, and leaves the styles of the embedded model as they are."""

import ast
import hashlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_repository import program
from redraft.data.languages import LANGUAGES
from redraft.data.lazy import is_marker
from redraft.data.manners import ALL_STYLES, MORE_STYLES, ambiguous, dedent, sketch_in
from redraft.data.sketch import STYLES, sketch
from redraft.data.slips import indented, other_quotes, without_comment
from redraft.data.wordings import RareMarkers
from redraft.edit.answer.answer import parse
from redraft.edit.decide import likeliest
from redraft.edit.merge.read import read
from redraft.edit.text.changes import line_changes, split_lines
from test_data_sketch import edits

METHODS = "".join(f"    def step_{n}(self):\n        first_{n}()\n        second_{n}()\n\n" for n in range(20))
BEFORE = f"import os\n\n\nclass Runner:\n{METHODS}"
AFTER = BEFORE.replace("        second_9()\n", "        second_9()\n        third_9()\n")
SHORTER = BEFORE.replace("        second_9()\n", "")


def best(before: str, update: str, path: str) -> str | None:
    """The likeliest text that an update may mean."""
    found = read(before, update, path).candidates
    return found[0].text if found else None


def written(after: str, style: str, path: str = "a.py", before: str = BEFORE) -> list[str]:
    """The sketches of one edit with many seeds."""
    made = [sketch_in(before, after, style, seed, path) for seed in range(60)]
    return [update for update in made if update is not None]


def shown(update: str) -> list[str]:
    return [line for line in update.split("\n") if line.strip() and not is_marker(line)]


def test_the_styles_of_the_model_stay_what_they_are() -> None:
    assert STYLES == ("hunks", "headers", "function", "blocks", "plain", "diff")
    assert (*STYLES, *MORE_STYLES) == ALL_STYLES
    for style in STYLES:
        assert sketch_in(BEFORE, AFTER, style, 3, "a.py") == sketch(BEFORE, AFTER, style, 3, "a.py")


@given(edits(), st.sampled_from(MORE_STYLES), st.integers(0, 99))
def test_sketches_are_deterministic_and_short_of_code_that_stays(edit: tuple[str, str], style: str, seed: int) -> None:
    update = sketch_in(*edit, style, seed, "a.py")
    assert update == sketch_in(*edit, style, seed, "a.py")
    assert update is None or update.endswith("\n")


@given(edits(), st.sampled_from(MORE_STYLES), st.integers(0, 99))
def test_every_new_line_is_said(edit: tuple[str, str], style: str, seed: int) -> None:
    before, after = edit
    update = sketch_in(before, after, style, seed, "a.py")
    if update is not None:
        said = {line.strip() for line in update.split("\n")}
        old, new = split_lines(before), split_lines(after)
        assert all(line.strip() in said for h in line_changes(old, new) for line in new[h.after_start : h.after_end])


@pytest.mark.parametrize("style", MORE_STYLES)
def test_an_edit_with_two_places_is_refused(style: str) -> None:
    before = "start here\n" + "    first()\n    second()\n" * 30 + "stop here\n"
    lines = before.split("\n")
    added, gone = [*lines[:31], "    third()", *lines[31:]], [*lines[:31], *lines[32:]]
    for after in (added, gone):
        assert written("\n".join(after), style, before=before) == []


@pytest.mark.parametrize("style", MORE_STYLES)
@pytest.mark.parametrize("line", ["```", "    # ... existing code ..."])
def test_code_that_reads_like_a_marker_or_a_fence_is_not_shown(style: str, line: str) -> None:
    before = BEFORE.replace("        first_9()", line)
    assert written(before.replace("        second_9()\n", ""), style, before=before) == []


@pytest.mark.parametrize("style", ["dedented", "worded"])
def test_the_merge_places_what_is_said_otherwise(style: str) -> None:
    found = written(AFTER, style)
    assert len(found) > 40
    assert all(best(BEFORE, update, "a.py") == AFTER for update in found)


def test_dedented_code_keeps_its_own_shape() -> None:
    assert dedent(["    a", "", "      b", "    c"]) == ["a", "", "  b", "c"]
    assert dedent(["\ta", "  b"]) == ["\ta", "  b"]
    assert dedent([]) == []
    for update in written(AFTER, "dedented"):
        assert "\nthird_9()\n" in update or "\n    third_9()\n" in update
    assert written(program(30, 10), "dedented", before=program(30)) == []


def test_pairs_show_the_old_code_and_the_new() -> None:
    for update in written(SHORTER, "pairs"):
        old, new = parse(update).blocks
        was, is_now = ("\n".join(line.text for line in block.lines) for block in (old, new))
        assert BEFORE.count(was) == 1
        assert split_lines(BEFORE.replace(was, is_now)) == split_lines(SHORTER)


def test_pairs_say_a_deletion_at_the_edge() -> None:
    before = program(30)
    assert written(before.split("\n", 1)[1], "pairs", before=before)


def test_a_deletion_is_announced_in_words_or_by_a_comment() -> None:
    found = written(SHORTER, "announced")
    noted = [update for update in found if "```" not in update]
    assert 10 < len(noted) < len(found) - 10
    for update in noted:
        (note,) = (line for line in shown(update) if line.lstrip().startswith("#"))
        assert "removed" in note.lower() or "deleted: second_9()" in note
    for update in set(found) - set(noted):
        assert "`second_9()`" in update
        assert best(BEFORE, update, "a.py") == SHORTER


def test_only_deletions_are_announced() -> None:
    assert written(AFTER, "announced") == []
    assert written(BEFORE.replace("second_9()", "other()"), "announced") == []


def test_context_is_off_by_other_indentation() -> None:
    found = written(AFTER, "off")
    units = {"\t": "    ", "  ": "    "}
    assert len(found) > 40
    for update in found:
        (unit,) = (unit for unit in units if f"\n{unit * 2}third_9()\n" in update)
        assert best(BEFORE, "\n".join(indented(split_lines(update), unit, units[unit])), "a.py") == AFTER


@pytest.mark.parametrize("line", ["value_{n} = '{n}'", "value_{n} = {n}  # this is {n}"])
def test_context_is_off_by_quotes_and_comments_but_never_next_to_a_change(line: str) -> None:
    before = "".join(line.format(n=n) + "\n" for n in range(30))
    after = before.replace(line.format(n=10), "value_10 = None")
    found = written(after, "off", before=before)
    assert found
    for update in found:
        lines = shown(update)
        at = lines.index("value_10 = None")
        assert [lines[at - 1], lines[at + 1]] == [line.format(n=9), line.format(n=11)]
        off = [text for text in lines if text not in split_lines(after)]
        assert 1 <= len(off) <= 2
        assert all(text.replace('"', "'") in before for text in off)


def test_slips_of_one_line() -> None:
    assert other_quotes("a('b', 'c')") == 'a("b", "c")'
    assert other_quotes('import "b"') == "import 'b'"
    for line in ("""a('b', "c")""", "it's", "a('b\\'c')", "a()", """a('"')""", "# don't, won't"):
        assert other_quotes(line) == line
    assert without_comment("a = 1  # one", "a.py") == "a = 1"
    assert without_comment("a = 1; /* one */", "a.css") == "a = 1;"
    for line in ("# one", "    # one", "a = 1", "a = '# one'"):
        assert without_comment(line, "a.py") == line
    assert indented(["\ta", "b", "\t\tc", ""], "\t", "  ") == ["  a", "b", "    c", ""]


def test_other_quotes_mean_the_same_in_python() -> None:
    for line in ("a('b', 'c')", 'x = ["b", "c d"]', "f(a='#', b='')"):
        assert ast.dump(ast.parse(other_quotes(line))) == ast.dump(ast.parse(line))


@pytest.mark.parametrize("extension", LANGUAGES)
def test_rare_markers_are_markers_in_every_dialect(extension: str) -> None:
    lines = BEFORE.split("\n")
    found = {RareMarkers(Random(seed), f"a.{extension}").write(lines, 0, 30) for seed in range(80)}
    assert all(map(is_marker, found))
    assert len(found) > 20


def test_a_rare_marker_names_or_counts_what_it_stands_for() -> None:
    lines = ["import os", "import re", "", "def handle_it():", "    return 1"]
    found = {RareMarkers(Random(seed), "a.py").write(lines, 0, 5).strip() for seed in range(200)}
    assert {"# ... handle_it (unchanged) ...", "# ... 5 unchanged lines ...", "# ... imports unchanged ..."} <= found


def test_a_sketch_with_several_places_is_a_negative() -> None:
    before = "start here\n" + "    first()\n    second()\n" * 30 + "stop here\n"
    lines = before.split("\n")
    update = ambiguous(before, "\n".join([*lines[:31], "    third()", *lines[31:]]), 0, "a.py")
    assert update is not None
    assert "    third()\n" in update
    assert likeliest(before, update, "a.py") is None
    assert ambiguous(before, before, 0, "a.py") is None
    assert ambiguous(before, before.replace("start here", "start"), 0, "a.py") is None
    assert ambiguous(BEFORE, AFTER, 0, "a.py") is None


def test_sketches_stay_the_same_from_version_to_version() -> None:
    made = "".join(sketch_in(BEFORE, SHORTER, style, 1, "a.py") or "none" for style in STYLES)
    assert hashlib.sha256(made.encode()).hexdigest()[:16] == "0c1337583b91e175"
