"""The page for agents and editors: its settings start what they say, and what Continue would send is applied."""

import json
import re
from pathlib import Path

import yaml

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
    assert [(entry["command"], entry["args"][:2]) for entry in started] == [("redraft", ["mcp", "--root"])] * 3


def test_what_continue_sends_is_applied(tmp_path: Path) -> None:
    (model,) = yaml.safe_load(blocks("yaml")[0])["models"]
    message = model["promptTemplates"]["apply"]
    for name, text in {"original_code": FILE, "new_code": "def b():\n    return 3\n"}.items():
        message = message.replace(f"{{{{{{{name}}}}}}}", text)
    with serving(scripted(tmp_path, "")) as live:
        body = {"model": model["model"], "messages": [{"role": "user", "content": message}]}
        said = live.client.post("/v1/chat/completions", json=body).json()
    assert said["choices"][0]["message"]["content"] == FILE.replace("2", "3")
