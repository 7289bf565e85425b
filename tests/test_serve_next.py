"""Editors at our server, with requests in their shape: Zed, cursortab, llama.vim; many of them who type at once."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

import next_prompts as sent
from redraft.engines import Sampling, Warming
from redraft.next.recognise import asked, recognise
from redraft.serve.meters import Meters
from redraft.serve.refusals import SupersededError
from redraft.serve.settings import Limits, Settings
from redraft.serve.worker import Worker
from serving import Busy, Live, busy, scripted, serving
from tiny_models import save

COMPLETIONS = "/v1/completions"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(scripted(tmp_path_factory.mktemp("serve"), sent.NEW)) as started:
        yield started


def tiny_with(token: str, folder: Path) -> Settings:
    """A random model that has this special token in the place of another."""
    save("qwen2", folder, seed=2)
    file = folder / "tokenizer.json"
    file.write_text(file.read_text().replace("<|user|>", token))
    return Settings(f"hf:{folder}", dtype="float32")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tiny_with("<|file_sep|>", tmp_path_factory.mktemp("tiny"))) as started:
        yield started


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A model without tokens of templates."""
    with serving(tiny_with("<|user|>", tmp_path_factory.mktemp("bare"))) as started:
        yield started


def said(live: Live, body: dict[str, Any], path: str = COMPLETIONS) -> dict[str, Any]:
    answer = live.client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def refused(live: Live, body: dict[str, Any], path: str = COMPLETIONS) -> tuple[int, str, str]:
    answer = live.client.post(path, json=body)
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"]


def test_zed_gets_the_new_window_and_the_fields_that_it_reads(live: Live) -> None:
    answer = said(live, sent.ZED | {"prompt": sent.zed_sweep()})
    assert {"id", "object", "created", "model", "choices", "usage"} <= answer.keys()
    assert (answer["choices"][0]["text"], answer["choices"][0]["finish_reason"]) == (sent.NEW, "stop")
    assert answer["usage"]["completion_tokens_details"]["rejected_prediction_tokens"] == 0


def test_cursortab_whole_and_streamed(live: Live) -> None:
    body = sent.CURSORTAB | {"prompt": sent.cursortab_sweep()}
    assert said(live, body)["choices"][0]["text"] == sent.NEW
    lines = live.client.post(COMPLETIONS, json=body | {"stream": True}).text.splitlines()
    events = [line.removeprefix("data: ") for line in lines if line]
    assert events.pop() == "[DONE]"
    pieces = [json.loads(event)["choices"][0] for event in events]
    assert "".join(piece["text"] for piece in pieces) == sent.NEW
    assert pieces[-1]["finish_reason"] == "stop"


def test_the_window_is_drafted_without_help(live: Live) -> None:
    """A forward to where the answer leaves it, one to its end, which is not the token that was drafted, one more."""
    engine = live.service.engine
    found = recognise(sent.zed_sweep(), engine.has_token)  # type: ignore[attr-defined]
    assert found is not None
    ways = [asked(found, engine, Sampling(speculate=speculate)) for speculate in (True, False)]
    drafted, plain = ([chunk.ids for chunk in engine.generate(*way)] for way in ways)
    assert sum(drafted, ()) == sum(plain, ())
    assert (len(drafted), len(plain)) == (3, len(sum(plain, ())))


def test_a_prediction_comes_before_the_window(live: Live) -> None:
    answer = said(live, sent.ZED | {"prompt": sent.zed_sweep(), "prediction": sent.NEW})
    details = answer["usage"]["completion_tokens_details"]
    assert (answer["choices"][0]["text"], details["rejected_prediction_tokens"]) == (sent.NEW, 0)
    assert details["accepted_prediction_tokens"] > 20


@pytest.mark.parametrize("token", ["<|file_sep|>", "<|endoftext|>", "</s>"])
def test_special_tokens_in_a_users_code_end_nothing(tmp_path: Path, token: str) -> None:
    window = f"END = '{token}'\nprint(END)\n"
    with serving(scripted(tmp_path, window.replace("print", "show"))) as started:
        for body in (
            sent.ZED | {"prompt": sent.zed_sweep(window)},
            sent.CURSORTAB | {"prompt": sent.zed_sweep(window)},
        ):
            assert said(started, body)["choices"][0]["text"] == window.replace("print", "show")


def test_a_gap_by_tokens_by_suffix_and_by_infill(live: Live) -> None:
    by_tokens = said(live, sent.ZED_FIM | {"prompt": sent.qwen()})["choices"][0]["text"]
    by_suffix = said(live, {"prompt": "a", "suffix": "\nb\n", "max_tokens": 64})["choices"][0]["text"]
    by_infill = said(live, {"input_prefix": "a", "input_suffix": "\nb\n"}, "/infill")
    assert by_infill["content"] == sent.NEW
    assert by_tokens == by_suffix == sent.NEW.partition("\n")[0]  # editors there want a statement
    assert (by_infill["stop"], by_infill["stop_type"]) == (True, "eos")


def test_llama_vim_gets_the_fields_that_it_asks_for(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, "w * h\n    # more\nprint(1)\n")) as started:
        answer = said(started, sent.LLAMA_VIM, "/infill")
        assert answer.keys() == set(sent.LLAMA_VIM["response_fields"])
        # The third line is less indented than the cursor's.
        assert answer["content"] == "w * h\n    # more"
        assert said(started, sent.LLAMA_VIM | {"n_predict": 0, "response_fields": [""]}, "/infill") == {}
        streamed = started.client.post("/infill", json=sent.LLAMA_VIM | {"stream": True, "response_fields": None})
        events = [json.loads(line.removeprefix("data: ")) for line in streamed.text.splitlines() if line]
        assert "".join(event["content"] for event in events) == "w * h\n    # more"
        assert [event["stop"] for event in events].count(True) == 1


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("<|fim_prefix|>a<|fim_middle|>", "holds no <|fim_suffix|>"),
        (sent.qwen("a<|fim_suffix|>"), "2 times"),
        (sent.zed_sweep().replace("current/", "now/"), "not each once"),
    ],
)
def test_a_broken_template_is_refused_and_named(live: Live, prompt: str, words: str) -> None:
    status, code, message = refused(live, {"prompt": prompt})
    assert (status, code) == (400, "invalid_prompt")
    assert words in message


def test_a_model_without_the_tokens_says_so(bare: Live) -> None:
    for path, body in ((COMPLETIONS, {"prompt": sent.qwen()}), ("/infill", sent.LLAMA_VIM)):
        status, code, message = refused(bare, body, path)
        assert (status, code) == (400, "invalid_prompt")
        assert "this model has no token <|fim_prefix|>" in message
    assert "<|file_sep|>" in refused(bare, sent.ZED | {"prompt": sent.zed_sweep()})[2]
    assert bare.client.get("/healthz").json()["status"] == "ok"


def test_a_prompt_of_thirty_thousand_tokens_is_refused_and_the_server_lives(tiny: Live) -> None:
    long = sent.zed_sweep(other="x = 1\n" * 10_000)
    assert refused(tiny, sent.ZED | {"prompt": long})[:2] == (400, "context_length_exceeded")
    assert said(tiny, {"prompt": "a", "max_tokens": 3})["choices"][0]["finish_reason"] in ("length", "stop")


def test_what_is_drafted_changes_nothing_of_what_a_model_says(tiny: Live) -> None:
    engine = tiny.service.engine
    for window in ("", "a = 1\n", sent.WINDOW):
        found = recognise(sent.zed_sweep(window), engine.has_token)  # type: ignore[attr-defined]
        assert found is not None
        both = [asked(found, engine, Sampling(60, speculate=speculate)) for speculate in (True, False)]
        first, second = ([id_ for chunk in engine.generate(*way) for id_ in chunk.ids] for way in both)
        assert first == second


def test_the_prefix_is_kept_between_keystrokes(tiny: Live) -> None:
    engine = tiny.service.engine
    assert isinstance(engine, Warming)
    prompts = [sent.zed_sweep(window, other="height = 3\n" * 80) for window in ("a = 1\n", "a = 12\n")]
    found = [recognise(prompt, engine.has_token) for prompt in prompts]  # type: ignore[attr-defined]
    known = [engine.warm(each.prompt)[1] for each in found if each is not None]
    assert known[1] >= 256 > known[0]


def test_a_newer_job_about_the_same_ends_the_older_before_its_next_forward() -> None:
    async def check(worker: Worker) -> None:
        older, another, other_topic = Busy(), Busy(), Busy()
        running = worker.stream("a", older, "file")
        await anext(running)
        waiting = [asyncio.ensure_future(anext(worker.stream(*who))) for who in (("b", another, "file"),)]
        waiting.append(asyncio.ensure_future(anext(worker.stream("a", other_topic, "other"))))
        await asyncio.sleep(0)
        newer = asyncio.ensure_future(anext(worker.stream("a", lambda: iter([7]), "file")))
        with pytest.raises(SupersededError):
            async for _ in running:
                pass
        forwards = older.forwards
        for gate in (another, other_topic):
            gate.opened.set()
        assert await newer == 7
        assert older.forwards <= forwards + 1
        for each in waiting:
            each.cancel()

    worker = Worker("engine", Limits(), Meters())
    try:
        asyncio.run(check(worker))
    finally:
        worker.close()


def test_of_waiting_keystrokes_the_newest_alone_is_answered(live: Live) -> None:
    gate, thread = busy(live)
    body = sent.ZED | {"prompt": sent.zed_sweep(), "user": "me"}
    with ThreadPoolExecutor() as pool:
        older = pool.submit(refused, live, body)
        while live.service.worker.length() < 1:
            pass
        newer = pool.submit(said, live, body)
        assert older.result()[:2] == (409, "superseded")
        gate.opened.set()
        assert newer.result()["choices"][0]["text"] == sent.NEW
    thread.join()


@pytest.mark.slow
def test_of_32_clients_that_type_each_gets_the_answer_to_its_newest_keystroke(tiny: Live) -> None:
    clients, keys = 32, 3

    def window(client: int, key: int) -> str:
        return f"a{client} = {client * 31}\nb = a{client}" + "+ 1"[:key] + "\n"

    def body(client: int, key: int) -> dict[str, Any]:
        prompt = sent.zed_sweep(window(client, key), path=f"f{client % 3}.py")
        return sent.ZED | {"prompt": prompt, "max_tokens": 24, "user": f"u{client}"}

    async def typing(client: int, asking: httpx2.AsyncClient) -> list[tuple[int, str]]:
        async def keystroke(key: int) -> tuple[int, str]:
            answer = await asking.post(f"{tiny.url}{COMPLETIONS}", json=body(client, key))
            return answer.status_code, answer.json()["choices"][0]["text"] if answer.status_code == 200 else ""

        sending = []
        for key in range(keys):
            sending.append(asyncio.ensure_future(keystroke(key)))
            await asyncio.sleep(0.05)  # each has its own connection, and the last has to arrive last
        return await asyncio.gather(*sending)

    async def everyone() -> list[list[tuple[int, str]]]:
        async with httpx2.AsyncClient(timeout=120) as asking:
            return await asyncio.gather(*(typing(client, asking) for client in range(clients)))

    for client, answers in enumerate(asyncio.run(everyone())):
        assert [status for status, _ in answers[:-1] if status not in (200, 409)] == []
        assert answers[-1][0] == 200
        for key, (status, text) in enumerate(answers):
            alone = said(tiny, body(client, key))["choices"][0]["text"] if status == 200 else ""
            assert text == alone
