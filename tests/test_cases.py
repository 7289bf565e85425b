"""A manifest holds hashes only; with clones it becomes tasks, the same on every machine."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from git_repository import Repository, program
from redraft.data.clones import find_clones
from redraft.data.manners import ALL_STYLES
from redraft.data.mine import Limits, mine
from redraft.data.sketch import STYLES
from redraft.errors import RedraftError
from redraft.measure import sets
from redraft.measure.sets.public import (
    PublicEdit,
    bucket,
    choose,
    materialise,
    read_manifest,
    repositories,
    write_manifest,
)

MANIFESTS = Path(sets.__file__).parent


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clones")
    made = Repository(folder / "acme" / "tools")
    sizes = {f"{kind}_{size}.{kind}": size for kind in ("py", "go", "md") for size in (30, 60, 150, 300)}
    made.commit({name: program(size) for name, size in sizes.items()})
    for name, size in sizes.items():
        made.commit({name: program(size, size // 2)})
    return folder


@pytest.fixture(scope="module")
def chosen(clones: Path) -> list[PublicEdit]:
    (clone,) = find_clones(clones)
    return choose(mine(clone, Limits()).edits, {"up to 100": 4, "100-400": 4})


def test_chosen_cases_are_spread(chosen: list[PublicEdit], clones: Path) -> None:
    tasks = list(materialise(chosen, clones))
    assert [bucket(task.original) for task in tasks] == ["up to 100"] * 4 + ["100-400"] * 4
    assert len({case.style for case in chosen}) >= 6
    assert {case.language for case in chosen} == {"python", "go", "markdown"}
    assert len({case.id for case in chosen}) == len({case.path for case in chosen}) == 8
    assert repositories(chosen) == ["acme/tools"]


def test_tasks_are_the_edits_with_their_sketches(chosen: list[PublicEdit], clones: Path) -> None:
    tasks = list(materialise(chosen, clones))
    assert [task.id for task in tasks] == [case.id for case in chosen]
    for task in tasks:
        size = task.original.count("\n")
        assert (task.original, task.expected) == (program(size), program(size, size // 2))
        assert "other(" in task.update
    assert tasks == list(materialise(chosen, clones))


def test_a_manifest_reads_as_it_was_written(chosen: list[PublicEdit], tmp_path: Path) -> None:
    write_manifest(tmp_path / "m.jsonl", chosen)
    assert read_manifest(tmp_path / "m.jsonl") == chosen
    assert "compute" not in (tmp_path / "m.jsonl").read_text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"before_blob": "0" * 40}, "has no blob 000"),
        ({"repository": "acme/none"}, "no clone of acme/none"),
    ],
)
def test_a_case_that_cannot_be_made_is_named(
    chosen: list[PublicEdit], clones: Path, change: dict[str, str], message: str
) -> None:
    bad = PublicEdit(**{**asdict(chosen[2]), **change})
    with pytest.raises(RedraftError, match=message) as error:
        list(materialise([*chosen[:2], bad], clones))
    assert "no clone" in message or bad.id in str(error.value)


def test_the_content_must_have_the_hash(chosen: list[PublicEdit], clones: Path) -> None:
    named = replace(chosen[0], before_blob=f"HEAD:{chosen[0].path}")
    with pytest.raises(RedraftError, match=f"{named.id}: .* hashes to"):
        list(materialise([named], clones))


def test_an_edit_that_the_style_cannot_say_is_named(chosen: list[PublicEdit], clones: Path) -> None:
    same = replace(chosen[0], after_blob=chosen[0].before_blob)
    with pytest.raises(RedraftError, match=f"{same.id}: the style .* cannot say"):
        list(materialise([same], clones))


@pytest.mark.parametrize(
    "change", [{"seed": "1"}, {"extra": 1}, {"style": "odd"}, {"path": None}, {"seed": True}], ids=lambda c: str(c)
)
def test_a_bad_line_is_named(chosen: list[PublicEdit], tmp_path: Path, change: dict[str, object]) -> None:
    write_manifest(tmp_path / "m.jsonl", chosen[:1])
    row = json.loads((tmp_path / "m.jsonl").read_text())
    (tmp_path / "m.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(row | change) + "\n")
    with pytest.raises(RedraftError, match=r"m\.jsonl:2: "):
        read_manifest(tmp_path / "m.jsonl")


def test_a_file_that_is_no_manifest_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text("{\n")
    with pytest.raises(RedraftError, match=r"m\.jsonl:1: not a case: not JSON"):
        read_manifest(tmp_path / "m.jsonl")
    with pytest.raises(RedraftError, match=r"none\.jsonl"):
        read_manifest(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (1, "up to 100"),
        (100, "up to 100"),
        (101, "100-400"),
        (400, "100-400"),
        (401, "400-1,000"),
        (2500, "1,000-2,500"),
        (2501, "over 2,500"),
    ],
)
def test_bucket(lines: int, name: str) -> None:
    assert bucket("x\n" * lines) == bucket("x\n" * (lines - 1) + "x") == name


@pytest.mark.parametrize(("name", "size", "styles"), [("dev-100", 100, STYLES), ("dev-320", 320, ALL_STYLES)])
def test_the_development_sets_are_what_they_claim(name: str, size: int, styles: tuple[str, ...]) -> None:
    cases = read_manifest(MANIFESTS / f"{name}.jsonl")
    assert len(cases) == len({case.id for case in cases}) == size
    assert {case.style for case in cases} == set(styles)
    assert len({case.language for case in cases}) >= 8
