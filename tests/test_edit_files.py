"""Files come back byte for byte, are replaced at once, and bad ones are refused by name."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.files import read, write
from redraft.errors import RedraftError

LATIN = "# -*- coding: latin-1 -*-\nname = 'café'\n".encode("latin-1")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a\nb\n", "a\nb\n"),
        (b"a\nb", "a\nb"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\r\nb", "a\nb"),
        (b"a\r\nb\nc\r\n", "a\r\nb\nc\r\n"),
        (b"a\rb\r\n", "a\rb\r\n"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        ("día\n".encode(), "día\n"),
        (LATIN, LATIN.decode("latin-1")),
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
    assert path.read_bytes() == data + (b"x = 1\r\n" if file.newline == "\r\n" else b"x = 1\n")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.py"]


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
        write(read(path), "漢\n")
    assert path.read_bytes() == LATIN


def test_what_cannot_be_written_is_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a.txt"
    path.parent.mkdir()
    path.write_text("old\n")
    file = read(path)
    path.unlink()
    path.parent.rmdir()
    with pytest.raises(RedraftError, match="cannot write"):
        write(file, "new\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old\n")
    path.chmod(0o444)
    with pytest.raises(RedraftError, match="read-only"):
        write(read(path), "new\n")


WRITER = """
import sys
from pathlib import Path
from redraft.edit.files import read, write
file, number = read(Path(sys.argv[1])), 0
print("ready", flush=True)
while True:
    number += 1
    write(file, f"{number}\\n" * 100_000)
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for attempt in range(20):
        path.write_text("0\n" * 100_000)
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(0.003 * attempt)
            writer.send_signal(signal.SIGKILL)
        lines = path.read_text().splitlines()
        assert len(lines) == 100_000
        assert len(set(lines)) == 1
