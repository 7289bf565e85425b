"""In: a GGUF file in bfloat16. Out: the same model in fewer bits, as llama.cpp quantizes it."""

import ctypes
from pathlib import Path

from redraft.errors import MissingError, RedraftError

# llama.cpp's numbers for the types of files.
TYPES = {"Q8_0": 7, "Q4_0": 2}


def quantize(file: Path, out: Path, kind: str) -> None:
    """Raises RedraftError for a type that there is not, and where llama.cpp is missing or refuses the file."""
    if kind not in TYPES:
        raise RedraftError(f"unknown type {kind!r}; there are {', '.join(TYPES)}")
    try:
        import llama_cpp

        from redraft.models.llamacpp_log import listen, reason
    except ModuleNotFoundError as error:
        raise MissingError(f"quantizing needs {error.name}: pip install 'redraft[llamacpp]'") from error
    listen()
    wanted = llama_cpp.llama_model_quantize_default_params()
    wanted.ftype = TYPES[kind]
    if llama_cpp.llama_model_quantize(bytes(file), bytes(out), ctypes.byref(wanted)):
        raise RedraftError(f"cannot quantize {file}: {reason('llama.cpp does not say why')}")
