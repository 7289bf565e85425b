"""What file is in a model's output."""

import pytest

from redraft.edit.answer import extract

FILE = "a = 1\nb = 2\n"
PAGE = "# T\n\n```bash\nx\n```\n\nEnd.\n"


def test_the_embedded_model_writes_the_file_itself() -> None:
    assert extract("```\nx\n```", "redraft", FILE) == "```\nx\n```"


@pytest.mark.parametrize(
    "output",
    [
        "a = 1\nb = 3\n```",
        "a = 1\nb = 3\n```\n\nThat is the new file.",
        "a = 1\nb = 3",
        "```python\na = 1\nb = 3\n```",
        "Here is the file:\n\n```python\na = 1\nb = 3\n```\nDone.",
        "~~~\na = 1\nb = 3\n~~~",
        "```\na = 1\nb = 3\n",
    ],
)
def test_chat_answers(output: str) -> None:
    assert extract(output, "chat", FILE) == "a = 1\nb = 3\n"


def test_the_fenced_template_ends_at_the_closing_fence() -> None:
    assert extract("a = 1\nb = 3\n```\nmore\n```python\n", "fenced", FILE) == "a = 1\nb = 3\n"


@pytest.mark.parametrize("output", [PAGE + "```", "```md\n" + PAGE + "```", "````md\n" + PAGE + "````\nDone."])
def test_a_file_with_fences_of_its_own(output: str) -> None:
    assert extract(output, "chat", PAGE) == PAGE


@pytest.mark.parametrize("output", ["<updated-code>a = 1\nb = 3\n</updated-code>", "So:\n<updated-code>\na = 1\nb = 3"])
def test_tags(output: str) -> None:
    assert extract(output, "fastapply", FILE) == "a = 1\nb = 3\n"


def test_a_file_without_final_newline_stays_without() -> None:
    assert extract("```\na\nb\n```", "chat", "a") == "a\nb"
    assert extract("a\nb\n", "fenced", "a\n") == "a\nb\n"
    assert extract("```\n```", "chat", "a\n") == ""
