"""In: a folder with a LoRA adapter. Out: what it adds to each weight of its base."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.errors import RedraftError
from redraft.models.tensors import Array, float32, read_tensors

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
_PREFIX = "base_model.model."


@dataclass(frozen=True)
class Adapter:
    """Pairs of narrow matrices by the name of the weight that their product is added to."""

    path: Path
    factors: dict[str, tuple[Array, Array]]
    scale: float

    def adapt(self, name: str, weight: Array) -> Array:
        """The weight, in float32, with what the adapter adds; raises RedraftError where it does not fit."""
        if name not in self.factors:
            return weight
        down, up = self.factors[name]
        if (up.shape[0], down.shape[1]) != weight.shape or up.shape[1] != down.shape[0]:
            raise RedraftError(f"{self.path} does not fit its base: {name} is {weight.shape} there")
        return weight + self.scale * (up @ down)


def read_adapter(path: Path, config: dict[str, Any]) -> Adapter:
    """Raises RedraftError for weights that cannot be read, or are not those of an adapter."""
    try:
        tensors = {name: float32(each) for name, each in read_tensors(path / WEIGHTS).items()}
    except RedraftError as error:
        raise RedraftError(f"cannot load the adapter {path}: {error}") from error
    names = {name.removeprefix(_PREFIX).rpartition(".lora_")[0] for name in tensors}
    try:
        factors = {
            f"{name}.weight": (tensors[f"{_PREFIX}{name}.lora_A.weight"], tensors[f"{_PREFIX}{name}.lora_B.weight"])
            for name in names
        }
        scale = config["lora_alpha"] / config["r"]
    except KeyError as error:
        raise RedraftError(f"{path} is not a whole LoRA adapter: it has no {error.args[0]}") from error
    return Adapter(path, factors, scale)
