"""Files come back byte for byte, are replaced at once, and bad ones are refused by name."""

import codecs
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import RedraftError
from redraft.files.read import new, read
from redraft.files.write import write, write_all

LATIN = "# -*- coding: latin-1 -*-\nname = 'café'\n".encode("latin-1")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a\nb\n", "a\nb\n"),
        (b"a\nb", "a\nb"),
        (b"a\r\nb\nc\r\n", "a\r\nb\nc\r\n"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        ("día\n".encode(), "día\n"),
        (LATIN, LATIN.decode("latin-1")),
        (codecs.BOM_UTF16_LE + "día\r\n".encode("utf-16-le"), "día\r\n"),
        (codecs.BOM_UTF16_BE + "día\n".encode("utf-16-be"), "día\n"),
        (codecs.BOM_UTF32_LE + "día\n".encode("utf-32-le"), "día\n"),
    ],
)
def test_read_and_written_back(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "file.py"
    path.write_bytes(data)
    file = read(path)
    assert file.text == text
    write(file, text)
    assert path.read_bytes() == data
    write(file, text + "x = 1\n")
    assert path.read_bytes() == data + "x = 1\n".encode(file.encoding)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.py"]


def test_an_encoding_that_is_named_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("café\n".encode("cp1252"))
    file = read(path, "cp1252")
    write(file, "thé\n")
    assert path.read_bytes() == "thé\n".encode("cp1252")
    with pytest.raises(RedraftError, match="no encoding 'klingon'"):
        read(path, "klingon")
    path.write_bytes(codecs.BOM_UTF8 + b"a\n")
    assert read(path, "utf-8").bom == codecs.BOM_UTF8
    with pytest.raises(RedraftError, match="byte-order mark of utf-8, not of cp1252"):
        read(path, "cp1252")


@given(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(b"\n" + text.encode())
    file = read(path)
    write(file, file.text)
    assert path.read_bytes() == b"\n" + text.encode()


def test_mode_and_links_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    path, link = tmp_path / "real" / "run.sh", tmp_path / "link.sh"
    path.write_text("old\n")
    path.chmod(0o751)
    link.symlink_to(path)
    write(read(link), "new\n")
    assert link.is_symlink()
    assert path.read_text() == "new\n"
    assert path.stat().st_mode & 0o7777 == 0o751


def test_bad_files_are_named(tmp_path: Path) -> None:
    binary, broken, lost = tmp_path / "a.bin", tmp_path / "b.txt", tmp_path / "lost.txt"
    binary.write_bytes(b"ab\0c")
    broken.write_bytes(b"abc\xff\n")
    loop, pipe = tmp_path / "loop", tmp_path / "pipe"
    loop.symlink_to(loop)
    os.mkfifo(pipe)
    for path, words in (
        (lost, "there is no file"),
        (tmp_path, "is a folder"),
        (binary, "binary file: a zero byte at offset 2"),
        (broken, "not utf-8 text: byte 0xff at offset 3"),
        (loop, "cannot read"),
        (pipe, "not a regular file"),
    ):
        with pytest.raises(RedraftError) as error:
            read(path)
        assert words in str(error.value)
        assert str(path) in str(error.value)
        assert "\n" not in str(error.value)


def test_a_coding_cookie_is_believed_or_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# coding: ascii\n# caf\xc3\xa9\n")
    with pytest.raises(RedraftError, match="not ascii text"):
        read(path)
    path.write_bytes(b"# coding: rot13\nx\n")
    with pytest.raises(RedraftError, match="not rot-13 text"):
        read(path)
    path.write_bytes(b"# coding: nonsense\nx\n")
    assert read(path).encoding == "utf-8"


def test_text_that_the_encoding_lacks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(LATIN)
    with pytest.raises(RedraftError, match="has no '漢'"):
        write(read(path), read(path).text + "漢\n")
    assert path.read_bytes() == LATIN


@pytest.mark.parametrize(
    ("old", "new", "encoding"),
    [
        ("# coding: latin-1\né = 1\n", "# coding: utf-8\né = 2\n", "utf-8"),
        ("# coding: utf-8\né = 1\n", "# coding: latin-1\né = 2\n", "latin-1"),
        ("é = 1\n", "# coding: cp1252\né = '€'\n", "cp1252"),
        ("# coding: latin-1\né = 1\n", "é = 2\n", "utf-8"),
        ("# coding: latin-1\né = 1\n", "#!/bin/python\n# coding: latin-1\né = 2\n", "latin-1"),
    ],
)
def test_a_changed_coding_cookie_is_the_encoding(tmp_path: Path, old: str, new: str, encoding: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(old, encoding="latin-1" if "latin" in old else "utf-8")
    write(read(path), new)
    assert path.read_bytes() == new.encode(encoding)
    assert read(path).text == new


def test_a_new_cookie_that_is_no_encoding_of_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("é = 1\n")
    with pytest.raises(RedraftError, match=r"declares rot13|declares rot-13"):
        write(read(path), "# coding: rot13\né = 2\n")
    assert path.read_text() == "é = 1\n"


def test_what_cannot_be_written_is_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a.txt"
    path.parent.mkdir()
    path.write_text("old\n")
    file = read(path)
    path.unlink()
    path.parent.rmdir()
    with pytest.raises(RedraftError, match="cannot write"):
        write(file, "new\n")
    assert not path.parent.exists()


def test_a_file_that_changed_meanwhile_is_left_and_both_versions_are_kept(tmp_path: Path) -> None:
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_text("old\n")
    other.write_text("old\n")
    file, beside = read(path), read(other)
    path.write_text("theirs\n")
    with pytest.raises(RedraftError, match="has changed since it was read and is left as it is; the new text is in"):
        write_all([(beside, "ours\n"), (file, "ours\n")])
    assert (path.read_text(), other.read_text()) == ("theirs\n", "old\n")
    (kept,) = tmp_path.glob("a.txt.*.redraft-new")
    assert kept.read_text() == "ours\n"
    assert len(list(tmp_path.iterdir())) == 3


def test_a_new_file_is_made_with_its_folders_unless_it_is_there_by_then(tmp_path: Path) -> None:
    path = tmp_path / "src" / "deep" / "a.py"
    file = new(path)
    write(file, "x = 1\n")
    assert path.read_text() == "x = 1\n"
    assert path.stat().st_mode & 0o111 == 0
    with pytest.raises(RedraftError, match="has changed"):
        write(file, "x = 2\n")
    assert path.read_text() == "x = 1\n"


def test_when_one_of_several_cannot_be_replaced_none_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / name for name in ("a", "b", "c")]
    for path in paths:
        path.write_text(f"{path.name}\n")
    replaced: list[str] = []
    rename = os.replace

    def replace(source: str, target: str, **folders: int) -> None:
        replaced.append(target)
        if len(replaced) == 3:
            raise OSError(28, "No space left on device")
        rename(source, target, **folders)

    monkeypatch.setattr("redraft.files.folder.os.replace", replace)
    with pytest.raises(RedraftError, match="c: No space left"):
        write_all([(read(path), "new\n") for path in paths])
    assert [path.read_text() for path in paths] == ["a\n", "b\n", "c\n"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a", "b", "c"]
    assert replaced == ["a", "b", "c", "b", "a"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old\n")
    path.chmod(0o444)
    with pytest.raises(RedraftError, match="read-only"):
        write(read(path), "new\n")


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


FULL = """
import resource, sys
from pathlib import Path
from redraft.files.read import read
from redraft.files.write import write
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
write(read(Path(sys.argv[1])), "new\\n" * 100_000)
"""


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old\n")
    done = run(FULL, path)
    assert done.returncode == 1
    assert f"RedraftError: cannot write {path}: File too large" in done.stderr
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("a.txt", "old\n")]


UNPRIVILEGED = """
import os, sys
from pathlib import Path
from redraft.files.read import read
from redraft.files.write import write
if os.geteuid() == 0:
    os.setgroups([])
    os.setuid(65534)
write(read(Path(sys.argv[1])), "new\\n")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="redraft-test-"))
    try:
        path = folder / "a.txt"
        path.write_text("old\n")
        path.chmod(0o666)
        folder.chmod(0o555)
        done = run(UNPRIVILEGED, path)
        assert f"RedraftError: cannot write {path}: Permission denied" in done.stderr
        assert [(entry.name, entry.read_text()) for entry in folder.iterdir()] == [("a.txt", "old\n")]
    finally:
        shutil.rmtree(folder)


KILLS = 500
KILLER = f"""
import os, random, signal, sys, time
from pathlib import Path
from redraft.files.read import read
from redraft.files.write import write_all
assert "torch" not in sys.modules
paths = [Path(sys.argv[1], name) for name in ("a.txt", "b.txt")]
chance, halves = random.Random(1), 0
for path in paths:
    path.write_text("0\\n" * 50_000)
for kill in range({KILLS}):
    ready, told = os.pipe()
    writer = os.fork()
    if not writer:
        number = 0
        while True:
            files = [read(path) for path in paths]
            if not number:
                os.write(told, b".")
            number += 1
            write_all([(file, f"{{kill}}.{{number}}\\n" * 50_000) for file in files])
    os.read(ready, 1)
    time.sleep(chance.random() * 0.02)
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    os.close(ready)
    os.close(told)
    texts = [path.read_text().splitlines() for path in paths]
    assert all(len(lines) == 50_000 and len(set(lines)) == 1 for lines in texts), kill
    halves += texts[0][0] != texts[1][0]
write_all([(read(path), "end\\n") for path in paths])
assert sorted(os.listdir(sys.argv[1])) == ["a.txt", "b.txt"]
print(halves)
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_files(tmp_path: Path) -> None:
    done = run(KILLER, tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < KILLS


RIVAL = """
import sys
from pathlib import Path
from redraft.files.read import read
from redraft.files.write import write
path = Path(sys.argv[1])
file = read(path)
print("ready", flush=True)
sys.stdin.readline()
write(file, sys.argv[2] * 200_000)
"""


@pytest.mark.slow
def test_of_two_processes_on_one_file_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for _ in range(5):
        path.write_text("old\n")
        command = [sys.executable, "-c", RIVAL, str(path)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        rivals = [subprocess.Popen([*command, name], **pipes) for name in "xy"]
        for rival in rivals:
            assert rival.stdout.readline() == "ready\n"
        for rival in rivals:
            rival.stdin.write("go\n")
            rival.stdin.flush()
        said = [rival.communicate()[1] for rival in rivals]
        codes = [rival.returncode for rival in rivals]
        assert sorted(codes) == [0, 1], said
        assert "has changed since it was read" in said[codes.index(1)]
        assert path.read_text() == "xy"[codes.index(0)] * 200_000
        kept = list(tmp_path.glob("a.txt.*.redraft-new"))
        assert [each.read_text() for each in kept] == ["xy"[codes.index(1)] * 200_000]
