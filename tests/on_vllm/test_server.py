"""In: `redraft serve --engine vllm:FOLDER` and OpenAI's own client. Out: answers as without predictions, and counts."""

import asyncio
import random
import time
from typing import Any

import pytest

pytest.importorskip("vllm", reason="needs vLLM: make vllm")

import openai

from vllm_server import PROMPT, WRITTEN, Server

pytestmark = pytest.mark.vllm

VOCABULARY = 512


def _details(answer: Any) -> tuple[int, int]:
    details = answer.usage.completion_tokens_details
    return details.accepted_prediction_tokens, details.rejected_prediction_tokens


def test_a_prediction_is_counted_and_changes_no_text(server: Server) -> None:
    plain = server.write(return_token_ids=True)
    assert plain.usage.completion_tokens_details is None
    # A random model spells its text in other tokens than a tokenizer would.
    ids = plain.choices[0].token_ids
    drafted = server.write(speculation=ids)
    assert drafted.choices[0].text == plain.choices[0].text
    accepted, rejected = _details(drafted)
    # All but the first token, which comes with the prompt, and the model's own in each step.
    assert 0.8 * WRITTEN < accepted < WRITTEN
    assert accepted + rejected == len(ids)


def test_a_wrong_prediction_is_rejected(server: Server) -> None:
    plain = server.write()
    drafted = server.write(prediction={"type": "content", "content": "zzzz qqqq " * 20})
    assert drafted.choices[0].text == plain.choices[0].text
    accepted, rejected = _details(drafted)
    assert accepted <= WRITTEN
    assert rejected > 0


def _chat(server: Server, **more: Any) -> Any:
    messages = [{"role": "user", "content": PROMPT}]
    return server.client.chat.completions.create(
        model=server.model, messages=messages, max_tokens=WRITTEN, temperature=0, **more
    )


def test_chat_streams_and_counts_at_the_end(server: Server) -> None:
    plain = _chat(server)
    text = plain.choices[0].message.content
    stream = _chat(
        server,
        prediction={"type": "content", "content": [{"type": "text", "text": text}]},
        stream=True,
        stream_options={"include_usage": True},
    )
    pieces = list(stream)
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices) == text
    accepted, _rejected = _details(pieces[-1])
    assert accepted > 0
    assert pieces[-1].usage.completion_tokens == plain.usage.completion_tokens
    assert [piece.usage for piece in pieces[:-1]] == [None] * (len(pieces) - 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"prediction": 5}, "prediction"),
        ({"prediction": {"type": "content"}}, "prediction"),
        ({"speculation": ["a"]}, "speculation"),
        ({"speculation": [VOCABULARY]}, "speculation"),
        ({"speculation": [2**70]}, "speculation"),
        ({"prediction": "a", "speculation": "b"}, "speculation"),
    ],
)
def test_a_prediction_that_cannot_be_read_is_refused(server: Server, body: dict[str, Any], field: str) -> None:
    answer = server.post("/v1/completions", {"prompt": PROMPT, "max_tokens": 4, **body})
    assert answer.status_code == 400
    assert answer.json()["error"]["param"] == field
    assert f"'{field}'" in answer.json()["error"]["message"]


@pytest.mark.parametrize("prediction", ["", "a" * 1_000_000, "<|end|>" * 40, "\x00\ud7ff"])
def test_an_odd_prediction_changes_no_text(server: Server, prediction: str) -> None:
    assert server.write(prediction=prediction).choices[0].text == server.write().choices[0].text


@pytest.mark.parametrize("value", ["text", ["a"], [VOCABULARY], [-1], 3, [0.5]])
def test_what_comes_around_the_middleware_is_ignored(server: Server, value: Any) -> None:
    drafted = server.write(vllm_xargs={"redraft_prediction": value})
    assert drafted.choices[0].text == server.write().choices[0].text


def _likelihood(server: Server, prompt: list[int], text: list[int]) -> float:
    """What vLLM itself says of a text after a prompt."""
    body = {"prompt": [*prompt, *text], "max_tokens": 1, "echo": True, "logprobs": 0}
    values = server.post("/v1/completions", body).json()["choices"][0]["logprobs"]["token_logprobs"]
    return float(sum(values[len(prompt) : len(prompt) + len(text)]))


@pytest.mark.parametrize("length", [1, 31, 32, 33, 64, 150])
def test_texts_are_ranked_as_their_log_probabilities_say(server: Server, length: int) -> None:
    chance = random.Random(length)
    prompt = [chance.randrange(4, VOCABULARY) for _ in range(length)]
    begin, end = ([chance.randrange(4, VOCABULARY) for _ in range(size)] for size in (30, 20))
    texts = [begin + [5] * 40 + end, begin + [5] * 34 + [6] + end, [*begin, 7, 8, *end], begin + [5] * 40 + end]
    # Asked twice: what the cache holds from the first time must not hide anything.
    for _ in range(2):
        found = server.post("/v1/rank", {"prompt": prompt, "texts": texts}).json()["logprobs"]
        expected = [_likelihood(server, prompt, text) for text in texts]
        assert [value - found[0] for value in found] == pytest.approx(
            [value - expected[0] for value in expected], abs=1e-3
        )


@pytest.mark.parametrize(
    "body", [{}, {"prompt": []}, {"prompt": [1], "texts": 3}, {"prompt": [1], "texts": [[1] * 600]}, {"prompt": "a"}]
)
def test_a_wrong_question_of_rank_is_refused(server: Server, body: dict[str, Any]) -> None:
    assert server.post("/v1/rank", body).status_code == 400


def test_nothing_remains_of_200_requests_that_end_in_many_ways(server: Server) -> None:
    chance = random.Random(16)
    prompts = [PROMPT[chance.randrange(20) :] + "x" * chance.randrange(100) for _ in range(12)]
    expected = {prompt: server.write(prompt).choices[0].text for prompt in prompts}
    right = asyncio.run(_storm(server, expected, chance))
    assert right > 40
    deadline = 60
    while deadline and (server.gauge("num_requests_running") or server.gauge("num_requests_waiting")):
        time.sleep(1)
        deadline -= 1
    assert deadline, "requests that nobody waits for still run"
    assert server.gauge("kv_cache_usage_perc") == 0
    assert {prompt: server.write(prompt).choices[0].text for prompt in prompts} == expected


async def _storm(server: Server, expected: dict[str, str], chance: random.Random) -> int:
    """200 requests, 16 at once: ended by themselves, by the caller, or in mid-stream; how many came to an end."""
    client = openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0)
    gate = asyncio.Semaphore(16)

    async def one(prompt: str, more: dict[str, Any], end: str, patience: float) -> bool:
        body = {"model": server.model, "prompt": prompt, "max_tokens": WRITTEN, "temperature": 0}
        body["extra_body"] = {"ignore_eos": True, **more}
        async with gate:
            if end == "left":
                try:
                    await asyncio.wait_for(client.completions.create(**body), patience)
                except (TimeoutError, openai.APIError):
                    return False
                return False
            if end == "broken off":
                stream = await client.completions.create(**body, stream=True)
                async for _ in stream:
                    await stream.close()
                    break
                return False
            answer = await client.completions.create(**body)
            assert answer.choices[0].text == expected[prompt]
            return True

    def some() -> Any:
        prompt = chance.choice(list(expected))
        text = expected[prompt]
        predictions = [{}, {"prediction": text}, {"prediction": text[: chance.randrange(1, len(text))] + "?" + text}]
        predictions += [{"speculation": [chance.randrange(VOCABULARY) for _ in range(chance.randrange(900))]}]
        end = chance.choice(["whole", "left", "broken off"])
        return one(prompt, chance.choice(predictions), end, chance.random())

    return sum(await asyncio.gather(*(some() for _ in range(200))))
