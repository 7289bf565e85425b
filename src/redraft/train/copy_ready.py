"""In: a tokenizer of the line format. Out: a stock Llama that copies lines and follows a sketch before any training.

The embedding lays out what a token is, and train/circuits.py builds the layers that read it.

Sources: induction heads (Olsson et al. 2022), mimetic initialisation (Trockman and Kolter 2023). Places are random
Fourier features of their number (Rahimi and Recht 2007), so that "the next line" is a rotation, a linear map.
"""

import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from redraft.edit.prompts.places import END, FILE, FILE_PLACES, MARKER, SKETCH_PLACES, START, UPDATE
from redraft.train.circuits import build_layers
from redraft.train.heads import (
    FLAG,
    HEADS,
    LAYERS,
    MEMORY,
    MLP,
    PADDING,
    PAST,
    READ,
    SEVERAL,
    TEXT,
    THETA,
    TOKEN,
    UNIQUE,
    WIDTH,
    Residual,
    place_codes,
    place_turns,
)  # fmt: skip
from redraft.train.tokenizer import CONTEXT, line_ends

SHARPNESS = 8.0  # of the last norm: how far apart the scores of tokens are; bits per byte have their least there


def _embeddings(tokenizer: PreTrainedTokenizerFast, residual: Residual, codes: Tensor, vocabulary: int) -> Tensor:
    """One row a token, shape (vocabulary, width): content of norm 1; for the beginnings of lines codes and flags."""
    flags = {name: FLAG * column[:, 0] for name, column in residual.flags.items()}
    contents = _split_norm(vocabulary, TOKEN - 2, MEMORY - 1, READ)  # one dimension of each part is of headers alone
    rows: Tensor = contents @ torch.cat([residual.token[:, 1:MEMORY], residual.token[:, MEMORY + 1 :]], 1).T
    ids = tokenizer.convert_tokens_to_ids
    for token in (*line_ends(tokenizer), ids(FILE.text), ids(UPDATE.text), ids(END.text)):
        rows[token] += flags["end"]
    rows[ids(START.text)] = flags["start"] + codes[0] @ residual.last.T  # a marker before any home: return to the top
    head = READ**0.5 * residual.token[:, 0] + (1 - READ) ** 0.5 * residual.token[:, MEMORY] + flags["header"]
    texts = _split_norm(FILE_PLACES, TEXT, PAST, PAST / TEXT) @ residual.text.T
    homes = codes @ residual.home.T
    for number in range(FILE_PLACES):
        rows[ids(f"<|{number}|>")] = head + homes[number] + flags["place"] + flags["file"] + texts[number]
        rows[ids(f"<|={number}|>")] = head + flags["equal"] + UNIQUE * texts[number]
        rows[ids(f"<|~{number}|>")] = head + flags["equal"] + SEVERAL * texts[number]
    for number in range(SKETCH_PLACES):
        rows[ids(f"<|+{number}|>")] = head + homes[FILE_PLACES + number] + flags["place"] + flags["sketch"]
    rows[ids(MARKER.text)] = head + flags["equal"] + flags["marker"]
    return rows + PADDING * residual.padding.T


def _split_norm(count: int, size: int, first: int, share: float) -> Tensor:
    """Random vectors of norm 1, shape (count, size); their first dimensions hold the same share of each."""
    unit = torch.nn.functional.normalize
    read, rest = unit(torch.randn(count, first), dim=1), unit(torch.randn(count, size - first), dim=1)
    return torch.cat([share**0.5 * read, (1 - share) ** 0.5 * rest], 1)


def copy_ready(tokenizer: PreTrainedTokenizerFast, seed: int = 0) -> LlamaForCausalLM:
    """An untrained model for the line format; the same for the same seed."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS,
        intermediate_size=MLP,
        attention_bias=True,
        tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": THETA},
        rms_norm_eps=1e-6,
        max_position_embeddings=CONTEXT,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = LlamaForCausalLM(config)  # a Qwen2 would load with another tokenizer than the one beside it
    with torch.no_grad():
        for layer in model.model.layers:
            for linear in (layer.self_attn.q_proj, layer.self_attn.k_proj, layer.self_attn.v_proj):
                linear.bias.zero_()
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        turns = place_turns(FILE_PLACES + SKETCH_PLACES)
        residual = Residual(turns)
        codes, step = place_codes(turns, FILE_PLACES + SKETCH_PLACES)
        model.model.norm.weight.fill_(SHARPNESS)
        model.model.norm.weight[0] = 0  # the padding
        model.model.embed_tokens.weight.copy_(_embeddings(tokenizer, residual, codes, len(tokenizer)))
        build_layers(model, residual, step)
    return model
