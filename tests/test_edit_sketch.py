"""What code blocks a chat answer holds."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.answer.answer import parse


def texts(update: str, path: str = "") -> list[list[str]]:
    return [[line.text for line in block.lines] for block in parse(update, path=path).blocks]


def kinds(update: str) -> list[tuple[str, bool, str]]:
    return [(line.kind, line.added, line.text) for block in parse(update).blocks for line in block.lines]


def test_bare_code_is_one_block() -> None:
    assert kinds("x = 1\n# ...\ny = 2\n") == [
        ("code", False, "x = 1"),
        ("marker", False, "# ..."),
        ("code", False, "y = 2"),
    ]


def test_fenced_blocks_with_prose_between() -> None:
    assert texts("Here:\n```python\nx = 1\n```\nand then\n\n~~~\ny\n~~~\nDone.") == [["x = 1"], ["y"]]


def test_prose_alone_gives_no_block() -> None:
    assert texts("Sure, I can do it. You should rename the thing.\n\nThen run the tests again.") == []
    assert texts("") == []
    assert texts("```python\n```") == []


def test_prose_is_content_of_a_prose_file() -> None:
    assert texts("You should read this file first.\n", "README.md") == [["You should read this file first."]]


def test_an_unterminated_fence_reaches_to_the_end() -> None:
    assert texts("Look:\n```js\na();\nb();\n") == [["a();", "b();"]]


def test_a_longer_fence_holds_shorter_ones() -> None:
    assert texts("````md\n# T\n```bash\nx\n```\n````\n") == [["# T", "```bash", "x", "```"]]


def test_a_markdown_fence_holds_fences_of_its_own_length() -> None:
    assert texts("```md\n# T\n```\nx\n```\nend\n```\n", "a.md") == [["# T", "```", "x", "```", "end"]]


def test_a_bare_markdown_sketch_keeps_its_fences() -> None:
    update = "# T\n\ntext\n\n```bash\nnpm i\n```\n"
    assert texts(update, "README.md") == [update.rstrip("\n").split("\n")]


def test_fences_in_a_docstring_are_code() -> None:
    update = 'def f():\n    """Do.\n\n    ```python\n    f()\n    ```\n    """\n    return 1\n'
    assert texts(update, "a.py") == [update.rstrip("\n").split("\n")]


def test_tildes_under_a_title_are_no_fence() -> None:
    sketch = '"""\n    things\n    ~~~~~~\n\n    About them.\n"""\nx = 2\n'
    (block,) = parse(sketch, path="a.py").blocks
    assert [line.text for line in block.lines] == sketch.splitlines()
    (block,) = parse("Change it:\n~~~python\nx = 2\n~~~\n", path="a.py").blocks
    assert [line.text for line in block.lines] == ["x = 2"]


def test_an_indented_fence_is_dedented() -> None:
    assert texts("1. First:\n\n   ```py\n   def f():\n       return 1\n   ```\n") == [["def f():", "    return 1"]]


def test_blocks_titled_with_other_files_are_left_out() -> None:
    answer = '```ts src/a.ts\na\n```\n**src/b.ts**\n```ts\nb\n```\n```ts title="src/a.ts"\nc\n```\n'
    assert texts(answer, "src/a.ts") == [["a"], ["c"]]
    assert texts(answer) == [["a"], ["b"], ["c"]]


def test_commands_for_the_shell_are_left_out() -> None:
    answer = "```bash\npip install x\n```\n```python\nimport x\n```\n"
    assert texts(answer, "a.py") == [["import x"]]
    assert texts(answer, "run.sh") == [["pip install x"]]


def test_a_diff_loses_its_columns_and_headers() -> None:
    diff = "--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,9 @@ def f():\n a\n-b\n+c\n\n\\ No newline at end of file\n"
    expected = [
        ("marker", False, "@@ -1,3 +1,9 @@ def f():"),
        ("code", False, "a"),
        ("removed", False, "b"),
        ("code", True, "c"),
    ]
    assert kinds(diff) == expected
    assert kinds(f"Apply:\n```diff\n{diff}```\n") == expected


def test_a_fence_called_diff_needs_no_hunk_header() -> None:
    assert kinds("```diff\n a\n-b\n+c\n ...\n```") == [
        ("code", False, "a"),
        ("removed", False, "b"),
        ("code", True, "c"),
        ("marker", False, "..."),
    ]


def test_code_that_begins_with_signs_is_no_diff() -> None:
    assert kinds("- one\n- two\n+ three\n") == [
        ("code", False, "- one"),
        ("code", False, "- two"),
        ("code", False, "+ three"),
    ]


def test_carriage_returns_are_taken_off() -> None:
    assert texts("```\r\na\r\nb\r\n```\r\n") == [["a", "b"]]


@given(st.text(alphabet="`~ \n.+-@#ax\r", max_size=120), st.sampled_from(["", "a.py", "a.md", "x/Makefile"]))
def test_any_text_is_read(update: str, path: str) -> None:
    for block in parse(update, path=path).blocks:
        assert any(line.text.strip() for line in block.lines)
        assert not any("\n" in line.text for line in block.lines)
