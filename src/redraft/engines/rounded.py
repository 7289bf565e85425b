"""In: a weight matrix. Out: it in eight bits with a scale a row, and its product with rows."""

from dataclasses import dataclass

import torch
from torch import Tensor

_KIND = torch.float8_e4m3fn
_LARGEST = torch.finfo(_KIND).max


@dataclass(frozen=True)
class Rounded:
    """Weights (out, in) in float8 with a scale each row (1, out).

    A GPU multiplies them by inputs that are rounded, too, a scale a token; a processor by the inputs as they are.
    """

    weight: Tensor
    scale: Tensor
    bias: Tensor | None

    def product(self, rows: Tensor) -> Tensor:
        """(n, out) of rows (n, in)."""
        found = self._multiplied(rows) if rows.device.type == "cuda" else self._unrounded(rows)
        return found if self.bias is None else found + self.bias

    def added(self, rows: Tensor, state: Tensor) -> Tensor:
        return state + self.product(rows)

    def _multiplied(self, rows: Tensor) -> Tensor:
        given, scale = _rounded(rows)
        found: Tensor = torch._scaled_mm(given, self.weight.T, scale, self.scale, out_dtype=rows.dtype)
        return found

    def _unrounded(self, rows: Tensor) -> Tensor:
        return (rows @ self.weight.to(rows.dtype).T) * self.scale.to(rows.dtype)


def rounded(weight: Tensor, bias: Tensor | None = None) -> Rounded:
    """The nearest matrix in float8: the largest weight of a row is the largest number that there is."""
    kept, scale = _rounded(weight)
    return Rounded(kept, scale.T.contiguous(), bias)


def _rounded(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Rows in float8, and what each is to be multiplied by (n, 1), in float32."""
    scale = rows.abs().amax(dim=-1, keepdim=True).float().clamp(min=1e-12) / _LARGEST
    return (rows / scale).to(_KIND), scale
