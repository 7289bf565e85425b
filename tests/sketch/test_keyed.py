"""Blocks of keys in another order than the file's: what both have gets a value, a new name is a new key, or doubt."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.edit.request import Request
from redraft.reading import merged

NAMES = ("amber", "birch", "cobalt", "dune", "ember", "fjord", "grove", "heron")
few = settings(max_examples=30, deadline=None, derandomize=True)
orders = st.permutations(NAMES)


def written(path: str, file: str, code: str, words: str = "Set these:") -> str | None:
    result = merged(Request(file, f"{words}\n\n```\n{code}```\n", "", path))
    return result.output if result.status in ("applied", "no_change") else None


@few
@given(orders, st.integers(2, 4), st.integers(0, 2))
def test_json_has_its_keys_and_those_shown(order: list[str], known: int, new: int) -> None:
    old = dict.fromkeys(sorted(order[:5]), 1)
    shown = dict.fromkeys([*order[5 : 5 + new], *order[:known]], 20)
    code = "".join(f'"{name}": {value},\n' for name, value in shown.items())
    text = written("a.json", json.dumps(old, indent=2) + "\n", code)
    assert text is None or json.loads(text) == old | shown


@few
@given(orders, st.integers(1, 4))
def test_plain_keys_in_any_order_keep_their_places(order: list[str], known: int) -> None:
    file = "".join(f"{name}=1\n" for name in sorted(order[:5]))
    text = written(".env", file, "".join(f"{name}=20\n" for name in order[:known]))
    expected = "".join(f"{name}={20 if name in order[:known] else 1}\n" for name in sorted(order[:5]))
    assert text in (None, expected)


YAML = (
    'image:\n  repository: shop\n  tag: "1.4"\nresources:\n  limits:\n    cpu: 500m\n    memory: 256Mi\nreplicas: 1\n'
)


def test_keys_that_are_not_shown_stay() -> None:
    code = 'replicas: 3\nimage:\n  tag: "1.5"\nresources:\n  limits:\n    memory: 512Mi\n'
    expected = YAML.replace("1.4", "1.5").replace("256Mi", "512Mi").replace("replicas: 1", "replicas: 3")
    assert written("values.yaml", YAML, code) == expected


def test_a_key_of_another_name_comes_beside_those_there_are() -> None:
    file = '{\n  "editor.fontSize": 13,\n  "editor.tabSize": 2\n}\n'
    expected = '{\n  "editor.fontSize": 13,\n  "editor.formatOnSave": true,\n  "editor.tabSize": 4\n}\n'
    assert written("settings.json", file, '"editor.formatOnSave": true,\n"editor.tabSize": 4,\n') == expected


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("a:\n  - x: 1\n    y: 2\nb: 1\n", "b: 2\na:\n  - x: 3\n"),  # one more item, or the first one
        ("a:\n  - one\n  - two\nb: 1\n", "b: 2\na:\n  - three\n"),
        ("a: 1 # keep\nb: 1\n", "b: 2\na: 2\n"),
        ("a: |\n  foo\n  bar\nb: 1\n", "b: 2\na: |\n  baz\n"),
    ],
)
def test_where_more_than_a_value_may_be_meant_there_is_doubt(file: str, code: str) -> None:
    assert written("a.yaml", file, code) is None


def test_where_words_rename_a_key_the_old_one_goes() -> None:
    text = written("values.yaml", YAML, "count: 1\nimage:\n  tag: x\n", "Rename `replicas` to `count`:")
    assert text is None or "replicas" not in text


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
