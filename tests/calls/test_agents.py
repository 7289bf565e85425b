"""`redraft agents`: settings get their entry, which is shown first; it goes again, and what was there stays."""

import json
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from command_line import done, refusal
from redraft.agents.install import changes, command
from redraft.agents.settings import AGENTS
from redraft.errors import RedraftError

KEPT = {
    ".mcp.json": '{"mcpServers": {"other": {"command": "other"}}}',
    ".claude/settings.json": '{"model": "x", "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}}',
    ".codex/config.toml": '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "other"\n',
    ".gemini/settings.json": '{"theme": "x", "mcpServers": {"other": {"command": "other"}}}',
    ".cursor/mcp.json": '{"mcpServers": {"other": {"url": "http://127.0.0.1:1"}}}',
    ".zed/settings.json": '{"theme": "x"}',
    "opencode.json": '{"mcp": {"other": {"type": "local", "command": ["other"]}}}',
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is the user's home, too."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REDRAFT_HOME", str(tmp_path / "redraft"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def state(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in KEPT if (folder / name).exists()}


def parsed(name: str, text: str) -> object:
    return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)


@pytest.mark.parametrize("agent", AGENTS)
def test_an_entry_comes_and_goes(agent: str, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shown, _ = done(capfd, "agents", "install", agent, "--dry-run")
    assert state(home) == {}
    printed, _ = done(capfd, "agents", "install", agent)
    assert printed == shown
    assert sorted(state(home)) == sorted(setting.place for setting in AGENTS[agent])
    assert all("redraft" in text for text in state(home).values())
    assert done(capfd, "agents", "install", agent)[0] == ""
    done(capfd, "agents", "remove", agent)
    assert state(home) == {}


@pytest.mark.parametrize("agent", AGENTS)
def test_what_was_there_stays(agent: str, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, text in KEPT.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text)
    done(capfd, "agents", "install", agent)
    changed = state(home)
    own = {setting.place for setting in AGENTS[agent]}
    assert {name for name in KEPT if changed[name] != KEPT[name]} == own
    assert all(word in changed[name] for name in own for word in ("redraft", *KEPT[name].split('"')[1:2]))
    done(capfd, "undo")
    assert state(home) == KEPT
    done(capfd, "agents", "install", agent)
    done(capfd, "agents", "remove", agent)
    assert {name: parsed(name, text) for name, text in state(home).items()} == {
        name: parsed(name, text) for name, text in KEPT.items()
    }


def program(folder: Path) -> Path:
    path = folder / "redraft"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="programs without an ending")
def test_the_program_is_named_by_its_path_where_a_shell_would_not_find_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = program(home / "my env" / "bin"), program(home / "local")
    monkeypatch.setattr(sys, "prefix", str(home / "my env"))
    monkeypatch.setattr(sys, "executable", str(own.with_name("python")))
    for path, expected in (
        (home / "nothing", [str(own)]),
        (own.parent, [str(own)]),
        (other.parent, ["redraft"]),
    ):
        monkeypatch.setenv("PATH", str(path))
        assert command() == expected
    monkeypatch.setenv("PATH", str(own.parent))
    hooks = json.loads(_hooks_of(home))["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert shlex.split(hooks) == [str(own), "agents", "hook"]
    own.unlink()
    assert command() == [sys.executable, "-m", "redraft"]


def _hooks_of(project: Path) -> str:
    (found,) = (each for each in changes("claude-code", project) if each.path.endswith("settings.json"))
    return found.after or ""


def test_an_extra_that_is_missing_is_said(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pip install" not in done(capfd, "agents", "install", "cursor", "--dry-run")[1]
    monkeypatch.setitem(sys.modules, "mcp", None)
    told = done(capfd, "agents", "install", "cursor")[1]
    assert "warning: cursor cannot use it yet: the tools need mcp: pip install 'redraft[mcp]'\n" in told
    assert "pip install" not in done(capfd, "agents", "remove", "cursor")[1]


def test_settings_with_comments_are_left_alone(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / ".zed").mkdir()
    (home / ".zed/settings.json").write_text("// mine\n{}\n")
    assert "by hand" in refusal(capfd, "agents", "install", "zed")
    assert (home / ".zed/settings.json").read_text() == "// mine\n{}\n"


def test_an_agent_has_to_be_known(home: Path) -> None:
    with pytest.raises(RedraftError, match="there are claude-code"):
        changes("emacs", home)


def test_the_hook_that_is_set_up_answers(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, "agents", "install", "claude-code")
    settings = json.loads((home / ".claude/settings.json").read_text())
    (home / "shop.py").write_text("if a:\n    b = 1\n")
    edit = {"file_path": "shop.py", "old_string": "\tb = 1", "new_string": "\tb = 2"}
    event = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": edit, "cwd": str(home)}
    line = shlex.split(settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"])
    command = [sys.executable, "-m", "redraft", *line[line.index("agents") :]]
    said = subprocess.run(command, input=json.dumps(event), capture_output=True, text=True, check=True).stdout
    assert json.loads(said)["hookSpecificOutput"]["updatedInput"]["old_string"] == "    b = 1"
