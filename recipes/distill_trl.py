"""In: teacher and student folders, packed samples. Out: an adapter of the student, trained by TRL where a GPU is.

    python recipes/distill_trl.py PACKED.safetensors --teacher FOLDER --student FOLDER --out FOLDER --tokens 20000000

Needs `pip install trl peft datasets` beside `redraft[train]`. The loss is that of `redraft train distill`; the
teacher's likeliest ids are kept in OUT/logits. TRL's own trainer for distillation learns
from what the student writes; this one learns from the texts, so it is the one for supervised training with our loss.
Started again it goes on from its last checkpoint.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from datasets import Dataset
from peft import LoraConfig
from torch import Tensor
from torch.nn import functional
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

from redraft.engines.torch import device_of, fastest_dtype
from redraft.train.distill import softened
from redraft.train.packed import Sequenced, read_packed
from redraft.train.teacher import Known, ask, check_vocabulary

_IGNORED = -100


class Distiller(SFTTrainer):  # type: ignore[misc]
    """Its batches are those of `Batches`."""

    weight, temperature = 0.5, 1.0

    def compute_loss(
        self, model: Any, inputs: dict[str, Tensor], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        taught, shares, labels = (inputs.pop(name) for name in ("taught", "shares", "labels"))
        outputs = model(**inputs, use_cache=False)
        asked = labels[:, 1:] != _IGNORED
        logits = outputs.logits[:, :-1][asked].float()
        text = functional.cross_entropy(logits, labels[:, 1:][asked], reduction="sum")
        logs = torch.log_softmax(logits / self.temperature, -1).gather(1, taught)
        soft = -(shares * logs).sum() * self.temperature**2
        loss = ((1 - self.weight) * text + self.weight * soft) / (num_items_in_batch or len(logits))
        return (loss, outputs) if return_outputs else loss


class Batches:
    """Puts samples side by side, padded at the right, with what the teacher says of each id that is to be written."""

    def __init__(self, samples: Sequence[Sequenced], known: dict[str, Known], temperature: float) -> None:
        self.samples, self.known, self.temperature = samples, known, temperature

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, Tensor]:
        ids = _padded([row["input_ids"] for row in rows], 0)
        seen = _padded([[1] * len(row["input_ids"]) for row in rows], 0)
        labels = _padded([row["labels"] for row in rows], _IGNORED)
        known = [self.known[self.samples[row["number"]].id] for row in rows]
        taught, shares = softened(known, self.temperature)
        return {"input_ids": ids, "attention_mask": seen, "labels": labels, "taught": taught, "shares": shares}


def _padded(rows: Sequence[list[int]], value: int) -> Tensor:
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], True, value)


def main(
    packed: Path,
    teacher: Annotated[Path, typer.Option()],
    student: Annotated[Path, typer.Option()],
    out: Annotated[Path, typer.Option()],
    tokens: int = 1_000_000,
    weight: float = 0.5,
    temperature: float = 1.0,
    top: int = 20,
    rate: float = 4e-4,
    rank: int = 16,
    longest: int = 1600,
    samples_a_step: int = 8,
    seed: int = 0,
) -> None:
    check_vocabulary(teacher, student)
    samples = [one for one in read_packed(packed) if not one.held and len(one) <= longest]
    trainer = Distiller(
        model=AutoModelForCausalLM.from_pretrained(student, dtype=fastest_dtype(device_of(None))),
        args=SFTConfig(
            output_dir=str(out),
            num_train_epochs=tokens / sum(map(len, samples)),
            per_device_train_batch_size=samples_a_step,
            learning_rate=rate,
            lr_scheduler_type="cosine",
            warmup_steps=8,
            bf16=torch.cuda.is_available(),
            max_length=None,
            dataset_kwargs={"skip_prepare_dataset": True},
            remove_unused_columns=False,
            save_steps=200,
            logging_steps=10,
            report_to="none",
            seed=seed,
        ),
        train_dataset=Dataset.from_list([_row(number, one) for number, one in enumerate(samples)]),
        data_collator=Batches(samples, ask(teacher, packed, samples, top, out / "logits"), temperature),
        processing_class=PreTrainedTokenizerFast(tokenizer_file=str(student / "tokenizer.json")),
        peft_config=LoraConfig(r=rank, lora_alpha=rank, target_modules="all-linear", task_type="CAUSAL_LM"),
    )
    trainer.weight, trainer.temperature = weight, temperature
    trainer.train(resume_from_checkpoint=any(out.glob("checkpoint-*")))
    trainer.save_model(str(out / "adapter"))


def _row(number: int, one: Sequenced) -> dict[str, Any]:
    labels = [*[_IGNORED] * one.start, *one.ids[one.start :]]
    return {"number": number, "input_ids": list(one.ids), "labels": labels}


if __name__ == "__main__":
    sys.exit(typer.run(main))
