"""From clones to cases on the command line: mined, named by hashes, with their texts again; or refused."""

import json
import os
import shutil
from collections import Counter
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from command_line import done, refusal
from git_repository import Repository, program
from listing import write_listed
from redraft.cli import run
from redraft.data.edits import Edit, read_edits, write_edits
from redraft.errors import RedraftError
from redraft.measure.sets.answers import AnswerTask, read_answers

MINE = ("data", "mine", "--clones", "clones", "--out", "edits.parquet")
FETCH = ("eval", "fetch", "manifest.jsonl", "--clones", "clones", "--out", "cases.jsonl")
EDIT = Edit("acme/tools", "1" * 40, "a.py", "2" * 40, "3" * 40, program(30), program(30, 4), "python", "")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two clones in two layouts: eight edits of acme/tools, one of whose paths is odd, and one of acme/other."""
    folder = tmp_path_factory.mktemp("made")
    tools, other = Repository(folder / "acme" / "tools"), Repository(folder / "acme+other" / "repo")
    sizes = {"a.py": 30, "b\u2028\x85.py": 60, "c.py": 150, "d.py": 300}
    tools.commit({name: program(size) for name, size in sizes.items()})
    for step in (1, 2):
        for name, size in sizes.items():
            tools.commit({name: program(size, size * step // 3)})
    other.commit({"e.py": program(40)})
    other.commit({"e.py": program(40, 20)})
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made, "clones")
    return tmp_path


def mined() -> list[Edit]:
    return list(read_edits(Path("edits.parquet")))


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(name).read_text().split("\n") if line]


def test_mining_writes_an_edit_a_row(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, err = done(capfd, *MINE)
    assert out == ""
    assert err.startswith("9 edits, ")
    assert err.endswith(" edits/s, 2 repositories; 0 objects missing\n")
    assert pyarrow.parquet.read_schema("edits.parquet").names == [
        "repository", "commit", "path", "before_blob", "after_blob", "before", "after", "language", "license",
    ]  # fmt: skip
    assert sorted(edit.repository for edit in mined()) == ["acme/other"] + ["acme/tools"] * 8
    assert sorted(path.name for path in folder.iterdir()) == ["clones", "edits.parquet"]


def test_mining_again_gives_the_same_rows(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *MINE)
    first = mined()
    done(capfd, *MINE)
    assert mined() == first
    done(capfd, *MINE, "--seed", 1)
    assert mined() != first
    assert set(mined()) == set(first)


@pytest.mark.parametrize(
    ("limits", "count"),
    [(("--per-repository", 3), 4), (("--per-path", 1), 5), (("--max-lines", 60), 5)],
)
def test_options_bound_what_is_mined(
    folder: Path, capfd: pytest.CaptureFixture[str], limits: tuple[object, ...], count: int
) -> None:
    assert done(capfd, *MINE, *limits)[1].startswith(f"{count} edits, ")
    assert len(mined()) == count


def test_repositories_are_chosen_by_name(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("names").write_text("\n Acme/Tools \n")
    for option, name in (("--only", "acme/tools"), ("--exclude", "acme/other")):
        assert done(capfd, *MINE, option, "names")[1].endswith("s, 1 repositories; 0 objects missing\n")
        assert {edit.repository for edit in mined()} == {name}
    Path("names").write_text("acme/tools\nacme/none\n")
    assert "no clone of acme/none" in refusal(capfd, *MINE, "--only", "names")
    assert "cannot read gone" in refusal(capfd, *MINE, "--exclude", "gone")


def test_a_clone_that_cannot_be_read_is_left_out_by_name(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Repository(folder / "clones" / "acme" / "empty")
    shutil.rmtree("clones/acme+other/repo/.git/refs")
    left, other, summary = done(capfd, *MINE)[1].splitlines()
    assert left.startswith("left out: the history of acme/empty cannot be read")
    assert other.startswith("left out: the history of acme/other cannot be read")
    assert summary.startswith("8 edits, ")


def test_folders_that_are_no_clones_are_named(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("clones/acme/half/.git").mkdir(parents=True)
    Path("clones/acme+gone").mkdir()
    said, summary = done(capfd, *MINE)[1].splitlines()
    assert said == "left out, no git clones: clones/acme/half, clones/acme+gone/repo"
    assert summary.startswith("9 edits, ")


def test_bare_and_shallow_clones_give_what_they_have(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    origin = Repository(folder / "source")
    for name, options in {"whole": ("--bare",), "last": ("--bare", "--depth=1"), "some": ("--depth=3",)}.items():
        origin.git("clone", "--quiet", *options, f"file://{folder}/clones/acme/tools", f"{folder}/new/acme/{name}")
    assert done(capfd, *MINE, "--clones", "new")[1].endswith(" edits/s, 3 repositories; 0 objects missing\n")
    assert Counter(edit.repository for edit in mined()) == {"acme/whole": 8, "acme/some": 2}


def test_where_there_is_nothing_to_mine_nothing_is_written(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    empty = (*MINE, "--max-lines", 7)
    assert refusal(capfd, *empty) == (
        "redraft: no edits in 2 repositories, 0 objects missing: edits.parquet is not written\n"
    )
    assert sorted(path.name for path in folder.iterdir()) == ["clones"]
    done(capfd, *MINE)
    before = Path("edits.parquet").read_bytes()
    refusal(capfd, *empty)
    assert Path("edits.parquet").read_bytes() == before


def test_missing_objects_are_counted(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *MINE)
    blob = next(edit.after_blob for edit in mined() if edit.repository == "acme/other")
    Path(f"clones/acme+other/repo/.git/objects/{blob[:2]}/{blob[2:]}").unlink()
    err = done(capfd, *MINE)[1]
    assert err.startswith("8 edits, ")
    assert err.endswith("; 1 objects missing\n")


def test_mining_refuses_what_it_cannot_read_or_write(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("stuck.part").mkdir()
    Path("none").mkdir()
    cases = {
        "gone is not a folder": ("--clones", "gone"),
        "none holds no git clones": ("--clones", "none"),
        "cannot write no/e.parquet: no folder no": ("--out", "no/e.parquet"),
        "cannot write none: it is a folder": ("--out", "none"),
        "cannot write stuck: ": ("--out", "stuck"),
        "Invalid value for '--per-path'": ("--per-path", 0),
    }
    for message, changed in cases.items():
        assert message in refusal(capfd, *MINE, *changed)
    monkeypatch.setenv("PATH", os.devnull)
    assert "git is not installed" in refusal(capfd, *MINE)
    assert sorted(path.name for path in folder.iterdir()) == ["clones", "none", "stuck.part"]


def test_a_half_written_file_never_has_the_final_name(folder: Path) -> None:
    def failing() -> Any:
        yield EDIT
        raise RedraftError("no more")

    write_edits(Path("edits.parquet"), [EDIT])
    with pytest.raises(RedraftError, match="no more"):
        write_edits(Path("edits.parquet"), failing())
    assert mined() == [EDIT]


def test_files_that_hold_no_edits_are_named(folder: Path) -> None:
    columns = {name: [value] for name, value in asdict(EDIT).items()}
    write_edits(Path("good.parquet"), [EDIT])
    pages = bytearray(Path("good.parquet").read_bytes())
    pages[8:200] = bytes(192)
    Path("damaged.parquet").write_bytes(pages)
    Path("text.parquet").write_text("no")
    few = {name: values for name, values in columns.items() if name not in ("after", "license")}
    pyarrow.parquet.write_table(pyarrow.table(few), "few.parquet")
    pyarrow.parquet.write_table(pyarrow.table(columns | {"before": [None]}), "null.parquet")
    pyarrow.parquet.write_table(pyarrow.table(columns | {"before": [["a list"]]}), "list.parquet")
    pyarrow.parquet.write_table(pyarrow.table(columns).slice(0, 0), "empty.parquet")
    unreadable = dict.fromkeys(("gone", "text", "damaged", "null", "list"), "is not a readable Parquet file")
    for name, message in (unreadable | {"few": "has no column after, license", "empty": "holds no edits"}).items():
        with pytest.raises(RedraftError, match=f"{name}.parquet {message}"):
            list(read_edits(Path(f"{name}.parquet")))


def test_a_manifest_names_the_repositories_to_clone(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *MINE)
    write_listed(Path("manifest.jsonl"), mined())
    assert done(capfd, "eval", "repositories", "manifest.jsonl") == ("acme/other\nacme/tools\n", "")


def test_cases_come_back_with_their_texts(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *MINE)
    write_listed(Path("manifest.jsonl"), mined())
    cases = read_answers(Path("manifest.jsonl"))
    assert done(capfd, *FETCH) == ("", f"{len(cases)} of {len(cases)} cases written to cases.jsonl\n")
    tasks = rows("cases.jsonl")
    assert all(list(task) == [field.name for field in fields(AnswerTask)] for task in tasks)
    assert [(task["id"], task["path"], task["style"]) for task in tasks] == [(c.id, c.path, "tidy") for c in cases]
    texts = {(edit.before, edit.after) for edit in mined()}
    assert {(task["original"], task["expected"]) for task in tasks} <= texts
    *_, last = done(capfd, "bench", "forwards", "--cases", "cases.jsonl")[0].splitlines()
    assert json.loads(last)["n"] == len(cases) == 9
    done(capfd, "batch", "cases.jsonl", "results.jsonl", "--readers", "merge")
    assert [row["output"] for row in rows("results.jsonl")] == [task["expected"] for task in tasks]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("clones/acme+other", "clones has no clone of acme/other"),
        (
            "clones/acme+other/repo/.git/refs",
            "files of acme/other cannot be read in clones/acme+other/repo/.git: ",
        ),
        ("clones/acme+other/repo/.git/objects/*", "the clone of acme/other has no blob "),
    ],
)
def test_a_case_that_cannot_be_made_is_named_and_the_others_are_written(
    folder: Path, capfd: pytest.CaptureFixture[str], broken: str, reason: str
) -> None:
    done(capfd, *MINE)
    write_listed(Path("manifest.jsonl"), mined())
    for path in list(folder.glob(broken)):
        shutil.rmtree(path)
    assert run(list(FETCH)) == 1
    out, err = capfd.readouterr()
    failed, summary = err.splitlines()
    assert out == ""
    assert failed.startswith("failed: ")
    assert reason in failed
    assert summary == "8 of 9 cases written to cases.jsonl"
    others = [case.id for case in read_answers(Path("manifest.jsonl")) if case.repository != "acme/other"]
    assert [task["id"] for task in rows("cases.jsonl")] == others


def test_a_manifest_that_cannot_be_used_is_refused(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done(capfd, *MINE)
    write_listed(Path("manifest.jsonl"), mined())
    Path("none").mkdir()
    cases = {
        "gone is not a folder": ("--clones", "gone"),
        "none holds no git clones": ("--clones", "none"),
        "cannot write no/c.jsonl": ("--out", "no/c.jsonl"),
    }
    for message, changed in cases.items():
        assert message in refusal(capfd, *FETCH, *changed)
    good = Path("manifest.jsonl").read_text()
    texts = {"not JSON": "{\n", "not a JSON object": "[]\n", "its keys have to be exactly id": "{}\n"}
    for message, text in texts.items():
        Path("manifest.jsonl").write_text(good + text)
        for command in (FETCH, ("eval", "repositories", "manifest.jsonl")):
            assert f"manifest.jsonl:10: not an answer: {message}" in refusal(capfd, *command)
    assert "cannot read gone.jsonl" in refusal(capfd, "eval", "repositories", "gone.jsonl")
    Path("empty.jsonl").write_text("\n")
    assert "empty.jsonl holds no cases" in refusal(capfd, "eval", "repositories", "empty.jsonl")
    Path("manifest.jsonl").write_text(good)
    monkeypatch.setenv("PATH", os.devnull)
    assert "git is not installed" in refusal(capfd, *FETCH)
    assert not Path("cases.jsonl").exists()
