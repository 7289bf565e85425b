"""In: a folder with a model of the Llama family. Out: its tensors, each taken out once."""

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from redraft.engines.folder import Folder
from redraft.engines.sizes import Sizes
from redraft.errors import RedraftError


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


def frequencies(sizes: Sizes, device: torch.device) -> Tensor:
    """By how much each pair of a head turns from token to token (width / 2)."""
    return 1.0 / sizes.theta ** (torch.arange(0, sizes.width, 2, device=device).float() / sizes.width)
