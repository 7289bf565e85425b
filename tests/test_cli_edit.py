"""`redraft edit`: new lines in the file, exit codes, what is printed, undo; endpoints; the base model."""

import codecs
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from chat_server import Reply, answer, serving
from command_line import done, refusal
from fetched import needs_small
from redraft.cli import run

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
NEW = FILE.replace("2", "3")
ASKED = ("f.py", "--lines", "5-6", "--instruction", "return three", "--engine", "scripted:new")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    for name, text in {"f.py": FILE, "new": "def b():\n    return 3\n", "bad": "def b(:\n    return 3\n"}.items():
        Path(name).write_text(text)
    return tmp_path


def test_the_lines_are_rewritten_and_undone(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, err = done(capfd, "edit", *ASKED)
    assert (out, Path("f.py").read_text()) == ("", NEW)
    assert err == "f.py: written, 1 line added, 1 line removed (confidence unknown)\n"
    done(capfd, "undo", "f.py")
    assert Path("f.py").read_text() == FILE


def test_it_can_only_be_looked_at(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert done(capfd, "edit", *ASKED, "--stdout")[0] == NEW
    assert "\n-    return 2\n+    return 3\n" in done(capfd, "edit", *ASKED, "--diff")[0]
    assert "would apply" in done(capfd, "edit", *ASKED, "--dry-run")[1]
    assert Path("f.py").read_text() == FILE
    record = json.loads(done(capfd, "edit", *ASKED, "--json")[0])
    assert (record["status"], record["written"], record["decided_by"]) == ("applied", True, "model")


def test_a_refusal_leaves_the_file_unless_forced(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("edit", *ASKED[:-1], "scripted:bad")
    assert run([*asked]) == 3
    assert capfd.readouterr().err.startswith("f.py: not written (syntax_broken): ")
    assert Path("f.py").read_text() == FILE
    assert run([*asked, "--force"]) == 0
    assert Path("f.py").read_text() == FILE.replace("b()", "b(").replace("2", "3")


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE], ids=["no mark", "UTF-8", "UTF-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("is_ended", [True, False])
def test_what_the_file_is_made_of_stays(
    folder: Path, capfd: pytest.CaptureFixture[str], mark: bytes, ending: str, is_ended: bool
) -> None:
    def made(text: str) -> bytes:
        text = (text if is_ended else text.removesuffix("\n")).replace("\n", ending)
        return mark + text.encode("utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-8")

    Path("f.py").write_bytes(made(FILE))
    Path("f.py").chmod(0o640)
    done(capfd, "edit", *ASKED)
    assert Path("f.py").read_bytes() == made(NEW)
    assert Path("f.py").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--lines", "7"), "the file has no lines 7-7: its last line is 6"),
        (("--lines", "0-2"), "there is no line 0: lines are counted from 1"),
        (("--lines", "3-2"), "the lines 3-2 end before they begin: did you mean 2-3?"),
        (("--lines", "two"), "--lines takes numbers of lines such as 12-20, not 'two'"),
        (("--diff", "--stdout"), "--diff and --stdout exclude each other"),
        (("--dry-run", "--verify", "true"), "--verify and --commit need a file that is written"),
        (("--instruction", ""), "nothing to do: the instruction is empty"),
    ],
)
def test_wrong_calls_are_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in refusal(capfd, "edit", *ASKED, *arguments)
    assert Path("f.py").read_text() == FILE


def test_an_endpoint_is_asked_with_the_lines_as_prediction(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def reply(messages: Sequence[dict[str, str]]) -> Reply:
        return answer("Here it is:\n\n```python\ndef b():\n    return 3\n```\n")

    with serving(reply) as server:
        done(capfd, "edit", *ASKED[:-1], f"openai:{server.url}#any")
        body, _ = server.requests[0]
    assert Path("f.py").read_text() == NEW
    assert body["prediction"] == {"type": "content", "content": "```py\ndef b():\n    return 2\n```"}
    assert "<selected-1>\ndef b():" in body["messages"][0]["content"]


@needs_small
def test_the_embedded_model_rewrites_a_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("f.py").write_text("class Basket:\n    def total(self):\n        return sum(self.items)\n")
    asked = ("edit", "f.py", "-l", "2-3", "-m", "Multiply the result by 2", "--json", "--dtype", "float32", "--dry-run")
    drafted = json.loads(done(capfd, *asked)[0])
    assert drafted["output"] == "class Basket:\n    def total(self):\n        return sum(self.items) * 2\n"
    vanilla = json.loads(done(capfd, *asked, "--no-speculation")[0])
    assert vanilla["output"] == drafted["output"]
    assert 2 * drafted["forwards"] <= vanilla["forwards"]
