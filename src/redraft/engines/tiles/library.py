"""In: the C++ beside this file, and a compiler of this machine. Out: the library, made once, under REDRAFT_HOME."""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch

from redraft.home import home

_SOURCES = Path(__file__).parent
_FLAGS = ("-O3", "-std=c++17", "-shared", "-fPIC", "-fopenmp", "-w")
_REGISTERS = ("avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512bf16")
_TILES = ("amx-tile", "amx-bf16")
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
    """None where the processor has neither AMX nor AVX512-BF16, the system does not allow it, or there is no compiler
    that knows it."""
    parts = _parts()
    compiler = next(filter(None, map(shutil.which, _COMPILERS)), None)
    if not parts or compiler is None:
        return None
    made = _made(compiler, [f"-m{part}" for part in parts])
    if made is None or not made.redraft_runs():
        return None
    made.redraft_forward.argtypes = (
        *(ctypes.POINTER(Shape), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
        *(ctypes.c_long,) * 4,
        *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int),
    )
    made.redraft_forward.restype = None
    return made


def _parts() -> tuple[str, ...]:
    """What the library is made for, in the names of compilers; nothing where this processor has not what it needs."""
    if platform.system() != "Linux" or not torch.cpu._is_avx512_bf16_supported():
        return ()
    return (*_REGISTERS, *_TILES) if torch.cpu._is_amx_tile_supported() else _REGISTERS


def _made(compiler: str, parts: Sequence[str]) -> ctypes.CDLL | None:
    digest = hashlib.sha256("\n".join((*_FLAGS, *parts, os.path.realpath(compiler))).encode())
    for file in sorted(_SOURCES.glob("*.[ch]*")):
        digest.update(file.read_bytes())
    path = home() / "compiled" / f"tiles-{digest.hexdigest()[:16]}.so"
    try:
        if not path.is_file():
            _compile(compiler, parts, path)
        return ctypes.CDLL(str(path))
    except (OSError, subprocess.SubprocessError):
        return None


def _compile(compiler: str, parts: Sequence[str], path: Path) -> None:
    """The library appears whole, whoever else makes it meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        part = Path(folder) / path.name
        command = [compiler, *_FLAGS, *parts, str(_SOURCES / "forward.cpp"), "-o", str(part)]
        subprocess.run(command, check=True, capture_output=True)
        os.replace(part, path)
