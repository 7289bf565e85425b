"""In: the configuration of a Llama, Qwen2 or Qwen3, a dtype, a device. Out: random tensors of its shape."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

SPREAD = 0.02


class RandomWeights:
    """The tensors that `Weights` would read, made when they are taken: none exists twice."""

    def __init__(self, config: dict[str, Any], dtype: torch.dtype, device: torch.device) -> None:
        self._shapes, self._dtype, self._device = dict(_shapes(config)), dtype, device
        self._is_tied = bool(config.get("tie_word_embeddings"))

    def take(self, *names: str) -> Tensor:
        made = [torch.empty(self._shapes[name], dtype=self._dtype, device=self._device) for name in names]
        filled = [each.normal_(0.0, SPREAD) if each.dim() > 1 else each.fill_(1.0) for each in made]
        return filled[0] if len(filled) == 1 else torch.cat(filled)

    def optional(self, *names: str) -> Tensor | None:
        return self.take(*names) if names[0] in self._shapes else None

    def head(self) -> Tensor | None:
        return None if self._is_tied else self.take("lm_head.weight")


def _shapes(config: dict[str, Any]) -> Iterator[tuple[str, tuple[int, ...]]]:
    hidden, inner, vocabulary = (config[name] for name in ("hidden_size", "intermediate_size", "vocab_size"))
    heads: int = config["num_attention_heads"]
    width = config.get("head_dim") or hidden // heads
    rows = {"q": heads * width, "k": config["num_key_value_heads"] * width, "v": config["num_key_value_heads"] * width}
    yield from (("model.embed_tokens.weight", (vocabulary, hidden)), ("lm_head.weight", (vocabulary, hidden)))
    yield "model.norm.weight", (hidden,)
    for number in range(config["num_hidden_layers"]):
        layer = f"model.layers.{number}"
        for name, size in rows.items():
            yield f"{layer}.self_attn.{name}_proj.weight", (size, hidden)
            if config["model_type"] == "qwen2":
                yield f"{layer}.self_attn.{name}_proj.bias", (size,)
        yield f"{layer}.self_attn.o_proj.weight", (hidden, heads * width)
        yield from ((f"{layer}.mlp.{name}_proj.weight", (inner, hidden)) for name in ("gate", "up"))
        yield f"{layer}.mlp.down_proj.weight", (hidden, inner)
        yield from ((f"{layer}.{name}_layernorm.weight", (hidden,)) for name in ("input", "post_attention"))
        if config["model_type"] == "qwen3":
            yield from ((f"{layer}.self_attn.{name}_norm.weight", (width,)) for name in "qk")
