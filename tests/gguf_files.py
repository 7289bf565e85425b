"""In: a random Qwen2 of the tests. Out: the same as a GGUF file, and `small` with that file for its weights."""

import json
from dataclasses import replace
from pathlib import Path

import gguf
from safetensors.torch import load_file

from redraft.engines.folder import read_json
from redraft.models.folder import sha256
from redraft.models.gguf import _LAYER, _OUTSIDE
from redraft.models.sized import SMALL, Sized
from tiny_models import CHAT, save, tokenizer

_SPECIAL, _ORDINARY = 3, 1  # in tokenizer.ggml.token_type


def save_gguf(folder: Path, chat: bool = False) -> Path:
    """A random Qwen2 as a folder, and in it as a file in float32."""
    save("qwen2", folder, chat)
    config, out = read_json(folder / "config.json"), folder / "tiny.gguf"
    writer = gguf.GGUFWriter(out, "qwen2")
    _write_shape(writer, config)
    _write_tokens(writer, config["vocab_size"])
    if chat:
        writer.add_chat_template(CHAT)
    names = {there: here for here, there in _OUTSIDE.items()}
    for name, weight in load_file(folder / "model.safetensors").items():
        if name not in names and name != "lm_head.weight":
            _, _, number, *rest, part = name.split(".")
            own = next(here for here, there in _LAYER.items() if there == ".".join(rest))
            names[name] = f"blk.{number}.{own}.{part}"
        writer.add_tensor(names.get(name, "output.weight"), weight.float().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return out


def as_small(file: Path) -> Sized:
    """The model by the name `small` whose weights are that file, put where they are looked for."""
    model = replace(SMALL, file=file.name, bytes=file.stat().st_size, sha256=sha256(file))
    model.path.parent.mkdir(parents=True, exist_ok=True)
    model.path.write_bytes(file.read_bytes())
    return model


def _write_shape(writer: gguf.GGUFWriter, config: dict[str, int]) -> None:
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])


def _write_tokens(writer: gguf.GGUFWriter, count: int) -> None:
    known = tokenizer()
    special = known.get_added_tokens_decoder()
    merges = json.loads(known.to_str())["model"]["merges"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list([known.id_to_token(number) for number in range(count)])
    writer.add_token_types([_SPECIAL if number in special else _ORDINARY for number in range(count)])
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    writer.add_eos_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
