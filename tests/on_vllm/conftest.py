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
sys.path.insert(0, str(Path(__file__).parent.parent))


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
