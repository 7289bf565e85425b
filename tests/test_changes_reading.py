"""Chat answers that touch several files: which part is for which file, and what becomes of it."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.named.parts import Part
from redraft.edit.named.reading import own, read
from redraft.errors import RedraftError
from redraft.files.place import find

FILES = ("src/a.py", "src/b.py", "old.py", "lib/c.ts", "app/[id]/page.tsx", "Makefile")
BLOCK = "```python\nx = 1\n```\n"
DIFF = """diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1 +1 @@
-x = 0
+x = 1
diff --git a/n.py b/n.py
new file mode 100644
--- /dev/null
+++ b/n.py
@@ -0,0 +1 @@
+n = 1
diff --git a/old.py b/old.py
deleted file mode 100644
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-gone = 1
diff --git a/lib/c.ts b/lib/d.ts
similarity index 100%
rename from lib/c.ts
rename to lib/d.ts
"""
ENVELOPE = """*** Begin Patch
*** Update File: src/a.py
@@ def total
-    return 0
+    return 1
*** Add File: n.py
+n = 1
+m = 2
*** Delete File: old.py
*** Update File: lib/c.ts
*** Move to: lib/d.ts
@@
-let c = 1
+let c = 2
*** End Patch
"""


def parts(answer: str) -> list[Part]:
    return read(answer, lambda path: path in FILES)


@pytest.mark.parametrize(
    "label",
    [
        "### src/a.py",
        "### `src/a.py`",
        "## 1. `src/a.py`",
        "#### 2) File: src/a.py",
        "**src/a.py**",
        "**`src/a.py`**",
        "**`src/a.py`:**",
        "**File: `src/a.py`**",
        "`src/a.py`",
        "`src/a.py`:",
        "src/a.py",
        "src/a.py:",
        "./src/a.py",
        "In `src/a.py`:",
        "In src/a.py:",
        "In **src/a.py**",
        "File: src/a.py",
        "File: `src/a.py`",
        "Filename: src/a.py",
        "File path: src/a.py",
        "Update `src/a.py`:",
        "Then update `src/a.py`",
        "Now in `src/a.py`, change the start value:",
        "First, edit `src/a.py` so that it imports `src/b.py`:",
        "The change in `src/a.py` is small:",
        "1. **src/a.py** (the entry point)",
        "### `src/a.py` - the entry point",
        "- `src/a.py`",
        "> src/a.py",
        "[src/a.py](https://example.com/src/a.py)",
        "### [src/a.py](src/a.py)",
        "src\\a.py",
        "Change the file `src/a.py` as follows:",
    ],
)
@pytest.mark.parametrize("between", ["", "\n", "\nThis is why.\n\n"])
def test_every_usual_way_to_name_a_file(label: str, between: str) -> None:
    (part,) = parts(f"Here you are.\n\n{label}\n{between}{BLOCK}")
    assert (part.path, part.is_named) == ("src/a.py", True)


@pytest.mark.parametrize(
    "label",
    [
        "Save it as `conf/a.yaml`:",
        "Here is `conf/a.yaml`:",
        "Put this in `conf/a.yaml`:",
        "Create conf/a.yaml with this content:",
        "That was the code. Now the settings, which go into their own file. Save them as conf/a.yaml:",
        "And the full `conf/a.yaml`:",
        "Your **conf/a.yaml** should look like this:",
        "Here's [conf/a.yaml](conf/a.yaml):",
    ],
)
def test_the_sentence_above_a_block_names_a_new_file(label: str) -> None:
    assert [(part.path, part.is_named) for part in parts(f"{label}\n\n{BLOCK}")] == [("conf/a.yaml", True)]
    both = parts(f"### src/a.py\n\n{BLOCK}\n{label}\n\n{BLOCK}")
    assert [part.path for part in both] == ["src/a.py", "conf/a.yaml"]


@pytest.mark.parametrize(
    "label",
    [
        "Then read it from `conf/a.yaml`:",
        "This uses `conf/a.yaml`:",
        "Save it as `conf/a.yaml` or `conf/b.yaml`:",
        "Save it as `conf/a.yaml`. Then change this:",
        "Save it as `conf/a.yaml`",
        "Put this into version 1.2.3:",
        "Add the test of `conf/a.yaml` that runs on Python 3.11:",
        "Here is a Node.js version:",
        "Here is how to set up `conf/a.yaml`:",
        "Add this to `conf/a.yaml`:",
        "So we need `conf/a.yaml` whenever somebody starts the program:",
    ],
)
def test_a_sentence_that_only_speaks_of_a_file_names_none(label: str) -> None:
    found = parts(f"### src/a.py\n\n{BLOCK}\n{label}\n\n{BLOCK}")
    assert [part.path for part in found] == ["src/a.py", "src/a.py"]


@pytest.mark.parametrize(
    "opening",
    [
        "```python src/a.py",
        "```python:src/a.py",
        "```src/a.py",
        '```python title="src/a.py"',
        "```python filename=src/a.py",
        '```python {file="src/a.py"}',
        "``` python (src/a.py)",
        "~~~python src/a.py",
        "```python\n# src/a.py",
        "```python\n# File: src/a.py",
        "```python\n# filepath: src/a.py",
        "```js\n// src/a.py",
        "```css\n/* src/a.py */",
        "```html\n<!-- src/a.py -->",
        "```sql\n-- src/a.py",
    ],
)
def test_a_path_in_the_fence_or_in_the_first_comment(opening: str) -> None:
    (part,) = parts(f"In `src/b.py` nothing changes.\n\n{opening}\nx = 1\n{opening[:3]}\n")
    assert part.path == "src/a.py"


@pytest.mark.parametrize("name", ["a.py", "file.py", "in.py", "the.new.py", "and.c", ".env", ".gitignore"])
def test_names_that_begin_like_words(name: str) -> None:
    for label in (f"### {name}", f"In `{name}`:", f"**{name}**", f"File: {name}"):
        assert [part.path for part in parts(f"{label}\n\n{BLOCK}")] == [name]


def test_paths_with_brackets_and_without_a_dot() -> None:
    answer = f"### app/[id]/page.tsx\n\n{BLOCK}\n`Makefile`\n\n{BLOCK}"
    assert [part.path for part in parts(answer)] == ["app/[id]/page.tsx", "Makefile"]


def test_a_block_without_a_name_is_about_the_file_before() -> None:
    found = parts(f"### src/a.py\n\n{BLOCK}\nand below it\n\n{BLOCK}\n### src/b.py\n\nThe import:\n\n{BLOCK}")
    assert [part.path for part in found] == ["src/a.py", "src/a.py", "src/b.py"]


def test_what_is_to_be_run_is_no_edit() -> None:
    found = parts(f"```bash\npip install x\n```\n\n### src/a.py\n\n{BLOCK}\nRun it:\n\n```bash\npython src/a.py\n```\n")
    assert [part.path for part in found] == ["src/a.py"]


@pytest.mark.parametrize("answer", [DIFF, f"The patch:\n\n```diff\n{DIFF}```\n"])
def test_a_diff_is_cut_at_its_files(answer: str) -> None:
    edited, new, gone, renamed = parts(answer)
    assert (edited.path, edited.must_exist, "-x = 0" in edited.update) == ("src/a.py", True, True)
    assert (new.path, new.text) == ("n.py", "n = 1\n")
    assert (gone.path, gone.is_deleted, gone.text) == ("old.py", True, "gone = 1\n")
    assert (renamed.path, renamed.to, renamed.update) == ("lib/c.ts", "lib/d.ts", "")


@pytest.mark.parametrize("answer", [ENVELOPE, f"```\n{ENVELOPE}```\n", f"```patch\n{ENVELOPE}```\nDone.\n"])
def test_a_patch_envelope_is_cut_at_its_files(answer: str) -> None:
    edited, new, gone, renamed = parts(answer)
    assert (edited.path, edited.must_exist) == ("src/a.py", True)
    assert edited.update == "```diff\n@@ def total\n-    return 0\n+    return 1\n```\n"
    assert (new.path, new.text) == ("n.py", "n = 1\nm = 2\n")
    assert (gone.path, gone.is_deleted) == ("old.py", True)
    assert (renamed.path, renamed.to, "+let c = 2" in renamed.update) == ("lib/c.ts", "lib/d.ts", True)


def test_a_diff_without_context_of_a_file_that_must_exist() -> None:
    (part,) = parts("```diff\n--- a/gone.py\n+++ b/gone.py\n@@ -10,0 +11 @@\n+x = 1\n```\n")
    assert part.must_exist
    (part,) = parts("```diff\n--- a/gone.py\n+++ b/gone.py\n@@ -0,0 +1 @@\n+x = 1\n```\n")
    assert part.text == "x = 1\n"


def test_each_file_gets_the_sentences_around_its_blocks() -> None:
    one, other = "In `src/a.py`, add:", "In `src/b.py`, remove this:"
    answer = f"Two changes.\n\n{one}\n\n{BLOCK}\nbelow the imports.\n\n{other}\n\n{BLOCK}\nDone.\n"
    first, second = parts(answer)
    assert [line for line in first.update.split("\n") if line] == [
        "Two changes.",
        one,
        *BLOCK.strip().split("\n"),
        "below the imports.",
    ]
    assert [line for line in second.update.split("\n") if line] == [
        other,
        *BLOCK.strip().split("\n"),
        "Done.",
    ]
    assert first.code == second.code == BLOCK


@pytest.mark.parametrize(
    "answer",
    [
        "In `src/a.py`, remove `total`.",
        "src/a.py\n\n<<<<<<< SEARCH\nx = 0\n=======\nx = 1\n>>>>>>> REPLACE\n",
        f"{BLOCK}\nThis goes into `src/a.py`.\n",
        "In `src/a.py`, that is in `a.py`:\n\n> x = 1\n",
    ],
)
def test_an_answer_that_names_one_file_is_about_it(answer: str) -> None:
    (part,) = read(answer, lambda path: path in (*FILES, "a.py"))
    assert part.path == "src/a.py"


def test_of_an_answer_about_several_files_each_gets_its_own() -> None:
    answer = f"In `src/a.py`:\n\n{BLOCK}\n### src/b.py\n\nand here:\n\n{BLOCK}"
    assert own(answer, "src/b.py") == f"### src/b.py\n\nand here:\n\n{BLOCK}"
    assert own(answer, "other.py") == answer
    for whole in (f"### src/a.py\n\n{BLOCK}", BLOCK, "Remove `total`."):
        assert own(whole, "src/a.py") == own(whole, "") == whole


@pytest.mark.parametrize(
    "name", ["datetime.utcnow", "self.total", "Basket.add", "os.path", "response.json()", "process.env"]
)
@pytest.mark.parametrize("label", ["Replace `{}`:", "### `{}`", "**{}**", "Update {}:", "Add a new method `{}`:"])
def test_a_method_is_no_file(name: str, label: str) -> None:
    found = parts(f"### src/a.py\n\n{BLOCK}\n{label.format(name)}\n\n{BLOCK}")
    assert [part.path for part in found] == ["src/a.py", "src/a.py"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Delete `old.py`.",
        "- Delete `old.py`",
        "Remove the file `old.py`.",
        "**Delete** `old.py`",
        "Finally, delete the now unused file old.py.",
        "Delete file: `old.py`",
        "Then remove `old.py`, since nothing imports it.",
        "`old.py` can be deleted.",
        "### `old.py` (deleted)",
        "You can now delete `old.py` because it is empty.",
    ],
)
def test_sentences_that_delete_a_file(sentence: str) -> None:
    found = parts(f"### src/a.py\n\n{BLOCK}\n{sentence}\n")
    assert [(part.path, part.is_deleted) for part in found] == [("src/a.py", False), ("old.py", True)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Remove `old.py` from the imports.",
        "Delete `missing.py`.",
        "Do not delete `old.py`.",
        "Delete the line in `old.py` that says so.",
        "Remove `helper` and `old.py` stays.",
        "Rename `total` to `sum`.",
    ],
)
def test_sentences_that_delete_and_rename_nothing(sentence: str) -> None:
    assert [part.path for part in parts(f"### src/a.py\n\n{BLOCK}\n{sentence}\n")] == ["src/a.py"]


@pytest.mark.parametrize(
    ("sentence", "to"),
    [
        ("Rename `old.py` to `new.py`.", "new.py"),
        ("- Rename the file `old.py` to `src/new.py`", "src/new.py"),
        ("Move `old.py` to `src/`.", "src/old.py"),
        ("Then move old.py into src/core.py, as discussed.", "src/core.py"),
        ("```bash\ngit mv old.py new.py\n```", "new.py"),
    ],
)
def test_sentences_and_commands_that_rename_a_file(sentence: str, to: str) -> None:
    (part,) = parts(f"{sentence}\n")
    assert (part.path, part.to) == ("old.py", to)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("```\nx = 1\n```\n", "names no file: 'x = 1'"),
        ("Just words.\n", "holds no code"),
        ("", "holds no code"),
        ("*** Begin Patch\n*** Delete File: old.py\n*** Update File: src/a.py\n@@\n", "cut off"),
        ("--- /dev/null\n+++ b/n.py\n@@ -1 +1 @@\n-x\n+y\n", "is new and shows lines"),
    ],
)
def test_an_answer_that_cannot_be_cut_is_refused(answer: str, reason: str) -> None:
    with pytest.raises(RedraftError, match=reason):
        parts(answer)


LINES = st.sampled_from([*f"{DIFF}{ENVELOPE}".split("\n"), "```", "```diff", "### src/a.py", "Delete `old.py`"])


@given(st.lists(LINES | st.text(max_size=40), max_size=40))
def test_any_answer_is_cut_or_refused(lines: list[str]) -> None:
    with suppress(RedraftError):
        assert parts("\n".join(lines))


def test_the_file_is_found_below_the_root(tmp_path: Path) -> None:
    for name in ("src/a.py", "lib/a.py", "src/deep/b.py", "node_modules/deep/b.py", ".git/config"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert find("src/a.py", tmp_path) == tmp_path / "src/a.py"
    assert find("deep/b.py", tmp_path) == tmp_path / "src/deep/b.py"
    assert find("new/c.py", tmp_path) == tmp_path / "new/c.py"
    with pytest.raises(RedraftError, match=r"may mean several files by a.py: lib/a.py, src/a.py"):
        find("a.py", tmp_path)
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "inner").symlink_to(tmp_path / ".git")
    for path in ("../x", "/etc/passwd", "link"):
        with pytest.raises(RedraftError, match="outside of"):
            find(path, tmp_path)
    for path in (".git/config", "inner/config", "node_modules/x.js", ".git/hooks/new"):
        with pytest.raises(RedraftError, match="left alone"):
            find(path, tmp_path)
