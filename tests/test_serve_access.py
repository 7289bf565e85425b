"""Who is let in, and what a request may be: keys, hosts, lengths, bodies that are wrong in fifty ways."""

import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from redraft.access import check_address, is_ours
from redraft.errors import RedraftError
from redraft.serve.settings import Limits
from serving import Live, scripted, serving

SAID = "a = 1\n"
KEY = "correct-horse"
ROUTES = [
    ("GET", "/v1/models"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    ("POST", "/v1/race"),
    ("GET", "/nowhere"),
    ("POST", "/v1/apply"),
    ("POST", "/v1/warm"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/completions"),
]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    settings = scripted(tmp_path_factory.mktemp("open"), SAID, limits=Limits(body_bytes=100_000))
    with serving(settings) as started:
        yield started


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    settings = scripted(tmp_path_factory.mktemp("locked"), SAID, key=KEY, origins=("https://editor.example",))
    with serving(settings) as started:
        yield started


def error(response: httpx2.Response) -> dict[str, str]:
    """The error of a response, which has OpenAI's shape and no more."""
    (said,) = response.json().values()
    assert set(said) == {"message", "type", "param", "code"}
    assert said["message"]
    return said


@pytest.mark.parametrize(("method", "route"), ROUTES)
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Bearer {KEY}x", f"Basic {KEY}", "Bearer \xfc"])
def test_every_route_but_health_and_the_page_wants_the_key(locked: Live, method: str, route: str, header: str) -> None:
    headers = {"Authorization": header.encode("latin-1")} if header else {}
    said = locked.client.request(method, route, headers=headers)
    assert (said.status_code, error(said)["code"]) == (401, "invalid_api_key")


def test_health_wants_no_key(locked: Live) -> None:
    assert locked.client.get("/healthz").json() == {"status": "ok", "engine": "said", "has_model": True}


@pytest.mark.parametrize("headers", [{"Authorization": f"Bearer {KEY}"}, {"X-Api-Key": KEY}])
def test_the_key_opens_wherever_clients_put_it(locked: Live, headers: dict[str, str]) -> None:
    assert locked.client.get("/v1/models", headers=headers).status_code == 200


def test_other_pages_are_let_in_by_name_alone(live: Live, locked: Live) -> None:
    asks = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for server in (live, locked):
        assert "access-control-allow-origin" not in server.client.options("/v1/apply", headers=asks).headers
    asks["Origin"] = "https://editor.example"
    assert locked.client.options("/v1/apply", headers=asks).headers["access-control-allow-origin"] == asks["Origin"]
    assert "access-control-allow-origin" not in live.client.options("/v1/apply", headers=asks).headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8000", ""])
def test_without_a_key_other_names_lead_nowhere(live: Live, host: str) -> None:
    """A page may make its own name point to this machine."""
    assert live.client.get("/v1/models", headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_names_of_this_machine_do(live: Live, host: str) -> None:
    assert live.client.get("/v1/models", headers={"Host": host}).status_code == 200


def test_an_address_that_others_reach_needs_a_key_or_a_word() -> None:
    for host in ("0.0.0.0", "::", "192.168.1.2", "example.org", ""):
        with pytest.raises(RedraftError, match="could use this server"):
            check_address(host, "")
        check_address(host, KEY)
        check_address(host, "", is_open=True)


def test_a_form_of_another_page_is_not_taken(live: Live) -> None:
    """What a browser sends without asking first is no JSON."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        headers = {"Content-Type": kind} if kind else {}
        body = json.dumps({"original": "a", "update": "b"}).encode()
        assert live.client.post("/v1/apply", content=body, headers=headers).status_code == 415


def test_a_long_body_is_refused_before_it_is_read(live: Live) -> None:
    body = json.dumps({"original": "x" * 200_000})
    said = live.client.post("/v1/apply", content=body, headers={"Content-Type": "application/json"})
    assert (said.status_code, error(said)["code"]) == (413, "too_long")
    pieces = (body[at : at + 1000].encode() for at in range(0, len(body), 1000))
    said = live.client.post("/v1/apply", content=pieces, headers={"Content-Type": "application/json"})
    assert (said.status_code, error(said)["code"]) == (413, "too_long")


def test_a_body_that_does_not_come_ends_in_time(tmp_path: Path) -> None:
    head = b"POST /v1/apply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    with serving(scripted(tmp_path, SAID, limits=Limits(body_seconds=0.1))) as slow:
        place = httpx2.URL(slow.url)
        with socket.create_connection((place.host, place.port)) as connection:
            connection.sendall(head + b"{")
            assert connection.recv(1000).startswith(b"HTTP/1.1 408 ")


HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


def connected(live: Live) -> socket.socket:
    place = httpx2.URL(live.url)
    return socket.create_connection((place.host, place.port), timeout=30)


def received(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except ConnectionError:
        pass
    return found


@pytest.mark.parametrize("head", [b"X-Long: " + b"a" * 300_000, b"X: a\r\n" * 50_000, b"X" * 300_000])
def test_long_headers_are_refused_before_the_key_is_looked_at(locked: Live, head: bytes) -> None:
    with connected(locked) as connection:
        sent = 0
        try:
            for _ in range(1_000):  # 300 MB, if somebody took them
                connection.sendall(HEAD + head if not sent else head)
                sent += len(head)
        except ConnectionError:
            pass
        assert sent < 30_000_000
    with connected(locked) as connection:
        connection.sendall(HEAD + b"X-Long: " + b"a" * 70_000)
        assert received(connection).startswith(b"HTTP/1.1 431 ")
    with connected(locked) as connection:
        connection.sendall(HEAD + b"X-Long: " + b"a" * 60_000 + b"\r\nConnection: close\r\n\r\n")
        assert received(connection).startswith(b"HTTP/1.1 200 ")


def test_what_follows_a_body_is_limited_like_headers(locked: Live) -> None:
    head = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Trailer: "
    with connected(locked) as connection:
        sent = 0
        try:
            connection.sendall(head)
            while sent < 1_000:
                connection.sendall(b"a" * 300_000)
                sent += 1
        except ConnectionError:
            pass
        assert sent < 100


@pytest.mark.parametrize("sent", [b"", HEAD, b"\r\n", HEAD + b"\r\n" + HEAD])
def test_a_head_that_does_not_come_ends_in_time(tmp_path: Path, sent: bytes) -> None:
    with serving(scripted(tmp_path, SAID, limits=Limits(head_seconds=0.2))) as slow, connected(slow) as connection:
        connection.sendall(sent)
        assert received(connection).count(b"HTTP/1.1 200 ") == sent.count(b"\r\n\r\n")


@pytest.mark.parametrize("sent", [b"", HEAD, HEAD.replace(b"GET", b"POST") + b"Content-Length: 9\r\n\r\n{"])
def test_many_that_say_nothing_keep_nobody_out(locked: Live, sent: bytes) -> None:
    idle = []
    try:
        for _ in range(1_000):
            idle.append(connected(locked))
            idle[-1].sendall(sent)
        with httpx2.Client(base_url=locked.url, headers={"X-Api-Key": KEY}, timeout=60) as client:
            assert client.get("/v1/models").status_code == 200
        asked = {"original": "a = 1\n", "update": "```python\na = 2\n```", "path": "a.py"}
        with httpx2.Client(base_url=locked.url, headers={"X-Api-Key": KEY}, timeout=60) as client:
            assert client.post("/v1/apply", json=asked).status_code == 200
    finally:
        for connection in idle:
            connection.close()


@pytest.mark.parametrize(("host", "is_ours_"), [("0.0.0.0", True), ("evil.example", False), ("10.1.2.3:8000", True)])
def test_an_open_server_answers_only_to_its_own_names(host: str, is_ours_: bool) -> None:
    assert is_ours(host, "0.0.0.0") is is_ours_
    assert is_ours(socket.gethostname(), "0.0.0.0")
    assert is_ours("localhost:1", "::")
    assert not is_ours(host, "127.0.0.1") or host.startswith("127.")


def test_a_page_that_made_its_name_point_here_is_refused(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, SAID, host="0.0.0.0")) as opened:
        assert opened.client.get("/v1/models").status_code == 200
        said = opened.client.get("/v1/models", headers={"Host": "evil.example"})
        assert (said.status_code, error(said)["code"]) == (403, "host")


CHAT, PLAIN, APPLY, WARM = "/v1/chat/completions", "/v1/completions", "/v1/apply", "/v1/warm"
TWICE = "<code>a</code><update>b</update><code>c</code><update>d"
HI = [{"role": "user", "content": "hi"}]
WRONG = [
    (CHAT, "", "missing_required_parameter"),
    (CHAT, "{", "invalid_json"),
    (CHAT, "nul", "invalid_json"),
    (CHAT, '{"messages": [}', "invalid_json"),
    (CHAT, "[" * 20_000, None),
    (CHAT, "[]", None),
    (CHAT, '"text"', None),
    (CHAT, "null", None),
    (CHAT, "{}", "messages"),
    (CHAT, {"messages": []}, "messages"),
    (CHAT, {"messages": "hi"}, "messages"),
    (CHAT, {"messages": [{}]}, "messages.0.role"),
    (CHAT, {"messages": [{"role": "user"}]}, "messages.0.content"),
    (CHAT, {"messages": [{"role": "king", "content": "hi"}]}, "messages.0.role"),
    (CHAT, {"messages": [{"role": "user", "content": 7}]}, "messages.0.content"),
    (CHAT, {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages.0.content.0.type"),
    (CHAT, {"messages": HI, "wings": 2}, "wings"),
    (CHAT, {"messages": HI, "temperature": -1}, "temperature"),
    (CHAT, {"messages": HI, "temperature": 99}, "temperature"),
    (CHAT, {"messages": HI, "temperature": "hot"}, "temperature"),
    (CHAT, '{"messages": [{"role": "user", "content": "hi"}], "temperature": NaN}', "temperature"),
    (CHAT, {"messages": HI, "max_tokens": 0}, "max_tokens"),
    (CHAT, {"messages": HI, "max_tokens": 1.5}, "max_tokens"),
    (CHAT, {"messages": HI, "max_tokens": True}, "max_tokens"),
    (CHAT, {"messages": HI, "max_completion_tokens": -3}, "max_completion_tokens"),
    (CHAT, {"messages": HI, "n": 2}, "n"),
    (CHAT, {"messages": HI, "stop": ""}, "stop"),
    (CHAT, {"messages": HI, "stop": ["x"] * 40}, "stop"),
    (CHAT, {"messages": HI, "stop": {"a": 1}}, "stop"),
    (CHAT, {"messages": HI, "prediction": 3}, "prediction"),
    (CHAT, {"messages": HI, "prediction": {"type": "sound", "content": "x"}}, "prediction.type"),
    (CHAT, {"messages": HI, "prediction": {"type": "content"}}, "prediction.content"),
    (CHAT, {"messages": HI, "prediction": "x", "speculation": "x"}, "speculation"),
    (CHAT, {"messages": HI, "prediction": "x", "logprobs": True}, "logprobs"),
    (CHAT, {"messages": HI, "prediction": "x", "presence_penalty": 1}, "presence_penalty"),
    (CHAT, {"messages": HI, "prediction": "x", "frequency_penalty": 1}, "frequency_penalty"),
    (CHAT, {"messages": HI, "prediction": "x", "tools": [{"type": "function"}]}, "tools"),
    (CHAT, {"messages": HI, "speculation": [1, "two"]}, "speculation.1"),
    (CHAT, {"messages": HI, "speculation": [1, 2]}, None),
    (CHAT, {"messages": HI, "top_logprobs": 3}, "top_logprobs"),
    (CHAT, {"messages": HI, "response_format": {"type": "json_object"}}, "response_format"),
    (CHAT, {"messages": HI, "modalities": ["audio"]}, "modalities"),
    (CHAT, {"messages": HI, "temperature": 1, "top_p": 0.5}, "top_p"),
    (CHAT, {"messages": HI, "logit_bias": {"5": 1}}, "logit_bias"),
    (CHAT, {"messages": HI, "stream": "yes"}, "stream"),
    (CHAT, '{"messages": [{"role": "user", "content": "\\ud800"}]}', "invalid_value"),
    (
        CHAT,
        {"messages": [{"role": "user", "content": TWICE}]},
        "ambiguous_tags",
    ),
    (PLAIN, {}, "prompt"),
    (PLAIN, {"prompt": ""}, "prompt"),
    (PLAIN, {"prompt": []}, "prompt"),
    (PLAIN, {"prompt": [[]]}, "prompt.0"),
    (PLAIN, {"prompt": ["a", "b"]}, "prompt"),
    (PLAIN, {"prompt": "a", "echo": True, "logprobs": 1}, "logprobs"),
    (PLAIN, {"prompt": ["a"], "suffix": "b"}, "suffix"),
    (PLAIN, {"prompt": "<|fim_prefix|>a"}, "prompt"),
    ("/infill", {"input_prefix": 5}, "input_prefix"),
    ("/v1/next", {"text": "a"}, "line"),
    ("/v1/next", {"text": "a", "line": 1, "history": "words"}, None),
    (PLAIN, {"prompt": "a", "best_of": 3}, "best_of"),
    (PLAIN, {"prompt": "a", "logprobs": 50}, "logprobs"),
    (PLAIN, {"prompt": [5, 6]}, None),
    (APPLY, {}, "original"),
    (APPLY, {"original": None, "update": "x"}, "original"),
    (APPLY, {"original": 1, "update": "x"}, "original"),
    (APPLY, {"original": "a", "files": []}, "files"),
    (APPLY, {"files": [{"path": "", "original": "a"}], "update": "x"}, "files.0.path"),
    (APPLY, {"files": [{"path": "a", "original": ""}, {"path": "./a", "original": ""}]}, "files"),
    (APPLY, {"files": [{"path": "a.py", "original": "a"}], "update": "nothing of use"}, None),
    (APPLY, {"original": "a", "update": "b", "conversation": "c"}, "conversation"),
    (APPLY, {"original": "a", "update": "b", "root": "/etc"}, "root"),
    (WARM, {"path": "a"}, "original"),
]


@pytest.mark.parametrize(("route", "body", "named"), WRONG)
def test_what_is_wrong_is_named(live: Live, route: str, body: object, named: str | None) -> None:
    content = body if isinstance(body, str) else json.dumps(body)
    response = live.client.post(route, content=content, headers={"Content-Type": "application/json"})
    assert 400 <= response.status_code < 500, response.text
    said = error(response)
    assert named in (None, said["param"], said["code"]), said


def test_the_log_holds_nothing_of_a_file(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    secret = "hunter2hunter2"
    with caplog.at_level(logging.DEBUG):
        live.client.post(APPLY, json={"original": f"{secret} = 1\n", "update": f"{secret} = 2\n", "path": secret})
        live.client.post(APPLY, json={"original": [secret]})
        live.client.get(f"/{secret}?{secret}={secret}", headers={"Authorization": f"Bearer {secret}"})
    told = [record for record in caplog.records if record.name in ("redraft.serve", "uvicorn.error")]
    assert [record.fields["route"] for record in told] == [APPLY, APPLY, "unknown"]
    assert secret not in "".join(f"{record.getMessage()} {record.__dict__}" for record in told)
