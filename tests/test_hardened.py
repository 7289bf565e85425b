"""Files whose folders, names or attributes are not what they seem: kept, or refused; nothing leaves the folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import redraft
from redraft.changes.answer import apply_answer
from redraft.errors import RedraftError
from redraft.files.place import find
from redraft.files.read import new, read
from redraft.files.write import write, write_all
from redraft.mcp.workspace import Edit, Workspace

OLD = "def b():\n    return 2\n"
NEW = OLD.replace("2", "3")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_STATE", str(tmp_path / "state"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for folder in (tmp_path / "root", tmp_path / "root" / "sub", tmp_path / "outside"):
        (folder / "a.py").write_text(OLD)
    return tmp_path / "root"


def answer(*paths: str) -> str:
    return "\n".join(f"{path}\n```python\n{NEW}```\n" for path in paths)


def applied(root: Path, *paths: str) -> redraft.changes.answer.AnswerResult:
    return apply_answer(root, answer(*paths), editor=redraft.load(readers="merge"))


def exchanged(root: Path) -> None:
    """The folder below the root is a link out of it now."""
    (root / "sub").rename(root / "was")
    (root / "sub").symlink_to(root.parent / "outside")


def test_a_folder_that_becomes_a_link_leads_nowhere(root: Path) -> None:
    file, other = read(root / "sub" / "a.py"), new(root / "sub" / "new.py")
    exchanged(root)
    with pytest.raises(RedraftError, match="a link stands there or on its way"):
        write(file, NEW)
    with pytest.raises(RedraftError, match="a link stands there or on its way"):
        write(other, NEW)
    assert [path.name for path in (root.parent / "outside").iterdir()] == ["a.py"]
    assert (root.parent / "outside" / "a.py").read_text() == OLD


def test_a_folder_that_became_a_link_before_it_is_read_is_refused(root: Path) -> None:
    place = find("sub/a.py", root)
    exchanged(root)
    with pytest.raises(RedraftError, match="outside"):
        redraft.changes.tree.Folder(root).read(place)


def test_a_kept_text_follows_no_link_and_is_as_private_as_the_file(root: Path) -> None:
    path = root / "a.py"
    path.chmod(0o600)
    file = read(path)
    path.write_text("theirs\n")
    theirs = root / f"a.py.{os.getpid()}-1.redraft-new.txt"
    theirs.write_text("of the user\n")
    (root / "a.py.redraft-new").symlink_to(root.parent / "outside" / "a.py")
    for text in (NEW, NEW + "# again\n"):
        with pytest.raises(RedraftError, match="the new text is in"):
            write(file, text)
    (kept,) = (each for each in root.glob("a.py.*-*.redraft-new"))
    assert (kept.read_text(), kept.stat().st_mode & 0o777) == (NEW + "# again\n", 0o600)
    assert theirs.read_text() == "of the user\n"
    assert (root.parent / "outside" / "a.py").read_text() == OLD


def test_a_file_with_other_names_is_refused(root: Path) -> None:
    os.link(root / "a.py", root.parent / "outside" / "b.py")
    with pytest.raises(RedraftError, match=r"it has 2 names \(hard links\)"):
        write(read(root / "a.py"), NEW)
    assert (root / "a.py").read_text() == (root.parent / "outside" / "b.py").read_text() == OLD


def test_attributes_and_access_lists_are_kept(root: Path) -> None:
    path = root / "a.py"
    access = bytes.fromhex("0200000001000600ffffffff02000400010000000400040fffffffff10000600ffffffff20000400ffffffff")
    wanted = {"user.note": b"kept", "system.posix_acl_access": access.replace(b"\x04\x0f", b"\x04\x00")}
    try:
        for name, value in wanted.items():
            os.setxattr(path, name, value)
    except (AttributeError, OSError):
        pytest.skip("this disk has no attributes")
    found = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    write(read(path), NEW)
    assert {name: os.getxattr(path, name) for name in os.listxattr(path)} == found
    assert path.read_text() == NEW


@pytest.mark.parametrize("looks", [("HEAD", "objects/x", "refs/x"), ("HEAD", "commondir")])
@pytest.mark.parametrize("name", ["gitdir", "bare.git"])
def test_what_git_takes_for_its_own_folder_is_left_alone(root: Path, looks: tuple[str, ...], name: str) -> None:
    for each in looks:
        (root / name / each).parent.mkdir(parents=True, exist_ok=True)
        (root / name / each).write_text("")
    (root / name / "hooks").mkdir()
    (root / name / "hooks" / "a.py").write_text(OLD)
    (root / ".git").symlink_to(name)
    for path in (f"{name}/hooks/a.py", f"{name}/hooks/new.py", ".git/hooks/a.py"):
        with pytest.raises(RedraftError, match=r"git takes for a folder of its own|in \.git, which is left alone"):
            applied(root, path)
    assert (root / name / "hooks" / "a.py").read_text() == OLD


def test_no_git_folder_is_made(root: Path) -> None:
    def made(*paths: str) -> None:
        files = "".join(f"*** Add File: {path}\n+x\n" for path in paths)
        apply_answer(root, f"*** Begin Patch\n{files}*** End Patch\n", editor=redraft.load(readers="merge"))

    with pytest.raises(RedraftError, match="git takes for a folder of its own"):
        made("sub/HEAD", "sub/objects/x", "sub/refs/x", "sub/config")
    assert os.listdir(root / "sub") == ["a.py"]
    made("sub/objects/x", "sub/refs/x")
    with pytest.raises(RedraftError, match="git takes for a folder of its own"):
        made("sub/HEAD")
    assert subprocess.run(["git", "-C", str(root / "sub"), "rev-parse", "--git-dir"], capture_output=True).returncode


def test_two_names_of_one_file_are_one(root: Path) -> None:
    (root / "b.py").symlink_to("a.py")
    tree = redraft.changes.tree.Folder(root)
    assert tree.key(root / "a.py") == tree.key(root / "b.py") != tree.key(root / "sub" / "a.py")
    os.link(root / "sub" / "a.py", root / "sub" / "A.py")  # as on a disk that ignores case
    with pytest.raises(RedraftError, match="two new texts"):
        write_all([(read(root / "sub" / "a.py"), NEW), (read(root / "sub" / "A.py"), NEW)])


def test_tools_for_agents_make_no_git_folder(root: Path) -> None:
    tools = Workspace(root, redraft.load(readers="merge"))
    edits = [Edit(f"sub/{name}", f"```\n{name}\n```", is_new=True) for name in ("HEAD", "objects/x", "refs/x")]
    assert all(not done.written and "git takes for its own" in done.reason for done in tools.edit(edits))
    assert [done.written for done in tools.edit(edits[1:])] == [True, True]
    (refused,) = tools.edit(edits[:1])
    assert "git takes for its own" in refused.reason
    assert not (root / "sub" / "HEAD").exists()


ATTACKS = {
    "kills.py 3 apply": "mixed: 0",
    "kills.py 3 redo": "mixed: 0",
    "races.py 60 30": "racing writers:",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_small_attack_of_those_in_benchmarks(attack: str) -> None:
    name, *given = attack.split()
    place = Path(__file__).parent.parent / "benchmarks" / name
    if not place.exists() or not hasattr(os, "fork"):
        pytest.skip("no benchmarks here, or no forks")
    done = subprocess.run([sys.executable, str(place), *given], capture_output=True, text=True)
    assert (done.returncode, ATTACKS[attack] in done.stdout) == (0, True), done.stdout + done.stderr


NO_NAMES = ["~/a.py", "~user/a.py", "C:/a.py", "C:\\a.py", " ", "sub/ /a.py", "a\x1b]52;c;x\x07.py"]


@pytest.mark.parametrize("path", NO_NAMES)
def test_names_that_are_none_are_not_made(root: Path, path: str) -> None:
    with pytest.raises(RedraftError):
        find(path, root)


def test_folders_as_deep_as_can_be(root: Path) -> None:
    handle = os.open(root, os.O_RDONLY)
    for _ in range(2_000):
        os.mkdir("d", dir_fd=handle)
        below = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(handle)
    try:
        assert find("new/a.py", root) == root / "new" / "a.py"
    finally:
        subprocess.run(["rm", "-rf", str(root / "d")], check=True)
