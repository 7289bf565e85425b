"""`redraft serve` as people start it: its own process, curl, a client program that knows nothing of it, signals."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from command_line import refusal

SERVE = [sys.executable, "-m", "redraft", "serve", "--port", "0"]
FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
NEW = FILE.replace("2", "3")
UPDATE = "# ... existing code ...\ndef b():\n    return 3\n"
PAGE = (Path(__file__).parent.parent / "docs" / "server.md").read_text()
DOCUMENTED = "http://localhost:8000"
MESSAGE = f"<code>{FILE}</code>\n<update>{UPDATE}</update>"


@contextmanager
def started(folder: Path, *options: str, said: str = "one two three\n") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and its URL; it ends with the block. Its model answers all that is asked with `said`."""
    (folder / "said").write_text(said)
    command = [*SERVE, "--engine", f"scripted:{folder / 'said'}", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stderr is not None
        try:
            url = json.loads(process.stderr.readline())["url"]
            assert httpx2.get(f"{url}/healthz", timeout=60).json()["status"] == "ok"
            yield process, url
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()


def test_others_reach_it_only_on_purpose(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REDRAFT_API_KEY", raising=False)
    assert "could use this server" in refusal(capfd, "serve", "--host", "0.0.0.0")


def test_a_port_that_is_taken_is_named(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with started(tmp_path) as (_, url):
        port = url.rpartition(":")[2]
        assert f"cannot listen on 127.0.0.1:{port}" in refusal(capfd, "serve", "--port", port)


@pytest.mark.skipif(shutil.which("curl") is None, reason="asks with curl")
def test_the_requests_of_the_document_are_answered(tmp_path: Path) -> None:
    """Each block of docs/server.md that asks with curl, and one that streams."""
    blocks = [block for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S) if block.startswith("curl ")]
    assert len(blocks) == 5
    chat = json.dumps({"messages": [{"role": "user", "content": "hi"}], "prediction": "one two", "stream": True})
    blocks.append(f"curl {DOCUMENTED}/v1/chat/completions -N -H 'Content-Type: application/json' -d '{chat}'")
    rounded = "def total(items):\n    return round(sum(items), 2)\n"
    with started(tmp_path, said=rounded) as (_, url):
        calls = [f"{block.strip()} -sf".replace(DOCUMENTED, url) for block in blocks]
        said = [subprocess.run(call, shell=True, capture_output=True, text=True, check=True).stdout for call in calls]
    one, several, shaped, edited, warm = map(json.loads, said[:-1])
    assert (one["status"], several["status"]) == ("applied", "applied")
    assert [each["operation"] for each in several["files"]] == ["edit", "delete"]
    assert shaped["choices"][0]["message"]["content"] == "a = 3\nb = 2\n"
    assert (edited["status"], edited["output"]) == ("applied", f"import os\n\n\n{rounded}")
    assert warm == {"tokens": 0, "known": 0}
    assert said[-1].endswith("data: [DONE]\n\n")


@pytest.mark.slow
def test_a_client_program_that_knows_nothing_of_us(tmp_path: Path) -> None:
    """`llm`, told nothing but the base URL: a chat, and an edit in the words of an apply service."""
    (tmp_path / "user").mkdir()
    environment = os.environ | {"LLM_USER_PATH": str(tmp_path / "user"), "LLM_LOAD_PLUGINS": "", "OPENAI_API_KEY": "x"}
    with started(tmp_path) as (_, url):
        known = [{"model_id": "redraft", "model_name": "redraft", "api_base": f"{url}/v1"}]
        (tmp_path / "user" / "extra-openai-models.yaml").write_text(json.dumps(known))

        def llm(*arguments: str) -> str:
            command = [sys.executable, "-m", "llm", "prompt", "-m", "redraft", "--no-log", *arguments]
            return subprocess.run(
                command, capture_output=True, text=True, check=True, env=environment, stdin=subprocess.DEVNULL
            ).stdout

        assert llm("count").strip() == llm("--no-stream", "count").strip() == "one two three"
        assert llm(MESSAGE).strip() == NEW.strip()


@pytest.mark.slow
def test_several_processes_answer_together_and_end_together(tmp_path: Path) -> None:
    with started(tmp_path, "--workers", "2") as (process, url):
        body = {"original": FILE, "update": UPDATE}
        outputs = [httpx2.post(f"{url}/v1/apply", json=body, timeout=60).json()["output"] for _ in range(8)]
        assert outputs == [NEW] * 8
        figures = httpx2.get(f"{url}/metrics").text
        assert 'redraft_requests_total{route="/v1/apply",status="200"} 8.0' in figures
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(f"{url}/healthz")


def test_it_ends_when_it_is_told_to(tmp_path: Path) -> None:
    with started(tmp_path) as (process, _):
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode in (0, 130)
    assert "Traceback" not in said
    assert all(json.loads(line)["level"] == "info" for line in said.splitlines())
