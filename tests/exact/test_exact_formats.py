"""What each format says of its place, what is refused, and in which words."""

import json
from typing import Any

import pytest

from redraft.apply import load
from redraft.edit.exact.read import Exact, as_sketch, files_of, read_exact

FILE = """import os


class A:
    def one(self):
        return 1

    def two(self):
        return 2


class B:
    def one(self):
        return 1
"""
LAST = "        return 1\n"


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", "*** Update File: a.py", *lines, "*** End Patch"))


def call(**given: Any) -> str:
    return json.dumps({"path": "a.py", **given})


def text(update: str, file: str = FILE, path: str = "a.py") -> str | None:
    found = read_exact(file, update, path)
    assert found is not None
    return found.text


def refusal(update: str, file: str = FILE, path: str = "a.py") -> str:
    found = read_exact(file, update, path)
    assert found is not None
    assert found.text is None
    return found.message


IN_B = FILE.removesuffix(LAST) + LAST.replace("1", "7")

APPLIED = {
    "line numbers in the old text alone": (
        block("11 | class B:\n12 |     def one(self):", "class B(A):\n    def one(self):"),
        FILE.replace("class B:", "class B(A):"),
    ),
    "tags of the call at the ends": (
        call(old_string="class B:\n</old_string>", new_string="class B(A):\n</new_string>"),
        FILE.replace("class B:", "class B(A):"),
    ),
    "anchors one below the other": (
        patch("@@ class B:", "@@     def one(self):", f"-{LAST[:-1]}", "+        return 7"),
        IN_B,
    ),
    "an anchor and context": (patch("@@ class B:", "     def one(self):", f"-{LAST[:-1]}", "+        return 7"), IN_B),
    "the end of the file": (patch("@@", f"-{LAST[:-1]}", "+        return 7", "*** End of File"), IN_B),
    "new lines below nested anchors": (
        patch("@@ class B:", "@@     def one(self):", "+        x = 1"),
        FILE.removesuffix(LAST) + "        x = 1\n" + LAST,
    ),
    "a right number": (f"--- a/a.py\n+++ b/a.py\n@@ -14 +14 @@\n-{LAST}+        return 7\n", IN_B),
    "a right start_line": (block(f":start_line:14\n-------\n{LAST[:-1]}", "        return 7"), IN_B),
    "all places": (
        call(old_string="return 1", new_string="return 7", replace_all=True),
        FILE.replace("return 1", "return 7"),
    ),
    "as many as are expected": (
        call(old_string="return 1", new_string="return 7", expected_replacements=2),
        FILE.replace("return 1", "return 7"),
    ),
    "below a line": (
        call(command="insert", insert_line=1, new_str="import re"),
        FILE.replace("os\n", "os\nimport re\n", 1),
    ),
    "a whole file": (call(name="write_file", content="x = 1\n"), "x = 1\n"),
    "a line of some that goes": (
        call(old_string="        return 2", new_string=""),
        FILE.replace("        return 2\n", ""),
    ),
    "one edit on what another made": (
        block("import os", "import re") + block("import re", "import sys"),
        FILE.replace("os", "sys", 1),
    ),
    "two edits in one line": (
        call(
            edits=[
                {"oldText": "class", "newText": "type", "replaceAll": True},
                {"oldText": "type A", "newText": "type C"},
            ]
        ),
        FILE.replace("class", "type").replace("type A", "type C"),
    ),
    "a stub": (block("        return 2", "        ..."), FILE.replace("return 2", "...")),
    "dots alike in both texts": (
        block("class A:\n    ...\n        return 2", "class C:\n    ...\n        return 3"),
        FILE.replace("class A", "class C").replace("return 2", "return 3"),
    ),
}


@pytest.mark.parametrize("name", APPLIED)
def test_the_format_says_which_place_is_meant(name: str) -> None:
    update, expected = APPLIED[name]
    assert text(update) == expected


REFUSED = {
    "stands 2 times in the file, at lines 6 and 14": block(LAST[:-1], "        return 7"),
    "line 3 of the answer, 'return 3', does not match line 9 of the file, 'return 2': copy": block(
        "    def two(self):\n        return 3", "x"
    ),
    "line 9 of the answer, 'return 3', does not match line 9 of the file, 'return 2': copy": block(
        "import os", "import os\nimport re"
    )
    + block("    def two(self):\n        return 3", "x"),
    "the anchor 'def one(self):' above line 4 of the answer stands at lines 5, 13": patch(
        "@@     def one(self):", "+        x = 1"
    ),
    "above its anchor 'class B:', which is line 12": patch("@@ class B:", "-        return 2", "+        return 3"),
    "put the line above them in both texts": patch("@@", "+x = 1"),
    "to be replaced 3 times and stands 2 times": call(old_string="return 1", new_string="x", expected_replacements=3),
    "has no line ======= between old and new text": "<<<<<<< SEARCH\nimport os\n>>>>>>> REPLACE\n",
    "cut off: the block at its line 1": "<<<<<<< SEARCH\nimport os\n=======\nimport re",
    "cut off: the patch at its line 1": "*** Begin Patch\n*** Update File: a.py\n@@\n-import os\n+import re",
    "cut off: the call at its line 1": '{"path": "a.py", "old_string": "import os", "new_string": "import',
    "cut off: the tag <new_string> at its line 2": "<old_string>import os</old_string>\n<new_string>import",
    "starts with a diff '+' inside new text": block("import os", "import os\n+import re"),
    "is a mark of the edit within its new text": block("import os", "import re\n:start_line:1"),
    "stands for code that is not shown": block("import os", "import re\n# ... existing code ..."),
    "of the call within the new text": call(old_string="import os", new_string="import re\n</new_string>"),
    "line numbers in it, and the new text has none": block("1 | import os\n4 | class A:", "import re"),
    "starts with a line number": block("import os", "1 | import re"),
    "has the HTML escape '&lt;' for '<'": block("import os", "import re\nx = 1 &lt; 2"),
    "changes b.py, not a.py": json.dumps({"path": "b.py", "old_string": "import os", "new_string": "import re"}),
    "an empty old text": call(old_string="", new_string="x"),
    "line 99 of the file, which has 14": call(command="insert", insert_line=99, new_str="x"),
    "leaves code out": call(name="write_file", content="import os\n# ... rest of the file ...\n"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_refusal_says_what_is_open(words: str) -> None:
    assert words in refusal(REFUSED[words])


@pytest.mark.parametrize(
    "update",
    [
        "```python\nclass C:\n    pass\n```\n",
        "```\n" + block("import os", "import re") + "```\n\n```python\nclass C:\n    pass\n```\n",
        call(code_edit="# ... existing code ...\nx = 1\n"),
        "A block begins with `<<<<<<< SEARCH`.",
    ],
)
def test_an_answer_with_other_code_is_none_of_these(update: str) -> None:
    assert read_exact(FILE, update, "a.py") is None


def test_edits_that_a_sketch_would_take_for_words_are_refused_beside_other_code() -> None:
    found = read_exact(FILE, block("import os", "import re") + "\n```python\nclass C:\n    pass\n```\n", "a.py")
    assert found is not None
    assert (found.text, found.message.partition(":")[0]) == (
        None,
        "line 1 of the answer begins an edit in an exact format, and line 8 is other code",
    )


def test_a_diff_that_a_fence_of_the_file_ends_early_is_refused() -> None:
    update = "```diff\n-a = 1\n+a = 2\n```\n\nAnd the message:\n\n```diff\n ```\n-use rc5\n+use rc6\n ```\n```\n"
    found = read_exact("a = 1\n\n```\nuse rc5\n```\n", update, "NOTES.md")
    assert found is not None
    assert (found.text, found.message.partition(",")[0]) == (None, "line 10 of the answer is a line of a diff")


def test_commands_beside_edits_are_no_code() -> None:
    assert text(block("import os", "import re") + "\n```bash\nmake test\n```\n") == FILE.replace("os", "re", 1)


DOCUMENT = "# Format\n\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n\nThe end.\n"


def test_a_file_that_shows_blocks_is_edited_by_blocks() -> None:
    assert text(block("The end.", "The very end."), DOCUMENT, "a.md") == DOCUMENT.replace("The end", "The very end")


def test_a_block_that_the_file_shows_is_no_edit() -> None:
    sketch = f"````markdown\n{DOCUMENT.replace('The end', 'The very end')}````\n"
    assert read_exact(DOCUMENT, sketch, "a.md") is None


def test_keys_of_the_file_are_no_call() -> None:
    words = '{\n  "search": "Search",\n  "replace": "Replace"\n}\n'
    assert read_exact(words, f"```json\n{words.replace('Search', 'Find')}```\n", "words.json") is None


def test_each_file_gets_its_own_edits() -> None:
    answer = f"src/a.py\n{block('import os', 'import re')}\nsrc/b.py\n{block('import os', 'import sys')}"
    assert files_of(answer) == ("src/a.py", "src/b.py")
    assert text(answer, path="src/a.py") == FILE.replace("os", "re", 1)
    assert text(answer, path="src/b.py") == FILE.replace("os", "sys", 1)


def test_the_file_with_the_most_like_path_is_meant() -> None:
    answer = f"one/index.py\n{block('import os', 'import re')}\ntwo/index.py\n{block('import os', 'import sys')}"
    assert text(answer, path="x/two/index.py") == FILE.replace("os", "sys", 1)
    assert "changes one/index.py and two/index.py" in refusal(answer, path="index.py")


def test_what_the_file_has_is_not_written_again() -> None:
    found = read_exact(FILE, block("import os", "import os\n\n\nclass A:"), "a.py")
    assert found == Exact(FILE, healed=("what the file has already",))


def test_a_sketch_in_a_call_is_taken_out() -> None:
    answer = json.dumps({"target_file": "a.py", "instructions": "I add x.", "code_edit": "x = 1\n# ...\n"})
    assert as_sketch(answer, FILE, "a.py") == "I add x.\n\n```py\nx = 1\n# ...\n```\n"
    assert as_sketch(block("a", "b"), FILE, "a.py") == block("a", "b")


def test_the_result_says_what_was_healed_and_is_sure() -> None:
    result = load(readers="merge").apply(FILE, block("return 2", "x = 2\nreturn x"), path="a.py")
    assert (result.status, result.confidence, result.decided_by) == ("applied", 1.0, "format")
    assert result.healed == ("first line without its indentation",)
    assert result.output == FILE.replace("return 2", "x = 2\n        return x")
