"""The client of a vLLM server without one: what is refused and said. With one: `tests/on_vllm/test_client.py`."""

import socket
from pathlib import Path

import pytest

from completions_server import CompletionsFake, completing
from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.engines import Sampling
from redraft.engines.spec import load_engine
from redraft.errors import RedraftError, TooLongError
from tiny_models import CONTEXT, save

PROMPT = Prompt((Part("def f():\n"),), (Source("prediction", (Part("    return 1\n"),)),))


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save("llama", tmp_path_factory.mktemp("llama"))


@pytest.mark.parametrize("place", ["Qwen/Qwen2.5-Coder-7B", "http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1#"])
def test_a_place_that_is_no_server_says_how_to_start_one(place: str) -> None:
    with pytest.raises(RedraftError, match=r"redraft serve --engine vllm:.*vllm:http://localhost:8000/v1#embedded"):
        load_engine(f"vllm:{place}")


def test_a_server_that_is_down_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(RedraftError, match="cannot reach"):
        load_engine(f"vllm:http://127.0.0.1:{port}/v1#m")


def test_a_model_that_the_server_lacks_is_said_with_those_that_it_has(llama: Path) -> None:
    with (
        completing(llama, CompletionsFake(root=str(llama))) as fake,
        pytest.raises(RedraftError, match="no model other: it has m"),
    ):
        load_engine(f"vllm:{fake.url}#other")


def test_a_model_whose_folder_is_elsewhere_is_said(llama: Path) -> None:
    with (
        completing(llama, CompletionsFake(root="/nowhere/model")) as fake,
        pytest.raises(RedraftError, match="no model folder at /nowhere/model"),
    ):
        load_engine(f"vllm:{fake.url}#m")


def test_what_is_no_vllm_server_fails_in_a_line(llama: Path) -> None:
    """This one streams neither ids nor usage, and has no route for rankings."""
    with completing(llama, CompletionsFake(root=str(llama), limit=CONTEXT)) as fake:
        engine = load_engine(f"vllm:{fake.url}#m")
        with pytest.raises(RedraftError, match="malformed answer: it has no end or no usage"):
            list(engine.generate(PROMPT, Sampling(max_tokens=4)))
        with pytest.raises(RedraftError):
            engine.rank(PROMPT, ["a", "b"])  # type: ignore[attr-defined]
        with pytest.raises(TooLongError):
            engine.generate(Prompt((Part("x = 1\n" * CONTEXT),))).__next__()
        with pytest.raises(RedraftError, match="log-probabilities"):
            list(engine.generate(PROMPT, Sampling(logprobs=1)))
        fake.breaks_after = 2
        with pytest.raises(RedraftError, match="the answer broke off"):
            list(engine.generate(PROMPT, Sampling(max_tokens=4)))
