"""What somebody new meets, command by command: docs/transcripts.md, which `make transcripts` writes from here."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from redraft.cli import run
from test_declared import EXTRAS, LIGHT, WITHOUT
from test_refusals import on_a_terminal

PAGE = Path(__file__).parent.parent / "docs" / "transcripts.md"
SHOP = """import os


def total(items):
    # sum
    count = 0
    return sum(items)


def mean(items):
    return total(items) / len(items)
"""
MEAN = "def mean(items):\n    return total(items) / len(items)\n"
RIGHT = SHOP.replace("return sum(items)", "return sum(item.price for item in items)")
FILES = {
    "shop.py": SHOP,
    "alone.md": "```python\nreturn total(items) / 3\n```\n",
    "whole.md": "```python\ndef total(items):\n    return sum(item.price for item in items)\n```\n",
    "fine.md": "```python\n    count = 0\n    return sum(item.price for item in items)\n```\n",
    "aider.md": "notes.py\n```python\n<<<<<<< SEARCH\n=======\nnote = 1\n>>>>>>> REPLACE\n```\n",
    "bare.md": "```python\nnote = 2\n```\n",
    "away.md": f"shop.py\n<<<<<<< SEARCH\n{MEAN}=======\n>>>>>>> REPLACE\n",
    "named.md": "In `shop.py`:\n\n```python\n    count = 0\n    return sum(item.price for item in items)\n```\n",
    "runs-away": RIGHT + "\n\nclass Line:\n    name: str\n    price: int\n" * 60,
    "right": RIGHT,
    "right.py": RIGHT,
    "new": "    return max(items)\n",
    "twice.py": "def one(items):\n    # one\n    return items\n\n\ndef two(items):\n    # two\n    return items\n",
    "twice.md": "twice.py\n<<<<<<< SEARCH\n    return items\n=======\n    return items[0]\n>>>>>>> REPLACE\n",
}
PREFACE = """<!-- written by `make transcripts`; edit tests/test_transcripts.py instead -->
# Transcripts

What somebody new meets, each command with what it prints; `(3)` is an exit code other than 0. Every part begins with
the same `shop.py`. Times, speeds and the figures of confidence are left out here: they differ from one machine and
version to the next.
"""


@dataclass(frozen=True)
class Part:
    """A heading, a sentence, and commands; what is `typed` goes to a command that runs on a terminal."""

    title: str
    said: str
    lines: tuple[str, ...]
    typed: str | None = None


PARTS = (
    Part(
        "An answer becomes the file",
        "Look first, write it, take it back.",
        (
            "cat fine.md",
            "redraft apply shop.py -u fine.md --readers merge --diff",
            "redraft apply shop.py -u fine.md --readers merge",
            "redraft undo",
        ),
    ),
    Part(
        "An answer is refused",
        "In a script: the reason, exit code 3, and what to send back to the chat model.",
        (
            "cat alone.md",
            "redraft apply shop.py -u alone.md --readers merge",
            "redraft apply shop.py -u alone.md --readers merge --ask-again",
            "redraft apply shop.py -u alone.md --readers merge --best",
            "redraft undo",
        ),
    ),
    Part(
        "The same on a terminal",
        "The likeliest text is shown, and somebody types `y`.",
        ("redraft apply shop.py -u alone.md --readers merge",),
        "y\n",
    ),
    Part(
        "Lines that stand twice",
        "Nothing says which place is meant: the message for the chat model shows each by lines that stand there alone.",
        (
            "redraft apply twice.py -u twice.md --readers merge",
            "redraft apply twice.py -u twice.md --readers merge --ask-again",
        ),
    ),
    Part(
        "Lines that vanish",
        "What goes though the answer does not show it is listed in any case.",
        ("cat whole.md", "redraft apply shop.py -u whole.md --readers merge"),
    ),
    Part(
        "History",
        "Changes are listed, undone by their numbers, which last, and made again.",
        (
            "redraft apply shop.py -u fine.md --readers merge",
            "redraft apply notes.py -u aider.md --readers merge",
            "redraft log",
            "redraft undo 1",
            "redraft undo 2",
            "redraft log",
            "redraft redo 1",
            "redraft undo 7",
        ),
    ),
    Part(
        "New files, and the same answer twice",
        "A file that is not there is made where the answer says so, or `--new` does. A second time nothing changes.",
        (
            "redraft apply notes.py -u aider.md --readers merge",
            "redraft apply notes.py -u aider.md --readers merge",
            "redraft apply more.py -u bare.md --readers merge",
            "redraft apply more.py -u bare.md --readers merge --new",
            "redraft apply shop.py -u away.md --readers merge",
            "redraft apply shop.py -u away.md --readers merge",
        ),
    ),
    Part(
        "An engine for all calls",
        "Set once; an option of the call still wins.",
        (
            "redraft config set engine gpt",
            "redraft config set engine scripted:new",
            "redraft config",
            "redraft edit shop.py --lines 7 --instruction 'the largest' --diff",
            "redraft config unset engine",
        ),
    ),
    Part(
        "Words alone, and lines the wrong way round",
        "What cannot be done says what can.",
        (
            "redraft apply shop.py --instruction 'the largest'",
            "redraft edit shop.py --lines 7-6 --instruction 'the largest' --engine scripted:new",
            "redraft edit shop.py --lines 7 --instruction 'the largest' --engine scripted:new",
        ),
    ),
    Part(
        "A model that runs away is stopped",
        "Two scripted models stand for real ones: the first says the same again and again.",
        (
            "redraft compare shop.py -u fine.md --expected right.py --engine scripted:runs-away",
            "redraft compare shop.py -u fine.md --expected right.py --engine scripted:right",
        ),
    ),
    Part(
        "Quiet",
        "`-q` says nothing of what went well.",
        ("redraft apply shop.py -u fine.md --readers merge -q", "redraft apply shop.py -u alone.md --readers merge -q"),
    ),
)
LIGHT_CALL = "redraft eval run --set natural --systems merge --out records.jsonl"
VARIES = (
    (r" \(confidence [\d.]+\)", ""),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "2026-01-31 12:00:00"),
    (r"[\d.]+ s: [\d,]+ characters/s", "... s: ... characters/s"),
    (r"speed-up( +)[\d.]+x", r"speed-up\1...x"),
)


def shown(command: str, code: int, printed: str, place: Path) -> str:
    text = printed.replace(f"{place}{os.sep}", "").replace(str(place), ".")
    for varies, instead in VARIES:
        text = re.sub(varies, instead, text)
    return "\n".join([f"$ {command}", *text.strip("\n").split("\n"), *([f"({code})"] if code else []), ""])


def called(command: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and what was printed, results first."""
    if not command.startswith("redraft "):
        done = subprocess.run(command, shell=True, capture_output=True, text=True)
        return done.returncode, done.stdout
    capfd.readouterr()
    code = run(shlex.split(command)[1:])
    return code, "".join(capfd.readouterr())


def begin(place: Path) -> None:
    for path in place.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, text in FILES.items():
        (place / name).write_text(text)


def part(part: Part, place: Path, capfd: pytest.CaptureFixture[str]) -> str:
    begin(place)
    told = []
    for command in part.lines:
        if part.typed is None:
            code, printed = called(command, capfd)
        else:
            code, printed = on_a_terminal(*shlex.split(command)[1:], typed=part.typed)
            printed = printed.removeprefix(part.typed).replace("[y,n,m,?] ", f"[y,n,m,?] {part.typed}")
        assert "Traceback" not in printed
        told.append(shown(command, code, printed, place))
    return "\n".join([f"## {part.title}\n", f"{part.said}\n", "````console", "\n".join(told).strip("\n"), "````", ""])


def watched(place: Path) -> str:
    """Somebody drops an answer into a folder that is watched."""
    begin(place)
    (place / "answers").mkdir()
    command = "redraft watch --root . --folder answers --readers merge --yes --count 1"
    call = [sys.executable, "-m", *shlex.split(command)]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        shutil.copy("named.md", "answers")
        rest = process.stderr.read()
    told = shown(command, process.returncode, first + rest, place)
    said = "An answer that names its file is copied into the folder `answers`; with the clipboard it is the same."
    return "\n".join(["## As answers come\n", f"{said}\n", "````console", told.strip("\n"), "````", ""])


def light(place: Path) -> str:
    extras = sorted(set().union(*EXTRAS.values()) - LIGHT - {"pytest", "pydantic"})
    call = [sys.executable, "-c", WITHOUT.format(extras=extras), *shlex.split(LIGHT_CALL)[1:]]
    done = subprocess.run(call, capture_output=True, text=True)
    told = shown(LIGHT_CALL, done.returncode, done.stderr, place)
    said = "After `pip install redraft` alone."
    return "\n".join(["## An extra that is missing\n", f"{said}\n", "````console", told.strip("\n"), "````", ""])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="as the page was written")
def test_each_command_prints_what_the_page_says(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "work"
    place.mkdir()
    monkeypatch.chdir(place)
    settings = {"REDRAFT_STATE": tmp_path / "state", "REDRAFT_CONFIG": tmp_path / "config.toml", "NO_COLOR": "1"}
    for name, value in {**settings, "COLUMNS": "100", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, str(value))
    told = []
    for each in PARTS:
        shutil.rmtree(tmp_path / "state", ignore_errors=True)
        told.append(part(each, place, capfd))
    page = "\n".join([PREFACE, *told, watched(place), light(place)]).replace(f"{tmp_path}{os.sep}", "")
    if os.environ.get("REDRAFT_WRITE_PAGES"):
        PAGE.write_text(page)
    assert PAGE.read_text() == page
