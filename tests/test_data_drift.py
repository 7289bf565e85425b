"""Answers with drift tell the whole edit and change only what stays; each lesson has one right file and a wrong one."""

import json
import re
from dataclasses import asdict
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import done
from git_repository import program
from redraft.data.drift import DRIFT_STYLES, Drifted, drift
from redraft.data.drift_samples import DRIFT, DriftWriter
from redraft.data.edits import Edit
from redraft.data.lessons import SIGNED, WRONGS, Lesson, Teacher
from redraft.data.phrases import TONGUES, Phrases
from redraft.data.retelling import retold
from redraft.data.samples import Sample, read_samples, write_samples
from redraft.data.segments import ELIDED, GONE, KEPT, NEW, Segment, after, runs
from redraft.edit.text.changes import line_changes, split_lines
from test_data_sketch import edits

METHODS = "".join(f"    def step_{n}(self):\n        # do number {n} first\n        first_{n}()\n\n" for n in range(20))
BEFORE = f"import os\n\n\nclass Runner:\n{METHODS}"
AFTER = BEFORE.replace("        first_9()\n", "        first_9()\n        third_9()\n")
SHORTER = BEFORE.replace("    def step_9(self):\n        # do number 9 first\n        first_9()\n\n", "")
RENAMED = BEFORE.replace("def step_9(self)", "def leap_9(self)")


@lru_cache
def told(after: str = AFTER, path: str = "a.py", seeds: int = 25) -> list[Drifted]:
    made = (drift(BEFORE, after, style, seed, path) for style, seed in product(DRIFT_STYLES, range(seeds)))
    return [one for one in made if one is not None]


def bare(line: str) -> str:
    return re.sub(r"^\s*(?:\d+\s?[|:│]\s?)?[+-]?\s*", "", line).strip()


@given(edits(), st.sampled_from(DRIFT_STYLES), st.integers(0, 99))
def test_every_new_line_is_told_as_it_is(edit: tuple[str, str], style: str, seed: int) -> None:
    before, after_edit = edit
    one = drift(before, after_edit, style, seed, "a.py")
    assert one == drift(before, after_edit, style, seed, "a.py")
    if one is None:
        return
    old, new = split_lines(before), split_lines(after_edit)
    said = {bare(line) for line in one.update.split("\n")}
    assert all(bare(line) in said for h in line_changes(old, new) for line in new[h.after_start : h.after_end])


@given(edits(), st.sampled_from(DRIFT_STYLES), st.integers(0, 99))
def test_the_segments_are_the_file_before_and_after(edit: tuple[str, str], style: str, seed: int) -> None:
    one = drift(*edit, style, seed, "a.py")
    if one is not None:
        assert [line for s in one.segments if s.role != NEW for line in s.lines] == split_lines(edit[0])
        assert after(one.segments) == split_lines(edit[1])
        assert all(s.told == s.lines for s in one.segments if s.role == NEW)


@given(edits(), st.integers(0, 99))
def test_only_context_is_retold_and_less_than_half_of_it(edit: tuple[str, str], seed: int) -> None:
    kept = [Segment(KEPT, (line,), (line,)) for line in split_lines(edit[0])]
    found = [*kept, Segment(NEW, ("new()",), ("new()",)), Segment(ELIDED, ("left()", "out()"))]
    out = retold(found, "a.py", Random(seed))
    assert out[-2:] == found[-2:]
    assert [line for segment in out for line in segment.lines] == [line for segment in found for line in segment.lines]


def test_markers_are_missing_as_often_as_in_public_logs() -> None:
    every = (one for one in told(seeds=90) if one.style != "drift-skeleton")
    found = [one for one in every if one.segments[0].role == one.segments[-1].role == ELIDED]
    first = sum(not one.segments[0].told for one in found) / len(found)
    last = sum(not one.segments[-1].told for one in found) / len(found)
    assert 0.62 < first < 0.72
    assert 0.36 < last < 0.46


def test_markers_name_what_they_stand_for() -> None:
    words = [" ".join(s.told) for one in told() for s in one.segments if s.role == ELIDED]
    assert sum("step_" in text for text in words) > len(words) / 10
    assert len(set(words)) > len(words) / 4


@pytest.mark.parametrize("tongue", TONGUES)
def test_each_tongue_says_everything_and_names_in_place(tongue: str) -> None:
    says = TONGUES[tongue]
    for name in Phrases.__dataclass_fields__:
        assert any(getattr(says, name))
        placed = name in ("naming", "after", "gone")
        assert all(("{name}" in text) is placed for text in getattr(says, name))


def test_a_deletion_may_be_noted() -> None:
    notes = {s.told for one in told(SHORTER) for s in one.segments if s.role == GONE}
    assert any(note and "step_9" in note[0] for note in notes)


def test_runs_lie_between_what_is_left_out() -> None:
    roles = (ELIDED, KEPT, NEW, ELIDED, ELIDED, GONE)
    assert list(runs([Segment(role, ("x",)) for role in roles])) == [(1, 3), (5, 6)]


def lessons(after: str) -> list[Lesson]:
    edit = Edit("o/n", "c", "a.py", "1", "2", BEFORE, after, "python", "MIT")
    teacher = Teacher()
    return [lesson for one in told(after) if (lesson := teacher.lesson(edit, one))]


@pytest.mark.parametrize("after", [AFTER, SHORTER, RENAMED])
def test_the_wrong_file_is_wrong(after: str) -> None:
    for lesson in lessons(after):
        assert lesson.right == after
        assert lesson.wrong != lesson.right
        assert lesson.wrong.endswith("\n")


def test_every_kind_of_error_is_taught() -> None:
    kinds = {lesson.kind for after in (AFTER, SHORTER, RENAMED) for lesson in lessons(after)}
    assert kinds == set(WRONGS)


def test_the_errors_are_what_their_names_say() -> None:
    found = {lesson.kind: lesson for after in (AFTER, SHORTER, RENAMED) for lesson in lessons(after)}
    assert found["deletion not done"].wrong == BEFORE
    assert "\n+" in found["sign left"].wrong
    assert {"def leap_9(self)", "def step_9(self)"} <= set(
        re.findall(r"def \w+_9\(self\)", found["predecessor left"].wrong)
    )
    for kind, longer in (("at another place", 0), ("context doubled", 1), ("neighbours lost", -1)):
        lines = len(split_lines(found[kind].wrong)) - len(split_lines(found[kind].right))
        assert (lines > 0) - (lines < 0) == longer


def test_signs_are_left_only_where_there_were_some() -> None:
    edit = Edit("o/n", "c", "a.py", "1", "2", BEFORE, AFTER, "python", "MIT")
    for one in told():
        lesson = Teacher().lesson(edit, one)
        assert lesson is None or lesson.kind != "sign left" or one.style in SIGNED


def test_samples_are_of_all_styles_and_survive_their_file(tmp_path: Path) -> None:
    writer = DriftWriter()
    made = []
    for n in range(60):
        edit = Edit("o/n", f"{n}", f"a{n}.py", "1", f"{n}", program(30), program(30, 3 + n % 20), "python", "MIT")
        made += writer.samples(edit)
    rare = {"drift-skeleton", "drift-rename", "drift-told"}
    assert {sample.style for sample in made} == {f"drift-{style}" for style in DRIFT_STYLES} - rare
    assert {sample.source for sample in made} == {DRIFT}
    assert writer.written["snippet"] > writer.written["gutter"]
    path = tmp_path / "samples.parquet"
    write_samples(path, made)
    assert list(read_samples(path)) == made


def test_what_the_reader_misreads_becomes_a_lesson(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    base = Edit("o/n", "c", "a.py", "1", "2", BEFORE, AFTER, "python", "MIT")
    head = "    def step_9(self):\n        # do number 9 first\n        first_9()\n"
    good = f"{head}        third_9()\n    # ... existing code ...\n"
    said = {"instruction": "add it", "style": "x", "source": "x", "expect": "applied"}
    updates = (good, good.replace("do number 9 first", "go"), "no_such_place()\n")
    write_samples(tmp_path / "s.parquet", [Sample(**asdict(base), update=update, **said) for update in updates])
    done(capfd, "data", "lessons", tmp_path / "s.parquet", "--out", tmp_path / "l.jsonl")
    found = [json.loads(line) for line in (tmp_path / "l.jsonl").read_text().splitlines()]
    assert {one["kind"] for one in found} <= {"misread", "weighed"}
    assert all(one["right"] == AFTER != one["wrong"] for one in found)
    assert good not in {one["update"] for one in found if one["kind"] == "misread"}


def test_a_deletion_is_told_in_prose_by_its_name() -> None:
    found = [one for one in told(SHORTER) if one.style == "drift-told"]
    assert found
    assert all("`step_9`" in one.update and "def step_9" not in one.update for one in found)


def test_a_rename_is_told_in_prose_with_one_place() -> None:
    before = "".join(f"line_{n}(old_name)\n" if n % 10 == 0 else f"line_{n}()\n" for n in range(60))
    one = drift(before, before.replace("old_name", "new_name"), "rename", 1, "a.py")
    assert one is not None
    assert "`old_name`" in one.update
    assert one.update.count("(new_name)") == 1
    assert drift(before, before.replace("old_name", "new_name", 3), "rename", 1, "a.py") is None


def test_a_whole_file_is_told_as_it_is() -> None:
    before = program(30)
    found = [drift(before, program(30, 9), "whole", seed, "a.py") for seed in range(9)]
    assert all(one is not None and program(30, 9) in one.update for one in found)
    assert drift(program(200), program(200, 9), "whole", 1, "a.py") is None


def test_a_skeleton_abbreviates_bodies_on_their_line() -> None:
    found = [one for one in told() if one.style == "drift-skeleton"]
    assert found
    assert all(re.search(r"def step_\d+\(self\): \.\.\.", one.update) for one in found)
