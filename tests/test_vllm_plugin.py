"""In: bodies, answers and ids. Out: what of the vLLM plugin needs no vLLM: predictions in, counts out, drafts."""

import asyncio
import json
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.draft.length import Cost
from redraft.engines.vllm import MOST_DRAFTED, PREDICTION
from redraft.engines.vllm.body import FieldError, prediction_of
from redraft.engines.vllm.drafts import RequestDrafts
from redraft.engines.vllm.drafts import prediction_of as ids_of
from redraft.engines.vllm.launch import arguments, check_version
from redraft.engines.vllm.middleware import PredictionMiddleware
from redraft.engines.vllm.usage import Events, counted
from redraft.errors import RedraftError

COST = Cost(1.0, 0.01)
VOCABULARY, CONTEXT, END = 256, 64, 0
IDS = st.lists(st.integers(0, 5), max_size=60)


@given(prediction=IDS, prompt=IDS, output=IDS, limit=st.integers(-3, 200))
def test_a_draft_is_within_its_limit_and_what_a_new_drafter_would_say(
    prediction: list[int], prompt: list[int], output: list[int], limit: int
) -> None:
    drafts = RequestDrafts(prediction, prompt, COST)
    for length in range(len(output)):
        assert len(drafts.next(output[:length], limit)) <= max(0, limit)


def test_a_right_prediction_is_drafted_from_where_the_output_is() -> None:
    drafts = RequestDrafts(range(300), (), COST)
    assert drafts.next([0], MOST_DRAFTED) == list(range(1, 129))
    assert drafts.next(list(range(130)), MOST_DRAFTED) == list(range(130, 258))


def test_a_request_that_was_not_scheduled_keeps_its_place() -> None:
    drafts = RequestDrafts(range(300), (), COST)
    first = drafts.next([0], 4)
    assert drafts.next([0], 4) == first


@pytest.mark.parametrize("given", [None, {}, {PREDICTION: "text"}, {PREDICTION: [1, -1]}, {PREDICTION: [1, 256]}])
@pytest.mark.parametrize("odd", [{PREDICTION: [1, True]}, {PREDICTION: [1.0]}, {PREDICTION: {"a": 1}}])
def test_what_is_no_list_of_ids_drafts_nothing(given: Any, odd: Any) -> None:
    assert ids_of(given, VOCABULARY) == ids_of(odd, VOCABULARY) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, None),
        ({"prediction": None}, None),
        ({"prediction": "a"}, "a"),
        ({"prediction": {"type": "content", "content": "a"}}, "a"),
        ({"prediction": {"type": "content", "content": [{"type": "text", "text": "a"}] * 2}}, "aa"),
        ({"speculation": "a"}, "a"),
        ({"speculation": [1, 2]}, [1, 2]),
        ({"speculation": []}, []),
    ],
)
def test_predictions_are_read(body: dict[str, Any], expected: Any) -> None:
    assert prediction_of(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        {"prediction": 1},
        {"prediction": [1, 2]},
        {"prediction": {"type": "diff", "content": "a"}},
        {"prediction": {"type": "content"}},
        {"prediction": {"content": [{"type": "image_url"}]}},
        {"speculation": {"content": "a"}},
        {"speculation": [1, "2"]},
        {"speculation": [-1]},
        {"speculation": [True]},
        {"prediction": "a", "speculation": "a"},
    ],
)
def test_what_cannot_be_read_is_named(body: dict[str, Any]) -> None:
    with pytest.raises(FieldError, match=f"'{list(body)[-1]}'"):
        prediction_of(body)


def _answer(accepted: int, written: int) -> dict[str, Any]:
    metrics = {"num_accepted_draft_tokens": accepted, "num_draft_tokens": accepted + 3}
    return {"usage": {"completion_tokens": written}, "metrics": {"speculative_decoding": metrics}}


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_counts_add_up_to_the_prediction(accepted: int, written: int, predicted: int) -> None:
    details = counted(_answer(accepted, written), predicted)["usage"]["completion_tokens_details"]
    assert details["accepted_prediction_tokens"] == min(accepted, written, predicted)
    assert sum(details.values()) == predicted


def test_an_answer_without_metrics_stays_as_it_is() -> None:
    assert counted({"usage": {"completion_tokens": 3}}, 5) == {"usage": {"completion_tokens": 3}}


@given(st.lists(st.integers(1, 40), max_size=20))
def test_events_are_counted_however_they_are_cut(sizes: list[int]) -> None:
    text = json.dumps({"choices": [{"delta": {"content": '"speculative_decoding"\n'}}]})
    last = json.dumps({"choices": [], **_answer(4, 9)})
    stream = f"data: {text}\n\ndata: {last}\n\ndata: [DONE]\n\n".encode()
    events, pieces, at = Events(6), [], 0
    for size in [*sizes, len(stream)]:
        pieces.append(events.feed(stream[at : at + size]))
        at += size
    said = [json.loads(line[6:]) for line in (b"".join(pieces) + events.flush()).split(b"\n\n")[:2]]
    assert said[0] == json.loads(text)
    details = {"accepted_prediction_tokens": 4, "rejected_prediction_tokens": 2}
    assert said[1]["usage"] == {"completion_tokens": 9, "completion_tokens_details": details}


class _Tokenizer:
    """Characters as ids."""

    eos_token_id = END

    def encode(self, text: str, add_special_tokens: bool) -> list[int]:
        return [ord(character) % VOCABULARY for character in text]


def _ask(data: bytes, answer: dict[str, Any], path: str = "/v1/completions") -> tuple[Any, list[Any]]:
    """What the server behind the middleware got, and what the caller got."""
    got: list[Any] = []
    sent: list[Any] = []

    async def server(scope: Any, receive: Any, send: Any) -> None:
        got.append(((await receive())["body"], dict(scope["headers"])))
        body = json.dumps(answer).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def receive() -> Any:
        return {"type": "http.request", "body": data}

    async def send(message: Any) -> None:
        sent.append(message)

    config = SimpleNamespace(max_model_len=CONTEXT, get_vocab_size=lambda: VOCABULARY)
    engine = SimpleNamespace(model_config=config, get_tokenizer=_Tokenizer)
    app = SimpleNamespace(state=SimpleNamespace(engine_client=engine))
    headers = [(b"content-length", b"%d" % len(data))]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "app": app}
    asyncio.run(PredictionMiddleware(server)(scope, receive, send))
    return (got[0] if got else None), sent


def test_a_prediction_becomes_a_sampling_parameter_and_is_counted() -> None:
    body = {"model": "m", "prediction": {"type": "content", "content": "ab"}, "vllm_xargs": {"other": 1}}
    (data, headers), sent = _ask(json.dumps(body).encode(), _answer(1, 9))
    assert json.loads(data) == {"model": "m", "vllm_xargs": {"other": 1, PREDICTION: [97, 98, END]}}
    assert headers[b"content-length"] == b"%d" % len(data)
    answer = json.loads(sent[1]["body"])
    assert answer["usage"]["completion_tokens_details"]["rejected_prediction_tokens"] == 1
    assert dict(sent[0]["headers"])[b"content-length"] == b"%d" % len(sent[1]["body"])


@pytest.mark.parametrize("data", [b'{"model": "m"}', b"{", b"[]", b'"prediction"', b"\xff"])
def test_what_has_no_prediction_passes_byte_for_byte(data: bytes) -> None:
    answer = _answer(1, 9)
    got, sent = _ask(data, answer)
    assert got[0] == data
    assert json.loads(sent[1]["body"]) == answer


def test_a_prediction_longer_than_the_context_is_cut() -> None:
    (data, _), _ = _ask(json.dumps({"prediction": "a" * 10_000}).encode(), {})
    assert len(json.loads(data)["vllm_xargs"][PREDICTION]) == CONTEXT


@pytest.mark.parametrize("empty", ["", [], None])
def test_an_empty_prediction_is_none(empty: Any) -> None:
    (data, _), _ = _ask(json.dumps({"speculation": empty}).encode(), {})
    assert json.loads(data) == {}


@pytest.mark.parametrize("body", [{"prediction": 5}, {"speculation": [VOCABULARY]}])
def test_a_wrong_prediction_is_refused_before_the_server_sees_it(body: dict[str, Any]) -> None:
    got, sent = _ask(json.dumps(body).encode(), {})
    assert got is None
    assert sent[0]["status"] == 400
    assert json.loads(sent[1]["body"])["error"]["param"] == next(iter(body))


def test_the_callers_own_options_come_last() -> None:
    words = arguments("folder", "name", ["--middleware", "mine", "--speculative-config", "{}"])
    assert words[:4] == ["serve", "folder", "--served-model-name", "name"]
    assert words[-2:] == ["--speculative-config", "{}"]


def test_the_page_says_how_to_start_the_server_by_hand() -> None:
    page = (Path(__file__).parents[1] / "docs/scale.md").read_text()
    command = next(line for line in page.splitlines() if line.startswith("vllm serve MODEL"))
    words = arguments("MODEL", "name", [])
    assert shlex.split(command) == ["vllm", *words[:2], *words[4:]]


@pytest.mark.parametrize("version", ["0.31.0", "0.33.0", "1.0.0", "0.320.1"])
def test_another_version_is_refused(version: str) -> None:
    check_version("0.32.0")
    with pytest.raises(RedraftError, match=f"vLLM {version} is installed"):
        check_version(version)
