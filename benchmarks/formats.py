"""In: mined edits. Out: a small model that writes whole files or hunks, as its prompt says, and cases to compare both.

    python benchmarks/formats.py train EDITS.parquet FOLDER
    python benchmarks/formats.py cases OTHERS.parquet CASES.jsonl
    redraft eval run --cases CASES.jsonl --out RECORDS.jsonl \\
        --systems hf:FOLDER/checkpoint+model,hf:FOLDER/checkpoint+search-replace+model

One network learns both output formats of the template `fenced` from the same edits, half of its samples in each, so
that the formats are compared on equal terms. Some heads begin as look-back and induction heads (Olsson et al. 2022):
the network copies before it is trained, and learns where to. Stopped and started again, it goes on from its last
checkpoint. What came of it: LOG.md.
"""

import argparse
import json
import math
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import torch
from torch.nn import functional
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from redraft.data.edits import Edit, read_edits
from redraft.data.sketch import sketch
from redraft.edit.prompts.prompt import Format
from redraft.edit.prompts.template import find_template
from redraft.edit.request import Request
from redraft.edit.text.changes import changed_lines, line_changes, split_lines
from redraft.train.samples import Sample, encode
from redraft.train.tokenizer import train_tokenizer

LINES, CHANGED = 24, 6  # of the files at most, and lines taken away plus lines put in
STYLE = "hunks"  # of the sketches: changed lines with some lines around them, and markers
FORMATS: tuple[Format, ...] = ("whole", "search-replace")
VOCABULARY, CONTEXT, END = 4096, 1024, "<|end|>"
# The tokens of a line are the same behind a sign: no token holds a sign and more, and indentation is cut from its end.
PIECES = "|".join(
    (
        r"(?<=\S) [A-Za-z_]+\n?",
        r"[A-Za-z_]+\n?",
        r"\d",
        r"\r?\n",
        r"(?<=\n)[+-]",
        r"(?<=\S) [^\sA-Za-z0-9_]+\n?",
        r"[^\sA-Za-z0-9_]+\n?",
        r" {4}(?=(?: {4})*(?! ))",
        r"\s",
    )
)
WIDTH, LAYERS, HEADS, MLP, THETA = 256, 4, 4, 384, 1e12
HEAD = WIDTH // HEADS
# What the dimensions of the residual stream begin as: the token's code, those of the tokens before it, what to write.
TOKEN, OFFSETS, MEMORY, OUT = 80, 8, 12, 80
# How much a token of context counts in finding where the same tokens stood before, the last one first.
WEIGHTS = (3.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5)
CHARACTERS = 2400  # of a case: file, sketch and new file then fit into the context
BATCH, RATE, WARMUP, SAVE_EVERY = 8, 1.2e-3, 100, 100


def new_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """A Llama of random weights, but for three heads of layer 0 that look back and two of layer 2 that continue."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=MLP,
        attention_bias=True,
        tie_word_embeddings=False,
        max_position_embeddings=CONTEXT,
        rope_parameters={"rope_type": "default", "rope_theta": THETA},
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = LlamaForCausalLM(config)
    codes = functional.normalize(torch.randn(len(tokenizer), TOKEN), dim=1) * 0.7 * WIDTH**0.5
    turned = torch.linalg.qr(torch.randn(TOKEN, TOKEN))[0]
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight *= 0.3
            layer.mlp.down_proj.weight *= 0.3
        for linear, code, start in (
            (model.model.embed_tokens, codes, 0),
            (model.lm_head, codes @ turned[:, :OUT] / 3, TOKEN + OFFSETS * MEMORY),
        ):
            linear.weight.normal_(0, 0.02)
            linear.weight[:, start : start + code.shape[1]] = code
        tokens = torch.zeros(WIDTH, MEMORY)
        tokens[:TOKEN] = turned[:, :MEMORY]
        for head in range(OFFSETS // 2):
            look_back(model, 0, head, head + 1, tokens, TOKEN + head * MEMORY)
        half = OFFSETS // 2 * MEMORY
        look_back(model, 1, 0, OFFSETS // 2, torch.eye(WIDTH)[:, TOKEN : TOKEN + half], TOKEN + half)
        continue_run(model, 0, tokens, turned, range(HEAD))
        continue_run(model, 1, tokens, turned, range(HEAD, OUT))
    return model


def look_back(model: LlamaForCausalLM, layer: int, head: int, offset: int, what: torch.Tensor, start: int) -> None:
    """Make a head remember what a token some way back is, by biases on the fastest rotary pairs.

    `what`, shape (WIDTH, n), is read of it, and written from dimension `start` on.
    """
    attention, rows = _cleared(model, layer, head)
    size, count = (30 * HEAD**0.5) ** 0.5, what.shape[1]
    for pair in range(6):
        angle = THETA ** (-2 * pair / HEAD) * offset
        attention.q_proj.bias[rows[pair]] = size
        attention.k_proj.bias[rows[pair]] = size * math.cos(angle)
        attention.k_proj.bias[rows[pair + HEAD // 2]] = size * math.sin(angle)
    attention.v_proj.weight[rows[:count]] = what.T
    attention.o_proj.weight[start : start + count, rows[:count]] = torch.eye(count)


def continue_run(
    model: LlamaForCausalLM, head: int, tokens: torch.Tensor, turned: torch.Tensor, columns: range
) -> None:
    """Make a head of layer 2 find where the last tokens stood before, and write a part of what followed."""
    attention, rows = _cleared(model, 2, head)
    slow = [rows[row] for pair in range(12, HEAD // 2) for row in (pair, pair + HEAD // 2)]
    for number, weight in enumerate(WEIGHTS):
        mix = torch.linalg.qr(torch.randn(len(slow), len(slow)))[0][:, :MEMORY] * 2.5 * weight**0.5
        start = TOKEN + number * MEMORY
        attention.k_proj.weight[slow, start : start + MEMORY] += mix
        if number == 0:
            attention.q_proj.weight[slow] += mix @ tokens.T
        else:
            attention.q_proj.weight[slow, start - MEMORY : start] += mix
    at, out = rows[: len(columns)], TOKEN + OFFSETS * MEMORY
    attention.v_proj.weight[at, :TOKEN] = turned[:, columns.start : columns.stop].T
    attention.o_proj.weight[out + columns.start : out + columns.stop, at] = torch.eye(len(columns)) * 1.5


def _cleared(model: LlamaForCausalLM, layer: int, head: int) -> tuple[torch.nn.Module, list[int]]:
    """An attention layer, and the rows of one of its heads, which are zero."""
    attention, rows = model.model.layers[layer].self_attn, list(range(head * HEAD, (head + 1) * HEAD))
    for linear in (attention.q_proj, attention.k_proj, attention.v_proj):
        linear.weight[rows] = 0
    attention.o_proj.weight[:, rows] = 0
    return attention, rows


def is_small(edit: Edit) -> bool:
    before, after = split_lines(edit.before), split_lines(edit.after)
    return max(len(before), len(after)) <= LINES and changed_lines(line_changes(before, after)) <= CHANGED


def sample(tokenizer: PreTrainedTokenizerFast, edit: Edit, rng: Random, output_format: Format) -> Sample | None:
    asked = ask(edit, rng)
    if asked is None:
        return None
    prompt = find_template("fenced", output_format).prompt(*asked)
    return Sample(encode(tokenizer, prompt.parts), encode(tokenizer, prompt.sources[0].parts))


def ask(edit: Edit, rng: Random) -> tuple[Request, str] | None:
    """The edit as a request, and the right file; None where its sketch would be ambiguous."""
    before, after = edit.before.rstrip("\n") + "\n", edit.after.rstrip("\n") + "\n"
    update = sketch(before, after, STYLE, rng.randrange(1 << 30), edit.path)
    return None if update is None else (Request(before, update), after)


def write_cases(edits: list[Edit], target: Path, count: int) -> None:
    """At most so many short edits in random order, one of a file, as input lines of `redraft eval run --cases`."""
    paths: set[str] = set()
    with target.open("w", encoding="utf-8") as out:
        for number, edit in enumerate(Random(0).sample(edits, len(edits))):
            asked = ask(edit, Random(number)) if edit.path not in paths else None
            if asked is None or len(paths) == count:
                continue
            request, after = asked
            if len(request.original) + len(request.update) + len(after) > CHARACTERS:
                continue
            paths.add(edit.path)
            case = {"id": f"{len(paths):03}-{edit.language}-{edit.commit[:8]}", "original": request.original}
            case |= {"update": request.update, "expected": after, "language": edit.language, "style": STYLE}
            out.write(json.dumps(case) + "\n")


def samples(tokenizer: PreTrainedTokenizerFast, edits: list[Edit], start: int) -> Iterator[tuple[int, Format, Sample]]:
    """Endless numbered samples that fit; edits and sketches are drawn, the formats take turns."""
    number, turn = start, 0
    while True:
        rng = Random(number)
        made = sample(tokenizer, rng.choice(edits), rng, FORMATS[turn])
        if made is not None and len(made) <= CONTEXT:
            yield number, FORMATS[turn], made
            turn = (turn + 1) % len(FORMATS)
        number += 1


class Run:
    """Training in a folder: `checkpoint` holds the model and where it stands, log.jsonl a record a step."""

    def __init__(self, edits: list[Edit], folder: Path, steps: int) -> None:
        self.edits, self.folder, self.steps = edits, folder, steps
        self.tokenizer = _tokenizer(edits, folder / "tokenizer")
        self.model = new_model(self.tokenizer)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), betas=(0.9, 0.98), weight_decay=0.01)
        self.step = self.number = 0
        if (folder / "checkpoint" / "state.pt").exists():
            self._resume(folder / "checkpoint")

    def train(self) -> None:
        source = samples(self.tokenizer, self.edits, self.number)
        with (self.folder / "log.jsonl").open("a") as log:
            while self.step < self.steps:
                log.write(json.dumps(self._step(source)) + "\n")
                log.flush()
                if self.step % SAVE_EVERY == 0 or self.step == self.steps:
                    self._save()

    def _step(self, source: Iterator[tuple[int, Format, Sample]]) -> dict[str, float]:
        started, tokens, record = time.perf_counter(), 0, {"step": self.step + 1.0}
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (self.step + 1) / WARMUP) * min(1.0, 2 * (1 - self.step / self.steps) + 0.02)
        for _ in range(BATCH):
            self.number, output_format, made = next(source)
            loss, right = self._loss(made)
            torch.autograd.backward(loss / BATCH)
            tokens += len(made)
            for name, value in (("loss", loss.item()), ("right", right), ("exact", float(right == 1))):
                key = f"{output_format} {name}"
                record[key] = record.get(key, 0.0) + value * len(FORMATS) / BATCH
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step, self.number = self.step + 1, self.number + 1
        return record | {"tokens_per_second": tokens / (time.perf_counter() - started)}

    def _loss(self, made: Sample) -> tuple[torch.Tensor, float]:
        """The mean loss of an output, and the share of its tokens that are foreseen."""
        targets = torch.tensor(made.output)
        ids = torch.tensor([made.prompt + made.output[:-1]])
        hidden = self.model.model(ids, use_cache=False).last_hidden_state[0, len(made.prompt) - 1 :]
        logits = self.model.lm_head(hidden)
        return functional.cross_entropy(logits, targets), float((logits.argmax(-1) == targets).float().mean())

    def _save(self) -> None:
        part, whole = self.folder / "checkpoint.part", self.folder / "checkpoint"
        self.model.save_pretrained(part)
        self.tokenizer.save_pretrained(part)
        state = {"optimizer": self.optimizer.state_dict(), "step": self.step, "number": self.number}
        torch.save(state, part / "state.pt")
        shutil.rmtree(whole, ignore_errors=True)
        part.rename(whole)

    def _resume(self, folder: Path) -> None:
        self.model.load_state_dict(LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).state_dict())
        state = torch.load(folder / "state.pt", weights_only=True)
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.number = state["step"], state["number"]


def _tokenizer(edits: list[Edit], folder: Path) -> PreTrainedTokenizerFast:
    if not folder.exists():
        train_tokenizer((edit.before for edit in edits), VOCABULARY, [END], PIECES).save_pretrained(folder)
    return PreTrainedTokenizerFast.from_pretrained(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "cases"))
    parser.add_argument("edits", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args()
    edits = [edit for edit in read_edits(given.edits) if is_small(edit)]
    if given.what == "cases":
        write_cases(edits, given.out, given.count)
        return
    given.out.mkdir(parents=True, exist_ok=True)
    Run(edits, given.out, given.steps).train()


if __name__ == "__main__":
    main()
