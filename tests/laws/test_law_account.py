"""In: texts without a line that the answer shows. Out: the law sees them, and forgives paraphrases and no code."""

from hypothesis import given
from law_cases import Small, additions, replacements, without


@given(additions() | replacements())
def test_a_line_that_the_answer_shows_is_in_the_text(case: Small) -> None:
    assert case.against(case.right, "account") is None
    (new,) = [line for line in case.right if line not in case.original]
    others = without(case.right, new)
    is_alike = any(case.path in ("a.rb", "a.css") for _ in others)  # of members that are as alike as versions
    assert case.against([*others, ""], "account") is not None or is_alike


def test_a_line_that_is_dropped() -> None:
    old = ["def load(path):", "    return read(path)"]
    new = ["def load(path):", "    check_access(path)", "    return read(path)"]
    case = Small("a.py", old, ["```python", *new, "```"], new, old)
    found = case.against([*old, "# end"], "account")
    assert found is not None
    assert found.message.startswith("the answer shows 'check_access(path)', and the new file would lack it")


def test_context_in_other_words_is_retold() -> None:
    old = ["const stream = new Stream({ objectMode: true });", "send(stream);"]
    shown = ["const stream = new Stream({", "send(stream, null);"]
    case = Small("a.js", old, ["```js", *shown, "```"], [old[0], shown[1]], old)
    assert case.against(case.right, "account") is None


def test_a_use_of_what_changes_is_no_code_of_the_file() -> None:
    old = ["def load(path):", "    return read(path)"]
    update = [
        "```python",
        old[0],
        "    return fetch(path)",
        "```",
        "",
        "Usage:",
        "",
        "```python",
        "print(load('x'))",
        "```",
    ]
    case = Small("a.py", old, update, [old[0], "    return fetch(path)"], old)
    assert case.against(case.right, "account") is None


def test_a_title_of_a_text_is_no_comment() -> None:
    old, table = ["# Roles", "", "| a | b |"], ["| a | c |"]
    update = ["```markdown", "# Groups", "```", "", "The table:", "", "```markdown", *table, "```"]
    case = Small("README.md", old, update, ["# Groups", "", *table], old)
    assert case.against(case.right, "left out") is None
    found = case.against([old[0], "", *table], "left out")
    assert found is not None
    assert "# Groups" in found.message
