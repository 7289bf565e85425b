"""Chat answers that touch several files: which part is for which file, and which file is meant."""

from pathlib import Path

import pytest

from redraft.edit.answer import find, is_whole, parts
from redraft.errors import RedraftError

ANSWER = """Two files change.

```python title="src/a.py"
x = 1
```

In `src/b.py`:

```python
y = 2
```

and below it

```python
z = 3
```

```python
# src/c.py
c = 4
```
"""
DIFF = """diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1 +1 @@
-x = 0
+x = 1
diff --git a/n.py b/n.py
--- /dev/null
+++ b/n.py
@@ -0,0 +1 @@
+n = 1
"""


def test_blocks_are_given_to_the_files_that_they_name() -> None:
    found = parts(ANSWER)
    assert [part.path for part in found] == ["src/a.py", "src/b.py", "src/c.py"]
    assert [part.update.count("```python") for part in found] == [1, 2, 1]
    assert "z = 3" in found[1].update


@pytest.mark.parametrize("answer", [DIFF, f"```diff\n{DIFF}```\n"])
def test_a_diff_is_cut_at_its_files(answer: str) -> None:
    found = parts(answer)
    assert [part.path for part in found] == ["src/a.py", "n.py"]
    assert "-x = 0" in found[0].update
    assert "n = 1" not in found[0].update


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("```\nx = 1\n```\n", "names no file: 'x = 1'"),
        ("Just words.\n", "holds no code"),
        ("", "holds no code"),
    ],
)
def test_an_answer_that_names_no_file_is_refused(answer: str, reason: str) -> None:
    with pytest.raises(RedraftError, match=reason):
        parts(answer)


def test_the_file_is_found_below_the_root(tmp_path: Path) -> None:
    for name in ("src/a.py", "lib/a.py", "src/deep/b.py", "node_modules/deep/b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert find("src/a.py", tmp_path) == tmp_path / "src/a.py"
    assert find("deep/b.py", tmp_path) == tmp_path / "src/deep/b.py"
    assert find("new/c.py", tmp_path) == tmp_path / "new/c.py"
    with pytest.raises(RedraftError, match=r"may mean several files by a.py: lib/a.py, src/a.py"):
        find("a.py", tmp_path)
    (tmp_path / "link").symlink_to("/etc/passwd")
    for path in ("../x", "/etc/passwd", "link"):
        with pytest.raises(RedraftError, match="outside of"):
            find(path, tmp_path)


def test_only_plain_code_makes_a_new_file() -> None:
    (plain,) = parts("```python title=a.py\nx = 1\n```\n")
    (lazy,) = parts("```python title=a.py\n# ... existing code ...\nx = 1\n```\n")
    (minus,) = parts("```diff title=a.py\n-x = 0\n+x = 1\n```\n")
    assert is_whole(plain)
    assert not is_whole(lazy)
    assert not is_whole(minus)
    assert is_whole(parts(DIFF)[1])
