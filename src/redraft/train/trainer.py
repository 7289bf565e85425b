"""In: a model of the line format and mined edits. Out: the trained model, a record a step, checkpoints."""

import io
import json
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from transformers import AutoTokenizer, LlamaForCausalLM, PreTrainedTokenizerFast

from redraft.data.edits import Edit
from redraft.errors import RedraftError
from redraft.train.copy_ready import copy_ready
from redraft.train.run_folder import check_same, writing
from redraft.train.samples import Sample, samples

SMALLEST = 0.003  # what counts as the size of a matrix that starts smaller


@dataclass(frozen=True)
class Recipe:
    """How long and how fast to train. A step is made of samples until `tokens` is reached."""

    steps: int = 1000
    tokens: int = 4096
    longest: int = 1536  # tokens of a sample
    rate: float = 1e-4  # of a parameter's own size: a rate that suits one matrix destroys another that was built small
    warmup: int = 20
    place_weight: float = 2.0  # the loss of a token that begins a line, where the decisions are
    layers: int = 1  # how many of the last ones are trained; the others are exact, and small changes add up in them
    plain: float = 0.5  # the share that is kept of edits which the untrained model gets right
    seed: int = 0


@dataclass
class Progress:
    """Where a run stands."""

    step: int = 0
    sample: int = 0
    tokens: int = 0


class Trainer:
    """A lean loop: one sample a forward, gradients summed over a step, AdamW, the rate falls over the second half.

    Raises RedraftError where there are no edits.
    """

    def __init__(
        self,
        model: LlamaForCausalLM,
        tokenizer: PreTrainedTokenizerFast,
        edits: Sequence[Edit],
        recipe: Recipe,
        folder: Path,
    ) -> None:
        if not edits:
            raise RedraftError("there are no edits to train on")
        self.model, self.tokenizer, self.edits, self.recipe, self.folder = model, tokenizer, edits, recipe, folder
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(_is_trained(name, len(model.model.layers) - recipe.layers))
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [p], "size": max(p.detach().square().mean().sqrt().item(), SMALLEST)}
                for p in model.parameters()
                if p.requires_grad
            ],
            betas=(0.9, 0.99),
            weight_decay=0.0,
        )
        self.progress = Progress()
        torch.set_flush_denormal(True)  # sharp attention leaves shares below 1e-38, which are slow to compute with
        self.is_place = torch.zeros(model.config.vocab_size, dtype=torch.bool)
        for token, number in tokenizer.get_vocab().items():
            self.is_place[number] = token.startswith("<|") and token[2:-2].lstrip("+").isdigit()

    def run(self) -> Iterator[dict[str, float]]:
        """Train to the end; yields one log record a step; raises RedraftError where no edit fits."""
        self.model.train()
        source = samples(
            self.tokenizer, self.edits, self.recipe.longest, self.recipe.seed, self.progress.sample, self.recipe.plain
        )
        while self.progress.step < self.recipe.steps:
            started = time.perf_counter()
            batch: list[Sample] = []
            while sum(map(len, batch)) < self.recipe.tokens:
                number, made = next(source)
                batch.append(made)
            record = self._step(batch)
            self.progress.sample = number + 1
            record["tokens_per_second"] = sum(map(len, batch)) / (time.perf_counter() - started)
            yield record

    def _step(self, batch: Sequence[Sample]) -> dict[str, float]:
        rate = self._rate()
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["size"]
        weights = sum(len(made.output) for made in batch)
        totals = torch.zeros(4)
        for made in batch:
            loss, counts = self._loss(made)
            torch.autograd.backward(loss / weights)
            totals += torch.tensor([loss.item(), *counts])
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.progress.step += 1
        self.progress.tokens += sum(map(len, batch))
        loss_sum, right, places, exact = totals.tolist()
        place_count = sum(int(self.is_place[torch.tensor(made.output)].sum()) for made in batch)
        return {
            "step": self.progress.step,
            "loss": loss_sum / weights,
            "accuracy": right / weights,
            "place_accuracy": places / place_count,
            "exact": exact / len(batch),
            "samples": len(batch),
            "rate": rate,
        }

    def _loss(self, made: Sample) -> tuple[Tensor, list[float]]:
        ids = torch.tensor([made.prompt + made.output[:-1]])
        targets = torch.tensor(made.output)
        hidden = self.model.model(ids, use_cache=False).last_hidden_state[0, len(made.prompt) - 1 :]
        logits = self.model.lm_head(hidden)
        is_place = self.is_place[targets]
        weight = torch.where(is_place, self.recipe.place_weight, 1.0)
        loss = (functional.cross_entropy(logits, targets, reduction="none") * weight).sum()
        right = logits.detach().argmax(-1) == targets
        return loss, [float(right.sum()), float(right[is_place].sum()), float(right.all())]

    def _rate(self) -> float:
        done = self.progress.step / self.recipe.steps
        return (
            self.recipe.rate * min(1.0, (self.progress.step + 1) / self.recipe.warmup) * min(1.0, 2 * (1 - done) + 0.02)
        )

    def save(self) -> None:
        """Write model, optimiser and progress; a reader sees the old checkpoint or the new one, never half of one.

        Raises RedraftError when the disk is full; the last checkpoint stays.
        """
        part = self.folder / "checkpoint.part"
        try:
            with writing(self.folder):
                self._write(part)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
        last, old = self.folder / "checkpoint", self.folder / "checkpoint.old"
        if last.exists():
            shutil.rmtree(old, ignore_errors=True)
            last.rename(old)
        part.rename(last)
        shutil.rmtree(old, ignore_errors=True)

    def resume(self) -> bool:
        """Go on from the last checkpoint, if there is one; raises RedraftError if it is of another configuration."""
        last = next((f for f in (self.folder / "checkpoint", self.folder / "checkpoint.old") if f.exists()), None)
        if last is None:
            return False
        written = json.loads((last / "progress.json").read_text())
        check_same(self.folder, written.get("settings", {}), self._settings)
        saved = LlamaForCausalLM.from_pretrained(last, dtype=torch.float32)
        self.model.load_state_dict(saved.state_dict())
        self.optimizer.load_state_dict(torch.load(last / "optimizer.pt", weights_only=True))
        self.progress = Progress(**written["progress"])
        return True

    def _write(self, folder: Path) -> None:
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        state = io.BytesIO()  # torch itself would not say why it cannot write
        torch.save(self.optimizer.state_dict(), state)
        (folder / "optimizer.pt").write_bytes(state.getbuffer())
        written = {"settings": self._settings, "progress": asdict(self.progress)}
        (folder / "progress.json").write_text(json.dumps(written))

    @cached_property
    def _settings(self) -> dict[str, Any]:
        """All that a run depends on but its first weights."""
        shape = {name: list(weights.shape) for name, weights in self.model.state_dict().items()}
        edits = [(edit.repository, edit.commit, edit.path, edit.before_blob, edit.after_blob) for edit in self.edits]
        known = {"shape": shape, "tokenizer": sorted(self.tokenizer.get_vocab().items()), "edits": edits}
        return asdict(self.recipe) | {name: sha256(json.dumps(of).encode()).hexdigest() for name, of in known.items()}


def _is_trained(name: str, first: int) -> bool:
    """Layers from `first` on and the last norm, but no bias: those say how far back to look, which is exact."""
    layer = name.split(".")[2] if ".layers." in name else ""
    return not name.endswith("bias") and (name == "model.norm.weight" or (layer != "" and int(layer) >= first))


def open_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    """Raises RedraftError when the folder holds no tokenizer."""
    if not (folder / "tokenizer.json").is_file():
        raise RedraftError(f"no tokenizer in {folder}")
    return AutoTokenizer.from_pretrained(folder)


def open_model(folder: Path | None, tokenizer: PreTrainedTokenizerFast, seed: int) -> LlamaForCausalLM:
    """The model of a folder, a copy-ready one for None; raises RedraftError when the folder holds no model."""
    if folder is None:
        return copy_ready(tokenizer, seed)
    if not (folder / "config.json").is_file():
        raise RedraftError(f"no model in {folder}")
    return LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32)


def export_model(checkpoint: Path, out: Path) -> None:
    """Write a checkpoint as it is shipped; raises RedraftError when it is none."""
    tokenizer = open_tokenizer(checkpoint)
    write_model(open_model(checkpoint, tokenizer, seed=0), tokenizer, out)


def write_model(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, out: Path) -> None:
    """Write model and tokenizer as they are shipped: bfloat16 safetensors in shards of at most 15 MB.

    Raises RedraftError when the folder cannot be written.
    """
    with writing(out):
        model.bfloat16().save_pretrained(out, max_shard_size="15MB")
        tokenizer.save_pretrained(out)
