"""The official client of OpenAI at our server: plain and streaming, sync and async, with and without `prediction`."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import openai
import pytest

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.engines import Sampling
from redraft.engines.completions import CompletionsEngine
from redraft.serve.settings import Settings
from serving import Live, scripted, serving
from tiny_models import save

SAID = "one two three\nfour five\n"
ASK = [{"role": "user", "content": "count"}]
PREDICTION = {"type": "content", "content": "one two three\nnothing else\n"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(scripted(tmp_path_factory.mktemp("serve"), SAID)) as started:
        yield started


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A random model, whose output depends on all that came before."""
    folder = save("llama", tmp_path_factory.mktemp("tiny"), chat=True, seed=2)
    with serving(Settings(f"hf:{folder}", dtype="float32")) as started:
        yield started


def client(live: Live) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{live.url}/v1", api_key="none", max_retries=0)


def test_a_plain_answer(live: Live) -> None:
    with client(live) as asked:
        said = asked.chat.completions.create(model="any", messages=ASK)
    assert (said.choices[0].message.content, said.choices[0].finish_reason) == (SAID, "stop")
    assert said.object == "chat.completion"
    assert said.usage.total_tokens == said.usage.prompt_tokens + said.usage.completion_tokens


def test_the_usage_says_what_of_a_prediction_was_accepted(live: Live) -> None:
    with client(live) as asked:
        said = asked.chat.completions.create(model="any", messages=ASK, prediction=PREDICTION)
    details = said.usage.completion_tokens_details
    assert said.choices[0].message.content == SAID
    assert (details.accepted_prediction_tokens, details.rejected_prediction_tokens) == (8, 2)


def test_a_stream_has_the_same_text(live: Live) -> None:
    with client(live) as asked:
        events = list(
            asked.chat.completions.create(
                model="any", messages=ASK, prediction=PREDICTION, stream=True, stream_options={"include_usage": True}
            )
        )
    *pieces, last = events
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == SAID
    assert pieces[0].choices[0].delta.role == "assistant"
    assert [piece.choices[0].finish_reason for piece in pieces if piece.choices[0].finish_reason] == ["stop"]
    assert last.choices == []
    assert last.usage.completion_tokens_details.accepted_prediction_tokens == 8


def test_the_async_client(live: Live) -> None:
    async def both() -> tuple[str, str]:
        async with openai.AsyncOpenAI(base_url=f"{live.url}/v1", api_key="none") as asked:
            whole = await asked.chat.completions.create(model="m", messages=ASK, prediction=PREDICTION)
            stream = await asked.chat.completions.create(model="m", messages=ASK, prediction=PREDICTION, stream=True)
            return whole.choices[0].message.content, "".join([e.choices[0].delta.content or "" async for e in stream])

    assert asyncio.run(both()) == (SAID, SAID)


def test_models(live: Live) -> None:
    with client(live) as asked:
        assert [model.id for model in asked.models.list()] == ["said"]


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("embedded", "embedded"),
        ("hf:Qwen/Qwen3-4B", "Qwen3-4B"),
        ("hf:/home/me/models/tiny/", "tiny"),
        ("openai:http://key@host:1/v1#gpt", "gpt"),
        ("llamacpp:", "llamacpp"),
    ],
)
def test_the_name_of_a_model_tells_nothing_of_where_it_lies(live: Live, spec: str, name: str) -> None:
    assert replace(live.service, settings=Settings(spec)).name == name


@pytest.mark.parametrize("stream", [False, True])
def test_completions_with_speculation_and_echo(live: Live, stream: bool) -> None:
    with client(live) as asked:
        said = asked.completions.create(
            model="m", prompt="count: ", echo=True, stream=stream, extra_body={"speculation": "one two three"}
        )
        events = list(said) if stream else [said]
    assert "".join(event.choices[0].text for event in events) == "count: " + SAID


def test_stop_and_max_tokens_end_an_answer(live: Live) -> None:
    with client(live) as asked:
        cut = asked.chat.completions.create(model="m", messages=ASK, stop=["three"])
        short = asked.chat.completions.create(model="m", messages=ASK, max_completion_tokens=3)
    assert (cut.choices[0].message.content, cut.choices[0].finish_reason) == ("one two ", "stop")
    assert (short.choices[0].message.content, short.choices[0].finish_reason) == ("one two", "length")


def test_errors_are_those_that_the_client_knows(live: Live) -> None:
    with client(live) as asked:
        with pytest.raises(openai.BadRequestError) as refused:
            asked.chat.completions.create(model="m", messages=ASK, prediction=PREDICTION, n=2)
        assert (refused.value.param, refused.value.code) == ("n", "unsupported_parameter")
        with pytest.raises(openai.BadRequestError) as unknown:
            asked.chat.completions.create(model="m", messages=ASK, extra_body={"wings": 2})
        assert (unknown.value.param, unknown.value.code) == ("wings", "unknown_parameter")


def said_by(asked: openai.OpenAI, **extra: object) -> openai.types.chat.ChatCompletion:
    return asked.chat.completions.create(model="m", messages=ASK, max_tokens=40, **extra)


def test_a_prediction_changes_nothing_of_what_a_model_says(tiny: Live) -> None:
    """Also where it is token ids, or wrong, or right."""
    with client(tiny) as asked:
        own = said_by(asked).choices[0].message.content
        ids = tiny.service.engine.encode(own)
        right = said_by(asked, prediction={"type": "content", "content": own})
        others = [said_by(asked, extra_body=extra) for extra in ({"speculation": ids}, {"prediction": "def other():"})]
    assert {answer.choices[0].message.content for answer in (right, *others)} == {own}
    assert right.usage.completion_tokens_details.accepted_prediction_tokens > 20


def test_a_prediction_longer_than_the_context_turns_nothing_down(tiny: Live) -> None:
    with client(tiny) as asked:
        own = said_by(asked).choices[0].message.content
        long = {"type": "content", "content": own + "x = 1\n" * 200_000}
        ids = tiny.service.engine.encode(own) * 2_000
        said = [said_by(asked, prediction=long), said_by(asked, extra_body={"speculation": ids})]
    assert [each.choices[0].message.content for each in said] == [own, own]
    assert all(each.usage.completion_tokens_details.accepted_prediction_tokens > 20 for each in said)


def test_the_completions_engine_takes_this_server_for_one_without_echo(tiny: Live) -> None:
    """It does not echo log-probabilities: the text comes as it is written, whatever was predicted."""
    engine = CompletionsEngine.of(f"{tiny.url}/v1#m")
    with client(tiny) as asked:
        own = asked.completions.create(model="m", prompt="count: ", max_tokens=40, temperature=0).choices[0].text
    for prediction in (own, "def other():"):
        prompt = Prompt((Part("count: "),), (Source("prediction", (Part(prediction),)),))
        assert "".join(chunk.text for chunk in engine.generate(prompt, Sampling(max_tokens=40))) == own


def test_a_seed_draws_the_same_again_and_a_speculation_is_verified_greedily_first(tiny: Live) -> None:
    with client(tiny) as asked:
        own = said_by(asked).choices[0].message.content
        drawn = [said_by(asked, temperature=1.5, seed=7).choices[0].message.content for _ in range(2)]
        begun = own.partition("\ufffd")[0]
        speculated = said_by(asked, temperature=1.5, seed=7, extra_body={"speculation": begun})
    assert drawn[0] == drawn[1]
    assert not drawn[0].startswith(begun)
    assert speculated.choices[0].message.content.startswith(begun)


def test_log_probabilities_are_those_of_the_tokens(tiny: Live) -> None:
    with client(tiny) as asked:
        said = asked.chat.completions.create(model="m", messages=ASK, max_tokens=5, logprobs=True, top_logprobs=2)
        older = asked.completions.create(model="m", prompt="def a", max_tokens=5, logprobs=2)
    tokens = said.choices[0].logprobs.content
    assert len(tokens) == 5
    assert all(token.logprob == token.top_logprobs[0].logprob < 0 for token in tokens)
    assert len(older.choices[0].logprobs.tokens) == len(older.choices[0].logprobs.token_logprobs) == 5


def test_a_prompt_of_ids_is_the_prompt_of_its_text(tiny: Live, tmp_path: Path) -> None:
    ids = tiny.service.engine.encode("def a():")
    with client(tiny) as asked:
        texts = [
            asked.completions.create(model="m", prompt=prompt, max_tokens=8).choices[0].text
            for prompt in ("def a():", ids, [ids])
        ]
    assert len(set(texts)) == 1
