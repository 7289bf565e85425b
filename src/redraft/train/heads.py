"""In: a network and a layout of its residual stream. Out: attention heads built to do one known step each."""

import math
from itertools import pairwise

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

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
HEADER_SCALE = 7.9  # the same for a token that begins a line, in layer 0
START_SCALE = 10.3  # the same for the first token of all, in every layer


class Residual:
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


class Head:
    """One attention head under construction; strengths are in nats, the scale of scores before the softmax."""

    def __init__(self, model: LlamaForCausalLM, residual: Residual, layer: int, head: int, scale: float) -> None:
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
