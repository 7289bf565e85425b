"""In: weights before and after a training. Out: a LoRA adapter: the part of low rank of what it changed."""

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

_PREFIX = "base_model.model."


def factors(change: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Two narrow matrices whose product, the second times the first, is nearest to the change."""
    left, values, right = torch.linalg.svd(change.float(), full_matrices=False)
    root = values[:rank].sqrt()
    return root[:, None] * right[:rank], left[:, :rank] * root


def write_adapter(changes: Mapping[str, Tensor], rank: int, base: str, out: Path) -> float:
    """The adapter of changes by the names of their weights; returns the share of their energy that it keeps."""
    tensors, kept, energy = {}, 0.0, 0.0
    for name, change in changes.items():
        down, up = factors(change, rank)
        own = _PREFIX + name.removesuffix(".weight")
        tensors[f"{own}.lora_A.weight"] = down.to(torch.bfloat16).contiguous()
        tensors[f"{own}.lora_B.weight"] = up.to(torch.bfloat16).contiguous()
        kept, energy = kept + float((up @ down).square().sum()), energy + float(change.float().square().sum())
    save_file(tensors, out / "adapter_model.safetensors", metadata={"format": "pt"})
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": base,
        "r": rank,
        "lora_alpha": rank,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": sorted({name.split(".")[-2] for name in changes}),
    }
    (out / "adapter_config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return kept / energy if energy else 1.0
