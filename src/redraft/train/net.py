"""In: a plain Llama or Qwen2 folder. Out: its network as few operations as it takes, to be trained on few cores.

Sequences are packed without padding, projections that read the same are one matrix, logits are made where loss is.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from redraft.engines.folder import Folder
from redraft.errors import RedraftError

_AT_ONCE = 256  # bounds the memory for logits
_PARTS = {
    "heads.qkv": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "rest.out": ("self_attn.o_proj",),
    "rest.gate_up": ("mlp.gate_proj", "mlp.up_proj"),
    "rest.down": ("mlp.down_proj",),
}
_NORMS = {"heads.attention_norm": "input_layernorm", "rest.mlp_norm": "post_attention_layernorm"}


class Heads(nn.Module):
    """What a layer attends with: queries, keys and values of all ids, turned by their positions."""

    def __init__(self, width: int, heads: int, pairs: int, size: int, epsilon: float, biased: bool) -> None:
        super().__init__()
        self.heads, self.pairs, self.size, self.epsilon = heads, pairs, size, epsilon
        self.attention_norm = nn.Parameter(torch.ones(width))
        self.qkv = nn.Linear(width, (heads + 2 * pairs) * size, bias=biased)

    def forward(self, state: Tensor, cosine: Tensor, sine: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        joined = self.qkv(functional.rms_norm(state, state.shape[-1:], self.attention_norm, self.epsilon))
        heads = joined.view(len(state), -1, self.size)
        turned, value = torch.split(heads, [self.heads + self.pairs, self.pairs], 1)
        first, second = turned.chunk(2, -1)
        turned = torch.cat([first * cosine - second * sine, second * cosine + first * sine], -1)
        query, key = torch.split(turned, [self.heads, self.pairs], 1)
        return query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)


class Rest(nn.Module):
    """A layer after its attention."""

    def __init__(self, width: int, heads: int, size: int, inner: int, epsilon: float) -> None:
        super().__init__()
        self.epsilon = epsilon
        self.mlp_norm = nn.Parameter(torch.ones(width))
        self.out = nn.Linear(heads * size, width, bias=False)
        self.gate_up = nn.Linear(width, 2 * inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, state: Tensor, seen: Tensor) -> Tensor:
        state = state + self.out(seen.transpose(0, 1).reshape(len(state), -1))
        normed = functional.rms_norm(state, state.shape[-1:], self.mlp_norm, self.epsilon)
        gate, up = self.gate_up(normed).chunk(2, -1)
        ended: Tensor = state + self.down(functional.silu(gate) * up)
        return ended


class Block(nn.Module):
    """One layer. It reads several texts at once, each attends to itself alone: all but attention knows no borders."""

    def __init__(self, width: int, heads: int, pairs: int, inner: int, size: int, epsilon: float, biased: bool) -> None:
        super().__init__()
        self.heads = Heads(width, heads, pairs, size, epsilon, biased)
        self.rest = Rest(width, heads, size, inner, epsilon)

    def forward(
        self, state: Tensor, turns: tuple[Tensor, Tensor], lengths: Sequence[int], branching: bool = False
    ) -> Tensor:
        """With `branching` all texts go on from the first one and see it."""
        texts = list(zip(*(torch.split(part, list(lengths), 1) for part in self.heads(state, *turns)), strict=True))
        trunk = texts[0] if branching else None
        seen = [_attended(text, trunk if number else None) for number, text in enumerate(texts)]
        ended: Tensor = self.rest(state, torch.cat(seen, 1))
        return ended


def _attended(text: Sequence[Tensor], trunk: Sequence[Tensor] | None) -> Tensor:
    """What each id sees of those before it in its text, and of all of the trunk; of each queries, keys and values."""
    query, key, value = text
    shares, mask = query.shape[0] != key.shape[0], None
    if trunk is not None:
        before = trunk[1].shape[1]
        key, value = torch.cat([trunk[1], key], 1), torch.cat([trunk[2], value], 1)
        mask = torch.ones(query.shape[1], key.shape[1], dtype=torch.bool, device=key.device).tril(before)
    return functional.scaled_dot_product_attention(
        query[None], key[None], value[None], attn_mask=mask, is_causal=mask is None, enable_gqa=shares
    )[0]


class Net(nn.Module):
    """The whole network; what is trained are the matrices of its layers."""

    cosine: Tensor
    sine: Tensor

    def __init__(self, folder: Folder, dtype: torch.dtype) -> None:
        super().__init__()
        config = folder.config
        width, heads = config["hidden_size"], config["num_attention_heads"]
        size = config.get("head_dim") or width // heads
        pairs, epsilon = config.get("num_key_value_heads") or heads, config["rms_norm_eps"]
        self.epsilon: float = epsilon
        self.embedding = nn.Embedding(config["vocab_size"], width)
        self.head: nn.Linear | None = None
        if not config.get("tie_word_embeddings"):
            self.head = nn.Linear(width, config["vocab_size"], bias=False)
        self.blocks = nn.ModuleList(
            Block(width, heads, pairs, config["intermediate_size"], size, epsilon, config["model_type"] == "qwen2")
            for _ in range(config["num_hidden_layers"])
        )
        self.norm = nn.Parameter(torch.ones(width))
        theta = (config.get("rope_parameters") or config).get("rope_theta", 10_000.0)
        turns = 1.0 / theta ** (torch.arange(0, size, 2).float() / size)
        angles = torch.outer(torch.arange(config["max_position_embeddings"]).float(), turns)[:, None]
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)
        self.load_state_dict(_joined(_weights(folder), len(self.blocks)))
        self.to(dtype)
        for name, parameter in self.named_parameters():
            parameter.requires_grad = name.endswith(tuple(f"{part}.weight" for part in _PARTS))

    def trained(self) -> dict[str, nn.Parameter]:
        return {name: parameter for name, parameter in self.named_parameters() if parameter.requires_grad}

    def compile_layers(self) -> None:
        """All but attention, whose lengths change with every text."""
        for part in self.modules():
            if isinstance(part, Heads | Rest):
                part.compile(dynamic=True)

    def states(
        self, ids: Tensor, places: Tensor, lengths: Sequence[int] | None = None, branching: bool = False
    ) -> Tensor:
        """The last layer's state at each id; `places` are their positions, `lengths` those of the texts.

        With `branching` each text goes on from the end of the first one.
        """
        state = self.embedding(ids)
        turns = self.cosine[places].to(state.dtype), self.sine[places].to(state.dtype)
        for block in self.blocks:
            state = block(state, turns, lengths or [len(ids)], branching)
        return functional.rms_norm(state, state.shape[-1:], self.norm, self.epsilon)

    def losses(
        self, states: Tensor, targets: Tensor, shares: Tensor | None = None, temperature: float = 1.0
    ) -> tuple[Tensor, Tensor]:
        """The loss of each target after the state of its row, and which of them come out first.

        With `shares`, which add up to 1, a row has several targets, of which the first is to come out.
        """
        if shares is None:
            targets, shares = targets[:, None], torch.ones(len(targets), 1, device=targets.device)
        nats, hits = _Losses.apply(states, targets, shares, self._out, temperature)  # type: ignore[no-untyped-call]
        return nats, hits

    def logits(self, states: Tensor) -> Iterator[Tensor]:
        """Those after the state of each row, in float32, some rows at once."""
        return (functional.linear(part, self._out).float() for part in torch.split(states, _AT_ONCE))

    @property
    def _out(self) -> Tensor:
        return self.embedding.weight if self.head is None else self.head.weight


class _Losses(torch.autograd.Function):
    """The gradient is made with the logits, which are forgotten at once. The matrix that makes them stays."""

    @staticmethod
    def forward(
        ctx: Any, states: Tensor, targets: Tensor, shares: Tensor, weight: Tensor, temperature: float
    ) -> tuple[Tensor, Tensor]:
        gradient = torch.empty_like(states)
        nats = states.new_empty(len(states), dtype=torch.float32)
        hits = torch.empty_like(targets[:, 0], dtype=torch.bool)
        for start in range(0, len(targets), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            logits = functional.linear(states[rows], weight).float() / temperature
            wanted = targets[rows]
            hits[rows] = logits.argmax(-1) == wanted[:, 0]
            chances = torch.softmax(logits, -1)
            nats[rows] = -(shares[rows] * chances.gather(1, wanted).clamp_min(1e-30).log()).sum(1)
            chances.scatter_add_(1, wanted, -shares[rows])
            gradient[rows] = chances.to(states.dtype) @ weight
        ctx.save_for_backward(gradient / temperature)
        ctx.mark_non_differentiable(hits)
        return nats, hits

    @staticmethod
    def backward(ctx: Any, above: Tensor, _: Tensor) -> tuple[Tensor, None, None, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * above[:, None].to(gradient.dtype), None, None, None, None


def parts(part: str) -> tuple[str, ...]:
    """The names in a Hugging Face layer of the matrices that one of ours joins."""
    return _PARTS[part]


def split(name: str, weight: Tensor, net: Net) -> dict[str, Tensor]:
    """A trained matrix as the matrices of a Hugging Face folder, by their names there."""
    _, number, part = name.removesuffix(".weight").split(".", 2)
    block = net.blocks[int(number)]
    assert isinstance(block, Block)
    size, pairs = block.heads.size, block.heads.pairs
    heads = [block.heads.heads * size, pairs * size, pairs * size]
    rows = {"heads.qkv": heads, "rest.gate_up": [len(weight) // 2] * 2}.get(part, [len(weight)])
    names = (f"model.layers.{number}.{own}.weight" for own in _PARTS[part])
    return dict(zip(names, torch.split(weight, rows), strict=True))


def _weights(folder: Folder) -> dict[str, Tensor]:
    return {name: weight for file in folder.tensors() for name, weight in load_file(file).items()}


def _joined(weights: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    try:
        found = {"embedding.weight": weights["model.embed_tokens.weight"], "norm": weights["model.norm.weight"]}
        for number in range(layers):
            here, there = f"blocks.{number}", f"model.layers.{number}"
            found |= {f"{here}.{own}": weights[f"{there}.{name}.weight"] for own, name in _NORMS.items()}
            for own, names in _PARTS.items():
                found[f"{here}.{own}.weight"] = torch.cat([weights[f"{there}.{name}.weight"] for name in names])
                if f"{there}.{names[0]}.bias" in weights:
                    found[f"{here}.{own}.bias"] = torch.cat([weights[f"{there}.{name}.bias"] for name in names])
    except KeyError as error:
        raise RedraftError(f"the model has no tensor {error.args[0]}") from error
    return found | ({"head.weight": weights["lm_head.weight"]} if "lm_head.weight" in weights else {})
