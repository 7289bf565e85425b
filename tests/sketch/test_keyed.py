"""A new key of a JSON file goes to the object that the words name, or is refused."""

import json

import pytest

from redraft.edit.request import Request
from redraft.reading import merged

NESTED = '{\n  "scripts": {\n    "build": "tsc"\n  },\n  "dependencies": {\n    "express": "^4.0.0"\n  }\n}\n'


@pytest.mark.parametrize(
    ("words", "name"), [("Add it to the dependencies:", "dependencies"), ("Extend scripts:", "scripts")]
)
def test_a_new_key_goes_to_the_object_that_words_name(words: str, name: str) -> None:
    found = merged(Request(NESTED, f'{words}\n\n```json\n"zod": "1"\n```\n', "", "a.json"))
    assert found.status != "applied" or json.loads(found.output or "")[name]["zod"] == "1"


def test_a_new_key_that_is_shown_deeper_is_none_of_the_file_itself() -> None:
    found = merged(Request(NESTED, 'Add linting:\n\n```json\n    "lint": "eslint ."\n```\n', "", "a.json"))
    assert found.status == "needs_context"
