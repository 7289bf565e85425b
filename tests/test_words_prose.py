"""Which operations and places sentences tell."""

import re
from pathlib import Path
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.words import Directive, Known, directives
from redraft.edit.words.grammar import operation_rules, place_rules
from redraft.edit.words.sentences import sentences

WORDS = Path(__file__).parent / "words"
LINES = ["x = 1", "import warnings", "item = self._item(sku)", "return steps;", "import attrs", "using System;"]
NAMES = """flush ping Mode load a open close old_total parse run name test Store Store.close handler tests main DEFAULTS
legacy_reorder_list reserve keyFor remove bucket_of max reset notify start queryCursor update install_command d
restore_cache getSteps test_one test_two"""
PIECES = [
    "`load`",
    "`x`",
    "remove",
    "move",
    "rename",
    "to",
    "from",
    "the",
    "and",
    ",",
    ".",
    ":",
    "in",
    "before",
    "not",
    "everything",
    "`a`",
    "through",
    "is",
    "gone",
]
KNOWN = Known(frozenset(LINES), frozenset(NAMES.split()), frozenset())


def _lines(name: str) -> list[str]:
    return (WORDS / name).read_text(encoding="utf-8").splitlines()


def _short(directive: Directive) -> str:
    parts = [directive.verb or "-", " ".join(directive.names)] if directive.names else [directive.verb or "-"]
    if directive.verb in ("add", "remove") and not directive.names and directive.places:
        parts.append("")
    parts += [f">{directive.to}"] if directive.to else []
    parts += [f"{place.relation}:{','.join(place.names)}" for place in directive.places]
    return " ".join([*parts, "*"] if directive.everywhere else parts)


@pytest.mark.parametrize("line", _lines("sayings.txt"))
def test_sentences_tell_operations_places_and_labels(line: str) -> None:
    text, _, expected = line.partition(" => ")
    assert [_short(directive) for directive in directives(text, KNOWN)] == [expected]


@pytest.mark.parametrize("text", _lines("no_operations.txt"))
def test_advice_refusal_doubt_and_description_are_no_operations(text: str) -> None:
    for directive in directives(text, KNOWN):
        assert directive.verb not in ("remove", "rename", "move", "replace") or not directive.names
        assert all(place.relation != "between" for place in directive.places)


def test_a_pattern_finds_nothing_in_a_text_without_its_triggers() -> None:
    found = 0
    for sentence in (each for line in _lines("sayings.txt") for each in sentences(line.partition(" => ")[0], KNOWN)):
        for rule in (*operation_rules(), *place_rules()):
            matches = list(re.finditer(rule.pattern, sentence.said, re.IGNORECASE))
            assert len(list(rule.found(sentence.said, 0, len(sentence.said)))) == len(matches)
            found += len(matches)
    assert found > 50


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Remove `load` and rename `a` to `b`.", ["remove load", "rename a >b"]),
        ("In `open`, delete the line `x = 1`.", ["remove x = 1 inside:open"]),
        ("The `test_*` tests are dropped.", ["remove test_one test_two"]),
        ("Remove the `System` import.", ["remove using System;"]),
        ("Remove `load` and `unheard_of`.", ["remove"]),
        ("Remove `load`, `ping` does its work now.", ["remove load"]),
        ("```\nremove `load`\n```", []),
        ("- remove `load`\n- add this after `ping`:", ["remove load", "add  after:ping"]),
        ("Remove `load` so that\n`ping` is the last one.", ["remove load"]),
    ],
)
def test_what_sentences_tell(text: str, short: list[str]) -> None:
    assert [_short(directive) for directive in directives(text, KNOWN)] == short


@given(
    st.text(max_size=300)
    | st.text(alphabet="`*#-.,: \nremovdltafb" + printable, max_size=300)
    | st.lists(st.sampled_from(PIECES)).map(" ".join)
)
def test_any_text_is_read(text: str) -> None:
    for directive in directives(text, KNOWN):
        assert all(name in KNOWN.declared or KNOWN.has(name) or "." in name for name in directive.names)
