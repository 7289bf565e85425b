"""Code that an answer sets off without fences: sentences around it are words, and never lines of the file."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.answer.answer import parse
from redraft.edit.answer.unfenced import as_fenced

FILE = ["APP_PORT=3000", "APP_DEBUG=true", "", "DB_HOST=localhost"]
CODE = ["APP_DEBUG=false", "", "DB_HOST=localhost", "DB_PORT=5433"]
SAID = (
    "Set the port below the host.",
    "If it was there already, run `docker compose up` once!",
    "The port is another one now:",
    "You should turn the debugging off.",
)
sentences = st.lists(st.sampled_from(SAID), max_size=2)


@given(sentences, sentences)
def test_sentences_above_and_below_code_are_words(above: list[str], below: list[str]) -> None:
    paragraphs = [*above, "\n".join(CODE), *below]
    answer = parse("\n\n".join(paragraphs), FILE, ".env")
    assert [line.text for line in answer.lines] == CODE
    assert all(sentence in answer.prose for sentence in (*above, *below))


@given(st.sampled_from(["# Set the port below the host.", "for name in names of hosts:", "DB_NAME=some long name"]))
def test_code_that_reads_like_words_is_code(line: str) -> None:
    code = [line, "", *CODE]
    assert [each.text for each in parse("\n".join(code), FILE, ".env").lines] == code


def test_sentences_of_a_file_of_sentences_may_be_its_own() -> None:
    file = ["Set the port below the host.", "", "You should turn the debugging off."]
    lines = [SAID[1], "", *file]
    assert as_fenced(lines, file) == lines
