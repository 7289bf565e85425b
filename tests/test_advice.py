"""What an answer is, where it is no edit of the file."""

import pytest

from redraft.apply import load
from redraft.edit.named.advice import also_named, instead

CODE = "```python\nx = 1\n```\n"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            "I'm sorry, but I can't help with that.",
            "no edit but an apology: \"I'm sorry, but I can't help with that.\"",
        ),
        ("I\u2019m unable to see the file.\n", "an apology"),
        ("I apologize for the confusion earlier. " * 5, "an apology: 'I apologize for the confusion earlier.'"),
        ("Could you please share the contents of the file?", "no edit but a question"),
        ("Please provide more of the code.", "a question"),
        ("Run it:\n\n```bash\npython a.py\n```\n", "only shows how the code is used"),
        ("```\n$ make\n```\n", "only shows how the code is used"),
        ("```python\n>>> total([])\n0\n```\n", "only shows how the code is used"),
        ("Example usage:\n\n```python\nprint(total([1]))\n```\n", "only shows how the code is used"),
        (f"### b.py\n\n{CODE}", "is about b.py, not about src/a.py"),
        (f"```python title=lib/b.py\nx = 1\n```\n\n**c.py**\n\n{CODE}", "is about lib/b.py, not"),
    ],
)
def test_what_is_no_edit_is_named(answer: str, words: str) -> None:
    said = instead(answer, "src/a.py")
    assert words in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "answer",
    [
        CODE,
        f"Here is the change:\n\n{CODE}",
        f"### a.py\n\n{CODE}",
        f"### src/a.py\n\n{CODE}\n### b.py\n\n{CODE}",
        f"{CODE}\nRun it:\n\n```bash\npython a.py\n```\n",
        "Delete the function `total`.",
    ],
)
def test_an_edit_is_none_of_these(answer: str) -> None:
    assert instead(answer, "src/a.py") == ""


def test_only_another_file_puts_what_was_applied_in_doubt() -> None:
    assert instead("I'm sorry for the delay!\n\n" + CODE, "a.py", is_applied=True) == ""
    assert instead(f"### b.py\n\n{CODE}", "a.py", is_applied=True) != ""
    assert instead(f"### b.py\n\n{CODE}", "", is_applied=True) == ""


def test_the_other_files_of_an_answer() -> None:
    assert also_named(f"### src/a.py\n\n{CODE}\n### b.py\n\n{CODE}", "a.py") == ["b.py"]
    assert also_named(f"### src/a.py\n\n{CODE}\n{CODE}", "a.py") == []
    assert also_named(f"### b.py\n\n{CODE}", "a.py") == []


@pytest.mark.parametrize("shown", ["*** Delete File: a.py\n", "*** Update File: a.py\n@@\n-x = 1\n+x = 2\n"])
def test_a_patch_without_its_end_is_cut_off(shown: str) -> None:
    whole, cut = f"*** Begin Patch\n{shown}*** End Patch\n", f"*** Begin Patch\n{shown}"
    assert load(readers="merge").apply("x = 1\n", whole, path="a.py").status != "truncated"
    for answer in (cut, f"Here:\n\n```\n{cut}```\n"):
        result = load(readers="merge").apply("x = 1\n", answer, path="a.py")
        assert result.status == "truncated"
        assert "cut off: its patch has no '*** End Patch'" in result.message


def test_a_block_that_shows_lines_of_the_file_is_no_usage() -> None:
    answer = "It prints:\n\n```python\nprint(total(rows))\nlog(rows)\n```\n"
    assert "how the code is used" in instead(answer, "a.py", original="def total(rows): ...\n")
    assert instead(answer, "a.py", original="def main():\n    print(total(rows))\n") == ""


@pytest.mark.parametrize(
    "answer",
    [
        '{"name": "edit_existing_file", "arguments": {"changes": "x = 2"}}',
        '```json\n{"name": "edit_existing_file", "arguments": {"changes": "x = 2"}}\n```\n',
        '<function_calls>\n<invoke name="edit_existing_file">\n</invoke>\n</function_calls>\n',
        "```tool_code\nprint(default_api.edit_existing_file(code='x = 2'))\n```\n",
    ],
)
def test_a_call_that_no_format_knows_is_called_that(answer: str) -> None:
    assert instead(answer, "a.py").startswith("the answer is a call of edit_existing_file, which is not known here")
    assert instead(answer, "a.py", is_applied=True) == ""
    assert instead(CODE + answer, "a.py") == ""
