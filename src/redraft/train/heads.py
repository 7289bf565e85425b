"""In: a network and a layout of its residual stream. Out: attention heads built to do one known step each."""

import math
from itertools import pairwise

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from redraft.train.kernels import Kernel

WIDTH, LAYERS, HEADS, MLP, THETA = 512, 8, 4, 64, 1e12
HEAD = WIDTH // HEADS
PAIRS = HEAD // 2
# Dimensions of a token, a remembered token, a code of a place, a code of a text, what is remembered of it.
TOKEN, MEMORY, CODE, TEXT, PAST = 80, 16, 48, 36, 28
REMEMBERED = 8  # tokens
CONTENT = range(24, 60)  # rotary pairs that distance hardly turns: they compare content
CHANNELS = range(60, 64)  # rotary pairs that never turn: two comparisons of flags each
DISTANCES = range(5, 24)  # rotary pairs that tell how far back a token is
LINES = 1600  # lines apart that attention has to tell by the codes of places
SLOW_TURNS = [math.pi / 1700 * 2**i for i in range(8)]  # frequencies of the codes of places that tell their order
# Norms in the residual; tokens and codes of places have norm 1. Beside the padding of every token all of it is so small
# that normalisation multiplies by one and the same SCALE: the network is linear but for attention and one MLP.
PADDING = 64.0
SCALE = WIDTH**0.5 / PADDING
FLAG, MEMORY_SIZE, PAST_SIZE = 0.5, 0.35, 0.2
READ = 0.35  # the share of a token that is remembered
UNIQUE, SEVERAL = 1.5, 0.7  # norms of the code of a text that stands once in the file, or several times
FLAGS = (
    "header", "place", "equal", "file", "sketch", "end", "marker", "start",  # of a token itself
    "in_file", "in_sketch", "is_marker", "homed", "stale", "after_homed", "after_stale",  # of the line it stands in
)  # fmt: skip


class Residual:
    """Where each kind of knowledge lives in the residual stream: orthonormal columns, shape (width, dimensions).

    `turns` are the frequencies of the codes of places.
    """

    def __init__(self, turns: Tensor) -> None:
        self.turns = turns
        padded = torch.eye(WIDTH)[:, :1]  # one coordinate of its own: no rounding of it touches the others
        basis = torch.linalg.qr(torch.cat([padded, torch.randn(WIDTH, WIDTH - 1)], 1))[0]
        sizes = [1, TOKEN, *[MEMORY] * REMEMBERED, CODE, CODE, CODE, CODE, TEXT, PAST, MEMORY, MEMORY, len(FLAGS)]
        bounds = torch.tensor([0, *sizes]).cumsum(0).tolist()
        blocks = [basis[:, start:stop] for start, stop in pairwise(bounds)]
        self.padding, self.token, self.memory = padded, blocks[1], blocks[2 : REMEMBERED + 2]
        codes = blocks[REMEMBERED + 2 :]
        self.home, self.place = codes[:2]  # where to go; the place of the line
        self.before, self.last = codes[2:4]  # the home of the sketch line before; the last home up to this line
        self.text, self.past = codes[4:6]  # which text the line equals, and the line before it
        self.beginning = codes[6:8]  # the first two tokens of the line before, the later one first
        self.flags = {name: column[:, None] for name, column in zip(FLAGS, codes[8].T, strict=True)}
        self.read_token = self.token[:, :MEMORY] * READ**-0.5
        self.read_text = self.text[:, :PAST] * (TEXT / PAST) ** 0.5


class Head:
    """One attention head under construction; strengths are in nats, the scale of scores before the softmax."""

    def __init__(self, model: LlamaForCausalLM, residual: Residual, layer: int, head: int) -> None:
        self.attention = model.model.layers[layer].self_attn
        self.start = head * HEAD
        self.start_flag, self._turns = residual.flags["start"], residual.turns
        self._free = [p for pair in CONTENT for p in (pair, pair + PAIRS)]
        self._free = [self._free[i] for i in torch.randperm(len(self._free))]
        self._channels = [p for pair in CHANNELS for p in (pair, pair + PAIRS)]
        for linear in (self.attention.q_proj, self.attention.k_proj, self.attention.v_proj):
            linear.weight[self.start : self.start + HEAD] = 0

    def by_distance(self, kernel: Kernel) -> None:
        """Score a key by how far back it is; the kernel's frequencies are those of DISTANCES."""
        for pair, cosine, sine in zip(DISTANCES, kernel.cosine, kernel.sine, strict=True):
            self._turn(pair, cosine, sine)

    def look_back(self, offset: int, nats: float = 50.0) -> None:
        """Attend to the token `offset` back, by biases on the fastest rotary pairs alone."""
        for pair in range(6):
            angle = rotary_turn(pair) * offset
            self._turn(pair, nats * math.cos(angle), nats * math.sin(angle))

    def _turn(self, pair: int, cosine: float, sine: float) -> None:
        size = math.hypot(cosine, sine) * HEAD**0.5
        if size:
            self.attention.q_proj.bias[self.start + pair] = size**0.5
            self.attention.k_proj.bias[self.start + pair] = cosine * HEAD**0.5 / size**0.5
            self.attention.k_proj.bias[self.start + pair + PAIRS] = sine * HEAD**0.5 / size**0.5

    def compare(self, query: Tensor, key: Tensor, kernel: Kernel) -> None:
        """Score by how many lines the place in block `key` of the key is after that in block `query` of the query."""
        half = CODE // 2
        size = torch.tensor(kernel.cosine**2 + kernel.sine**2).float().sqrt()
        angle = torch.atan2(torch.tensor(kernel.sine), torch.tensor(kernel.cosine)).float()
        cosine, sine = torch.cos(angle), torch.sin(angle)
        gain = (size * HEAD**0.5 * half).sqrt()
        turned = torch.cat(
            [query[:, :half] * cosine - query[:, half:] * sine, query[:, half:] * cosine + query[:, :half] * sine], 1
        )
        rows, self._free = self._free[:CODE], self._free[CODE:]
        at = [self.start + row for row in rows]
        gains = torch.cat([gain, gain])[:, None]
        self.attention.q_proj.weight[at] += gains / SCALE * turned.T
        self.attention.k_proj.weight[at] += gains / SCALE * key.T

    def match(self, query: Tensor, key: Tensor, nats: float, dimensions: int) -> None:
        """Score by the inner product of two blocks of the residual, shape (width, n), in some of their dimensions."""
        rows, self._free = self._free[:dimensions], self._free[dimensions:]
        assert len(rows) == dimensions
        size = query.shape[1]
        if size == CODE:
            look = _frequencies(self._turns, dimensions) * (size / dimensions) ** 0.5
        else:
            look = _projection(size, dimensions)
        gain = (abs(nats) * HEAD**0.5) ** 0.5
        for linear, block, sign in (
            (self.attention.q_proj, query, math.copysign(1, nats)),
            (self.attention.k_proj, key, 1),
        ):
            linear.weight[[self.start + row for row in rows[: look.shape[1]]]] += sign * gain / SCALE * (block @ look).T

    def bias(self, query: Tensor | None, key: Tensor, nats: float) -> None:
        """Score by flags, shape (width, 1): `nats` where the key token has `key` and the query token has `query`."""
        row = self.start + self._channels.pop()
        gain = (abs(nats) * HEAD**0.5) ** 0.5
        if query is None:
            self.attention.q_proj.bias[row] = gain
        else:
            self.attention.q_proj.weight[row] += query[:, 0] * (gain / SCALE / FLAG)
        self.attention.k_proj.weight[row] += key[:, 0] * (math.copysign(gain, nats) / SCALE / FLAG)

    def sink(self, nats: float, query: Tensor | None = None) -> None:
        """Score the first token of all, which carries nothing: where attention goes when no key reaches `nats`."""
        self.bias(query, self.start_flag, nats)

    def carry(self, *moves: tuple[Tensor, Tensor, float]) -> None:
        """Read blocks of the attended token and write them elsewhere: (from, to, size of what is written)."""
        at = self.start
        for source, target, size in moves:
            width = source.shape[1]
            self.attention.v_proj.weight[at : at + width] = source.T
            self.attention.o_proj.weight[:, at : at + width] = target * (size / SCALE)
            at += width
        assert at <= self.start + HEAD


def _projection(size: int, dimensions: int) -> Tensor:
    """A random one that keeps inner products in the mean, shape (size, dimensions or less)."""
    look: Tensor = torch.linalg.qr(torch.randn(size, min(size, dimensions)))[0]
    return look * math.sqrt(size / look.shape[1])


def rotary_turn(pair: int) -> float:
    """By how many radians a rotary pair turns a token."""
    return float(THETA ** (-pair / PAIRS))


def _frequencies(turns: Tensor, dimensions: int) -> Tensor:
    """Picks frequencies of place codes, shape (CODE, dimensions): of 300 choices the one that tells places best."""
    count, slow = dimensions // 2, len(SLOW_TURNS)
    if count == CODE // 2:
        return torch.eye(CODE)
    lines = torch.arange(1, LINES, dtype=torch.float64)[:, None]
    choices = [slow + torch.randperm(CODE // 2 - slow)[:count] for _ in range(300)]
    chosen = min(choices, key=lambda choice: torch.cos(lines * turns[choice]).mean(1).max().item())
    return torch.eye(CODE)[:, torch.cat([chosen, chosen + CODE // 2])]


def place_turns(count: int) -> Tensor:
    """Frequencies of the codes of places, in radians a line, shape (CODE / 2,); no two of `count` codes are alike."""
    best, turns = math.inf, torch.empty(0)
    numbers = torch.arange(count, dtype=torch.float64)
    for _ in range(300):
        fast = torch.rand(CODE // 2 - len(SLOW_TURNS), dtype=torch.float64) * (math.pi - 0.3) + 0.3
        candidate = torch.cat([torch.tensor(SLOW_TURNS, dtype=torch.float64), fast])
        worst = torch.cos(numbers[1:, None] * candidate).mean(1).abs().max().item()
        if worst < best:
            best, turns = worst, candidate
    return turns


def place_codes(turns: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Codes of 0..count-1, shape (count, CODE), and the rotation that turns each into the next, (CODE, CODE)."""
    angles = torch.arange(count, dtype=torch.float64)[:, None] * turns
    codes = torch.cat([torch.cos(angles), torch.sin(angles)], 1) / (CODE // 2) ** 0.5
    cosine, sine = torch.diag(torch.cos(turns)), torch.diag(torch.sin(turns))
    step = torch.cat([torch.cat([cosine, -sine], 1), torch.cat([sine, cosine], 1)])
    return codes.float(), step.float()
