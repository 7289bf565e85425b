"""In: a network and a rank. Out: narrow matrices beside those of the layers, which alone are trained; an adapter."""

import json
from pathlib import Path
from typing import Any

import numpy
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from redraft.engines.folder import read_json
from redraft.errors import RedraftError
from redraft.models.adapter import CONFIG, read_adapter
from redraft.train.net import Net, parts, split

_PREFIX = "base_model.model."
_JOINED = ("heads.qkv", "rest.out", "rest.gate_up", "rest.down")


class LowRank(nn.Module):
    """A matrix that stays, and two narrow ones in float32 whose product is added to it, as it will be to be used."""

    joined: Tensor

    def __init__(self, kept: nn.Linear, rank: int) -> None:
        super().__init__()
        self.kept, self.bias = kept.weight, kept.bias
        self.narrow = nn.Parameter(torch.randn(rank, kept.in_features) / kept.in_features**0.5)
        self.wide = nn.Parameter(torch.zeros(kept.out_features, rank))
        self.register_buffer("joined", kept.weight.detach().clone(), persistent=False)

    def join(self) -> None:
        """To be called whenever the narrow ones have changed."""
        with torch.no_grad():
            self.joined.copy_(torch.addmm(self.kept.float(), self.wide, self.narrow))

    def forward(self, state: Tensor) -> Tensor:
        found: Tensor = _Product.apply(state, self.joined, self.bias, self.narrow, self.wide)  # type: ignore[no-untyped-call]
        return found


class _Product(torch.autograd.Function):
    """The product with the joined matrix, whose gradient is that of the narrow ones: one large product each way."""

    @staticmethod
    def forward(ctx: Any, state: Tensor, joined: Tensor, bias: Tensor | None, narrow: Tensor, wide: Tensor) -> Tensor:
        ctx.save_for_backward(state, joined, narrow, wide)
        return functional.linear(state, joined, bias)

    @staticmethod
    def backward(ctx: Any, above: Tensor) -> tuple[Tensor, None, None, Tensor, Tensor]:
        state, joined, narrow, wide = ctx.saved_tensors
        within = above @ wide.to(above.dtype)
        through = functional.linear(state, narrow.to(state.dtype))
        return above @ joined, None, None, (within.T @ state).float(), (above.T @ through).float()


def adapt(net: Net, rank: int) -> dict[str, nn.Parameter]:
    """Puts narrow matrices beside all of the layers', which alone are trained from now on; returns them by name."""
    for parameter in net.parameters():
        parameter.requires_grad = False
    for number, block in enumerate(net.blocks):
        for name in _JOINED:
            owner, _, own = name.partition(".")
            module = block.get_submodule(owner)
            kept = module.get_submodule(own)
            assert isinstance(kept, nn.Linear), (number, name)
            setattr(module, own, LowRank(kept, rank))
    return net.trained()


def begin_from(net: Net, adapter: Path) -> None:
    """Puts what `write_adapter` wrote into the narrow matrices; raises RedraftError for an adapter of another shape."""
    factors = read_adapter(adapter, read_json(adapter / CONFIG)).factors
    for name, module in net.named_modules():
        if not isinstance(module, LowRank):
            continue
        whole = list(split(f"{name}.weight", module.wide.detach(), net))
        if not all(each in factors for each in whole):
            raise RedraftError(f"{adapter} has nothing for {name}")
        narrow, wide = factors[whole[0]][0], numpy.concatenate([factors[each][1] for each in whole])
        if narrow.shape != module.narrow.shape or wide.shape != module.wide.shape:
            raise RedraftError(f"{adapter} is of another rank or base: {name} has {narrow.shape} there")
        with torch.no_grad():
            module.narrow.copy_(torch.from_numpy(narrow))
            module.wide.copy_(torch.from_numpy(wide))
    join(net)


def join(net: Net) -> None:
    """To be called whenever what is trained has changed."""
    for module in net.modules():
        if isinstance(module, LowRank):
            module.join()


def write_adapter(net: Net, base: str, out: Path) -> None:
    """The narrow matrices as a LoRA adapter in bfloat16, named as in a Hugging Face folder."""
    tensors: dict[str, Tensor] = {}
    rank = 0
    for number in range(len(net.blocks)):
        for name in _JOINED:
            added = net.get_submodule(f"blocks.{number}.{name}")
            assert isinstance(added, LowRank)
            rank = len(added.narrow)
            for whole, wide in split(f"blocks.{number}.{name}.weight", added.wide.detach(), net).items():
                own = _PREFIX + whole.removesuffix(".weight")
                tensors[f"{own}.lora_A.weight"] = added.narrow.detach().to(torch.bfloat16).clone()
                tensors[f"{own}.lora_B.weight"] = wide.to(torch.bfloat16).contiguous()
    out.mkdir(parents=True, exist_ok=True)
    save_file(tensors, out / "adapter_model.safetensors", metadata={"format": "pt"})
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": base,
        "r": rank,
        "lora_alpha": rank,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": sorted(whole.rpartition(".")[2] for name in _JOINED for whole in parts(name)),
    }
    (out / "adapter_config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
