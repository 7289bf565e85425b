"""`redraft mcp` as a real process, asked by the official client: edits, refusals, undo; no way out of the root."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, Tool

from redraft.apply import load
from redraft.cli import run
from redraft.errors import RedraftError
from redraft.files.place import confined
from redraft.mcp.descriptions import EDIT_FILE, EDIT_FILES, INSTRUCTIONS, REPAIR_EDIT
from redraft.mcp.workspace import Edit, Workspace

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
UPDATE = "def b():\n    return 3\n"
NEW = FILE.replace("2", "3")
SECRET = "def b():\n    return 'secret'\n"
KEY = "a-key"
SERVE = ("-m", "redraft", "mcp", "--readers", "merge", "--root")
Call = tuple[str, dict[str, Any]]

# Each of them is refused, whatever lies at its end.
ESCAPES = {
    "parent": "../outside.py",
    "parent from within": "sub/../../outside.py",
    "parent and back": "sub/../shop.py",
    "parent of the root": "{root}/../outside.py",
    "absolute": "{outside}",
    "absolute, of the system": "/etc/passwd",
    "a folder whose name begins alike": "{root}-more/outside.py",
    "link": "link.py",
    "link to a link": "chain.py",
    "link to a folder": "up/outside.py",
    "link to an absolute path": "system.py",
    "link to itself": "loop.py",
    "link into a folder of tools": "config.py",
    "hard link": "hard.py",
    "folder of tools": ".git/config",
    "other case": ".GIT/config",
    "dot at the end": ".git./config",
    "blank at the end": ".git /config",
    "unseen sign": ".g\u200cit/config",
    "wide letters": ".\uff47\uff49\uff54/config",
    "short name": "GIT~1/config",
    "stream": ".git::$INDEX_ALLOCATION/config",
    "packages": "node_modules/x.py",
    "ignored by git": "ignored.py",
    "zero": "shop.py\0.txt",
    "end of line": "shop.py\n",
    "escape sign": "\x1b[2Jshop.py",
    "turned around": "\u202eyp.pohs",
    "backslash": "..\\outside.py",
    "drive": "C:\\Windows\\win.ini",
    "drive, relative": "C:shop.py",
    "share": "\\\\server\\share\\x.py",
    "two slashes": "//{outside}",
    "home": "~/outside.py",
    "URL": "file://{outside}",
    "percent": "%2e%2e/outside.py",
    "percent slash": "..%2foutside.py",
    "wide dots": "\uff0e\uff0e/outside.py",
    "process": "/proc/self/cwd/shop.py",
    "root of a process": "/proc/self/root/{outside}",
    "device": "/dev/null",
    "open file": "/dev/fd/0",
    "pipe": "pipe",
    "folder": "sub",
    "the root": ".",
    "nothing": "",
    "blank": " ",
    "too long": "a" * 300 + ".py",
    "too deep": "a/" * 3000 + "x.py",
    "not there": "new.py",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with ways out of it, beside what must not be touched."""
    root, outside = tmp_path / "root", tmp_path / "outside.py"
    for folder in (root / "sub", root / "node_modules", tmp_path / "root-more"):
        folder.mkdir(parents=True)
    for file in (outside, tmp_path / "root-more" / "outside.py", root / "node_modules" / "x.py", root / "ignored.py"):
        file.write_text(SECRET)
    for file in (root / "shop.py", root / "other.py", root / "sub" / "shop.py"):
        file.write_text(FILE)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("ignored.py\n")
    links = {"link.py": "../outside.py", "chain.py": "link.py", "up": "..", "system.py": "/etc/passwd"}
    for name, target in {**links, "loop.py": "loop.py", "config.py": ".git/config", "inner.py": "other.py"}.items():
        (root / name).symlink_to(target)
    (root / "hard.py").hardlink_to(outside)
    os.mkfifo(root / "pipe")
    return root


def state(folder: Path) -> dict[str, bytes | str]:
    """All that lies in a folder, and where its links lead."""
    found = sorted(path for path in folder.rglob("*"))
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else ""
        for path in found
    }


def called(root: Path, *calls: Call) -> list[CallToolResult]:
    """The answers of a server of its own over stdio."""
    parameters = StdioServerParameters(command=sys.executable, args=[*SERVE, str(root)], env={**os.environ})

    async def ask() -> list[CallToolResult]:
        async with Client(stdio_client(parameters)) as client:
            check_tools((await client.list_tools()).tools)
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return anyio.run(ask)


@contextmanager
def listening(root: Path, *options: str) -> Iterator[str]:
    """The URL of a server over HTTP."""
    command = [sys.executable, *SERVE, str(root), "--http", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            yield server.stderr.readline().rpartition(" at ")[2].strip()
        finally:
            server.terminate()


def check_tools(tools: Sequence[Tool]) -> None:
    """They say what they take and give."""
    assert [tool.name for tool in tools] == ["edit_file", "edit_files", "repair_edit"]
    assert tools[0].input_schema["required"] == ["path", "update"]
    assert all("description" in each for each in tools[0].input_schema["properties"].values())
    assert all(tool.output_schema and tool.description for tool in tools)


def data(answer: CallToolResult) -> dict[str, Any]:
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


def said(answers: Sequence[CallToolResult]) -> str:
    return repr([answer.model_dump() for answer in answers])


def test_no_path_leads_out_of_the_root(root: Path) -> None:
    before = state(root.parent)
    names = {kind: path.format(root=root, outside=root.parent / "outside.py") for kind, path in ESCAPES.items()}
    alone = [("edit_file", {"path": path, "update": UPDATE}) for path in names.values()]
    sketches = [{"path": "shop.py", "update": UPDATE}, {"path": "", "update": UPDATE}]
    alone += [("repair_edit", {"path": path, "old_string": "2", "new_string": "3"}) for path in names.values()]
    among = [("edit_files", {"edits": [sketches[0], sketches[1] | {"path": path}]}) for path in names.values()]
    answers = called(root, *alone, *among)
    for kind, one in zip((*names, *names), answers[: len(alone)], strict=True):
        assert (one.is_error, data(one)["status"], data(one)["written"], data(one)["diff"]) == (
            *(True, "error", False, ""),
        ), kind
    for kind, several in zip(names, answers[len(alone) :], strict=True):
        assert (several.is_error, data(several)["written"]) == (True, False), kind
        assert [each["written"] for each in data(several)["files"]] == [False, False], kind
    assert "secret" not in said(answers)
    assert state(root.parent) == before
    assert len(ESCAPES) >= 20


@pytest.mark.parametrize("path", ["\ud800.py", "shop.py\udc80"])
def test_what_is_no_text_is_no_path(root: Path, path: str) -> None:
    with pytest.raises(RedraftError, match="is no path"):
        confined(path, root)


PIECES = st.sampled_from(
    [
        "..",
        ".",
        "/",
        "\\",
        "~",
        "up",
        "sub",
        "link.py",
        "shop.py",
        ".git",
        ".GIT",
        "\u200c",
        "\0",
        " ",
        "x",
        "C:",
        "//",
        ":",
        "é",
    ]
)


def test_no_made_up_path_leads_out_of_the_root(root: Path) -> None:
    @given(st.lists(PIECES, max_size=8).map("".join))
    def check(path: str) -> None:
        try:
            found = confined(path, root)
        except RedraftError:
            return
        assert found == found.resolve()
        assert found.is_relative_to(root)
        assert ".git" not in [part.lower() for part in found.parts]

    check()


def test_paths_that_stay_inside_are_found(root: Path) -> None:
    for path in ("shop.py", "./shop.py", str(root / "shop.py"), "sub//../x"[:4] + "/shop.py", "sub\\shop.py"):
        assert confined(path, root).is_relative_to(root)
    assert confined("inner.py", root) == root / "other.py"
    assert confined("..shop...py", root) == root / "..shop...py"


def test_an_agent_edits_and_its_user_takes_it_back(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    edit = {"path": "shop.py", "update": UPDATE}
    looked, written, again, refused, empty, *together = called(
        root,
        ("edit_file", edit | {"dry_run": True}),
        ("edit_file", edit | {"instruction": "return three"}),
        ("edit_file", edit),
        ("edit_file", edit | {"update": "# ... existing code ...\n    nowhere(1)\n# ... existing code ...\n"}),
        ("edit_file", edit | {"update": " \n"}),
        *TOGETHER,
    )
    assert (looked.is_error, data(looked)["status"], data(looked)["written"]) == (False, "applied", False)
    assert (data(written)["status"], data(written)["written"], data(written)["reason"]) == ("applied", True, "")
    assert data(written)["diff"] == data(looked)["diff"]
    assert "\n-    return 2\n+    return 3\n" in data(written)["diff"]
    assert 0.5 < data(written)["confidence"] <= 1
    assert (again.is_error, data(again)["status"], data(again)["written"]) == (False, "no_change", False)
    assert (refused.is_error, data(refused)["status"], data(refused)["confidence"]) == (True, "needs_context", 0.0)
    assert "nowhere(1)" in data(refused)["reason"]
    assert data(empty)["reason"] == "the update is empty: show the code that changes"
    check_together(together)
    files = [root / name for name in ("shop.py", "other.py", "sub/shop.py")]
    assert [file.read_text() for file in files] == [NEW, NEW, NEW]
    monkeypatch.chdir(root)
    assert run(["undo"]) == 0
    assert [file.read_text() for file in files] == [NEW, FILE, FILE]
    assert run(["undo"]) == 0
    assert [file.read_text() for file in files] == [FILE, FILE, FILE]


GOOD = {"path": "sub/shop.py", "update": UPDATE}
OTHER = {"path": "other.py", "update": UPDATE}
LOST = {"path": "other.py", "update": "# ... existing code ...\n    nowhere(1)\n# ... existing code ...\n"}
# Calls that are refused since one edit is, since two are about one file by two names, and one that is not.
TOGETHER: Sequence[Call] = (
    ("edit_files", {"edits": [GOOD, LOST]}),
    ("edit_files", {"edits": [GOOD, GOOD | {"path": "./sub//shop.py"}]}),
    ("edit_files", {"edits": [OTHER | {"path": "inner.py"}, OTHER]}),
    ("edit_files", {"edits": [GOOD, OTHER]}),
)


def check_together(answers: Sequence[CallToolResult]) -> None:
    """Several files are written together or not at all."""
    refused, twice, linked, done = answers
    assert data(refused)["files"][0]["reason"] == "not written, since another edit was refused"
    assert "nowhere(1)" in data(refused)["files"][1]["reason"]
    for answer in (twice, linked):
        assert "put them into one update" in data(answer)["files"][0]["reason"]
    assert [answer.is_error for answer in answers] == [True, True, True, False]
    assert [data(answer)["written"] for answer in answers] == [False, False, False, True]
    assert [each["path"] for each in data(done)["files"]] == ["sub/shop.py", "other.py"]


@pytest.mark.slow
def test_over_http_with_a_key(root: Path) -> None:
    async def ask(url: str) -> list[CallToolResult]:
        headers = {"Authorization": f"Bearer {KEY}"}
        paths, answers = ("shop.py", "sub/shop.py", "../outside.py"), dict[str, CallToolResult]()
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
            anyio.create_task_group() as group,
        ):

            async def call(path: str) -> None:
                answers[path] = await client.call_tool("edit_file", {"path": path, "update": UPDATE})

            for path in paths:
                group.start_soon(call, path)
        return [answers[path] for path in paths]

    with listening(root, "--api-key", KEY) as url:
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {KEY}"}):
            assert httpx2.post(url, json={}, headers=headers).status_code == 401
            assert httpx2.get(url.replace("/mcp", "/"), headers=headers).status_code == 401
        written, inner, refused = anyio.run(ask, url)
    assert [data(each)["written"] for each in (written, inner, refused)] == [True, True, False]
    assert ((root / "shop.py").read_text(), (root.parent / "outside.py").read_text()) == (NEW, SECRET)


@pytest.mark.slow
def test_no_page_in_a_browser_reaches_it(root: Path) -> None:
    with listening(root) as url:
        body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        told = {"Accept": "application/json, text/event-stream"}
        for headers in ({"Host": "rebound.example"}, {"Origin": "https://page.example"}):
            assert httpx2.post(url, json=body, headers=told | headers).status_code in (403, 421)
        assert (
            httpx2.options(url, headers={"Origin": "https://page.example"}).headers.get("access-control-allow-origin")
            is None
        )


def test_others_are_let_in_only_with_a_key(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", "--root", str(root), "--http", "--host", "0.0.0.0"]) == 1
    assert "whoever reaches 0.0.0.0 could use this server" in capfd.readouterr().err
    assert run(["mcp", "--root", str(root / "nowhere")]) == 1
    assert "there is no folder" in capfd.readouterr().err


def test_the_root_may_be_named_by_a_link(root: Path) -> None:
    named = root.parent / "named"
    named.symlink_to(root)
    workspace = Workspace(named, load(readers="merge"))
    for path in (named / "shop.py", root / "sub" / "shop.py", "other.py"):
        assert workspace.edit([Edit(str(path), UPDATE)])[0].written
    for path in (named / "link.py", f"{named}/../outside.py", root.parent / "outside.py"):
        assert workspace.edit([Edit(str(path), UPDATE)])[0].status == "error"


def test_a_sketch_for_another_file_is_refused(root: Path) -> None:
    update = "### `report.py`\n\n```python\n" + UPDATE + "```\n"
    (outcome,) = Workspace(root, load(readers="merge")).edit([Edit("shop.py", update, "return three")])
    assert (outcome.written, outcome.reason) == (False, "the answer is about report.py, not about shop.py")


def test_a_file_that_changes_again_and_again_is_left(root: Path) -> None:
    class Meddling(type(load(readers="merge"))):  # type: ignore[misc]
        def apply(self, original: str, *given: Any, **more: Any) -> Any:
            (root / "shop.py").write_text(f"{original}x = 1\n")
            return super().apply(FILE, *given, **more)

    (outcome,) = Workspace(root, Meddling()).edit([Edit("shop.py", UPDATE)])
    assert (outcome.status, outcome.written) == ("error", False)
    assert "has changed since it was read" in outcome.reason
    assert str(root) not in outcome.reason
    assert (root / "shop.py").read_text().startswith(FILE)
    assert (root / "shop.py").read_text().endswith("x = 1\n" * 2)


def test_a_file_that_changed_meanwhile_gets_the_update_as_it_is_now(root: Path) -> None:
    class Meddling(type(load(readers="merge"))):  # type: ignore[misc]
        def apply(self, *given: Any, **more: Any) -> Any:
            (root / "shop.py").write_text(f"import os\n\n\n{FILE}")
            return super().apply(*given, **more)

    (outcome,) = Workspace(root, Meddling()).edit([Edit("shop.py", UPDATE)])
    assert (outcome.status, outcome.written) == ("applied", True)
    assert (root / "shop.py").read_text() == f"import os\n\n\n{NEW}"


def test_a_failed_edit_is_made_or_its_places_are_told(root: Path) -> None:
    failed = {"path": "shop.py", "old_string": "def b():\n\treturn 2", "new_string": "def b():\n\treturn 3"}
    twice = {"path": "other.py", "old_string": "    return ", "new_string": "    yield "}
    made, dry, refused, chosen = called(
        root,
        ("repair_edit", failed),
        ("repair_edit", {**twice, "line": 6, "dry_run": True}),
        ("repair_edit", twice),
        ("repair_edit", {**twice, "replace_all": True}),
    )
    assert (data(made)["status"], data(made)["written"], made.is_error) == ("applied", True, False)
    assert data(made)["healed"] == ["one common shift of indentation"]
    assert (root / "shop.py").read_text() == NEW
    assert (data(dry)["status"], data(dry)["written"]) == ("applied", False)
    assert "+    yield 2" in data(dry)["diff"]
    assert (refused.is_error, data(refused)["written"]) == (True, False)
    assert "stands 2 times in the file, at lines 2 and 6" in data(refused)["reason"]
    assert "line 6 alone" in data(refused)["reason"]
    assert data(chosen)["written"]
    assert (root / "other.py").read_text() == FILE.replace("return", "yield")


def test_descriptions_are_short() -> None:
    """An agent reads them with every request: words and signs are about as many as tokens."""
    for text, most in ((REPAIR_EDIT, 90), (EDIT_FILES, 70), (EDIT_FILE, 420), (INSTRUCTIONS, 60)):
        assert len(re.findall(r"\w+|[^\w\s]", text)) <= most
