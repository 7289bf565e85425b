"""In: any Hugging Face configuration, a dtype, a device. Out: a decoder of that shape with random weights there.

As this project runs it, and as transformers does.
"""

import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from redraft.engines.decoder import DecoderModel
from redraft.engines.folder import Folder
from redraft.engines.rounded import rounded
from redraft.engines.sizes import reads
from redraft.engines.stock import StockSession
from redraft.engines.torch import kind_of, on_device
from redraft.engines.verifier import Model
from redraft.errors import RedraftError
from redraft.measure.speed.random_weights import SPREAD, RandomWeights


class _Unfilled(TorchFunctionMode):
    """Matrices get no memory while a model is made; tables and norms, which are computed, do."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = dict(kwargs or {})
        if function is torch.empty:
            given["device"] = "meta"
        return function(*args, **given)


class Float8Linear(nn.Module):
    """A linear layer without bias, in float8."""

    def __init__(self, rows: int, columns: int, device: torch.device) -> None:
        super().__init__()
        self.matrix = rounded(torch.randn(rows, columns, device=device, dtype=torch.bfloat16).mul_(SPREAD))

    def forward(self, state: Tensor) -> Tensor:
        found = self.matrix.product(state.reshape(-1, state.shape[-1]))
        return found.view(*state.shape[:-1], -1)


class _Stock:
    """A model of transformers as the engine runs it."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.context: int | None = None
        self.end_ids: frozenset[int] = frozenset()

    def session(self) -> StockSession:
        return StockSession(self._model)


def random_engine_model(source: str, dtype: str, device: torch.device) -> Model:
    """The model as the engine runs one of this shape; raises RedraftError as `random_model`."""
    config = read_config(source)
    kind, float8 = kind_of(dtype)
    folder = Folder(Path(source).parent, config.to_dict())
    if not reads(folder):
        return _Stock(random_model(source, dtype, device))
    torch.manual_seed(0)
    return on_device(DecoderModel(folder, kind, device, RandomWeights(folder.config, kind, device), float8))


def random_model(source: str, dtype: str, device: torch.device) -> Any:
    """A model of transformers that never was anywhere else: no weight is read, none exists twice.

    `source` is a folder or file of a configuration. Raises RedraftError for what is none, and for a dtype that there is
    not; in float8 all linear layers but the last are rounded to it.
    """
    kept, float8 = kind_of(dtype)
    config = read_config(source)
    from transformers import AutoModelForCausalLM

    try:
        with device, _Unfilled():
            model = AutoModelForCausalLM.from_config(config, dtype=kept, trust_remote_code=False)
    except (ValueError, KeyError, AttributeError) as error:
        raise RedraftError(f"{source}: transformers makes no decoder of it: {error}") from error
    torch.manual_seed(0)
    _fill(model, device, float8)
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
                made = torch.empty(weight.shape, dtype=weight.dtype, device=device).normal_(0.0, SPREAD)
                setattr(module, name, nn.Parameter(made, requires_grad=False))
    model.tie_weights()
