"""A chat model behind an endpoint as an engine: what is asked, what is read of the answer, how it fails."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chat_server import Reply, answer, serving
from command_line import done, refusal
from redraft.apply import Redraft
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.edit.prompts.template import find_template
from redraft.edit.request import Message, Request
from redraft.engines.endpoint import Endpoint
from redraft.engines.openai import OpenAIEngine, written
from redraft.measure.accuracy.outcome import read_outcomes

FILE = "import os\n\n\ndef first():\n    return 1\n\n\ndef second():\n    return 2\n"
UPDATE = "# ...\ndef second():\n    return 22\n"
NEW = FILE.replace("return 2\n", "return 22\n")
HUNKS = "```diff\n@@ ... @@\n def second():\n-    return 2\n+    return 22\n```\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def reply(content: str, finish: str = "stop", **usage: Any) -> Reply:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}
    return Reply(body=json.dumps({"choices": [choice], "usage": usage}).encode())


def editor(url: str, output_format: Any = "whole", **more: Any) -> Redraft:
    engine = OpenAIEngine(Endpoint(url, "m", "k", timeout=0.5, retries=1, wait=0.0))
    return Redraft.of(engine, find_template("chat", output_format), **more)


def test_the_file_is_read_from_the_answer_and_the_prediction_is_sent() -> None:
    details = {"accepted_prediction_tokens": 30, "rejected_prediction_tokens": 2}
    usage = {"prompt_tokens": 90, "completion_tokens": 40, "completion_tokens_details": details}
    with serving(lambda _: reply(f"Here it is:\n\n```python\n{NEW}```\n", **usage)) as server:
        result = editor(server.url).apply(FILE, UPDATE, path="a.py")
    assert (result.status, result.output) == ("applied", NEW)
    assert (result.prompt_tokens, result.completion_tokens, result.drafted, result.accepted) == (90, 40, 32, 30)
    ((body, key),) = server.requests
    assert key == "Bearer k"
    assert body["temperature"] == 0
    assert body["prediction"] == {"type": "content", "content": f"```py\n{NEW}```"}
    assert "def first" in body["messages"][0]["content"]


def test_without_speculation_there_is_no_prediction() -> None:
    with serving(lambda _: reply(f"```\n{NEW}```")) as server:
        assert editor(server.url, speculate=False).apply(FILE, UPDATE).output == NEW
    assert "prediction" not in server.requests[0][0]


def test_hunks_are_asked_for_and_applied() -> None:
    with serving(lambda _: reply(HUNKS)) as server:
        result = editor(server.url, "search-replace").apply(FILE, UPDATE, path="a.py")
    assert (result.status, result.output) == ("applied", NEW)
    body = server.requests[0][0]
    assert "@@ ... @@" in body["messages"][0]["content"]
    assert body["prediction"]["content"].startswith("```diff\n@@")
    assert "+    return 22\n" in body["prediction"]["content"]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (Reply(400, b"no such parameter: prediction"), "status 400: no such parameter: prediction"),
        (Reply(401, b"who?"), "answers with status 401: who?"),
        (Reply(503), "status 503"),
        (Reply(200, b"<html>"), "malformed answer"),
        (Reply(200, b"[]"), "malformed answer"),
        (Reply(200, b'{"choices": []}'), "malformed answer"),
        (Reply(stalls=True), "timeout"),
    ],
)
def test_an_endpoint_that_fails_is_an_error_that_says_why(made: Reply, message: str) -> None:
    with serving(lambda _: made) as server:
        result = editor(server.url).apply(FILE, UPDATE)
    assert result.status == "error"
    assert message in result.message


def test_an_endpoint_that_takes_no_prediction_is_asked_without() -> None:
    left = [Reply(400, b"unknown parameter: prediction"), *[reply(f"```\n{NEW}```")] * 2]
    with serving(lambda _: left.pop(0)) as server:
        asked = editor(server.url)
        assert [asked.apply(FILE, UPDATE).output for _ in range(2)] == [NEW, NEW]
    assert ["prediction" in body for body, _ in server.requests] == [True, False, False]


def test_a_passing_failure_is_tried_again() -> None:
    left = [Reply(429, headers={"Retry-After": "0"}), reply(f"```\n{NEW}```")]
    with serving(lambda _: left.pop(0)) as server:
        assert editor(server.url).apply(FILE, UPDATE).status == "applied"


def test_nobody_waits_for_a_server_that_was_never_there() -> None:
    with serving(lambda _: reply("")) as server:
        url = server.url
    for_years = Endpoint(url, "m", timeout=0.5, retries=4, wait=1e8)
    result = Redraft.of(OpenAIEngine(for_years), find_template("chat", "whole")).apply(FILE, UPDATE, path="a.py")
    assert (result.status, "cannot reach" in result.message) == ("error", True)


def test_an_answer_that_was_cut_is_truncated() -> None:
    with serving(lambda _: reply(f"```\n{NEW[:20]}", finish="length")) as server:
        assert editor(server.url).apply(FILE, UPDATE).status == "truncated"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```py\na\n```", "a\n"),
        ("Sure.\n\n```\na\nb\n```\nDone.", "a\nb\n"),
        ("a\nb\n", "a\nb\n"),
        ("```py\na\n", "a\n"),
        ("````\n```\nx\n```\n````\n", "```\nx\n```\n"),
        ("```py\r\na\r\nb\r\n```\r\n", "a\nb\n"),
        ("```py\na\nb\nc\n```\n\nUse it:\n\n```py\nc()\n```\n", "a\nb\nc\n"),
        ("<think>\n```py\nx\ny\nz\n```\n</think>\n```py\na\n```", "a\n"),
    ],
)
def test_what_the_fence_holds_is_the_output(text: str, found: str) -> None:
    assert written(text, Prompt((Part("```py\n"),), stop=("```",))) == found


def test_a_fence_may_be_shorter_than_the_one_asked_for() -> None:
    prompt = Prompt((Part("````md\n"),), stop=("````",))
    assert written("Here:\n\n```md\na\n```\n", prompt) == "a\n"
    assert written("Here:\n\n```md\na\n```\n\nThat is all.\n", prompt) == "a\n"
    assert written("a\n\n```py\nb\n```\n\nc\n", prompt) == "a\n\n```py\nb\n```\n\nc\n"


def test_tags_open_the_output_as_well() -> None:
    prompt = Prompt((Part("<updated-code>"),), stop=("</updated-code>",))
    assert written("a\nb\n", prompt) == "a\nb\n"
    assert written("<updated-code>a\nb\n</updated-code>\n", prompt) == "a\nb\n"


def test_endpoints_are_systems_of_an_evaluation(capfd: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": name, "path": "a.py", "original": FILE, "update": UPDATE, "expected": NEW} for name in "ab"]
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def serve(messages: Sequence[dict[str, str]]) -> Reply:
        hunks = "Output only the change" in messages[0]["content"]
        return reply(HUNKS if hunks else f"```\n{NEW}```", prompt_tokens=1000, completion_tokens=100)

    with serving(serve) as server:
        spec = f"openai:{server.url}#m"
        systems = f"{spec}+model,{spec}+search-replace+model,{spec}+vanilla+model"
        asked = ("eval", "run", "--cases", "cases.jsonl", "--out", "r.jsonl", "--systems", systems)
        table, _ = done(capfd, *asked, "--price", f"{spec}=1/10")
    found = read_outcomes(Path("r.jsonl"))
    assert [outcome.exact for outcome in found] == [True] * 6
    assert [outcome.cost for outcome in found] == [pytest.approx(0.002)] * 6
    assert table.count("| 2 |") == 3
    assert "openai:http://x has no model" in refusal(capfd, *asked[:-1], "openai:http://x")
    assert "ftp://x is no URL" in refusal(capfd, *asked[:-1], "openai:ftp://x#m")


def test_with_auto_hunks_are_asked_for_in_doubt_alone(capfd: pytest.CaptureFixture[str]) -> None:
    file = "def a(x):\n    check(x)\n    return x\n\n\ndef b(x):\n    check(x)\n    return x\n"
    updates = {
        "sure": "@@ -1,2 +1,2 @@\n-def a(x):\n+def aa(x):\n     check(x)\n",
        "doubted": "# ...\n    check(x)\n    log(x)\n    return x\n# ...\n",
    }
    right = {"sure": file.replace("a(x)", "aa(x)"), "doubted": file.replace("check(x)\n", "check(x)\n    log(x)\n", 1)}
    rows = [
        {"id": name, "path": "a.py", "original": file, "update": update, "expected": right[name]}
        for name, update in updates.items()
    ]
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    hunks = "```diff\n@@ ... @@\n def a(x):\n     check(x)\n+    log(x)\n     return x\n```\n"
    with serving(lambda _: reply(hunks)) as server:
        systems = f"openai:{server.url}#m+search-replace+auto"
        done(capfd, "eval", "run", "--cases", "cases.jsonl", "--out", "r.jsonl", "--systems", systems)
        asked = [body["messages"][0]["content"] for body, _ in server.requests]
    sure, doubted = read_outcomes(Path("r.jsonl"))
    assert (sure.decided_by, doubted.decided_by) == ("format", "model")
    assert [sure.exact, doubted.exact] == [True, True]
    assert ["log(x)" in each and "Output only the change" in each for each in asked] == [True]


def test_one_endpoint_that_fails_does_not_end_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": name, "path": "a.py", "original": FILE, "update": UPDATE, "expected": NEW} for name in "ab"]
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with serving(lambda _: answer(None)) as server:
        systems = f"openai:{server.url}#m+model,merge"
        done(capfd, "eval", "run", "--cases", "cases.jsonl", "--out", "r.jsonl", "--systems", systems)
    with serving(lambda _: Reply(400, b"no")) as server:
        systems = f"openai:{server.url}#m+model,merge"
        done(capfd, "eval", "run", "--cases", "cases.jsonl", "--out", "e.jsonl", "--systems", systems)
    assert [outcome.status for outcome in read_outcomes(Path("r.jsonl"))] == ["truncated", "applied"] * 2
    found = read_outcomes(Path("e.jsonl"))
    assert [(outcome.status, outcome.exact) for outcome in found] == [("error", False), ("applied", True)] * 2
    assert found[0].message == "status 400: no"


TWICE = "class A:\n    def run(self):\n        return 1\n\n\nclass B:\n    def run(self):\n        return 1\n"
IN_DOUBT = "def run(self):\n    return 2\n"
IN_B = TWICE[:-2] + "2\n"


def test_what_the_reader_is_sure_of_is_not_asked() -> None:
    with serving(lambda _: answer("unused")) as server:
        result = editor(server.url, readers="auto").apply(FILE, UPDATE, path="a.py")
    assert (result.status, result.output, result.decided_by) == ("applied", NEW, "merge")
    assert not server.requests


def test_in_doubt_the_model_writes_the_file() -> None:
    with serving(lambda _: answer(f"```py\n{IN_B}```\n")) as server:
        asked = editor(server.url, readers="auto")
        result = asked.apply(TWICE, IN_DOUBT, path="a.py", instruction="B should return 2")
        windows = asked.apply(TWICE.replace("\n", "\r\n"), IN_DOUBT, path="a.py", instruction="B should return 2")
    assert (result.status, result.output, result.decided_by) == ("applied", IN_B, "model")
    assert windows.output == IN_B.replace("\n", "\r\n")
    assert "B should return 2" in server.requests[0][0]["messages"][0]["content"]
    assert asked.alone(Request(FILE, UPDATE, path="a.py")) is not None


RETOLD = """Bounded now:

```python
def first() -> int:
    # the first one
    return min(1, limit)
```
"""


BOUNDED = FILE.replace("return 1", "return min(1, limit)")


def bounded(output: str) -> Any:
    with serving(lambda _: answer(f"```py\n{output}```\n")) as server:
        return editor(server.url).apply(FILE, RETOLD, path="a.py", instruction="Bound first by limit")


def test_a_model_may_take_back_what_the_answer_retells() -> None:
    result = bounded(BOUNDED)
    assert (result.status, result.output) == ("applied", BOUNDED)


@pytest.mark.parametrize(
    ("output", "status", "message"),
    [
        (FILE.replace("return 1", "return min(1, margin)"), "unrelated_change", "has what neither file nor answer has"),
        (
            FILE.replace("return 1", "return min(1, limit)").replace("import os\n", ""),
            "unrelated_change",
            "'import os'",
        ),
        (FILE.replace("return 1", "return min(1, limit)").partition("def second")[0], "unrelated_change", "def second"),
        (FILE.replace("return 1", "return min(1, limit"), "syntax_broken", "would not with this change"),
        (FILE, "needs_context", "changes nothing"),
    ],
)
def test_a_model_may_not_change_what_nothing_was_said_of(output: str, status: str, message: str) -> None:
    result = bounded(output)
    assert result.status == status
    assert message in result.message


def test_what_was_said_before_accounts_for_a_change() -> None:
    output = BOUNDED.replace("return 2", "return frobnicate(2)")
    turn = Message("user", "Also have `second` return frobnicate(2).")
    with serving(lambda _: answer(f"```py\n{output}```\n")) as server:
        asked = editor(server.url)
        assert asked.apply(FILE, RETOLD, path="a.py").status == "unrelated_change"
        assert asked.apply(FILE, RETOLD, path="a.py", conversation=(turn,)).output == output


@pytest.mark.parametrize("said", [Reply(500), answer(f"```py\n{NEW.partition('def second')[0]}```\n")])
def test_where_the_model_fails_the_reader_may_still_write(said: Reply, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.reading.SURE", 1.0)  # of nothing it is so sure
    with serving(lambda _: said) as server:
        asked = editor(server.url, readers="auto")
        result = asked.apply(FILE, UPDATE, path="a.py")
    assert server.requests
    assert (result.status, result.output, result.decided_by) == ("applied", NEW, "merge")


def test_an_answer_that_is_cut_off_is_not_asked_about() -> None:
    with serving(lambda _: answer(NEW)) as server:
        result = editor(server.url, readers="auto").apply(
            FILE, "```python\ndef second():\n    return 22\n", path="a.py"
        )
    assert result.status == "truncated"
    assert not server.requests
