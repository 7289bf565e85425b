"""The agents themselves, in a project that `redraft agents install` has set up, with a model that the test plays.

They are fetched by `make agents`; REDRAFT_AGENTS is the folder of their packages.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from playing import Call, Model, Played, in_turn, playing, said, tools

FOLDER = Path(os.environ.get("REDRAFT_AGENTS", "nowhere")).absolute()
SOURCE = Path(__file__).parent.parent / "src"
FILE = "def total(items):\n    return sum(items)\n\n\ndef mean(items):\n    return total(items) / len(items)\n"
RIGHT = FILE.replace("sum(items)", "fsum(items)")
WRONG = {
    "old_string": "def total(items):\n\treturn sum(items)",
    "new_string": "def total(items):\n\treturn fsum(items)",
}
EDIT = {"path": "shop.py", **WRONG}

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Shop:
    """A project in a folder of its own, below a home with nothing else in it."""

    folder: Path
    env: dict[str, str]

    @property
    def file(self) -> Path:
        return self.folder / "shop.py"

    def run(self, *command: str, **env: str) -> str:
        """What a program prints; it may reach nothing but the played model."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def agent(self, name: str, *arguments: str, **env: str) -> str:
        program = FOLDER / "node_modules" / ".bin" / name
        if not program.exists():
            pytest.skip(f"no {name}: make agents fetches it, and REDRAFT_AGENTS names the folder")
        return self.run(str(program), *arguments, **env)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    home, folder, programs = (tmp_path / name for name in ("home", "shop", "bin"))
    for each in (home, folder, programs):
        each.mkdir()
    (folder / "shop.py").write_text(FILE)
    # The path of the source stands in the program: some agents hand their servers no environment.
    start = f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(SOURCE))} exec {shlex.quote(sys.executable)} -m redraft "$@"\n'
    (programs / "redraft").write_text(start)
    (programs / "redraft").chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return Shop(folder, {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "REDRAFT_STATE": str(tmp_path / "state")})


def claude(shop: Shop, model: Model, *arguments: str) -> Played:
    shop.run("redraft", "agents", "install", "claude-code")
    with playing(model) as played:
        shop.agent(
            "claude",
            *("-p", "Change total.", "--permission-mode", "acceptEdits", *arguments),
            ANTHROPIC_BASE_URL=played.url,
            ANTHROPIC_API_KEY="made-up",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
        )
    return played


def edit(shop: Shop, old: str, new: str) -> Call:
    return Call("Edit", {"file_path": str(shop.file), "old_string": old, "new_string": new})


def heard(body: dict[str, Any]) -> str:
    """What a request says that the hook said."""
    return "\n".join(text for text in _texts(body["messages"]) if "redraft on the failed edit" in text)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(each)


def is_mended(shop: Shop, played: Played) -> None:
    """By the tool, whose answer came back."""
    conversation = said(played.asked[-1])
    assert "one common shift of indentation" in conversation, conversation[-2000:]
    assert shop.file.read_text() == RIGHT


def test_claude_code_hears_the_call_that_works_and_makes_it(shop: Shop) -> None:
    read = Call("Read", {"file_path": str(shop.file)})

    def model(body: dict[str, Any], number: int) -> str | Call:
        if number < 2:
            return (read, edit(shop, WRONG["old_string"], WRONG["new_string"]))[number]
        _, _, given = heard(body).partition("will match:\n")
        return Call("Edit", json.loads(given.split("\n")[0])) if given and number == 2 else "Done."

    played = claude(shop, model)
    assert "String to replace not found in file" in said(played.asked[2])
    assert "one common shift of indentation" in heard(played.asked[-1])
    assert shop.file.read_text() == RIGHT


def test_claude_code_hears_which_places_are_meant(shop: Shop) -> None:
    played = claude(shop, in_turn(Call("Read", {"file_path": str(shop.file)}), edit(shop, "(items)", "(all)")))
    assert "stands 5 times in the file, at lines 1, 2, 5, 6 and 6" in heard(played.asked[-1])
    assert shop.file.read_text() == FILE


def test_claude_code_writes_the_quotes_of_the_file(shop: Shop) -> None:
    shop.file.write_text('print("x")\n')
    read = Call("Read", {"file_path": str(shop.file)})
    claude(shop, in_turn(read, edit(shop, "print(\u201cx\u201d)", "print(\u201cy\u201d)")))
    assert shop.file.read_text() == 'print("y")\n'


def test_claude_code_is_told_nothing_of_an_edit_that_works(shop: Shop) -> None:
    read = Call("Read", {"file_path": str(shop.file)})
    played = claude(shop, in_turn(read, edit(shop, "return sum", "return fsum")))
    assert heard(played.asked[-1]) == ""
    assert shop.file.read_text() == RIGHT


def test_claude_code_calls_the_tool(shop: Shop) -> None:
    def model(body: dict[str, Any], _: int) -> str | Call:
        if "fsum" in said(body):
            return "Done."
        if "mcp__redraft__repair_edit" in tools(body):
            return Call("mcp__redraft__repair_edit", EDIT)
        if "mcp__redraft__repair_edit" in said(body):
            return Call("ToolSearch", {"query": "select:mcp__redraft__repair_edit"})
        return Call("Bash", {"command": "sleep 1", "description": "Wait for the server"})

    played = claude(shop, model, "--allowedTools", "mcp__redraft,Bash")
    is_mended(shop, played)


def test_codex_calls_the_tool(shop: Shop) -> None:
    def model(body: dict[str, Any], _: int) -> str | Call:
        if "fsum" in said(body):
            return "Done."
        if "mcp__redraft" not in tools(body):  # it asks before its servers have started
            return Call("exec_command", {"cmd": "sleep 1"})
        return Call("repair_edit", EDIT, "mcp__redraft")

    shop.run("redraft", "agents", "install", "codex")
    with playing(model) as played:
        provider = f'{{name="played",base_url="{played.url}/v1",env_key="PLAYED",wire_api="responses"}}'
        settings = {
            "model_providers.played": provider,
            "model_provider": "played",
            "mcp_servers.redraft.default_tools_approval_mode": '"approve"',  # else a person is asked
        }
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        command = ("exec", "--skip-git-repo-check", *options, "-m", "played", "Change total.")
        shop.agent("codex", *command, PLAYED="made-up")
    is_mended(shop, played)


def test_gemini_calls_the_tool(shop: Shop) -> None:
    shop.run("redraft", "agents", "install", "gemini")
    own = Path(shop.env["HOME"]) / ".gemini"
    own.mkdir()
    (own / "settings.json").write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}')
    with playing(in_turn(Call("mcp_redraft_repair_edit", EDIT))) as played:
        shop.agent(
            "gemini",
            *("-p", "Change total.", "--yolo", "-m", "gemini-2.5-flash"),
            GOOGLE_GEMINI_BASE_URL=played.url,
            GEMINI_API_KEY="made-up",
            GEMINI_CLI_TRUST_WORKSPACE="true",
        )
    assert "mcp_redraft_repair_edit" in tools(played.asked[0])
    is_mended(shop, played)


def test_opencode_calls_the_tool(shop: Shop) -> None:
    shop.run("redraft", "agents", "install", "opencode")
    with playing(in_turn(Call("redraft_repair_edit", EDIT))) as played:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{played.url}/v1", "apiKey": "made-up"},
            "models": {"played": {}},
        }
        settings = {"provider": {"played": provider}, "model": "played/played", "autoupdate": False}
        shop.agent("opencode", "run", "Change total.", OPENCODE_CONFIG_CONTENT=json.dumps(settings))
    assert "redraft_repair_edit" in tools(played.asked[0])
    is_mended(shop, played)
