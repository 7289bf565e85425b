"""In: a folder with a model of the Llama family. Out: its sizes, and its tensors, each taken out once."""

from dataclasses import dataclass

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from redraft.engines.folder import Folder
from redraft.errors import RedraftError

_USUAL_THETA = 10_000.0


@dataclass(frozen=True)
class Sizes:
    """What the configuration says; `pairs` are the heads of keys and values, `width` is that of a head."""

    context: int
    layers: int
    heads: int
    pairs: int
    width: int
    epsilon: float
    theta: float

    def frequencies(self, device: torch.device) -> Tensor:
        """By how much each pair of a head turns from token to token (width / 2)."""
        return 1.0 / self.theta ** (torch.arange(0, self.width, 2, device=device).float() / self.width)


def sizes_of(folder: Folder) -> Sizes:
    config = folder.config
    heads: int = config["num_attention_heads"]
    return Sizes(
        context=config["max_position_embeddings"],
        layers=config["num_hidden_layers"],
        heads=heads,
        pairs=config.get("num_key_value_heads") or heads,
        width=config.get("head_dim") or config["hidden_size"] // heads,
        epsilon=config["rms_norm_eps"],
        theta=(config.get("rope_parameters") or config).get("rope_theta", _USUAL_THETA),
    )


class Weights:
    """The tensors of a folder; raises RedraftError where they cannot be read or one is missing."""

    def __init__(self, folder: Folder, dtype: torch.dtype, device: torch.device) -> None:
        self._folder, self._dtype, self._device = folder, dtype, device
        self._tensors: dict[str, Tensor] = {}
        for file in folder.tensors():
            try:
                self._tensors |= load_file(file)
            except (OSError, SafetensorError) as error:
                raise RedraftError(f"cannot load {folder.path}: {file.name}: {error}") from error

    def take(self, *names: str) -> Tensor:
        """The tensors below each other."""
        missing = [name for name in names if name not in self._tensors]
        if missing:
            raise RedraftError(f"cannot load {self._folder.path}: it has no tensor {missing[0]}")
        tensors = [self._tensors.pop(name).to(self._device, self._dtype) for name in names]
        return tensors[0] if len(tensors) == 1 else torch.cat(tensors)

    def optional(self, *names: str) -> Tensor | None:
        return self.take(*names) if names[0] in self._tensors else None

    def head(self) -> Tensor | None:
        """What makes logits, where that is not the embedding."""
        return None if self._folder.config.get("tie_word_embeddings") else self.optional("lm_head.weight")
