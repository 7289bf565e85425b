"""In: a GGUF file. Out: llama.cpp's model of it, and its forward pass over a growing cache, logits where wanted."""

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from weakref import finalize

import llama_cpp
import numpy
import torch

from redraft.errors import RedraftError
from redraft.models.llamacpp_log import listen, reason

CHUNK = 1024  # at least as many as a verifier feeds at once
_CACHE_STEP = 1024  # tokens by which caches differ in size, so that the next edit finds one that fits
_KEPT = llama_cpp.llama_pos(-1)
# Builds for this unit crash in quantized models, depending on compiler and kernel (ggml-org/llama.cpp, issue 20824).
_AMX = b"AMX_INT8 = 1"
_TEXT = 1 << 16  # bytes; longest value of the file's metadata that is read


class _Owned:
    """What llama.cpp allocated, freed when the last object that holds this is gone."""

    def __init__(self, pointer: Any, free: Callable[[Any], None]) -> None:
        self.pointer = pointer
        finalize(self, free, pointer)


class LlamaCppModel:
    """The model in a GGUF file; raises RedraftError for one that cannot be loaded, or whose state cannot be cut."""

    def __init__(self, path: Path, threads: int | None = None) -> None:
        if not path.is_file():
            raise RedraftError(f"there is no GGUF file {path}")
        listen()
        llama_cpp.llama_backend_init()
        params = llama_cpp.llama_model_default_params()
        params.use_extra_bufts = _AMX not in llama_cpp.llama_print_system_info()
        pointer = llama_cpp.llama_model_load_from_file(bytes(path), params)
        if not pointer:
            raise RedraftError(f"cannot load {path}: {reason('not a GGUF file')}")
        self.loaded = _Owned(pointer, llama_cpp.llama_model_free)
        if llama_cpp.llama_model_is_recurrent(pointer) or llama_cpp.llama_model_is_hybrid(pointer):
            raise RedraftError(f"{path} keeps a state that cannot be rolled back when a draft is rejected")
        self.name = str(path)
        self.threads = threads or _processors()
        self.vocab = llama_cpp.llama_model_get_vocab(pointer)
        self.context: int = llama_cpp.llama_model_n_ctx_train(pointer)
        self.vocabulary: int = llama_cpp.llama_vocab_n_tokens(self.vocab)
        self.end: int = llama_cpp.llama_vocab_eos(self.vocab)
        is_end = llama_cpp.llama_vocab_is_eog
        self.end_ids = frozenset(token for token in range(self.vocabulary) if is_end(self.vocab, token))
        self._spare: list[_Cache] = []

    def said(self, key: str) -> str:
        """What the file's metadata says for a key, "" for nothing."""
        buffer = ctypes.create_string_buffer(_TEXT)
        length = llama_cpp.llama_model_meta_val_str(self.loaded.pointer, key.encode(), buffer, _TEXT)
        return buffer.value.decode("utf-8", "replace") if 0 < length < _TEXT else ""

    def session(self) -> "LlamaCppSession":
        """An empty cache, which grows."""
        return LlamaCppSession(self, self._spare.pop() if self._spare else _Cache(self, _CACHE_STEP))

    def keep(self, cache: "_Cache") -> None:
        """For the next edit; one is enough where edits come one after the other."""
        self._spare = [cache]


def _processors() -> int:
    """How many this process may use, where the system says."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class _Cache:
    """llama.cpp's context: the keys and values of up to `size` tokens of one sequence, and a batch to fill."""

    def __init__(self, model: LlamaCppModel, size: int) -> None:
        params = llama_cpp.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = size, CHUNK, CHUNK
        params.n_threads = params.n_threads_batch = model.threads
        self._model = model.loaded
        pointer = llama_cpp.llama_init_from_model(model.loaded.pointer, params)
        if not pointer:
            raise RedraftError(f"no memory for {size:,} tokens of {model.name}: {reason('no context')}")
        self.context, self.size = _Owned(pointer, llama_cpp.llama_free), size
        self.memory = llama_cpp.llama_get_memory(pointer)
        self.batch = batch = llama_cpp.llama_batch_init(CHUNK, 0, 1)
        self._batch = _Owned(batch, llama_cpp.llama_batch_free)
        as_array = numpy.ctypeslib.as_array
        self.tokens, self.places, self.wanted = (as_array(a, (CHUNK,)) for a in (batch.token, batch.pos, batch.logits))
        for at in range(CHUNK):
            batch.n_seq_id[at], batch.seq_id[at][0] = 1, 0


class LlamaCppSession:
    """One sequence in one cache; where that is full a larger one goes on, as llama.cpp's own have a fixed size."""

    def __init__(self, model: LlamaCppModel, cache: _Cache) -> None:
        self._model, self._length = model, 0
        self._hold(cache)
        llama_cpp.llama_memory_clear(cache.memory, False)

    def _hold(self, cache: _Cache) -> None:
        self._cache = cache
        self._giving_back = finalize(self, self._model.keep, cache)

    def _grow(self, tokens: int) -> None:
        """Moves to a cache for twice so many tokens, as far as the model goes; raises RedraftError without memory."""
        wanted = max(tokens, min(2 * tokens, self._model.context))
        old, new = self._cache, _Cache(self._model, -(-wanted // _CACHE_STEP) * _CACHE_STEP)
        size = llama_cpp.llama_state_seq_get_size(old.context.pointer, 0)
        state = (ctypes.c_uint8 * size)()
        llama_cpp.llama_state_seq_get_data(old.context.pointer, state, size, 0)
        if self._length and not llama_cpp.llama_state_seq_set_data(new.context.pointer, state, size, 0):
            raise RedraftError(f"no memory for {wanted:,} tokens of {self._model.name}")
        self._giving_back.detach()
        self._hold(new)

    def forward(self, ids: Sequence[int], keep: int) -> torch.Tensor:
        """Logits (keep, vocabulary), which the next forward overwrites; raises RedraftError where the model fails."""
        count = len(ids)
        if self._length + count > self._cache.size:
            self._grow(self._length + count)
        cache = self._cache
        cache.batch.n_tokens = count
        cache.tokens[:count] = ids
        cache.places[:count] = numpy.arange(self._length, self._length + count)
        cache.wanted[:count] = numpy.arange(count) >= count - keep
        if code := llama_cpp.llama_decode(cache.context.pointer, cache.batch):
            raise RedraftError(f"llama.cpp cannot run {self._model.name}: {reason(f'status {code}')}")
        self._length += count
        logits = llama_cpp.llama_get_logits(cache.context.pointer)
        return torch.from_numpy(numpy.ctypeslib.as_array(logits, (keep, self._model.vocabulary)))

    def crop(self, n: int) -> None:
        self._length -= n
        if not llama_cpp.llama_memory_seq_rm(self._cache.memory, 0, self._length, _KEPT):
            raise RedraftError(f"{self._model.name} keeps a state that cannot be rolled back when a draft is rejected")
