"""The page for agents and editors: its settings start what they say, and what Continue would send is applied."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from redraft.agents.settings import AGENTS
from serving import scripted, serving

PAGE = (Path(__file__).parent.parent / "docs" / "agents.md").read_text()
FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_each_setting_starts_the_tools() -> None:
    found = [json.loads(block) for block in blocks("json")] + [yaml.safe_load(block) for block in blocks("yaml")]
    started = [
        entry["redraft"]
        for each in found
        for key, entry in each.items()
        if key in ("mcpServers", "context_servers") and isinstance(entry, dict)
    ]
    started += [entry for each in found for entry in each.get("mcpServers", ()) if isinstance(entry, dict)]
    started += [tomllib.loads(block)["mcp_servers"]["redraft"] for block in blocks("toml")]
    assert [(entry["command"], entry["args"][:2]) for entry in started] == [("redraft", ["mcp", "--root"])] * 5
    (own,) = (each["mcp"]["redraft"] for each in found if "mcp" in each)
    assert own["command"][:3] == ["redraft", "mcp", "--root"]


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_installed_is_what_the_page_shows(agent: str) -> None:
    assert f"`{agent}`" in PAGE
    for setting in AGENTS[agent]:
        made = setting.edit("", ["redraft"], False)
        assert setting.place.removeprefix("./") in PAGE
        if "hooks" in made:
            continue
        shown = blocks("toml") if setting.place.endswith(".toml") else blocks("json")
        own = [re.sub(r"\$\{workspaceFolder\}", ".", block) for block in shown]
        parse = tomllib.loads if setting.place.endswith(".toml") else json.loads
        assert agent == "claude-code" or any(parse(block) == parse(made) for block in own)


# As the plugins opencode-morph-fast-apply (index.ts) and codecompanion-fast-apply.nvim (tool.lua) send an edit.
FAST_APPLY = "<instruction>{instruction}</instruction>\n<code>{code}</code>\n<update>{update}</update>"
PLUGINS = {
    "opencode": {"model": "morph-v3-fast", "temperature": 0},
    "codecompanion": {"model": "morph-v3-large", "stream": False},
}


@pytest.mark.parametrize("plugin", PLUGINS)
def test_what_fast_apply_plugins_send_is_applied_or_refused_so_that_they_write_nothing(
    plugin: str, tmp_path: Path
) -> None:
    def said(update: str) -> tuple[int, dict[str, Any]]:
        content = FAST_APPLY.format(instruction="I am changing what b returns.", code=FILE, update=update)
        body = {**PLUGINS[plugin], "messages": [{"role": "user", "content": content}]}
        answer = live.client.post("/v1/chat/completions", json=body, headers={"Authorization": "Bearer none"})
        return answer.status_code, answer.json()

    with serving(scripted(tmp_path, "", readers="merge")) as live:
        code, done = said("// ... existing code ...\ndef b():\n    return 3")
        assert (code, done["choices"][0]["message"]["content"]) == (200, FILE.replace("2", "3"))
        code, refused = said("// ... existing code ...\ndef c():\n    // ... existing code ...\n    return c()\n")
        assert code >= 400
        assert "choices" not in refused
        assert refused["error"]["message"]


def test_what_continue_sends_is_applied(tmp_path: Path) -> None:
    (model,) = yaml.safe_load(blocks("yaml")[0])["models"]
    message = model["promptTemplates"]["apply"]
    for name, text in {"original_code": FILE, "new_code": "def b():\n    return 3\n"}.items():
        message = message.replace(f"{{{{{{{name}}}}}}}", text)
    with serving(scripted(tmp_path, "")) as live:
        body = {"model": model["model"], "messages": [{"role": "user", "content": message}]}
        said = live.client.post("/v1/chat/completions", json=body).json()
    assert said["choices"][0]["message"]["content"] == FILE.replace("2", "3")
