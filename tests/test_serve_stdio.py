"""`redraft serve --stdio` as a real process, asked as editors ask it: edits, several files, next edits, mistakes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from redraft.changes.change import lines_of
from redraft.serve.rpc import BAD_PARAMS, CANCELLED, NO_METHOD, PARSE, REFUSED

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
ANSWER = "```python\ndef b():\n    return 3\n```\n"
NEW = FILE.replace("2", "3")


class Client:
    """One process; `news` is what it told besides answers."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._in, self._out, self._last = process.stdin, process.stdout, 0
        self.news: list[Any] = []

    def send(self, data: bytes) -> None:
        assert self._in is not None
        self._in.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._in.flush()

    def notify(self, method: str, **params: Any) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def start(self, method: str, **params: Any) -> int:
        self._last += 1
        request = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self.send(json.dumps(request).encode())
        return self._last

    def read(self) -> dict[str, Any]:
        assert self._out is not None
        length = int(self._out.readline().partition(b":")[2])
        assert self._out.readline() == b"\r\n"
        return dict(json.loads(self._out.read(length)))

    def answer(self) -> dict[str, Any]:
        while "id" not in (message := self.read()):
            self.news.append(message["params"])
        return message

    def ask(self, method: str, **params: Any) -> Any:
        number, answer = self.start(method, **params), self.answer()
        assert answer["id"] == number
        return answer["result"]

    def refused(self, method: str, **params: Any) -> tuple[int, str]:
        self.start(method, **params)
        error = self.answer()["error"]
        return error["code"], error["message"]


@contextmanager
def asking(*options: str) -> Iterator[Client]:
    command = [sys.executable, "-m", "redraft", "serve", "--stdio", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Client(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with asking("--readers", "merge") as client:
        yield client


def changed(before: str, change: dict[str, Any]) -> str:
    """What the hunks of a change make of a text: what an editor does with them."""
    old, new, at, made = lines_of(before), lines_of(change["after"]), 0, list[str]()
    for hunk in change["hunks"]:
        made += [*old[at : hunk["start"]], *new[hunk["after_start"] : hunk["after_end"]]]
        at = hunk["end"]
    return "".join([*made, *old[at:]])


@pytest.mark.parametrize("before", [FILE, FILE.rstrip("\n"), FILE.replace("\n", "\r\n"), f"\n{FILE}\n\n"])
def test_the_hunks_of_a_change_make_the_new_text(client: Client, before: str) -> None:
    (change,) = client.ask("apply", path="a.py", text=before, answer=ANSWER)["changes"]
    assert change["status"] == "applied"
    assert changed(before, change) == change["after"] == before.replace("2", "3")


def test_what_is_refused_has_no_new_text(client: Client) -> None:
    (change,) = client.ask("apply", path="a.py", text=FILE, answer="```python\ndef c(:\n```")["changes"]
    assert (change["status"] in ("applied", "no_change"), change["after"], change["hunks"]) == (False, None, [])
    assert change["message"]


def test_an_answer_about_several_files_sees_what_is_open(client: Client, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(FILE)
    (tmp_path / "two.py").write_text("left = 0\n")
    answer = f"In `one.py`:\n\n{ANSWER}\nIn `two.py`:\n\n```python\nright = 2\n```\n"
    answer += "\nNew file `new.py`:\n\n```\nx\n```\n"
    opened = {str(tmp_path / "two.py"): "right = 1\n"}
    own = {"path": str(tmp_path / "one.py"), "text": f"# mine\n{FILE}"}
    found = client.ask("apply", **own, root=str(tmp_path), opened=opened, answer=answer)["changes"]
    made = {change["path"]: (change["operation"], change["after"]) for change in found}
    assert made == {
        "one.py": ("edit", f"# mine\n{NEW}"),
        "two.py": ("edit", "right = 2\n"),
        "new.py": ("create", "x\n"),
    }
    assert (tmp_path / "one.py").read_text() == FILE
    assert not (tmp_path / "new.py").exists()


def test_an_answer_that_names_the_open_file_alone_is_about_it(client: Client, tmp_path: Path) -> None:
    own = {"path": str(tmp_path / "one.py"), "text": FILE, "root": str(tmp_path)}
    (change,) = client.ask("apply", **own, answer=f"In `one.py`:\n\n{ANSWER}")["changes"]
    assert (change["operation"], change["after"]) == ("edit", NEW)


def test_mistakes_are_answered_and_the_next_request_too(client: Client) -> None:
    assert client.refused("nothing")[0] == NO_METHOD
    assert client.refused("apply", anser="")[0] == BAD_PARAMS
    assert client.refused("apply", answer=ANSWER)[0] == REFUSED
    assert client.refused("apply", answer="", path="a.py", text=FILE)[0] == REFUSED
    assert client.refused("edit", text=FILE, first=1, last=1, instruction="x") == (
        REFUSED,
        "there is no model: the deterministic reader works alone",
    )
    assert client.refused("next", text=FILE, line=1)[0] == REFUSED
    client.send(b"{")
    assert client.answer()["error"]["code"] == PARSE
    client.notify("nobody/listens")
    assert client.ask("initialize")["readers"] == "merge"


def test_selected_lines_come_as_the_model_writes_them(tmp_path: Path) -> None:
    (tmp_path / "said").write_text("    return 3\n")
    with asking("--engine", f"scripted:{tmp_path / 'said'}") as client:
        request = {"path": "a.py", "text": FILE, "instruction": "return 3", "token": 7}
        change = client.ask("edit", first=6, last=6, **request)
        assert change["after"] == NEW
        assert {each["token"] for each in client.news} == {7}
        assert "".join(each["value"].get("text", "") for each in client.news) == "    return 3\n"
        assert client.refused("edit", first=9, last=9, **request)[0] == REFUSED


def test_the_next_edit_has_a_place_and_a_text(tmp_path: Path) -> None:
    (tmp_path / "said").write_text(NEW)
    with asking("--engine", f"scripted:{tmp_path / 'said'}") as client:
        diff = "@@ -2 +2 @@\n-    return 0\n+    return 1\n"
        listed = [{"path": "a.py", "before": "    return 0\n", "after": "    return 1\n"}]
        request = {"path": "a.py", "text": FILE, "line": 2, "column": 5}
        told = client.ask("next", **request, history=diff)
        assert (told["status"], told["cursor"]) == ("edit", {"line": 6, "column": 12})
        assert told["edit"] == {"first": 6, "last": 6, "text": "    return 3\n"}
        assert "+    return 3\n" in told["diff"]
        assert client.ask("next", **request, history=listed)["edit"] == told["edit"]
        unchanged = client.ask("next", **request | {"text": NEW})
        assert (unchanged["status"], unchanged["diff"], "edit" in unchanged) == ("no_change", "", False)
        assert client.refused("next", **request | {"line": 99})[0] == REFUSED
        assert client.refused("next", **request, history="no diff")[0] == REFUSED


def test_what_waits_can_be_cancelled(tmp_path: Path) -> None:
    (tmp_path / "said").write_text("    return 3\n" * 20_000)
    with asking("--engine", f"scripted:{tmp_path / 'said'}") as client:
        request = {"path": "a.py", "text": FILE, "first": 6, "last": 6, "instruction": "more"}
        numbers = [client.start("edit", **request) for _ in range(2)]
        for number in reversed(numbers):
            client.notify("$/cancelRequest", id=number)
        codes = {answer["id"]: answer.get("error", {}).get("code") for answer in (client.answer(), client.answer())}
        assert codes[numbers[1]] == CANCELLED


def test_what_is_no_protocol_is_said_and_what_is_about_a_network_too() -> None:
    command = [sys.executable, "-m", "redraft", "serve", "--stdio"]
    done = subprocess.run(command, input=b"hello\n\n", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Content-Length" in done.stderr
    done = subprocess.run([*command, "--port", "1"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stderr[:27]) == (1, b"redraft: with --stdio nothi")
