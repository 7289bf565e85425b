"""In: a weight matrix. Out: its product with rows, from the layout in which this device multiplies fastest.

oneDNN reorders a plain matrix at each product; done once, products of up to 256 rows take two thirds of the time.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as nn
from torch import Tensor

# The number of rows that the layout is chosen for: as fast as any other from 1 to 1,024 rows.
_ROWS = 64


class Matrix(Protocol):
    """A layer of weights (out, in); rows are (n, in)."""

    def product(self, rows: Tensor) -> Tensor:
        """(n, out)."""
        ...

    def added(self, rows: Tensor, state: Tensor) -> Tensor:
        """The product added to `state` (n, out)."""
        ...


class Gate(Protocol):
    """The first half of an MLP."""

    def product(self, rows: Tensor) -> Tensor:
        """The SiLU of one product times another."""
        ...


@dataclass(frozen=True)
class _Plain:
    weight: Tensor
    bias: Tensor | None

    def product(self, rows: Tensor) -> Tensor:
        return nn.linear(rows, self.weight, self.bias)

    def added(self, rows: Tensor, state: Tensor) -> Tensor:
        return state + self.product(rows)


@dataclass(frozen=True)
class _PlainGate:
    joined: Matrix

    def product(self, rows: Tensor) -> Tensor:
        gate, up = self.joined.product(rows).chunk(2, -1)
        return nn.silu(gate) * up


@dataclass(frozen=True)
class _Packed:
    """A matrix in oneDNN's layout; what is done with the product is done before it is written."""

    weight: Tensor
    bias: Tensor | None

    def product(self, rows: Tensor, then: str = "none") -> Tensor:
        found: Tensor = torch.ops.mkldnn._linear_pointwise(rows, self.weight, self.bias, then, [], "")
        return found

    def added(self, rows: Tensor, state: Tensor) -> Tensor:
        return self.joined(rows, state, "add")

    def joined(self, rows: Tensor, other: Tensor, by: str) -> Tensor:
        found: Tensor = torch.ops.mkldnn._linear_pointwise.binary(rows, other, self.weight, self.bias, by)
        return found


@dataclass(frozen=True)
class _PackedGate:
    gate: _Packed
    up: _Packed

    def product(self, rows: Tensor) -> Tensor:
        return self.up.joined(rows, self.gate.product(rows, "swish"), "mul")


def matrix(weight: Tensor, bias: Tensor | None = None) -> Matrix:
    return _packed(weight, bias) if _is_packed(weight) else _Plain(weight, bias)


def gate(weight: Tensor, up: Tensor) -> Gate:
    if _is_packed(weight):
        return _PackedGate(_packed(weight, None), _packed(up, None))
    return _PlainGate(matrix(torch.cat((weight, up))))


def _is_packed(weight: Tensor) -> bool:
    """In float32 the library's plain products are as fast."""
    known = weight.device.type == "cpu" and weight.dtype == torch.bfloat16 and torch._C._has_mkldnn
    return known and bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def _packed(weight: Tensor, bias: Tensor | None) -> _Packed:
    return _Packed(torch.ops.mkldnn._reorder_linear_weight(weight, _ROWS), bias)
