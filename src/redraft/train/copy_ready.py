"""In: a tokenizer of the line format. Out: a stock Llama that copies lines and follows a sketch before any training.

Each attention layer is built to do one step; MLPs and the last layer are free and start small; all can be trained.

    layer 0   every token learns the two tokens before it, the place of its line, and which line's text its line equals
    layer 1   the tokens three and four back; what the two lines before are equal to
    layer 2   a sketch line finds its home, the line of the file that it equals, by its own text and that before it;
              the tokens five to eight back
    layer 3   a sketch line learns the home of the line before it; a marker's home is the line after the last home
    layer 4   at the end of a line: go to the sketch line whose predecessor has this home, else to the next line;
              inside a line: copy the token that follows the same tokens in the line with the same place

Sources: induction heads (Olsson et al. 2022), mimetic initialisation (Trockman and Kolter 2023). Places are random
Fourier features of their number (Rahimi and Recht 2007), so that "the next line" is a rotation, a linear map.
"""

import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from redraft.edit.lines import END, FILE, FILE_PLACES, MARKER, SKETCH_PLACES, START, UPDATE
from redraft.train.heads import (
    CODE,
    FLAG,
    HEADER_SCALE,
    HEADS,
    LAYERS,
    MEMORY,
    MEMORY_SIZE,
    MLP,
    NEAREST,
    NEAREST_WIDE,
    PAST_SIZE,
    READ,
    SCALES,
    SEVERAL,
    THETA,
    TOKEN,
    UNIQUE,
    WIDTH,
    Head,
    Residual,
    place_codes,
)
from redraft.train.tokenizer import CONTEXT, line_ends

COMPARED = 40  # dimensions of a text code that are compared
# Copying inside a line: dimensions for its place, then nats and dimensions for each token of context.
NEAR_CONTEXT = (24, ((40, 16), (16, 12), (10, 10), (8, 10)))
FAR_CONTEXT = (16, ((50, 12), (14, 8), (8, 8), (5, 6), (4, 6), (4, 6), (4, 5), (4, 5)))


def _embeddings(tokenizer: PreTrainedTokenizerFast, residual: Residual, codes: Tensor, vocabulary: int) -> Tensor:
    """One row a token, shape (vocabulary, width): content of norm 1; for the beginnings of lines codes and flags."""
    flags = {name: FLAG * column[:, 0] for name, column in residual.flags.items()}
    rows: Tensor = _split_norm(vocabulary, TOKEN, MEMORY, READ) @ residual.token.T
    ids = tokenizer.convert_tokens_to_ids
    rows[[*line_ends(tokenizer), ids(FILE.text), ids(UPDATE.text), ids(END.text)]] += flags["end"]
    rows[ids(START.text)] = flags["start"] + 2.15 * flags["padding"] / FLAG
    head = 2 * _split_norm(1, TOKEN, MEMORY, READ)[0] @ residual.token.T + flags["header"]
    texts = _split_norm(FILE_PLACES, CODE, COMPARED, COMPARED / CODE) @ residual.text.T
    homes = codes @ residual.home.T
    # Codes of texts and what fills them up have one norm, and so have all headers: attention compares them fairly.
    filler, padding = flags["filler"] / FLAG, flags["padding"] / FLAG
    for number in range(FILE_PLACES):
        row = head + homes[number] + flags["place"] + flags["file"]
        rows[ids(f"<|{number}|>")] = row + _filled(texts[number], filler, 1)
        rows[ids(f"<|={number}|>")] = head + _filled(texts[number], filler, UNIQUE) + 1.5**0.5 * padding
        rows[ids(f"<|~{number}|>")] = head + _filled(texts[number], filler, SEVERAL) + 1.5**0.5 * padding
    for number in range(SKETCH_PLACES):
        row = head + homes[FILE_PLACES + number] + flags["place"] + flags["sketch"]
        rows[ids(f"<|+{number}|>")] = row + _filled(filler, filler, 0)
    rows[ids(MARKER.text)] = head + flags["marker"] + _filled(filler, filler, 0) + 1.25**0.5 * padding
    return rows


def _split_norm(count: int, size: int, first: int, share: float) -> Tensor:
    """Random vectors of norm 1, shape (count, size); their first dimensions hold the same share of each."""
    unit = torch.nn.functional.normalize
    read, rest = unit(torch.randn(count, first), dim=1), unit(torch.randn(count, size - first), dim=1)
    return torch.cat([share**0.5 * read, (1 - share) ** 0.5 * rest], 1)


def _filled(text: Tensor, filler: Tensor, strength: float) -> Tensor:
    filled: Tensor = strength * text + (2.5 - strength**2) ** 0.5 * filler
    return filled


def _build_memory(model: LlamaForCausalLM, residual: Residual) -> None:
    """Layer 0: the two tokens before, the place of the line, the text it equals."""
    flags = residual.flags
    for number in range(2):
        head = Head(model, residual, 0, number, SCALES[0])
        head.look_back(number + 1)
        head.carry((residual.read_token, residual.memory[number], MEMORY_SIZE))
    place = Head(model, residual, 0, 2, HEADER_SCALE)
    place.by_distance(NEAREST)
    place.bias(None, flags["place"], 260)
    place.carry(
        (residual.home, residual.place, 1),
        (flags["file"], flags["in_file"], 1),
        (flags["sketch"], flags["in_sketch"], 1),
    )
    text = Head(model, residual, 0, 3, HEADER_SCALE)
    text.by_distance(NEAREST)
    text.bias(None, flags["header"], 260)
    filler = flags["filler"]
    text.carry((residual.text, residual.text, 1), (flags["marker"], flags["is_marker"], 1), (filler, filler, 1))


def _build_past(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Layer 1: tokens three and four back; what the two lines before are equal to."""
    older = Head(model, residual, 1, 0, SCALES[1])
    older.look_back(2)
    older.carry((residual.memory[0], residual.memory[2], 1), (residual.memory[1], residual.memory[3], 1))
    query = residual.place
    for number in range(2):
        query = query @ step
        head = Head(model, residual, 1, 1 + number, SCALES[1])
        head.match(query, residual.place, 100, CODE)
        head.bias(None, residual.flags["end"], 30)
        head.sink(95)
        head.carry((residual.read_text, residual.past[number], PAST_SIZE))


def _build_homes(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Layers 2 and 3: where each line of the sketch belongs, and where the one before it does."""
    flags = residual.flags
    older = Head(model, residual, 2, 1, SCALES[2])
    older.look_back(4)
    older.carry(*((residual.memory[n], residual.memory[n + 4], 1.0) for n in range(4)))
    home = Head(model, residual, 2, 0, SCALES[2])
    compared = residual.text[:, :COMPARED]
    home.match(compared, compared, 110 * CODE / COMPARED, COMPARED)
    home.match(residual.past[0], residual.past[0], 50 / PAST_SIZE**2, 20)
    home.match(residual.past[1], residual.past[1], 16 / PAST_SIZE**2, 12)
    home.bias(flags["in_sketch"], flags["in_file"], 100)
    home.sink(225)
    home.carry((residual.place, residual.home, 1), (flags["in_file"], flags["homed"], 1))
    before = Head(model, residual, 3, 0, SCALES[3])
    before.match(residual.place @ step, residual.place, 100, CODE)
    before.bias(flags["in_sketch"], flags["end"], 60)
    before.sink(130)
    before.carry((residual.home, residual.before, 1))
    after = Head(model, residual, 3, 1, SCALES[3])
    after.by_distance({pair: (1.5 * a, 1.5 * b) for pair, (a, b) in NEAREST_WIDE.items()})
    after.bias(None, flags["homed"], 225)
    after.sink(800)
    after.sink(-700, flags["is_marker"])
    after.carry((residual.home @ step.T, residual.home, 1))


def _build_writing(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Layer 4: which line comes next, and which token inside a line."""
    flags = residual.flags
    sketched = Head(model, residual, 4, 0, SCALES[4])
    sketched.match(residual.place, residual.before, 180, CODE)
    sketched.bias(flags["end"], flags["in_sketch"], 58)
    sketched.bias(flags["end"], flags["end"], 58)
    sketched.sink(240)
    sketched.carry((residual.home + 0.6 * residual.place, residual.home, 20))
    following = Head(model, residual, 4, 1, SCALES[4])
    following.match(residual.place @ step.T, residual.place, 180, CODE)
    following.bias(flags["end"], flags["end"], 117)
    following.sink(240)
    following.carry((residual.home + 0.6 * residual.place, residual.home, 8))
    queries = [residual.read_token * MEMORY_SIZE, *residual.memory]
    for number, (place_size, context) in enumerate((NEAR_CONTEXT, FAR_CONTEXT), 2):
        copying = Head(model, residual, 4, number, SCALES[4])
        copying.match(residual.place, residual.place, 60, place_size)
        for query, key, (nats, size) in zip(queries, residual.memory, context, strict=False):
            copying.match(query, key, nats / MEMORY_SIZE**2, size)
        copying.bias(None, flags["header"], -60)
        copying.sink(10)
        copying.sink(150, flags["end"])
        copying.carry((residual.token, residual.token, 10))


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
    model = LlamaForCausalLM(
        config
    )  # Qwen2 would do, but transformers gives it another tokenizer than the one beside it
    with torch.no_grad():
        for layer in model.model.layers:
            attention, mlp = layer.self_attn, layer.mlp
            for linear in (attention.q_proj, attention.k_proj, attention.v_proj):
                linear.weight.normal_(0, 0.5 * WIDTH**-0.5)
                linear.bias.zero_()
            attention.o_proj.weight.normal_(0, 0.02 * (WIDTH * 2 * LAYERS) ** -0.5)
            mlp.gate_proj.weight.normal_(0, WIDTH**-0.5)
            mlp.up_proj.weight.normal_(0, WIDTH**-0.5)
            mlp.down_proj.weight.normal_(0, 0.005 * (MLP * 2 * LAYERS) ** -0.5)
        residual = Residual()
        codes, step = place_codes(FILE_PLACES + SKETCH_PLACES)
        model.model.embed_tokens.weight.copy_(_embeddings(tokenizer, residual, codes, len(tokenizer)))
        _build_memory(model, residual)
        _build_past(model, residual, step)
        _build_homes(model, residual, step)
        _build_writing(model, residual, step)
    return model
