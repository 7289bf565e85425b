"""In: what llama.cpp says while it works. Out: why it refused something: it says so nowhere else."""

import llama_cpp

_ERROR = 4  # in ggml_log_level
_said: list[str] = []


def _hear(level: int, text: bytes, _: object) -> None:
    if level == _ERROR:
        _said[:] = [text.decode("utf-8", "replace").strip()]


_listen = llama_cpp.llama_log_callback(_hear)


def listen() -> None:
    """From now on llama.cpp talks to us instead of to standard error."""
    _said.clear()
    llama_cpp.llama_log_set(_listen, None)


def reason(otherwise: str) -> str:
    """The last error since `listen`."""
    return _said[0] if _said else otherwise
