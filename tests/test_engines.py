"""What every engine promises, whatever the model: drafts change nothing but the number of forwards."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from completions_server import CompletionsFake, completing
from gguf_files import save_gguf
from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.edit.request import Request
from redraft.engines import Chunk, Engine, Sampling
from redraft.engines.completions import CompletionsEngine
from redraft.engines.endpoint import Endpoint
from redraft.engines.folder import open_folder
from redraft.engines.numpy import NumpyEngine
from redraft.engines.scripted import Scripted
from redraft.engines.torch import TorchEngine
from redraft.errors import TooLongError
from redraft.models.qwen import write_folder
from tiny_models import CONTEXT, save

FAMILIES = ("llama", "qwen2", "qwen3", "gpt2", "mistral", "gemma3")
TEXT = "def mean(numbers):\n    return sum(numbers) / len(numbers)\n\n\ndef main():\n    print(mean([1, 2]))\n"
PROMPT = Prompt((Part(TEXT),))
SHORT = Sampling(max_tokens=32)


def scripted(_: Path) -> Iterator[Engine]:
    yield Scripted(TEXT + TEXT.upper())


def completions(folder: Path) -> Iterator[Engine]:
    save("llama", folder)
    with completing(folder, CompletionsFake()) as server:
        yield CompletionsEngine(Endpoint(server.url, "m"), open_folder(folder), CONTEXT)


def llamacpp(folder: Path) -> Iterator[Engine]:
    pytest.importorskip("llama_cpp")
    from redraft.engines.llamacpp import LlamaCppEngine

    yield LlamaCppEngine(str(save_gguf(folder)), threads=1)


def numpy(folder: Path) -> Iterator[Engine]:
    """The weights of a GGUF file, as those of `embedded` are prepared."""
    (folder / "made").mkdir()
    write_folder(save_gguf(folder), folder / "made")
    yield NumpyEngine(str(folder / "made"))


MAKERS = {"scripted": scripted, "completions": completions, "llamacpp": llamacpp, "numpy": numpy}


@pytest.fixture(scope="module", params=[*MAKERS, *FAMILIES])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param in MAKERS:
        yield from MAKERS[request.param](folder)
    else:
        yield TorchEngine(str(save(request.param, folder)), "float32", "cpu")


def vanilla(engine: Engine, prompt: Prompt, sampling: Sampling = SHORT) -> list[Chunk]:
    return list(engine.generate(prompt, replace(sampling, speculate=False)))


def ids(chunks: Sequence[Chunk]) -> list[int]:
    return [token for chunk in chunks for token in chunk.ids]


def text(chunks: Sequence[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks)


def edited(output: str) -> Iterator[str]:
    """A model's own output with lines replaced, inserted, deleted and moved; and what has nothing to do with it."""
    third = len(output) // 3
    first, middle, last = output[:third], output[third : 2 * third], output[2 * third :]
    yield output
    yield f"{first}another line\n{last}"
    yield f"{first}{middle}inserted\n{last}"
    yield f"{last}{first}{middle}"
    yield "nothing of this\n" * 5
    yield ""


def predicted(prompt: Prompt, *predictions: str) -> Prompt:
    return replace(prompt, sources=tuple(Source("prediction", (Part(prediction),)) for prediction in predictions))


def test_speculative_output_equals_vanilla_output(engine: Engine) -> None:
    for prediction in edited(text(vanilla(engine, PROMPT))):
        prompt = predicted(PROMPT, prediction, TEXT)
        drafted, alone = list(engine.generate(prompt, SHORT)), vanilla(engine, prompt)
        assert ids(drafted) == ids(alone)
        assert text(drafted) == text(alone)
        assert len(drafted) <= len(ids(alone))


BAD = ("", " ", "\ufffd\0", "<|end|>", "unrelated\n" * 100, "<|user|>" * 60 + TEXT)


@pytest.mark.parametrize("prediction", BAD)
def test_bad_predictions_change_nothing(engine: Engine, prediction: str) -> None:
    drafted = list(engine.generate(predicted(PROMPT, prediction), SHORT))
    assert ids(drafted) == ids(vanilla(engine, PROMPT))


@pytest.mark.parametrize("wrong", [5, None, b"x = 1", ["x = 1"], {"content": "x = 1"}])
def test_what_is_no_text_comes_to_no_engine(wrong: Any) -> None:
    name = type(wrong).__name__
    with pytest.raises(TypeError, match=f"text is a str, not {name}"):
        predicted(PROMPT, wrong)
    with pytest.raises(TypeError, match=f"original is a str, not {name}"):
        Request(wrong, "update")
    if wrong is not None:
        with pytest.raises(TypeError, match=f"prediction is a str, not {name}"):
            Request("file", "update", prediction=wrong)


def test_a_prediction_longer_than_the_context_is_refused_or_changes_nothing(engine: Engine) -> None:
    try:
        drafted = list(engine.generate(predicted(PROMPT, "x = 1\n" * CONTEXT), SHORT))
    except TooLongError:
        return
    assert ids(drafted) == ids(vanilla(engine, PROMPT))


def test_an_output_that_nobody_reads_on_leaves_nothing_behind(engine: Engine) -> None:
    whole = vanilla(engine, PROMPT)
    for read in (1, 2):
        started = engine.generate(predicted(PROMPT, text(whole)[:9], TEXT), SHORT)
        for _, _ in zip(range(read), started, strict=False):
            pass
        beside = list(engine.generate(predicted(PROMPT, TEXT), SHORT))
        assert ids(beside) == ids(whole)
        started.close()  # type: ignore[attr-defined]
    assert ids(vanilla(engine, PROMPT)) == ids(whole)


def test_vanilla_takes_one_forward_a_token(engine: Engine) -> None:
    chunks = vanilla(engine, predicted(PROMPT, TEXT))
    assert [len(chunk.ids) for chunk in chunks] == [1] * len(chunks)
    assert {origin for chunk in chunks for origin in chunk.origins} == {"model"}
    assert sum(chunk.drafted for chunk in chunks) == 0


def test_a_right_prediction_saves_forwards(engine: Engine) -> None:
    alone = vanilla(engine, PROMPT)
    drafted = list(engine.generate(predicted(PROMPT, text(alone)), SHORT))
    assert len(drafted) < len(alone)
    assert sum(chunk.accepted for chunk in drafted) == sum(o != "model" for chunk in drafted for o in chunk.origins)


def test_each_token_has_an_origin_and_a_margin(engine: Engine) -> None:
    for chunk in engine.generate(predicted(PROMPT, TEXT), SHORT):
        assert len(chunk.ids) == len(chunk.origins) == len(chunk.margins)
        assert min(chunk.margins) >= 0
        assert 0 <= chunk.accepted <= chunk.drafted


def test_max_tokens_ends_the_output(engine: Engine) -> None:
    for most in (1, 7):
        for sampling in (Sampling(max_tokens=most), Sampling(max_tokens=most, speculate=False)):
            chunks = list(engine.generate(predicted(PROMPT, TEXT), sampling))
            assert ids(chunks) == ids(vanilla(engine, predicted(PROMPT, TEXT)))[:most]
            assert chunks[-1].finish == "length"


def test_a_stop_string_ends_the_output_before_it(engine: Engine) -> None:
    whole = text(vanilla(engine, PROMPT))
    stop = max(re.findall(r"[ -~]{1,5}", whole), key=len)  # of random bytes most are no character
    stopped = replace(PROMPT, stop=(stop,))
    alone = vanilla(engine, stopped)
    drafted = list(engine.generate(predicted(stopped, whole), SHORT))
    assert text(alone) == text(drafted) == whole[: whole.index(stop)]
    assert ids(alone) == ids(drafted)
    assert alone[-1].finish == drafted[-1].finish == "stop"


@pytest.mark.parametrize("change", [lambda s: s, lambda s: replace(s, exact=True)])
def test_a_seed_repeats_a_drawn_output(engine: Engine, change: Callable[[Sampling], Sampling]) -> None:
    warm = change(Sampling(max_tokens=12, temperature=1.0, seed=3))
    first, second = (ids(list(engine.generate(predicted(PROMPT, TEXT), warm))) for _ in range(2))
    assert first == second


def test_exact_sampling_draws_the_same_with_and_without_drafts(engine: Engine) -> None:
    warm = Sampling(max_tokens=24, temperature=1.0, seed=5, exact=True)
    for prediction in edited(text(vanilla(engine, PROMPT, warm))):
        prompt = predicted(PROMPT, prediction)
        assert ids(list(engine.generate(prompt, warm))) == ids(vanilla(engine, prompt, warm))


def test_a_verified_prediction_is_kept_at_any_temperature(engine: Engine) -> None:
    greedy = vanilla(engine, PROMPT)
    hot = Sampling(max_tokens=32, temperature=50.0, seed=1)
    first = next(iter(engine.generate(predicted(PROMPT, text(greedy)), hot)))
    kept = ids(vanilla(engine, predicted(PROMPT, text(greedy))))[: first.accepted]
    assert list(first.ids[: first.accepted]) == kept


def test_the_engine_names_its_template(engine: Engine, tmp_path: Path) -> None:
    assert engine.template in ("fenced", "chat")
