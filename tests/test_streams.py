"""Closed and full streams, early ends and interrupts of the process end in an exit code and at most one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = f"{sys.executable} -m redraft apply f.py -u u.md --readers merge"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "f.py").write_text("def one():\n    return 1\n\n\ndef two():\n    return 2\n")
    (tmp_path / "u.md").write_text("```python\ndef two():\n    return 20\n```\n")
    return tmp_path


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "REDRAFT_STATE": str(folder / "state")}
    return subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, env=environment)


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
