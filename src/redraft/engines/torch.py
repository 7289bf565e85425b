"""In: a model folder or hub name, then prompts. Out: chunks from a Hugging Face model."""

import re
from pathlib import Path

import torch

from redraft.engines import decoder
from redraft.engines.cost import cost_of
from redraft.engines.fixed import FixedModel
from redraft.engines.folder import Folder, open_folder, template_of
from redraft.engines.own import OwnEngine
from redraft.engines.sizes import reads
from redraft.engines.tokens import Tokens, folder_tokens
from redraft.engines.verifier import Model
from redraft.errors import RedraftError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w.-]+)?")


class TorchEngine(OwnEngine):
    """A decoder-only model; `dtype` is "float32" or "bfloat16", `device` as in torch, chosen when None.

    Raises RedraftError for what is not a model in safetensors, and a model whose state cannot be rolled back.
    """

    def __init__(self, name: str, dtype: str | None = None, device: str | None = None) -> None:
        self.device = device_of(device)
        folder = local_folder(name)
        tokens = open_tokens(name, folder)
        self.dtype = dtype or fastest_dtype(self.device)
        model = _load(name, folder, self.dtype, self.device)
        super().__init__(
            model, tokens, template_of(name, tokens.has_chat, folder), cost_of(self.device.type, self.dtype)
        )


def local_folder(name: str) -> Folder | None:
    """None for the name of a hub model; raises RedraftError for a path that is no model folder."""
    local = Path(name).is_dir() or not _HUB_NAME.fullmatch(name)
    return open_folder(Path(name)) if local else None


def open_tokens(name: str, folder: Folder | None) -> Tokens:
    """The tokenizer of a model; transformers is imported only for one that needs it."""
    if folder and reads(folder):
        return folder_tokens(folder)
    from redraft.engines.stock import load_tokens

    return load_tokens(name)


def _load(name: str, folder: Folder | None, dtype: str, device: torch.device) -> Model:
    """transformers is imported only for models that need it."""
    kind = dtype_of(dtype)
    if folder and reads(folder):
        return on_device(decoder.DecoderModel(folder, kind, device))
    from redraft.engines.stock import StockModel

    return StockModel(name, kind, device)


def on_device(model: decoder.DecoderModel) -> Model:
    """With forwards of fixed shapes where starting them is what takes time."""
    return FixedModel(model) if model.device.type == "cuda" else model


def device_of(name: str | None) -> torch.device:
    """The device of a name, the best there is for None; raises RedraftError where there is none such."""
    if name is None:
        best = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        return torch.device(best)
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError) as error:
        raise RedraftError(f"no device {name!r} on this machine: {str(error).splitlines()[0]}") from error


def dtype_of(name: str) -> torch.dtype:
    """The dtype of a name; raises RedraftError where there is none such."""
    if name not in DTYPES:
        raise RedraftError(f"unknown dtype {name!r}; there are {', '.join(DTYPES)}")
    return DTYPES[name]


def fastest_dtype(device: torch.device) -> str:
    """bfloat16 where the processor multiplies it natively (AMX, AVX512-BF16) or the device is a GPU."""
    native = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return "bfloat16" if device.type != "cpu" or native else "float32"
