"""`make score`: the small cases say what is right of each, and a line counts what a system makes of a set."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import done, refusal
from git_repository import Repository
from listing import listed
from redraft.data.clones import find_clones
from redraft.data.mine import Limits, mine
from redraft.measure.accuracy.systems import read_systems
from redraft.measure.score.score import Score, graded, scores, small, together
from redraft.measure.score.small import Small, read_small
from redraft.measure.score.unread import unread
from redraft.measure.sets.answers import write_answers

CASES = Path(__file__).parent / "cases"
FILE, SHOWN = "def f():\n    return 1\n", "```python\ndef f():\n    return 2\n```\n"
AFTER = FILE.replace("1", "2")


def case(name: str, right: tuple[str, ...], update: str = SHOWN, may_refuse: bool = False) -> Small:
    return Small(name, "", "a.py", FILE, update, right, may_refuse)


def line(name: str, right: list[str], **changes: object) -> str:
    fields = {"id": name, "kind": "", "path": "a.py", "original": FILE, "update": SHOWN, "right": right}
    return json.dumps(fields | {"may_refuse": False} | changes) + "\n"


@pytest.mark.parametrize(("name", "count"), [("edits", 191), ("short", 100), ("kinds", 33)])
def test_each_small_case_says_what_is_right(name: str, count: int) -> None:
    found = read_small(CASES / f"{name}.jsonl")
    assert len(found) == len({each.id for each in found}) == count
    assert all(each.right or each.may_refuse for each in found)
    assert all(len({*each.right}) == len(each.right) for each in found)


def test_a_result_is_right_silent_allowed_or_refused() -> None:
    cases = [
        case("right", (AFTER,)),
        case("silent", (FILE,)),
        case("allowed", (AFTER,), "no code", may_refuse=True),
        case("refused", (AFTER,), "no code"),
        case("only a refusal", (), "no code"),
        case("silent, too", ()),
    ]
    (system,) = read_systems("merge")
    found = list(graded(system, small("s", cases)))
    assert [each.grade for each in found] == ["right", "silent", "allowed", "refused", "right", "silent"]
    (score,) = scores("merge", found)
    assert (score.cases, score.right, score.silent, score.allowed, score.refused) == (6, 2, 2, 1, 1)
    assert score.sure_right <= score.sure <= 3


def test_sums_are_sums() -> None:
    one = Score("merge", "a", 4, 1, 1, 1, 1, 2, 1, 0.5)
    assert together("all", [one, one]) == Score("merge", "all", 8, 2, 2, 2, 2, 4, 2, 1.0)


def test_the_command_counts_names_and_compares(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "own.jsonl"
    source.write_text(line("good", [AFTER]) + line("bad", [FILE]))
    out, said = done(capfd, "eval", "score", source, "--json", "--list")
    row = json.loads(out)
    assert (row["system"], row["set"], row["right"], row["silent"]) == ("merge", "own", 1, 1)
    assert "own bad: silent" in said
    assert "own good" not in said
    before = tmp_path / "before.jsonl"
    before.write_text(json.dumps(row | {"right": 0}) + "\n")
    table, _ = done(capfd, "eval", "score", source, "--before", before)
    assert "| merge | own | 2 | 1 (+1) 50.0% | 1 50.0% | 0 | 0 |" in table


@pytest.mark.parametrize("wrong", ["{}", "[]", '{"id": 1}'])
def test_a_line_that_is_no_case_is_named(wrong: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "own.jsonl"
    source.write_text(line("good", [AFTER]) + wrong + "\n")
    assert "own.jsonl:2: not a small case" in refusal(capfd, "eval", "score", source)


def test_unread_sets_are_as_far_as_there_are_clones(tmp_path: Path) -> None:
    made = Repository(tmp_path / "clones" / "acme+tools" / "repo")
    for changed in (0, 9):
        made.commit({"a.py": "".join(f"x{n} = {n if n != 9 else changed}\n" for n in range(30))})
    (clone,) = find_clones(tmp_path / "clones")
    (chosen,) = listed(mine(clone, Limits()).edits)
    manifest = tmp_path / "set.jsonl"
    write_answers(manifest, [chosen, replace(chosen, id="lost", repository="acme/none")])
    (found,) = unread([manifest], tmp_path / "clones")
    assert found.name == "set"
    assert [each.id for each in found.cases] == [chosen.id]
    assert found.missing == ["lost"]
