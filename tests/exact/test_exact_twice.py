"""An edit whose format tells its place is made once: what is the same elsewhere is no second place for it."""

import pytest

from redraft.edit.exact.find import PART
from redraft.edit.exact.read import read_exact

FILE = "".join(f'class {name}:\n    def label(self):\n        return "shape"\n\n\n' for name in ("One", "Two", "Three"))
LINES = ('        return "shape"', '        return "square"')
SCOPED = "*** Begin Patch\n*** Update File: a.py\n@@ class Two:\n     def label(self):\n-{}\n+{}\n*** End Patch\n"
NUMBERED = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -8 +8 @@\n-{}\n+{}\n```\n"
WRONG = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -42,2 +42,2 @@ class Two:\n     def label(self):\n-{}\n+{}\n```\n"
GUTTER = (
    "<<<<<<< SEARCH\n2 |     def label(self):\n3 | {}\n=======\n2 |     def label(self):\n3 | {}\n>>>>>>> REPLACE\n"
)
LAST = "*** Begin Patch\n*** Update File: a.py\n@@\n     def label(self):\n-{}\n+{}\n*** End of File\n*** End Patch\n"


@pytest.mark.parametrize("answer", [SCOPED, NUMBERED, WRONG, LAST])
def test_an_edit_at_a_place_that_is_told_is_made_once(answer: str) -> None:
    update, file = answer.format(*LINES), FILE.rstrip("\n") + "\n"
    once = read_exact(file, update, "a.py")
    assert once is not None
    assert once.text is not None
    assert once.text.count("square") == 1
    twice = read_exact(once.text, update, "a.py")
    assert twice is not None
    assert twice.text == once.text


def test_a_number_that_lines_above_have_moved_is_the_same_place() -> None:
    above = "@@ -1 +1,2 @@\n class One:\n+    pass\n"
    update = NUMBERED.format(*LINES).replace("@@ -8 +8 @@", f"{above}@@ -8 +9 @@")
    once = read_exact(FILE, update, "a.py")
    assert once is not None
    assert once.text == FILE.replace("class One:\n", "class One:\n    pass\n").replace("shape", "square", 2).replace(
        "square", "shape", 1
    )
    twice = read_exact(once.text, update, "a.py")
    assert twice is not None
    assert twice.text == once.text


def test_a_line_that_only_goes_is_looked_for_in_its_anchor_alone() -> None:
    file = FILE.replace("label(self):\n", 'label(self):\n        print("shape")\n')
    update = '*** Begin Patch\n*** Update File: a.py\n@@ class Two:\n-        print("shape")\n*** End Patch\n'
    once = read_exact(file, update, "a.py")
    assert once is not None
    assert once.text is not None
    assert once.text.count("print") == 2
    last = once.text.replace('        print("shape")\n', "", 1)
    twice = read_exact(last, update, "a.py")
    assert twice is not None
    assert twice.text is None
    assert "outside of its anchor" in twice.message


@pytest.mark.parametrize("answer", [SCOPED, NUMBERED])
def test_the_old_text_at_the_place_is_changed_though_the_new_one_stands_elsewhere(answer: str) -> None:
    file = FILE.replace("shape", "square", 1)
    found = read_exact(file, answer.format(*LINES), "a.py")
    assert found is not None
    assert found.text is not None
    assert [line.split('"')[1] for line in found.text.split("\n") if "return" in line] == ["square", "square", "shape"]


def test_what_was_mended_is_there_already_the_second_time() -> None:
    file, update = FILE.split("\n\n")[0] + "\n", GUTTER.format(*LINES)
    once = read_exact(file, update, "a.py")
    assert once is not None
    assert once.text == file.replace("shape", "square")
    assert once.healed == ("gutter of line numbers",)
    twice = read_exact(once.text, update, "a.py")
    assert twice is not None
    assert (twice.text, twice.healed) == (once.text, ("what the file has already",))


@pytest.mark.parametrize("old", ["", "the", "room", "a cell"])
def test_a_line_is_not_there_already_where_it_is_a_part_of_another(old: str) -> None:
    update = f"<<<<<<< SEARCH\n{old}\n=======\n cell\n>>>>>>> REPLACE\n"
    found = read_exact("the cell", update, "a.py")
    assert found is not None
    assert (found.text, found.healed) == ((" cell cell", (PART,)) if old == "the" else (None, ()))


def test_a_number_that_is_wrong_leaves_the_anchor_its_say() -> None:
    file = FILE.replace('"shape"', '"other"').replace('"other"', '"shape"', 1)
    for number, text in ((3, file.replace("shape", "square")), (42, None)):
        update = NUMBERED.format(*LINES).replace("@@ -8 +8 @@", f"@@ -{number} +{number} @@ class Two:")
        found = read_exact(file, update, "a.py")
        assert found is not None
        assert found.text == text


@pytest.mark.parametrize("blank", ["", " ", "\t", "\f", "\v", "\u00a0"])
def test_lines_below_one_that_ends_in_white_space_come_once(blank: str) -> None:
    update = '{"path": "a.md", "old_string": "# Tide", "new_string": "# Tide\\n\\nA library."}'
    once = read_exact(f"# Tide{blank}", update, "a.md")
    assert once is not None
    assert once.text == f"# Tide\n\nA library.{blank}"
    twice = read_exact(once.text, update, "a.md")
    assert twice is not None
    assert twice.text == once.text
