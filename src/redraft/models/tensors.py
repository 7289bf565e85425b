"""In: a file in safetensors. Out: its tensors as arrays of numpy; and the other way.

numpy has no bfloat16: such a tensor is here its upper halves of float32, as `uint16`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from redraft.errors import RedraftError

Array = NDArray[Any]
_KINDS = {"BF16": "<u2", "F16": "<f2", "F32": "<f4"}
_LENGTH = 8  # bytes that say how long the header is


def read_tensors(file: Path) -> dict[str, Array]:
    """Each tensor as it lies in the file, read when it is looked at.

    Raises RedraftError for what is no such file, is cut off, or holds other than floating point of 16 or 32 bits.
    """
    try:
        whole = numpy.memmap(file, numpy.uint8, "r")
        start = _LENGTH + int(whole[:_LENGTH].view("<u8")[0])
        header = json.loads(bytes(whole[_LENGTH:start]))
        header.pop("__metadata__", None)
        return {name: _tensor(whole[start:], **about) for name, about in header.items()}
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise RedraftError(f"cannot load {file}: {error or type(error).__name__}") from error


def _tensor(data: Array, dtype: str, shape: list[int], data_offsets: tuple[int, int]) -> Array:
    if dtype not in _KINDS:
        raise ValueError(f"it holds {dtype}, not {', '.join(_KINDS)}")
    return data[slice(*data_offsets)].view(_KINDS[dtype]).reshape(shape)


def write_tensors(file: Path, tensors: Mapping[str, Array]) -> None:
    """Writes tensors in bfloat16."""
    header, at = dict[str, Any](__metadata__={"format": "pt"}), 0
    for name, each in tensors.items():
        header[name] = {"dtype": "BF16", "shape": each.shape, "data_offsets": (at, at + each.nbytes)}
        at += each.nbytes
    said = json.dumps(header).encode()
    said += b" " * (-len(said) % _LENGTH)
    with file.open("wb") as out:
        out.write(len(said).to_bytes(_LENGTH, "little") + said)
        for each in tensors.values():
            out.write(each.tobytes())


def float32(tensor: Array, out: Array | None = None) -> Array:
    """The same values in float32, in the beginning of `out` where it is given: zeros, or what was put there before."""
    if tensor.dtype != numpy.uint16:
        return numpy.asarray(tensor, numpy.float32)
    wide = (numpy.zeros(tensor.size, numpy.float32) if out is None else out[: tensor.size]).reshape(tensor.shape)
    wide.view(numpy.uint16)[..., 1::2] = tensor
    return wide


def bfloat16(tensor: Array) -> Array:
    """The nearest values in bfloat16, of two as near the even one."""
    bits = numpy.ascontiguousarray(tensor, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)
