"""Mining takes the edits that people made to source files, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from git_repository import Repository, program
from redraft.data.clones import Clone, changes, find_clones, open_blobs, other_folders
from redraft.data.edits import read_edits, write_edits
from redraft.data.mine import LIMITS, is_source, is_worth, mine
from redraft.errors import RedraftError

MIT = "MIT License\n\nPermission is hereby granted, free of\ncharge, to any person"


def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "acme" / "tools")
    made.commit({"LICENSE": MIT, "a.py": program(30), "b.py": program(30), "notes.bin": program(30)})
    return made


def clone(tmp_path: Path) -> Clone:
    (found,) = find_clones(tmp_path)
    return found


def test_an_edit_is_the_file_before_and_after_one_commit(tmp_path: Path) -> None:
    commit = repository(tmp_path).commit({"a.py": program(30, 4)})
    (edit,) = mine(clone(tmp_path)).edits
    assert (edit.repository, edit.commit, edit.path) == ("acme/tools", commit, "a.py")
    assert (edit.before, edit.after) == (program(30), program(30, 4))
    assert (edit.language, edit.license) == ("python", "MIT")


@pytest.mark.parametrize(
    "files",
    [
        {"new.py": program(30)},
        {"notes.bin": program(30, 4)},
        {"a.py": program(30).replace(" = ", "  =  ")},
        {"a.py": program(30).replace("value", "number")},
        {"a.py": program(30, 4).replace("\n", "\r\n")},
        {"a.py": program(30, 4).encode() + b"\xff\n"},
        {"a.py": program(30, 4) + "\0\n"},
        {"a.py": program(30, 4) + "x" * 1000 + "\n"},
        {"a.py": "# @generated\n" + program(30)},
    ],
)
def test_other_changes_are_no_edits(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    repository(tmp_path).commit(files)
    assert mine(clone(tmp_path)).edits == ()


def test_merges_and_wide_commits_are_left_out(tmp_path: Path) -> None:
    made = repository(tmp_path)
    made.commit({f"f{n}.py": program(20) for n in range(6)})
    made.commit({f"f{n}.py": program(20, 3) for n in range(6)})
    made.git("switch", "--quiet", "--create", "side", "HEAD~1")
    side = made.commit({"a.py": program(30, 4)})
    made.git("switch", "--quiet", "main")
    made.git("-c", "user.name=A", "-c", "user.email=a@b", "merge", "--quiet", "--no-edit", "side")
    assert [edit.commit for edit in mine(clone(tmp_path)).edits] == [side]


def test_no_path_and_no_repository_gives_more_than_its_share(tmp_path: Path) -> None:
    made = repository(tmp_path)
    for n in range(6):
        made.commit({"a.py": program(30, n), "b.py": program(30, n)})
    limits = replace(LIMITS, per_path=2)
    edits = mine(clone(tmp_path), limits, seed=3).edits
    assert sorted(edit.path for edit in edits) == ["a.py", "a.py", "b.py", "b.py"]
    assert mine(clone(tmp_path), limits, seed=3).edits == edits
    assert mine(clone(tmp_path), replace(limits, per_repository=3), seed=3).edits == edits[:3]


def test_a_missing_object_is_counted_and_the_rest_is_mined(tmp_path: Path) -> None:
    made = repository(tmp_path)
    made.commit({"a.py": program(30, 4)})
    made.commit({"b.py": program(30, 5)})
    blob = made.git("rev-parse", "HEAD:a.py")
    (made.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    mined = mine(clone(tmp_path))
    assert [edit.path for edit in mined.edits] == ["b.py"]
    assert mined.missing == 1


@pytest.mark.parametrize("place", ["acme+tools/repo", "acme/tools", "acme+tools"])
@pytest.mark.parametrize("bare", [True, False])
def test_clones_are_found_in_every_layout(tmp_path: Path, place: str, bare: bool) -> None:
    made = repository(tmp_path / "source")
    commit = made.commit({"a.py": program(30, 4)})
    (tmp_path / "clones" / place).parent.mkdir(parents=True)
    made.git("clone", "--quiet", *(["--bare"] if bare else []), ".", str(tmp_path / "clones" / place))
    found = clone(tmp_path / "clones")
    assert found.name == "acme/tools"
    assert [change.commit for change in changes(found, max_files=5)] == [commit]
    assert [(edit.commit, edit.license) for edit in mine(found).edits] == [(commit, "MIT")]


def test_a_shallow_clone_gives_what_it_has(tmp_path: Path) -> None:
    made = repository(tmp_path / "source")
    commits = [made.commit({"a.py": program(30, number)}) for number in range(4)]
    (tmp_path / "clones" / "acme").mkdir(parents=True)
    made.git("clone", "--quiet", "--depth=3", f"file://{made.path}", str(tmp_path / "clones" / "acme" / "tools"))
    mined = mine(clone(tmp_path / "clones"))
    assert {edit.commit for edit in mined.edits} == set(commits[2:])
    assert mined.missing == 0


def test_what_lies_among_clones_and_is_none_is_known(tmp_path: Path) -> None:
    repository(tmp_path)
    others = [tmp_path / name for name in ("acme/empty", "acme+half/repo", "else/where/.git")]
    for other in others:
        other.mkdir(parents=True)
    (tmp_path / "acme" / "notes").write_text("no folder")
    assert clone(tmp_path).name == "acme/tools"
    assert set(other_folders(tmp_path)) == {others[0], others[1], others[2].parent}


def test_blobs_read_by_hash_and_by_path(tmp_path: Path) -> None:
    made = repository(tmp_path)
    with open_blobs(clone(tmp_path)) as blobs:
        assert blobs.read("HEAD:a.py") == blobs.read(made.git("rev-parse", "HEAD:a.py")) == program(30).encode()
        assert blobs.read("HEAD:none.py") is None
        assert blobs.missing == 1


def test_a_folder_without_clones_is_named(tmp_path: Path) -> None:
    with pytest.raises(RedraftError, match="holds no git clones"):
        find_clones(tmp_path)
    with pytest.raises(RedraftError, match="nowhere is not a folder"):
        find_clones(tmp_path / "nowhere")


@pytest.mark.parametrize("path", ["src/a.py", "lib/app.tsx", "config/locale.yml", "blocks.json", "builder/x.go"])
def test_source(path: str) -> None:
    assert is_source(path)


@pytest.mark.parametrize(
    "path",
    [
        "package-lock.json",
        "a/pnpm-lock.yaml",
        "vendor/x.go",
        "web/node_modules/a/b.js",
        "jquery.min.js",
        "LICENSE.md",
        "api.pb.go",
        "x_pb2.py",
        "dist/app.js",
        "picture.png",
        "Makefile.am",
        "third_party/z.c",
    ],
)
def test_not_source(path: str) -> None:
    assert not is_source(path)


def test_the_size_of_a_change_is_bounded() -> None:
    assert is_worth(program(20), program(20, 3))
    assert not is_worth(program(7), program(7, 3))
    assert not is_worth(program(421), program(421, 3))
    assert not is_worth(program(100), program(121).replace(program(100), program(100).upper()))
    assert not is_worth(program(400), program(521))
    assert is_worth(program(400), program(520))


def test_parquet_gives_back_what_was_written(tmp_path: Path) -> None:
    repository(tmp_path).commit({"a.py": program(30, 4), "b.py": program(30, 5)})
    edits = list(mine(clone(tmp_path)).edits)
    assert write_edits(tmp_path / "edits.parquet", edits) == 2
    assert list(read_edits(tmp_path / "edits.parquet")) == edits


def test_a_file_that_holds_no_edits_is_named(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    with pytest.raises(RedraftError, match=r"none\.parquet"):
        list(read_edits(tmp_path / "none.parquet"))
    (tmp_path / "text.parquet").write_text("no")
    with pytest.raises(RedraftError, match=r"text\.parquet"):
        list(read_edits(tmp_path / "text.parquet"))
    pyarrow.parquet.write_table(pyarrow.table({"commit": ["1"]}), tmp_path / "few.parquet")
    with pytest.raises(RedraftError, match="no column repository, path"):
        list(read_edits(tmp_path / "few.parquet"))


def test_no_edits_are_no_file(tmp_path: Path) -> None:
    """What was there stays; a file without a row, which others write, is refused."""
    import pyarrow.parquet

    path = tmp_path / "edits.parquet"
    assert write_edits(path, []) == 0
    assert list(tmp_path.iterdir()) == []
    repository(tmp_path).commit({"a.py": program(30, 4)})
    assert write_edits(path, mine(clone(tmp_path)).edits) == 1
    assert write_edits(path, []) == 0
    assert len(list(read_edits(path))) == 1
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(path).slice(0, 0), path)
    with pytest.raises(RedraftError, match=r"edits\.parquet holds no edits"):
        list(read_edits(path))
