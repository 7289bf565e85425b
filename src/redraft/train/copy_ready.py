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

import math
from itertools import pairwise

import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from redraft.edit.lines import END, FILE, FILE_PLACES, MARKER, SKETCH_PLACES, START, UPDATE
from redraft.train.tokenizer import CONTEXT, line_ends

WIDTH, LAYERS, HEADS, MLP, THETA = 512, 6, 4, 384, 1e12
HEAD = WIDTH // HEADS
PAIRS = HEAD // 2
# Dimensions of a token, a remembered token, a code of a place or of a text, a remembered line.
TOKEN, MEMORY, CODE, PAST = 88, 16, 56, 28
REMEMBERED = 8  # tokens
CONTENT = range(24, 60)  # rotary pairs that distance hardly turns: they compare content
CHANNELS = range(60, 64)  # rotary pairs that never turn: one constant comparison each
# Strength of attention by distance, in nats, as cosine and sine coefficients a rotary pair: each prefers the nearer of
# two flagged tokens by at least 8. Found by linear programming (least total amplitude) for distances up to 100 and, for
# tokens farther apart, up to 320.
NEAREST = {
    5: (2.7, -5.1), 6: (11.7, -11.4), 7: (18.6, -11.4), 8: (29.9, -5.8), 9: (33.4, 0), 10: (18.5, 0), 11: (32.1, 0),
    12: (19.9, 0), 13: (19.9, 0), 14: (20.9, 0), 16: (18.5, 0),
}  # fmt: skip
NEAREST_WIDE = {
    6: (1.7, -2.5), 7: (0.6, -6.8), 8: (0, -19.5), 9: (29.6, -26.3), 10: (18.8, -1.2), 11: (34.5, 0), 12: (40.8, 0),
    13: (29.4, 0), 14: (22.3, 0), 15: (29.3, 0), 16: (34.1, 0), 18: (2, 0),
}  # fmt: skip
# Norms in the residual; tokens and codes of places have norm 1.
FLAG, MEMORY_SIZE, PAST_SIZE = 0.5, 0.35, 0.5
READ = 0.35  # the share of a token that is remembered
UNIQUE, SEVERAL = 1.5, 0.9  # norms of the code of a text that stands once in the file, or several times
FLAGS = (
    "header", "place", "file", "sketch", "end", "marker", "start", "filler", "padding",  # of a token itself
    "in_file", "in_sketch", "is_marker", "homed",  # of the line it stands in
)  # fmt: skip
SCALES = (20.2, 9.9, 9.3, 8.6, 9.0)  # what normalisation multiplies a text token by, a layer
# Copying inside a line: dimensions for its place, then nats and dimensions for each token of context.
NEAR_CONTEXT = (24, ((40, 16), (16, 12), (10, 10), (8, 10)))
FAR_CONTEXT = (16, ((50, 12), (14, 8), (8, 8), (5, 6), (4, 6), (4, 6), (4, 5), (4, 5)))
HEADER_SCALE = 7.9  # the same for a token that begins a line, in layer 0
START_SCALE = 10.3  # the same for the first token of all, in every layer


class _Residual:
    """Where each kind of knowledge lives in the residual stream: orthonormal columns, shape (width, dimensions)."""

    def __init__(self) -> None:
        basis = torch.linalg.qr(torch.randn(WIDTH, WIDTH))[0]
        sizes = [TOKEN, *[MEMORY] * REMEMBERED, CODE, CODE, CODE, PAST, PAST, CODE, len(FLAGS)]
        bounds = torch.tensor([0, *sizes]).cumsum(0).tolist()
        blocks = [basis[:, start:stop] for start, stop in pairwise(bounds)]
        self.token, self.memory, codes = blocks[0], blocks[1 : REMEMBERED + 1], blocks[REMEMBERED + 1 :]
        self.home, self.place, self.text = codes[:3]  # where to go; the place of the line; the text it equals
        self.past = codes[3:5]
        self.before = codes[5]  # the home of the sketch line before
        self.flags = {name: column[:, None] for name, column in zip(FLAGS, codes[6].T, strict=True)}
        self.read_token = self.token[:, :MEMORY] * READ**-0.5
        self.read_text = self.text @ torch.linalg.qr(torch.randn(CODE, PAST))[0] * (CODE / PAST) ** 0.5


class _Head:
    """One attention head under construction; strengths are in nats, the scale of scores before the softmax."""

    def __init__(self, model: LlamaForCausalLM, residual: _Residual, layer: int, head: int, scale: float) -> None:
        self.attention = model.model.layers[layer].self_attn
        self.start, self.scale = head * HEAD, scale
        self.start_flag = residual.flags["start"]
        self._free = [p for pair in CONTENT for p in (pair, pair + PAIRS)]
        self._free = [self._free[i] for i in torch.randperm(len(self._free))]
        self._channels = list(CHANNELS)
        for linear in (self.attention.q_proj, self.attention.k_proj, self.attention.v_proj):
            linear.weight[self.start : self.start + HEAD] *= 0.1
        self.attention.o_proj.weight[:, self.start : self.start + HEAD] = 0

    def by_distance(self, strength: dict[int, tuple[float, float]]) -> None:
        """Score a key by how far back it is."""
        for pair, (cosine, sine) in strength.items():
            size = math.hypot(cosine, sine) * HEAD**0.5
            self.attention.q_proj.bias[self.start + pair] = size**0.5
            self.attention.k_proj.bias[self.start + pair] = cosine * HEAD**0.5 / size**0.5
            self.attention.k_proj.bias[self.start + pair + PAIRS] = sine * HEAD**0.5 / size**0.5

    def look_back(self, offset: int, nats: float = 50.0) -> None:
        """Attend to the token `offset` back, by biases on the fastest rotary pairs alone."""
        turns = [(pair, THETA ** (-pair / PAIRS) * offset) for pair in range(6)]
        self.by_distance({pair: (nats * math.cos(turn), nats * math.sin(turn)) for pair, turn in turns})

    def match(self, query: Tensor, key: Tensor, nats: float, dimensions: int) -> None:
        """Score by the inner product of two blocks of the residual, shape (width, n), through one random projection."""
        rows, self._free = self._free[:dimensions], self._free[dimensions:]
        assert len(rows) == dimensions
        size = query.shape[1]
        look = (
            _frequencies(dimensions) if size == CODE else torch.linalg.qr(torch.randn(size, min(size, dimensions)))[0]
        )
        look = look * (size / look.shape[1]) ** 0.5
        gain = (nats * HEAD**0.5) ** 0.5 / self.scale
        for linear, block in ((self.attention.q_proj, query), (self.attention.k_proj, key)):
            linear.weight[[self.start + row for row in rows[: look.shape[1]]]] += gain * (block @ look).T

    def bias(self, query: Tensor | None, key: Tensor, nats: float, scale: float | None = None) -> None:
        """Score by flags, shape (width, 1): `nats` where the key token has `key` and the query token has `query`."""
        row, scale = self.start + self._channels.pop(), scale or self.scale
        gain = (abs(nats) * HEAD**0.5) ** 0.5
        if query is None:
            self.attention.q_proj.bias[row] = gain
        else:
            self.attention.q_proj.weight[row] += query[:, 0] * (gain / self.scale / FLAG)
        self.attention.k_proj.weight[row] += key[:, 0] * (math.copysign(gain, nats) / scale / FLAG)

    def sink(self, nats: float, query: Tensor | None = None) -> None:
        """Score the first token of all, which carries nothing: where attention goes when no key reaches `nats`."""
        self.bias(query, self.start_flag, nats, START_SCALE)

    def carry(self, *moves: tuple[Tensor, Tensor, float]) -> None:
        """Read blocks of the attended token and write them elsewhere: (from, to, size of what is written)."""
        at = self.start
        for source, target, size in moves:
            width = source.shape[1]
            self.attention.v_proj.weight[at : at + width] = source.T
            self.attention.o_proj.weight[:, at : at + width] = target * (size / self.scale)
            at += width
        assert at <= self.start + HEAD


def _frequencies(dimensions: int) -> Tensor:
    """Picks random frequencies of place codes, cosine and sine, shape (CODE, dimensions): all codes keep one norm."""
    chosen = torch.randperm(CODE // 2)[: dimensions // 2]
    return torch.eye(CODE)[:, torch.cat([chosen, chosen + CODE // 2])]


def place_codes(count: int) -> tuple[Tensor, Tensor]:
    """Codes of 0..count-1, shape (count, CODE), and the rotation that turns each into the next, (CODE, CODE)."""
    best, turns = math.inf, torch.empty(0)
    numbers = torch.arange(count, dtype=torch.float64)
    for _ in range(300):
        candidate = torch.rand(CODE // 2, dtype=torch.float64) * math.pi
        worst = torch.cos(numbers[1:, None] * candidate).mean(1).abs().max().item()
        if worst < best:
            best, turns = worst, candidate
    angles = numbers[:, None] * turns
    codes = torch.cat([torch.cos(angles), torch.sin(angles)], 1) / (CODE // 2) ** 0.5
    cosine, sine = torch.diag(torch.cos(turns)), torch.diag(torch.sin(turns))
    step = torch.cat([torch.cat([cosine, -sine], 1), torch.cat([sine, cosine], 1)])
    return codes.float(), step.float()


def _embeddings(tokenizer: PreTrainedTokenizerFast, residual: _Residual, codes: Tensor, vocabulary: int) -> Tensor:
    """One row a token, shape (vocabulary, width): content of norm 1; for the beginnings of lines codes and flags."""
    unit = torch.nn.functional.normalize
    flags = {name: FLAG * column[:, 0] for name, column in residual.flags.items()}
    rows = _contents(vocabulary) @ residual.token.T
    ids = tokenizer.convert_tokens_to_ids
    rows[[*line_ends(tokenizer), ids(FILE.text), ids(UPDATE.text), ids(END.text)]] += flags["end"]
    rows[ids(START.text)] = flags["start"] + 2.15 * flags["padding"] / FLAG
    head = 2 * _contents(1)[0] @ residual.token.T + flags["header"]
    texts = unit(torch.randn(FILE_PLACES, CODE), dim=1) @ residual.text.T
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


def _contents(count: int) -> Tensor:
    """Random vectors of norm 1, shape (count, TOKEN); what is remembered of each, the first dimensions, has one norm too."""
    unit = torch.nn.functional.normalize
    remembered, rest = unit(torch.randn(count, MEMORY), dim=1), unit(torch.randn(count, TOKEN - MEMORY), dim=1)
    return torch.cat([READ**0.5 * remembered, (1 - READ) ** 0.5 * rest], 1)


def _filled(text: Tensor, filler: Tensor, strength: float) -> Tensor:
    filled: Tensor = strength * text + (2.5 - strength**2) ** 0.5 * filler
    return filled


def _build_memory(model: LlamaForCausalLM, residual: _Residual) -> None:
    """Layer 0: the two tokens before, the place of the line, the text it equals."""
    flags = residual.flags
    for number in range(2):
        head = _Head(model, residual, 0, number, SCALES[0])
        head.look_back(number + 1)
        head.carry((residual.read_token, residual.memory[number], MEMORY_SIZE))
    place = _Head(model, residual, 0, 2, HEADER_SCALE)
    place.by_distance(NEAREST)
    place.bias(None, flags["place"], 260)
    place.carry(
        (residual.home, residual.place, 1),
        (flags["file"], flags["in_file"], 1),
        (flags["sketch"], flags["in_sketch"], 1),
    )
    text = _Head(model, residual, 0, 3, HEADER_SCALE)
    text.by_distance(NEAREST)
    text.bias(None, flags["header"], 260)
    filler = flags["filler"]
    text.carry((residual.text, residual.text, 1), (flags["marker"], flags["is_marker"], 1), (filler, filler, 1))


def _build_past(model: LlamaForCausalLM, residual: _Residual, step: Tensor) -> None:
    """Layer 1: tokens three and four back; what the two lines before are equal to."""
    older = _Head(model, residual, 1, 0, SCALES[1])
    older.look_back(2)
    older.carry((residual.memory[0], residual.memory[2], 1), (residual.memory[1], residual.memory[3], 1))
    query = residual.place
    for number in range(2):
        query = query @ step
        head = _Head(model, residual, 1, 1 + number, SCALES[1])
        head.match(query, residual.place, 100, CODE)
        head.bias(None, residual.flags["end"], 30)
        head.sink(95)
        head.carry((residual.read_text, residual.past[number], PAST_SIZE))


def _build_homes(model: LlamaForCausalLM, residual: _Residual, step: Tensor) -> None:
    """Layers 2 and 3: where each line of the sketch belongs, and where the one before it does."""
    flags = residual.flags
    older = _Head(model, residual, 2, 1, SCALES[2])
    older.look_back(4)
    older.carry(*((residual.memory[n], residual.memory[n + 4], 1.0) for n in range(4)))
    home = _Head(model, residual, 2, 0, SCALES[2])
    home.match(residual.text, residual.text, 110, 40)
    home.match(residual.past[0], residual.past[0], 50 / PAST_SIZE**2, 20)
    home.match(residual.past[1], residual.past[1], 16 / PAST_SIZE**2, 12)
    home.bias(flags["in_sketch"], flags["in_file"], 100)
    home.sink(225)
    home.carry((residual.place, residual.home, 1), (flags["in_file"], flags["homed"], 1))
    before = _Head(model, residual, 3, 0, SCALES[3])
    before.match(residual.place @ step, residual.place, 100, CODE)
    before.bias(flags["in_sketch"], flags["end"], 60)
    before.sink(130)
    before.carry((residual.home, residual.before, 1))
    after = _Head(model, residual, 3, 1, SCALES[3])
    after.by_distance({pair: (1.5 * a, 1.5 * b) for pair, (a, b) in NEAREST_WIDE.items()})
    after.bias(None, flags["homed"], 225)
    after.sink(800)
    after.sink(-700, flags["is_marker"])
    after.carry((residual.home @ step.T, residual.home, 1))


def _build_writing(model: LlamaForCausalLM, residual: _Residual, step: Tensor) -> None:
    """Layer 4: which line comes next, and which token inside a line."""
    flags = residual.flags
    sketched = _Head(model, residual, 4, 0, SCALES[4])
    sketched.match(residual.place, residual.before, 180, CODE)
    sketched.bias(flags["end"], flags["in_sketch"], 58)
    sketched.bias(flags["end"], flags["end"], 58)
    sketched.sink(240)
    sketched.carry((residual.home + 0.6 * residual.place, residual.home, 20))
    following = _Head(model, residual, 4, 1, SCALES[4])
    following.match(residual.place @ step.T, residual.place, 180, CODE)
    following.bias(flags["end"], flags["end"], 117)
    following.sink(240)
    following.carry((residual.home + 0.6 * residual.place, residual.home, 8))
    queries = [residual.read_token * MEMORY_SIZE, *residual.memory]
    for number, (place_size, context) in enumerate((NEAR_CONTEXT, FAR_CONTEXT), 2):
        copying = _Head(model, residual, 4, number, SCALES[4])
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
        residual = _Residual()
        codes, step = place_codes(FILE_PLACES + SKETCH_PLACES)
        model.model.embed_tokens.weight.copy_(_embeddings(tokenizer, residual, codes, len(tokenizer)))
        _build_memory(model, residual)
        _build_past(model, residual, step)
        _build_homes(model, residual, step)
        _build_writing(model, residual, step)
    return model
