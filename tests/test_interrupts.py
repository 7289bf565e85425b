"""Ctrl-C at any moment: the exit code is 130 or the edit is done, no traceback, and never half a file."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import redraft
from redraft.cli import was_interrupted

FILE = "".join(f"def f{number}(value):\n    return value + {number}\n\n\n" for number in range(200))
NEW = FILE.replace("return value + 150\n", "return value * 150\n")
UPDATE = "```python\ndef f150(value):\n    return value * 150\n```\n"
COMMAND = "from redraft.__main__ import main; main()"
PACKAGE = str(Path(redraft.__file__).parent)


def listening() -> None:
    """A shell may start tests with interrupts ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(folder: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", COMMAND, "apply", "f.py", "-u", "u.md", "--readers", "merge", *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "stdin": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=folder, preexec_fn=listening, **pipes)


@pytest.mark.slow
@pytest.mark.parametrize(("moments", "options"), [(100, ()), (30, ("--verify", "sleep 0.05"))])
def test_an_interrupt_at_any_moment(tmp_path: Path, moments: int, options: tuple[str, ...]) -> None:
    file = tmp_path / "f.py"
    (tmp_path / "u.md").write_text(UPDATE)
    file.write_text(FILE)
    started = time.monotonic()
    with run(tmp_path, *options) as running:
        assert running.communicate()[1].startswith("f.py: written")
    whole = time.monotonic() - started
    chance, ends = random.Random(3), Counter[str]()
    for _ in range(moments):
        file.write_text(FILE)
        with run(tmp_path, *options) as running:
            time.sleep(chance.random() * whole)
            running.send_signal(signal.SIGINT)
            _, said = running.communicate()
        ends[end(running.returncode, said)] += 1
        assert file.read_text() in (FILE, NEW)
        assert running.returncode != 0 or file.read_text() == NEW
        assert sorted(path.name for path in tmp_path.iterdir()) == ["f.py", "u.md"]
    print(dict(ends))
    assert ends.total() == moments
    assert ends["stopped"] > 0


def end(code: int, said: str) -> str:
    """How a run ended. Before the first line of redraft is read, an interrupt ends Python in its own ways."""
    is_own_start = "Traceback" in said and PACKAGE not in said
    if code == -signal.SIGINT or is_own_start:
        return "before it began"
    assert "Traceback" not in said, said
    assert "Exception ignored" not in said, said
    assert code in (0, 130), (code, said)
    return "done" if code == 0 else "stopped"


class Stopped:
    """What is interrupted when the class that holds it is made."""

    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_in_the_making_of_a_class_is_one() -> None:
    with pytest.raises((RuntimeError, KeyboardInterrupt)) as stopped:
        type("Made", (), {"one": Stopped()})
    assert isinstance(stopped.value, KeyboardInterrupt) or was_interrupted(stopped.value)
    assert not was_interrupted(RuntimeError("of its own"))
