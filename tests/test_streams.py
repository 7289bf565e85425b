"""Closed and full streams, early ends and interrupts of the process end in an exit code and at most one line."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from redraft.cli.streams import visible

COMMAND = f"{sys.executable} -m redraft apply f.py -u u.md --readers merge"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "f.py").write_text("def one():\n    return 1\n\n\ndef two():\n    return 2\n")
    (tmp_path / "u.md").write_text("```python\ndef two():\n    return 20\n```\n")
    return tmp_path


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "REDRAFT_STATE": str(folder / "state")}
    return subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("is_formatted", [False, True])
def test_who_is_ended_while_the_command_of_verify_runs_leaves_the_old_file(
    folder: Path, end: signal.Signals, is_formatted: bool
) -> None:
    before = (folder / "f.py").read_text()
    check = f"{'echo formatted >> f.py; ' * is_formatted}echo > ready; exec sleep 30"
    environment = {**os.environ, "REDRAFT_STATE": str(folder / "state")}
    process = subprocess.Popen(
        [*COMMAND.split(), "--verify", check], cwd=folder, env=environment, stderr=subprocess.DEVNULL
    )
    while not (folder / "ready").exists():
        time.sleep(0.02)
    process.send_signal(end)
    process.wait()  # not for the end of its pipes, which what it started may hold
    if end != signal.SIGKILL:
        assert process.returncode == 128 + end
    else:
        said = "redraft undo takes it back" if is_formatted else "was stopped before its end and is taken back"
        assert said in shell(folder, f"{sys.executable} -m redraft log").stderr
        assert shell(folder, f"{sys.executable} -m redraft undo").returncode == (0 if is_formatted else 1)
    assert (folder / "f.py").read_text() == before


def test_names_and_answers_give_a_terminal_no_orders(folder: Path) -> None:
    name = "a\x1b]52;c;aGk=\x07\u202ecod.py"
    (folder / "f.py").rename(folder / name)
    command = COMMAND.split()
    command[command.index("f.py")] = name
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0
    assert done.stderr.startswith("a\\x1b]52;c;aGk=\\x07\\u202ecod.py: written")
    assert visible("\x1b[32m+é漢\x1b[m\r\n\tx\n") == "\x1b[32m+é漢\x1b[m\r\n\tx\n"
    assert visible("\x9b2J\rx\x1b[2J") == "\\x9b2J\\rx\\x1b[2J"


def test_a_reader_that_stops_early_is_no_error(folder: Path) -> None:
    done = shell(folder, f"{COMMAND} --diff | true; exit ${{PIPESTATUS[0]}}")
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="not on Linux")
def test_a_record_that_cannot_be_printed_says_that_the_file_is_written(folder: Path) -> None:
    done = shell(folder, f"{COMMAND} --json > /dev/full")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == ("redraft: cannot write to standard output: No space left on device; the files are written\n")
    assert "return 20" in (folder / "f.py").read_text()


def test_a_bug_is_one_line_unless_the_traceback_is_wanted(folder: Path) -> None:
    broken = "import redraft.reading; redraft.reading.read = None; from redraft.__main__ import main; main()"
    line = f"{sys.executable} -c '{broken}' apply f.py -u u.md --readers merge"
    done = shell(folder, line)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("redraft: unexpected TypeError: ")
    assert "Traceback" in shell(folder, f"{line} --debug").stderr
    assert "return 2\n" in (folder / "f.py").read_text()
