"""In: any Hugging Face configuration, a dtype, a device. Out: a decoder of that shape with random weights there."""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from redraft.engines.torch import DTYPES
from redraft.errors import RedraftError

FLOAT8 = "float8"
NAMES = (*DTYPES, FLOAT8)
_SPREAD = 0.02
_LARGEST = 448.0  # of the numbers of float8_e4m3fn


class _Unfilled(TorchFunctionMode):
    """Matrices get no memory while a model is made; tables and norms, which are computed, do."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = dict(kwargs or {})
        if function is torch.empty:
            given["device"] = "meta"
        return function(*args, **given)


class Float8Linear(nn.Module):
    """Weights in float8 with a scale a row; on a GPU the inputs, too, a scale a token, else bfloat16 arithmetic."""

    def __init__(self, rows: int, columns: int, device: torch.device) -> None:
        super().__init__()
        weight = torch.randn(rows, columns, device=device, dtype=torch.bfloat16).mul_(_SPREAD)
        self.weight = weight.to(torch.float8_e4m3fn)
        self.scale = torch.ones(1, rows, device=device, dtype=torch.float32)

    def forward(self, state: Tensor) -> Tensor:
        flat = state.reshape(-1, state.shape[-1])
        if flat.device.type == "cpu":
            found = flat @ self.weight.to(flat.dtype).T
        else:
            scale = flat.abs().amax(dim=-1, keepdim=True).float().clamp(min=1e-12) / _LARGEST
            rounded = (flat / scale).to(torch.float8_e4m3fn)
            found = torch._scaled_mm(rounded, self.weight.T, scale, self.scale, out_dtype=flat.dtype)
        return found.view(*state.shape[:-1], -1)


def random_model(source: str, dtype: str, device: torch.device) -> Any:
    """A model of transformers that never was anywhere else: no weight is read, none exists twice.

    `source` is a folder or file of a configuration. Raises RedraftError for what is none, and for a dtype that there is
    not; in float8 all linear layers but the last are rounded to it.
    """
    if dtype not in NAMES:
        raise RedraftError(f"unknown dtype {dtype!r}; there are {', '.join(NAMES)}")
    config = read_config(source)
    from transformers import AutoModelForCausalLM

    kept = torch.bfloat16 if dtype == FLOAT8 else DTYPES[dtype]
    try:
        with device, _Unfilled():
            model = AutoModelForCausalLM.from_config(config, dtype=kept, trust_remote_code=False)
    except (ValueError, KeyError, AttributeError) as error:
        raise RedraftError(f"{source}: transformers makes no decoder of it: {error}") from error
    torch.manual_seed(0)
    _fill(model, device, dtype == FLOAT8)
    return model.eval()


def read_config(source: str) -> Any:
    """Raises RedraftError for what is no configuration that transformers knows."""
    path = Path(source)
    file = path / "config.json" if path.is_dir() else path
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
        from transformers import AutoConfig

        return AutoConfig.for_model(**fields)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RedraftError(f"{source} is no configuration that transformers knows: {error}") from error


def _fill(model: Any, device: torch.device, in_float8: bool) -> None:
    """What was left without memory gets random numbers."""
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if in_float8 and isinstance(child, nn.Linear) and name != "lm_head":
                setattr(module, name, Float8Linear(child.out_features, child.in_features, device))
    for module in model.modules():
        for name, weight in list(module.named_parameters(recurse=False)):
            if weight.is_meta:
                made = torch.empty(weight.shape, dtype=weight.dtype, device=device).normal_(0.0, _SPREAD)
                setattr(module, name, nn.Parameter(made, requires_grad=False))
    model.tie_weights()
