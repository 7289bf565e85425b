"""What is reserved for tests is never mined, whatever its clone is called."""

import shutil
from pathlib import Path

import pytest

from command_line import done, refusal
from git_repository import Repository, program
from redraft.data.clones import Clone, find_clones
from redraft.data.edits import read_edits
from redraft.data.mine import is_reserved, mine, reserved_as
from redraft.errors import RedraftError

MINE = ("data", "mine", "--clones", "clones", "--out", "edits.parquet")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = Repository(tmp_path / "clones" / "acme" / "tools")
    made.commit({"a.py": program(30)})
    made.commit({"a.py": program(30, 4)})
    return tmp_path


@pytest.mark.parametrize("name", ["pallets/flask", "Pallets/Flask", "flask", "Aider-AI/anything", "morphllm/x"])
def test_reserved_repositories_are_refused(tmp_path: Path, name: str) -> None:
    assert is_reserved(name)
    with pytest.raises(RedraftError, match="reserved"):
        mine(Clone(name, tmp_path))


@pytest.mark.parametrize("name", ["pallets/click", "someone/flask", "click", "acme/tools"])
def test_other_repositories_are_not_reserved(name: str) -> None:
    assert not is_reserved(name)


@pytest.mark.parametrize(
    ("folder", "place", "name"),
    [
        ("Aider-AI", "aider", "Aider-AI/aider"),
        ("aider-ai", "aider.git", "aider-ai/aider"),
        ("clones", "morphllm+x", "morphllm/x"),
        ("clones", "acme/x", None),
        ("acme", "x", None),
    ],
)
def test_the_folder_of_an_owner_tells_the_owner(tmp_path: Path, folder: str, place: str, name: str | None) -> None:
    Repository(tmp_path / folder / place)
    (tmp_path / "link").symlink_to(tmp_path / folder)
    for start in (tmp_path / folder, tmp_path / "link"):
        (clone,) = find_clones(start)
        assert reserved_as(clone) == name


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        ("https://github.com/pallets/flask.git", "pallets/flask"),
        ("git@github.com:Pallets/Flask.git", "Pallets/Flask"),
        ("ssh://git@example.com:22/morphllm/x/", "morphllm/x"),
        ("/mirrors/pallets+flask/repo", "pallets/flask"),
        ("../pallets/flask/.git", "pallets/flask"),
        ("https://github.com/someone/flask", None),
        ("https://example.com", None),
        ("", None),
    ],
)
def test_a_remote_tells_what_is_reserved(tmp_path: Path, remote: str, name: str | None) -> None:
    made = Repository(tmp_path / "acme" / "tools")
    made.git("remote", "add", "mirror", "https://example.com/acme/tools")
    made.git("config", "remote.origin.url", remote)
    (clone,) = find_clones(tmp_path)
    assert reserved_as(clone) == name
    if name:
        with pytest.raises(RedraftError, match="acme/tools is reserved"):
            mine(clone)


@pytest.mark.parametrize("place", ["pallets/flask", "pallets+flask/repo", "Pallets/flask.git", "flask.git", "flask"])
def test_reserved_repositories_are_never_mined(folder: Path, capfd: pytest.CaptureFixture[str], place: str) -> None:
    bare = place.endswith(".git")
    shutil.copytree(Path("clones/acme/tools") / (".git" if bare else ""), Path("clones") / place)
    err = refusal(capfd, *MINE)
    name = "pallets/flask" if "allets" in place else "flask"
    assert f"reserved for tests, never mined: {name}; leave them out" in err.replace("Pallets", "pallets")
    assert not Path("edits.parquet").exists()
    Path("names").write_text(name)
    done(capfd, *MINE, "--exclude", "names")
    assert {edit.repository for edit in read_edits(Path("edits.parquet"))} == {"acme/tools"}


@pytest.mark.parametrize("owner", ["Aider-AI", "morphllm"])
def test_the_folder_of_a_reserved_owner_is_never_mined(
    folder: Path, capfd: pytest.CaptureFixture[str], owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names of its clones lack the owner."""
    for name in ("one", "two.git"):
        shutil.copytree(Path("clones/acme/tools") / (".git" if "." in name else ""), Path(owner) / name)
    known = f"one (that is {owner}/one), two (that is {owner}/two)"
    assert f"never mined: {known}; leave them out" in refusal(capfd, *MINE, "--clones", owner)
    monkeypatch.chdir(owner)
    assert f"never mined: {known}; leave them out" in refusal(capfd, *MINE, "--clones", ".")
    assert not list(folder.rglob("*.parquet"))


def test_a_reserved_repository_under_another_name_is_never_mined(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Path("clones/acme/tools/.git/config").open("a") as config:
        config.write('[remote "origin"]\n\turl = https://github.com/pallets/flask.git\n')
    assert "never mined: acme/tools (that is pallets/flask);" in refusal(capfd, *MINE)
    assert not Path("edits.parquet").exists()


def test_a_clone_is_no_folder_of_clones(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its name is not known, and it could be reserved."""
    shutil.copytree("clones/acme/tools/.git", "bare")
    for place in ("clones/acme/tools", "bare"):
        assert f"{place} holds no git clones" in refusal(capfd, *MINE, "--clones", place)
