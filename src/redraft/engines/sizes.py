"""In: a folder with a model of the Llama family. Out: its sizes, and whether they say all about its arithmetic."""

from dataclasses import dataclass

from redraft.engines.folder import Folder

_KINDS = ("llama", "qwen2", "qwen3")
_NEEDED = {"hidden_size", "num_hidden_layers", "num_attention_heads", "rms_norm_eps", "max_position_embeddings"}
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


def reads(folder: Folder) -> bool:
    """Whether this is a model without anything special: plain rotary positions, full attention, weights as they are."""
    config = folder.config
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    special = ("use_sliding_window", "mlp_bias", "quantization_config", "partial_rotary_factor")
    return (
        config.get("model_type") in _KINDS
        and config.keys() >= _NEEDED
        and not any(map(config.get, special))
        and config.get("hidden_act") == "silu"
        and set(config.get("layer_types") or ["full_attention"]) == {"full_attention"}
        and rope.get("rope_type", rope.get("type", "default")) == "default"
    )
