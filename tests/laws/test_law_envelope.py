"""In: texts with a line of an answer's envelope. Out: the law sees it in any kind of file, unless the file has such."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import Small, replacements

LINES = (
    *("<old_text line=3>", "</new_text>", "<replace_in_file>", "</old_string>", "------- SEARCH", "+++++++ REPLACE"),
    *("------- =======", ":start_line:2", "*** Begin Patch", "@@ -1,2 +1,3 @@", "end_of_edit", "2\u2192 left"),
    "\u00a0\u00a0left",
    "le\u200bft",
)


@given(replacements(), st.sampled_from(LINES), st.data())
def test_nothing_of_an_envelope_reaches_a_file(case: Small, line: str, data: st.DataObject) -> None:
    assert case.against(case.right, "envelope") is None
    at = data.draw(st.integers(0, len(case.right)))
    found = case.against([*case.right[:at], line, *case.right[at:]], "envelope")
    assert found is not None
    assert found.message.startswith(f"line {at + 1} of the new file would be ")


@given(replacements(), st.sampled_from(LINES))
def test_a_file_about_envelopes_may_have_more_of_them(case: Small, line: str) -> None:
    with_one = Small(case.path, [line, *case.original], case.update, [], case.members)
    assert with_one.against([line, *case.right, f" {line}"], "envelope") is None


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("cheap.js", "const ok = row.price &lt; limit;"),
        ("site.conf", "return 301 &quot;/new?from=old&amp;code=301&quot;;"),
        ("station.yml", r"name: \"north mole\""),
        ("colours.txt", r"green: 2\nyellow: 4"),
        ("log.ini", "+ format = json"),
        ("station.txt", "3 | retries: 5"),
        ("station.txt", "2#BQ:port: 4712"),
        ("a.py", "# etc."),
        ("a.py", "# Example usage:"),
        ("log.ini", "```"),
        ("colours.txt", "<edit>"),
    ],
)
def test_signs_of_an_answer(path: str, line: str) -> None:
    case = Small(path, ["one", "two"], ["```", "one", line, "```"], [], [])
    assert case.against(["one", line], "envelope") is not None


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("escape.js", 'return text.replace(/</g, "&lt;");'),
        ("page.html", "<p>1 &lt; 2</p>"),
        ("a.md", "```python"),
        ("a.html", "<search>"),
        ("a.sh", r"echo \"$name\""),
        ("a.py", 'print("a\\nb")'),
        ("a.py", "# Example: usage of the store in a test"),
        ("notes.md", "+ a point"),
    ],
)
def test_what_a_kind_of_file_has_as_content(path: str, line: str) -> None:
    case = Small(path, ["one", "two"], ["```", "one", line, "```"], [], [])
    assert case.against(["one", line], "envelope") is None


@pytest.mark.parametrize("said", ["two things in there:", "and `KEY=2` since you moved", "That is all there is to do."])
def test_what_is_said_between_code_without_fences_stays_out(said: str) -> None:
    case = Small(".env", ["ONE=1", "KEY=1"], [said, "", "ONE=2"], [], [])
    assert case.against(["ONE=2", "KEY=1"], "envelope") is None
    assert case.against([said, "ONE=2", "KEY=1"], "envelope") is not None
    assert Small("a.txt", case.original, case.update, [], []).against([said, "ONE=2", "KEY=1"], "envelope") is None


def test_a_sentence_of_a_docstring_is_code() -> None:
    lines = ['"""One.', "", "Two and three and four.", '"""', "one = 1"]
    case = Small("a.py", ["one = 1"], lines, [], [])
    assert case.against(lines, "envelope") is None
