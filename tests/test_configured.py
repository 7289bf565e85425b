"""A default engine is set once; local models are found on request; extras are named; answers are taken as they come."""

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import done, refusal
from redraft.cli import run
from redraft.cli.waiting import progress
from redraft.config import read, write
from redraft.engines.local import find
from test_declared import EXTRAS, LIGHT, WITHOUT

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
NEW = FILE.replace("2", "3")
ANSWER = "In `f.py`:\n\n```python\ndef b():\n    return 3\n```\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REDRAFT_CONFIG", str(tmp_path / "settings" / "config.toml"))
    monkeypatch.chdir(tmp_path)
    Path("f.py").write_text(FILE)
    Path("new").write_text("    return 3\n")
    Path("other").write_text("    return 4\n")
    return tmp_path


def test_a_call_wins_over_the_environment_and_that_over_the_file(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("edit", "f.py", "--lines", "6", "-m", "more", "--stdout")
    assert "engine is scripted:new from now on" in done(capfd, "config", "set", "engine", "scripted:new")[1]
    assert done(capfd, "config")[0] == "engine = scripted:new\n"
    assert done(capfd, *asked)[0] == NEW
    monkeypatch.setenv("REDRAFT_ENGINE", "scripted:other")
    assert done(capfd, "config", "get", "engine")[0] == "scripted:other\n"
    assert done(capfd, *asked)[0] == FILE.replace("2", "4")
    assert done(capfd, *asked, "--engine", "scripted:new")[0] == NEW
    monkeypatch.delenv("REDRAFT_ENGINE")
    done(capfd, "config", "unset", "engine")
    assert done(capfd, "config", "get", "engine")[0] == ""


def test_an_engine_that_is_not_installed_is_said_to_be_when_it_is_set(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "nothing is set" in done(capfd, "config")[1]
    spec = "openai:http://localhost:1/v1#m"
    assert "warning" not in done(capfd, "config", "set", "engine", spec)[1]
    monkeypatch.setitem(sys.modules, "httpx2", None)
    told = done(capfd, "config", "set", "engine", spec)[1]
    assert "warning: it cannot be used yet: asking an endpoint needs httpx2: pip install 'redraft[endpoint]'" in told
    assert "nothing is set" not in done(capfd, "config")[1]


def test_watch_without_a_terminal_says_what_to_add(folder: Path) -> None:
    call = [sys.executable, "-m", "redraft", "watch", "--folder", "."]
    told = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True)
    said = "redraft: watch asks before it writes; without a terminal add --yes\n"
    assert (told.returncode, told.stderr) == (1, said)


def test_what_cannot_be_set_is_called_that(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "there is no setting 'colour'; there are engine" in refusal(capfd, "config", "set", "colour", "blue")
    assert "unknown engine 'gpt'" in refusal(capfd, "config", "set", "engine", "gpt")
    Path("settings").mkdir()
    Path("settings/config.toml").write_text("engine = 5\n")
    assert "engine has to be a text in quotes" in refusal(capfd, "config")
    Path("settings/config.toml").write_text("engine\n")
    assert "cannot read the configuration" in refusal(capfd, "edit", "f.py", "-l", "1", "-m", "x")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REDRAFT_CONFIG", str(tmp_path_factory.mktemp("settings") / "config.toml"))
        write({"engine": value})
        assert read() == {"engine": value}


class Models(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        data = json.dumps({"data": [{"id": "qwen2.5-coder"}, {"id": "llama3"}]}).encode()
        self.send_response(200 if self.path == "/v1/models" else 404)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Models) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_models_of_this_machine_are_found_by_their_ports(port: int) -> None:
    url = f"openai:http://127.0.0.1:{port}/v1"
    assert find({"ours": port, "nobody": 9}) == [("ours", f"{url}#qwen2.5-coder"), ("ours", f"{url}#llama3")]


@pytest.mark.parametrize(
    "command",
    [
        ("eval", "run", "--set", "natural", "--systems", "merge", "--out", "r"),
        ("compare", "f.py", "-u", "f.py"),
        ("serve",),
        ("mcp",),
    ],
)
def test_a_light_install_names_the_extra_that_a_command_needs(command: tuple[str, ...], folder: Path) -> None:
    extras = sorted(set().union(*EXTRAS.values()) - LIGHT - {"pytest", "pydantic"})
    call = [sys.executable, "-c", WITHOUT.format(extras=extras), *command]
    said = subprocess.run(call, capture_output=True, text=True)
    assert (said.returncode, said.stderr.count("\n")) == (1, 1), said.stderr
    assert "pip install 'redraft[" in said.stderr
    assert "report it" not in said.stderr


def test_every_extra_stands_in_one_table() -> None:
    page = (Path(__file__).parent.parent / "docs" / "use.md").read_text()
    table = page.split("| extra |")[1].split("\n\n")[0]
    assert [line.split("`")[1] for line in table.splitlines()[2:]] == [
        extra for extra in EXTRAS if extra not in ("dev", "fuzz")
    ]


def test_quiet_says_nothing_of_what_went_well(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("u.md").write_text(ANSWER)
    assert done(capfd, "apply", "f.py", "-u", "u.md", "--readers", "merge", "-q") == ("", "")
    assert done(capfd, "-q", "undo") == ("", "")
    Path("u.md").write_text("I cannot do that.\n")
    assert run(["apply", "f.py", "-u", "u.md", "--readers", "merge", "-q"]) == 3
    assert "f.py: not written" in capfd.readouterr().err


def test_an_instruction_alone_says_what_to_do(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = refusal(capfd, "apply", "f.py", "--instruction", "return 3")
    assert "redraft edit f.py --lines A-B --instruction TEXT" in said
    assert "--engine openai:URL#MODEL" in said


@pytest.mark.parametrize(
    ("written", "expected", "seconds", "said"),
    [
        (10, 1000, 5.0, "the model has written 1%"),
        (250, 1000, 10.0, "the model has written 25%, about 30 s left"),
        (5000, 1000, 10.0, "the model has written 99%, about 0 s left"),
        (1234, 0, 10.0, "the model has written 1,234 characters"),
    ],
)
def test_how_far_a_text_is(written: int, expected: int, seconds: float, said: str) -> None:
    assert progress(written, expected, seconds) == said


def test_answers_are_taken_from_a_folder_as_they_come(folder: Path) -> None:
    Path("answers").mkdir()
    Path("answers/old.md").write_text(ANSWER.replace("3", "9"))
    call = [sys.executable, "-m", "redraft", "watch", "--folder", "answers", "--readers", "merge", "--yes"]
    with subprocess.Popen([*call, "--count", "1"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "waiting for answers in answers; Ctrl-C ends it\n"
        Path("answers/what.md").write_text("What do you mean?\n")
        assert process.stderr.readline().startswith("left alone: ")
        Path("answers/new.md").write_text(ANSWER)
        assert process.stderr.readline().startswith("f.py: written, 1 line added, 1 line removed")
        assert process.stderr.readline() == "stopped after 1 answer, as --count says\n"
        assert process.wait() == 0
    assert Path("f.py").read_text() == NEW
