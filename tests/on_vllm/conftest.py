"""For tests that run vLLM: a small random Llama, a server with it, settings for an engine in the test's process."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")
os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")  # the core that vLLM would choose may be busy
sys.path.insert(0, str(Path(__file__).parent.parent))


def _take_whole_numbers_for_masks() -> None:
    """In Triton's interpreter `&` makes zeros and ones of truth values, and loads and stores refuse them as a mask."""
    from triton.runtime.interpreter import InterpreterBuilder

    load, store = InterpreterBuilder.create_masked_load, InterpreterBuilder.create_masked_store

    def truth(mask: Any) -> Any:
        mask.data = mask.data.astype(bool)
        return mask

    InterpreterBuilder.create_masked_load = lambda self, at, mask, *more: load(self, at, truth(mask), *more)
    InterpreterBuilder.create_masked_store = lambda self, at, value, mask, *more: store(
        self, at, value, truth(mask), *more
    )


if os.environ.get("TRITON_INTERPRET") == "1":
    _take_whole_numbers_for_masks()


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two layers, four heads over two: what vLLM's attention for processors takes, and two workers can share."""
    import transformers

    import tiny_models

    shape = {**tiny_models._LLAMA_LIKE, "hidden_size": 128, "head_dim": 32}
    tiny_models.CONFIGS["llama-128"] = lambda: transformers.LlamaConfig(**shape, tie_word_embeddings=True)
    return tiny_models.save("llama-128", tmp_path_factory.mktemp("llama"), chat=True)


@pytest.fixture(scope="session")
def server(llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """`redraft serve --engine vllm:FOLDER` with that Llama, in one process."""
    from vllm_server import serving

    with serving(llama, tmp_path_factory.mktemp("server")) as server:
        yield server
