"""What fell once under `make fuzz` holds now, and the properties see what they are to see."""

import re
from pathlib import Path
from random import Random

import pytest

from fuzz import properties
from fuzz.cases import CORPUS, Case, corpus, seeds
from fuzz.mutations import mutated
from fuzz.properties import TARGETS, Fallen, check
from redraft.edit.exact.steps import Replacement

FILE = "import os\nx = 1\ny = 2\n"
STEP = Replacement("x = 1\n", "x = 3\n", 1)
CASE = Case("a.py", FILE, "")
LESS = "import os\nx = 3\n"


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_breaks_nothing(target: str) -> None:
    for case in corpus(target):
        check(target, case)


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "reader"])
def test_a_few_garbled_cases_break_nothing(target: str) -> None:
    pool, chance = seeds(target), Random(target)
    for _ in range(20):
        case = mutated(chance.choice(pool), chance.choice(pool), chance)
        assert Case.of(case.line) == case
        check(target, case)


def test_each_target_has_seeds_a_corpus_and_a_place_in_make() -> None:
    made = re.search(r"^FUZZED := (.*)$", (Path(__file__).parent.parent / "Makefile").read_text(), re.MULTILINE)
    assert made is not None
    assert made[1].split() == [*TARGETS]
    assert all(len(seeds(target)) >= 5 for target in TARGETS)
    assert {file.stem for file in CORPUS.iterdir()} <= TARGETS.keys()


def test_properties_see_what_is_lost_left_out_and_leaked() -> None:
    with pytest.raises(Fallen, match="no step speaks of"):
        properties.keeps(CASE, LESS, [STEP])
    with pytest.raises(Fallen, match="no step speaks of"):
        properties.keeps(CASE, "y = 2\nx = 3\nimport os\n", [STEP])
    with pytest.raises(Fallen, match="what is new"):
        properties.shows(CASE, FILE, [STEP])
    with pytest.raises(Fallen, match="no mark"):
        properties.has_no_marks(CASE, f"{FILE}>>>>>>> REPLACE\n")
    with pytest.raises(Fallen, match="line endings"):
        properties.ends_as_before(Case("a.py", "a\r\nb\r\n", ""), "a\r\nb\n")
    with pytest.raises(Fallen, match="carriage return"):
        properties.ends_as_before(CASE, "a\r\n")


def test_properties_let_a_right_text_pass() -> None:
    text = FILE.replace("x = 1", "x = 3")
    properties.keeps(CASE, text, [STEP])
    properties.shows(CASE, text, [STEP])
    properties.has_no_marks(CASE, text)
    properties.ends_as_before(CASE, text)
