"""A chat model writes samples: asked once, again after passing failures, never twice; only what holds is kept."""

import json
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

import pytest

from chat_server import Reply, answer, serving
from command_line import done, refusal
from git_repository import program
from redraft.cli import run
from redraft.data.chat import Answers, Chat
from redraft.data.edits import Edit, write_edits
from redraft.data.manners import ALL_STYLES
from redraft.data.samples import RULES, read_samples
from redraft.data.written import fault, selection
from redraft.edit.decide import likeliest
from redraft.edit.request import Message
from redraft.edit.text.changes import LineChange
from redraft.engines.endpoint import Endpoint
from redraft.errors import RedraftError

HELLO = (Message("user", "hello"),)
REGION = LineChange(10, 11, 10, 11)
REST = "# ... existing code ..."
GOOD = f"Sure:\n\n```python\n{REST}\nvalue_9 = compute(81)\nvalue_10 = best()\n{REST}\n```\n"


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.chdir(tmp_path)


def edits(count: int) -> list[Edit]:
    return [
        Edit("acme/tools", "1" * 40, f"f{n}.py", f"{n:040}", "3" * 40, program(30), program(30, 10), "python", "MIT")
        for n in range(count)
    ]


def chat(url: str, **changed: float | int) -> Chat:
    return Chat(Endpoint(url, "m", wait=0.0, **{"timeout": 20.0, "retries": 2, **changed}), Answers(Path("a.jsonl")))  # type: ignore[arg-type]


def in_turn(*replies: Reply) -> Callable[[Sequence[dict[str, str]]], Reply]:
    left = iter(replies)
    return lambda _: next(left)


def developer(messages: Sequence[dict[str, str]]) -> Reply:
    """A model that words an instruction, and answers one."""
    return answer("use best here" if "cmd-k" in messages[0]["content"] else GOOD)


def sketch(url: str, *more: object) -> tuple[object, ...]:
    return ("data", "sketch", "edits.parquet", "--out", "s.parquet", "--endpoint", url, "--model", "m", *more)


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_passing_failure_is_tried_again(status: int) -> None:
    with serving(in_turn(Reply(status), Reply(status, headers={"Retry-After": "0"}), answer("hi"))) as server:
        assert chat(server.url).ask(HELLO) == "hi"
    assert [body for body, _ in server.requests] == [
        {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    ] * 3


@pytest.mark.parametrize(
    ("reply", "reason", "times"),
    [
        (Reply(429, headers={"Retry-After": "soon"}), "status 429", 3),
        (Reply(400, b"too long"), "status 400", 1),
        (Reply(200, b"<html>"), "malformed answer", 1),
        (Reply(200, b"{}"), "malformed answer", 1),
        (Reply(200, b'{"choices": [{"message": "hi"}]}'), "malformed answer", 1),
    ],
)
def test_a_failure_is_counted_and_not_kept(reply: Reply, reason: str, times: int) -> None:
    with serving(lambda _: reply) as server:
        asking = chat(server.url)
        assert asking.ask(HELLO) is None
    assert asking.failures == {reason: 1}
    assert len(server.requests) == times
    assert not Path("a.jsonl").exists()


def test_a_server_that_says_nothing_is_a_timeout() -> None:
    with serving(lambda _: Reply(stalls=True)) as server:
        asking = chat(server.url, timeout=0.2, retries=1)
        assert asking.ask(HELLO) is None
    assert asking.failures == {"timeout": 1}
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [301, 401, 403, 404])
def test_what_no_request_gets_past_ends_it(status: int) -> None:
    with (
        serving(lambda _: Reply(status, b"bad\n key")) as server,
        pytest.raises(RedraftError, match=f"status {status}: bad key"),
    ):
        chat(server.url).ask(HELLO)
    assert len(server.requests) == 1


def test_no_server_and_no_url_are_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(RedraftError, match=f"cannot reach {url}"):
            chat(url).ask(HELLO)
    for wrong in ("localhost:8000", "", "file:///etc"):
        with pytest.raises(RedraftError, match="is no URL"):
            chat(wrong)


@pytest.mark.parametrize("content", ["hi", "", "I'm sorry, I can't.", "\ud800 half"])
def test_an_answer_is_asked_for_once(content: str) -> None:
    with serving(lambda _: answer(content)) as server:
        first = chat(server.url).ask(HELLO)
        assert first == content.replace("\ud800", "?")
        assert chat(server.url).ask(HELLO) == first
        assert chat(server.url).ask((Message("user", "other"),)) == first
    assert len(server.requests) == 2


def test_an_answer_without_content_is_an_answer() -> None:
    with serving(lambda _: answer(None)) as server:
        assert [chat(server.url).ask(HELLO), chat(server.url).ask(HELLO)] == ["", ""]
    assert len(server.requests) == 1


def test_an_answer_that_was_cut_off_is_asked_for_again_and_the_others_stay() -> None:
    with serving(lambda messages: answer(messages[0]["content"])) as server:
        for word in ("one", "two"):
            chat(server.url).ask((Message("user", word),))
        Path("a.jsonl").write_bytes(Path("a.jsonl").read_bytes()[:-9])
        for word in ("one", "two", "two"):
            assert chat(server.url).ask((Message("user", word),)) == word
    assert Counter(body["messages"][0]["content"] for body, _ in server.requests) == {"one": 1, "two": 2}


def test_a_file_of_answers_that_is_none_is_refused() -> None:
    Path("a.jsonl").write_text('{"id": 1}\n{}\n')
    with pytest.raises(RedraftError, match=r"a\.jsonl:1 is no answer that was kept"):
        Answers(Path("a.jsonl"))


def test_a_model_writes_samples_and_rules_write_the_rest(capfd: pytest.CaptureFixture[str]) -> None:
    write_edits(Path("edits.parquet"), edits(10))
    with serving(developer) as server:
        out, err = done(capfd, *sketch(server.url))
    samples = list(read_samples(Path("s.parquet")))
    assert out == ""
    assert err.splitlines()[0] == "10 samples: 8 by m, 2 by rules"
    assert Counter(sample.source for sample in samples) == {"m": 8, RULES: 2}
    for sample in samples[:8]:
        assert (sample.instruction, sample.update, sample.style) == ("use best here", GOOD, "chat")
        assert sample.after == sample.before.replace("value_10 = compute(100)", "value_10 = best()")
        assert sample.after_blob != "3" * 40
    assert all(sample.style in ALL_STYLES and sample.after == program(30, 10) for sample in samples[8:])
    assert {sample.expect for sample in samples} == {"applied"}


@pytest.mark.parametrize(("share", "by_rules"), [("1", 0), ("0.5", 10), ("0.25", 12)])
def test_the_ratio_is_an_option(capfd: pytest.CaptureFixture[str], share: str, by_rules: int) -> None:
    count = 4 if share == "0.25" else 10
    write_edits(Path("edits.parquet"), edits(count))
    with serving(developer) as server:
        done(capfd, *sketch(server.url, "--synthetic", share, "--per-edit", 3))
    found = Counter(sample.source for sample in read_samples(Path("s.parquet")))
    asked = {"1": 10, "0.5": 5, "0.25": 1}[share]
    assert found["m"] == asked
    assert found[RULES] == round(asked * (1 - float(share)) / float(share))


def test_started_again_it_asks_only_what_was_not_answered(capfd: pytest.CaptureFixture[str]) -> None:
    write_edits(Path("edits.parquet"), edits(10))
    lock, seen = Lock(), Counter[str]()

    def failing(messages: Sequence[dict[str, str]]) -> Reply:
        with lock:
            seen[messages[1]["content"]] += 1
            return Reply(400) if len(seen) % 3 == 0 else developer(messages)

    with serving(failing) as server:
        first = done(capfd, *sketch(server.url))[1]
        kept = {json.loads(line)["key"] for line in Path("s.answers.jsonl").read_text().splitlines()}
        paid = len(kept)
        seen.clear()
        with serving(developer) as good:
            done(capfd, *sketch(good.url))
            once = Path("s.parquet").read_bytes()
            done(capfd, *sketch(good.url))
    assert "no answer" in first
    assert len(good.requests) == 16 - paid
    assert Path("s.parquet").read_bytes() == once


@pytest.mark.parametrize(
    ("instruction", "update", "reason"),
    [
        ("I'm sorry, but I cannot do that.", GOOD, "instruction"),
        ("", GOOD, "instruction"),
        ("do\n```\nx\n```", GOOD, "instruction"),
        ("do it", "I'm sorry, but I can't help with that.", "refusal"),
        ("do it", "\x00\x01\x02 {{{{ ]]]]", "place"),
        ("do it", "", "refusal"),
        ("do it", GOOD.replace("best()", "compute(100)"), "guards"),
        ("do it", GOOD.replace("best()", "best("), "guards"),
        ("do it", GOOD.replace("_9 = compute(81)", "_19 = compute(361)").replace("_10", "_20"), "outside"),
    ],
)
def test_what_does_not_hold_is_dropped(
    capfd: pytest.CaptureFixture[str], instruction: str, update: str, reason: str
) -> None:
    write_edits(Path("edits.parquet"), edits(1))
    with serving(lambda m: answer(instruction if "cmd-k" in m[0]["content"] else update)) as server:
        assert run([str(argument) for argument in sketch(server.url)]) == 1
    *said, _, error = capfd.readouterr().err.splitlines()
    assert said == ["0 samples: 0 by m, 0 by rules", f"dropped: {reason} 1"]
    assert error == "redraft: there are no samples: s.parquet is not written"
    assert not Path("s.parquet").exists()


def test_an_import_may_be_added_far_from_the_selection() -> None:
    before = program(30)
    update = GOOD.replace(REST, f"import best\nvalue_0 = compute(0)\n{REST}", 1)
    after = likeliest(before, update, "a.py")
    assert after is not None
    assert after.startswith("import best\nvalue_0")
    assert fault(before, update, after, REGION, "a.py") == ""
    assert fault(before, update, after.replace("best()", "worst()"), REGION, "a.py") == "guards"


def test_the_selection_is_all_that_changed() -> None:
    (edit,) = edits(1)
    assert selection(edit) == REGION


def test_the_key_is_sent_and_not_written(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    write_edits(Path("edits.parquet"), edits(1))
    monkeypatch.setenv("MY_KEY", "secret-1")
    with serving(developer) as server:
        err = done(capfd, *sketch(server.url, "--key", "MY_KEY"))[1]
        monkeypatch.delenv("MY_KEY")
    assert {key for _, key in server.requests} == {"Bearer secret-1"}
    assert "secret" not in err + Path("s.answers.jsonl").read_text() + repr(Endpoint("u", "m", "secret"))


def test_asking_refuses_what_it_cannot_do(capfd: pytest.CaptureFixture[str]) -> None:
    write_edits(Path("edits.parquet"), edits(2))
    with serving(lambda _: Reply(401, b"no key")) as server:
        assert "status 401: no key" in refusal(capfd, *sketch(server.url))
        assert "status 404: no such path" in refusal(capfd, *sketch(server.url + "/v2"))
        assert "above 0 and at most 1" in refusal(capfd, *sketch(server.url, "--synthetic", 0))
        assert "cannot write no/a.jsonl" in refusal(capfd, *sketch(server.url, "--answers", "no/a.jsonl"))
        assert "needs --model" in refusal(capfd, *sketch(server.url)[:-2])
    assert not Path("s.parquet").exists()
