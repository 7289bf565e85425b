"""In: a network and the layout of its residual stream. Out: attention layers that find what comes next, one step each.

    layer 0   every token learns the two tokens before it and the place of its line
    layer 1   which text its line equals, and the line before it; the tokens three and four back
    layer 2   a sketch line finds its home, the line of the file that it equals, by its own text and those before it;
              the tokens five to eight back
    layer 3   a home that lies above that of an earlier sketch line is given up (the MLP erases it)
    layer 4   the last home up to each sketch line; how the line before begins
    layer 5   a sketch line learns the home of the one before it; a marker's home is the line after the last home
    layer 6   at the end of a line: go to the sketch line whose predecessor has this home, else to the next line
    layer 7   inside a line: copy the token that follows the same tokens in the line with the same place

Strengths are in nats. Where two keys compete, the comments or the sinks say by how much the right one wins.
Source: induction heads (Olsson et al. 2022), of which the last layer is one that looks eight tokens back.
"""

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from redraft.edit.prompts.places import FILE_PLACES
from redraft.edit.prompts.pointer import REACH
from redraft.train.heads import (
    CODE,
    DISTANCES,
    FLAG,
    MEMORY,
    MEMORY_SIZE,
    PAST,
    PAST_SIZE,
    SCALE,
    TEXT,
    Head,
    Residual,
    rotary_turn,
)
from redraft.train.kernels import first_after, nearer, not_before
from redraft.train.tokenizer import CONTEXT

# Copying inside a line: dimensions for its place, then nats and dimensions for each token of context. The last token
# outweighs all before it together: at the start of a line they may be shifted by a token that only the prompt has.
NEAR_CONTEXT = (24, ((90, 16), (24, 12), (16, 10), (12, 10)))
FAR_CONTEXT = (16, ((150, 16), (22, 8), (16, 6), (13, 6), (11, 5), (11, 5), (11, 5), (11, 5)))
MIDDLE_CONTEXT = (16, ((150, 16), (26, 12), (18, 10), (13, 7), (11, 6), (11, 5)))
# Where one of them takes the wrong token it is outvoted.
COPYING = ((NEAR_CONTEXT, 8), (MIDDLE_CONTEXT, 10), (FAR_CONTEXT, 10), (FAR_CONTEXT, 10))


def build_layers(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Build all layers; `step` is the rotation that turns the code of a place into the next, shape (CODE, CODE)."""
    _build_memory(model, residual)
    _build_texts(model, residual, step)
    _build_homes(model, residual)
    _build_order(model, residual)
    _build_beginnings(model, residual, step)
    _build_returns(model, residual, step)
    _build_going(model, residual, step)
    _build_first(model, residual)
    _build_copying(model, residual)


def _build_memory(model: LlamaForCausalLM, residual: Residual) -> None:
    """Layer 0: the two tokens before, the place of the line."""
    flags = residual.flags
    for number in range(2):
        head = Head(model, residual, 0, number)
        head.look_back(number + 1)
        head.carry((residual.read_token, residual.memory[number], MEMORY_SIZE))
    place = Head(model, residual, 0, 2)
    place.by_distance(nearer([rotary_turn(pair) for pair in DISTANCES], 320, 2.5, CONTEXT))
    place.bias(None, flags["place"], 1000)
    place.carry(
        (residual.home, residual.place, 1),
        (flags["file"], flags["in_file"], 1),
        (flags["sketch"], flags["in_sketch"], 1),
    )


def _build_texts(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Layer 1: tokens three and four back; what text the line and the one before it are equal to."""
    flags = residual.flags
    older = Head(model, residual, 1, 0)
    older.look_back(2)
    older.carry((residual.memory[0], residual.memory[2], 1), (residual.memory[1], residual.memory[3], 1))
    own, before = Head(model, residual, 1, 1), Head(model, residual, 1, 2)
    for head, query in ((own, residual.place), (before, residual.place @ step)):
        head.match(query, residual.place, 160, CODE)
        head.bias(None, flags["header"], 230)
        head.bias(None, flags["equal"], 50)
    own.carry((residual.text, residual.text, 1), (flags["marker"], flags["is_marker"], 1))
    before.carry((residual.read_text, residual.past, PAST_SIZE))


def _build_homes(model: LlamaForCausalLM, residual: Residual) -> None:
    """Layer 2: the line of the file that a line of the sketch equals."""
    flags = residual.flags
    older = Head(model, residual, 2, 1)
    older.look_back(4)
    older.carry(*((residual.memory[n], residual.memory[n + 4], 1.0) for n in range(4)))
    home = Head(model, residual, 2, 0)
    # A text that stands once in the file decides alone (1,350 nats). Of others the line before must agree and stand
    # once: 741 nats; 441 where it does not, with a standard deviation of 57 for codes that are alike by chance.
    home.match(residual.text, residual.text, 900, TEXT)
    home.match(residual.past, residual.past, 200 / PAST_SIZE**2, PAST)
    home.bias(None, flags["in_sketch"] + flags["header"], -2500)
    home.sink(640)
    home.sink(3000, flags["in_file"] + flags["header"])
    home.carry((residual.place, residual.home, 1), (flags["in_file"], flags["homed"], 1))


def _build_order(model: LlamaForCausalLM, residual: Residual) -> None:
    """Layer 3: a sketch line after one that belongs farther down has no home after all."""
    flags = residual.flags
    stale = Head(model, residual, 3, 0)
    stale.compare(residual.home, residual.home, not_before(residual.turns.tolist(), 160, FILE_PLACES))
    stale.match(residual.place, residual.place, -210, 24)  # not the line itself
    stale.bias(flags["homed"], flags["homed"], 150)
    stale.bias(None, flags["header"], -2000)
    stale.sink(150)
    stale.carry((flags["homed"], flags["stale"], 1))
    _erase(model, 3, torch.cat([residual.home, flags["homed"]], 1), flags["stale"])


def _build_beginnings(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Layer 4: the last home so far; how the line before begins."""
    flags = residual.flags
    last = Head(model, residual, 4, 0)
    last.by_distance(nearer([rotary_turn(pair) for pair in DISTANCES], 400, 1.5, CONTEXT))
    # By distance a key scores -1,104 to 1,028, the token itself most, the first of all less than any other up to 400
    # back and at most 380 beyond: it loses to a line with a home by 150 and wins over all others by 18.
    last.bias(None, flags["homed"], 2300)
    last.sink(4000)
    last.sink(-1850, flags["in_sketch"])
    last.carry((residual.home, residual.last, 1), (residual.last, residual.last, 1))  # of the first token: line 0
    beginning = Head(model, residual, 4, 1)
    beginning.match(residual.place @ step, residual.place, 160, CODE)
    _second_tokens(beginning, residual)
    beginning.sink(185)
    second, first = residual.beginning
    beginning.carry(
        (residual.read_token, second, MEMORY_SIZE),
        (residual.memory[0], first, 1),
        (flags["homed"], flags["after_homed"], 1),
        (flags["stale"], flags["after_stale"], 1),
    )
    _erase(model, 4, residual.past, flags["after_stale"])  # what stands farther up is not where a marker leads


def _second_tokens(head: Head, residual: Residual) -> None:
    """60 nats for the second token of a line: of those before it the farther one begins a line, the nearer does not."""
    head.bias(None, residual.flags["header"], -200)
    for memory, nats in zip(residual.memory, (-60, 60), strict=False):
        head.bias(None, memory[:, :1], nats * FLAG / MEMORY_SIZE)


def _erase(model: LlamaForCausalLM, layer: int, block: Tensor, flag: Tensor) -> None:
    """The MLP takes a block of the residual, shape (width, n), from tokens that have a flag."""
    mlp, size, gate = model.model.layers[layer].mlp, block.shape[1], 20.0
    mlp.gate_proj.weight[:size] = gate / (FLAG * SCALE) * flag.T
    mlp.up_proj.weight[:size] = block.T / SCALE
    mlp.down_proj.weight[:, :size] = -block / gate


def _build_returns(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Layer 5: the home of the sketch line before; a marker's home is the line after the last home.

    If the line before the marker stands several times in the file, it is the one after the next of those; if that line
    is new and begins like the line after the last home, it replaces this one.
    """
    flags = residual.flags
    before = Head(model, residual, 5, 0)
    before.match(residual.place @ step, residual.place, 160, CODE)
    before.bias(flags["in_sketch"], flags["end"], 60)
    before.sink(152)
    before.carry((residual.home, residual.before, 1))
    returns = Head(model, residual, 5, 1)
    returns.compare(residual.last, residual.place, first_after(residual.turns.tolist(), 20, 2, REACH, 320, 800))
    returns.match(residual.past, residual.read_text, 500 / PAST_SIZE, 24)
    returns.bias(None, flags["in_sketch"] + flags["header"], -2000)
    returns.sink(2200)
    returns.sink(-2100, flags["is_marker"])
    returns.carry((residual.place @ step.T, residual.home, 1))
    replaced = Head(model, residual, 5, 2)
    replaced.match(residual.last @ step.T, residual.place, 200, 40)
    second, first = residual.beginning
    replaced.match(second, residual.read_token, 150 / MEMORY_SIZE, MEMORY)
    replaced.match(first, residual.memory[0], 150 / MEMORY_SIZE**2, MEMORY)
    _second_tokens(replaced, residual)
    replaced.sink(1500)
    replaced.sink(-1000, flags["is_marker"])
    replaced.sink(800, flags["after_homed"])
    replaced.carry((residual.place @ step.T, residual.home, 3))


def _build_going(model: LlamaForCausalLM, residual: Residual, step: Tensor) -> None:
    """Layer 6: which line comes next."""
    flags = residual.flags
    sketched = Head(model, residual, 6, 0)
    sketched.match(residual.place, residual.before, 400, CODE)
    sketched.bias(flags["end"], flags["in_sketch"], 80)
    sketched.bias(flags["end"], flags["end"], 80)
    sketched.sink(480)
    sketched.carry(
        (residual.home + 0.4 * residual.place, residual.home, 40)
    )  # a line without a home is itself the goal
    following = Head(model, residual, 6, 1)
    following.match(residual.place @ step.T, residual.place, 400, CODE)
    following.bias(flags["end"], flags["end"], 160)
    following.sink(480)
    following.carry((residual.home + 0.4 * residual.place, residual.home, 16))


def _build_first(model: LlamaForCausalLM, residual: Residual) -> None:
    """Layer 6: how a line begins, after the token of its place."""
    flags = residual.flags
    first = Head(model, residual, 6, 2)
    first.match(residual.place, residual.place, 120, CODE)
    first.match(residual.read_token, residual.memory[0], 60 / MEMORY_SIZE, MEMORY)
    first.bias(None, flags["header"], -200)
    first.sink(400)
    first.sink(-300, flags["header"])
    first.carry((residual.token, residual.token, 20))


def _build_copying(model: LlamaForCausalLM, residual: Residual) -> None:
    """Layer 7: which token inside a line."""
    flags = residual.flags
    queries = [residual.read_token * MEMORY_SIZE, *residual.memory]
    for number, ((place_size, context), size_written) in enumerate(COPYING):
        copying = Head(model, residual, 7, number)
        copying.match(residual.place, residual.place, 250, place_size)
        for query, key, (nats, size) in zip(queries, residual.memory, context, strict=False):
            copying.match(query, key, nats / MEMORY_SIZE**2, size)
        copying.bias(None, flags["header"], -60)
        copying.sink(10)
        copying.sink(1200, flags["end"])
        copying.sink(30000, flags["header"])  # what layer 6 has written there reads like a very long token
        began = [memory[:, :1] for memory in residual.memory[:3]]
        for query, (key, less) in zip(began[:2], zip(began[1:], began, strict=False), strict=True):
            copying.bias(query, key, 40 * (FLAG / MEMORY_SIZE) ** 2)  # the line began as many tokens back
            copying.bias(query, less, -40 * (FLAG / MEMORY_SIZE) ** 2)  # one less, as where it has two headers
        copying.carry((residual.token, residual.token, size_written))
