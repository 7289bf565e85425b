"""In: the C++ beside this file, and a compiler of this machine. Out: the library, made once, under REDRAFT_HOME."""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import torch

from redraft.home import home

_SOURCES = Path(__file__).parent
_FLAGS = ("-O3", "-std=c++17", "-shared", "-fPIC", "-fopenmp", "-w")
_FOR = tuple(
    f"-m{part}" for part in ("avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512bf16", "amx-tile", "amx-bf16")
)
_COMPILERS = ("c++", "g++", "clang++")


class Shape(ctypes.Structure):
    """`Model` of forward.cpp."""

    _fields_ = (
        *((name, ctypes.c_long) for name in ("layers", "hidden", "heads", "pairs", "width", "inner", "vocabulary")),
        ("epsilon", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in ("norm", "head", "layer")),
    )


@cache
def library() -> ctypes.CDLL | None:
    """None where the processor has no AMX, the system does not allow it, or there is no compiler that knows it."""
    if platform.system() != "Linux" or not torch.cpu._is_amx_tile_supported():
        return None
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if compiler is None:
        return None
    made = _made(compiler)
    if made is None or not made.redraft_tiles():
        return None
    made.redraft_forward.argtypes = (
        *(ctypes.POINTER(Shape), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
        *(ctypes.c_long,) * 4,
        *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int),
    )
    made.redraft_forward.restype = None
    return made


def _made(compiler: str) -> ctypes.CDLL | None:
    digest = hashlib.sha256("\n".join((*_FLAGS, *_FOR, os.path.realpath(compiler))).encode())
    for file in sorted(_SOURCES.glob("*.[ch]*")):
        digest.update(file.read_bytes())
    path = home() / "compiled" / f"tiles-{digest.hexdigest()[:16]}.so"
    try:
        if not path.is_file():
            _compile(compiler, path)
        return ctypes.CDLL(str(path))
    except (OSError, subprocess.SubprocessError):
        return None


def _compile(compiler: str, path: Path) -> None:
    """The library appears whole, whoever else makes it meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        part = Path(folder) / path.name
        command = [compiler, *_FLAGS, *_FOR, str(_SOURCES / "forward.cpp"), "-o", str(part)]
        subprocess.run(command, check=True, capture_output=True)
        os.replace(part, path)
