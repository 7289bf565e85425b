"""In: a Hugging Face model and mined edits. Out: the model fine-tuned to apply them, a record a step, checkpoints."""

import hashlib
import json
import os
import shutil
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from datasets import Dataset, Features, List, Value, disable_progress_bars
from peft import LoraConfig, PeftModel
from transformers import TrainerCallback
from trl import SFTConfig, SFTTrainer

from redraft.data.edits import Edit
from redraft.edit.prompts.template import find_template
from redraft.engines.folder import template_of
from redraft.engines.stock import load_model, load_tokenizer
from redraft.engines.torch import device_of, dtype_of, fastest_dtype, local_folder, open_tokens
from redraft.errors import RedraftError
from redraft.train.answers import Answer, answers
from redraft.train.bits import bits_per_byte
from redraft.train.run_folder import check_same, writing

SETTINGS, ADAPTER = "tune.json", "adapter"
NO_LOSS = -100  # the label of an id that is read and not learned

Record = dict[str, float]


@dataclass(frozen=True)
class Tuning:
    """How to fine-tune; `rank` is that of LoRA, None for full weights. A step is `batch` packs of `longest` ids."""

    rank: int | None
    rate: float
    epochs: int
    longest: int
    batch: int
    seed: int


class Tuner:
    """One run in one folder: TRL trains, PEFT adapts; started again it goes on from its last whole checkpoint.

    Raises RedraftError for what is no model, for edits that do not fit, and for a folder with another run or a model.
    """

    def __init__(self, edits: Sequence[Edit], name: str, out: Path, tuning: Tuning, dtype: str | None = None) -> None:
        self.name, self.out, self.tuning = name, out, tuning
        self.is_first = os.environ.get("RANK", "0") == "0"  # of a launcher's processes: this one speaks
        self._folder = local_folder(name)
        tokens = open_tokens(name, self._folder)
        template = template_of(name, tokens.has_chat, self._folder)
        if template_of(str(out), tokens.has_chat, self._folder) != template:
            raise RedraftError(f"{out} would not be used with the template {template!r}: give it a name like {name}'s")
        self.dtype = dtype or fastest_dtype(device_of(None))
        kind = dtype_of(self.dtype)
        self._model = load_model(name, kind if tuning.rank else torch.float32)
        self.context = min(tuning.longest, _context(self._model) or tuning.longest)
        self.answers = list(answers(tokens, find_template(template), edits, self.context, tuning.seed))
        if not self.answers:
            raise RedraftError(f"none of the {len(edits):,} edits fits into {self.context:,} tokens")
        _claim(out, self._settings())

    def run(self, save_every: int, say: Callable[[Record, int], None]) -> int:
        """Train to the end and write the model; `say` gets each step's record and the number of steps.

        Returns the steps; raises RedraftError when the folder cannot be written, its last checkpoint stays whole.
        """
        last = last_checkpoint(self.out)
        with warnings.catch_warnings():
            # The libraries call each other by names that will change; nobody else can act on that.
            warnings.simplefilter("ignore", FutureWarning)
            warnings.filterwarnings("ignore", ".*_pattern keys did not match")
            trainer = self._trainer(save_every)
            trainer.add_callback(_Log(self.out / "log.jsonl", self.answers, say))
            with writing(self.out):
                trainer.train(resume_from_checkpoint=str(last) if last else None)
                self._write(trainer)
        return int(trainer.state.global_step)

    def _settings(self) -> dict[str, Any]:
        ids = hashlib.sha256(json.dumps([(answer.prompt, answer.output) for answer in self.answers]).encode())
        shape = hashlib.sha256(self._model.config.to_json_string().encode())
        own = {"model": self.name, "shape": shape.hexdigest(), "edits": ids.hexdigest(), "dtype": self.dtype}
        return asdict(self.tuning) | own

    def _trainer(self, save_every: int) -> Any:
        tokenizer, rank = load_tokenizer(self.name), self.tuning.rank
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
        transformers.set_seed(self.tuning.seed)
        trainer = SFTTrainer(
            model=self._model,
            args=self._arguments(save_every),
            train_dataset=dataset(self.answers),
            processing_class=tokenizer,
            peft_config=LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear") if rank else None,
        )
        # They print to standard output, which is for results.
        trainer.remove_callback(transformers.PrinterCallback)
        trainer.remove_callback(transformers.ProgressCallback)
        return trainer

    def _arguments(self, save_every: int) -> Any:
        tuning = self.tuning
        device = device_of(None).type
        disable_progress_bars()
        return SFTConfig(
            output_dir=str(self.out),
            num_train_epochs=tuning.epochs,
            per_device_train_batch_size=1,
            gradient_accumulation_steps=tuning.batch,
            max_length=self.context,
            packing=True,
            learning_rate=tuning.rate,
            lr_scheduler_type="cosine",
            warmup_steps=0.03,
            gradient_checkpointing=True,
            router_aux_loss_coef=0.0,  # else the loss of a mixture of experts would not be that of its answers alone
            bf16=self.dtype == "bfloat16",
            save_steps=save_every,
            save_total_limit=2,
            logging_steps=1,
            report_to="none",
            disable_tqdm=True,
            use_cpu=device == "cpu",  # without a word bfloat16 is refused there
            dataloader_pin_memory=device == "cuda",
            seed=tuning.seed,
        )

    def _write(self, trainer: Any) -> None:
        """The model as a plain folder: the trained weights, or those of the base with the adapter merged in."""
        trainer.save_model(str(self.out / ADAPTER if self.tuning.rank else self.out))
        if not self.is_first:
            return
        if self.tuning.rank:
            base = load_model(self.name, dtype_of(self.dtype))
            PeftModel.from_pretrained(base, self.out / ADAPTER).merge_and_unload().save_pretrained(self.out)
        load_tokenizer(self.name).save_pretrained(self.out)
        # transformers reads some tokenizers otherwise than their files say: these give the ids that were trained on.
        for file in self._folder.tokenizer_files() if self._folder else ():
            shutil.copy(file, self.out)


def dataset(made: Sequence[Answer]) -> Any:
    """Ids with their labels, of which those of the prompt carry no loss."""
    columns = {
        "input_ids": [answer.prompt + answer.output for answer in made],
        "labels": [[NO_LOSS] * len(answer.prompt) + answer.output for answer in made],
    }
    return Dataset.from_dict(columns, features=Features(dict.fromkeys(columns, List(Value("int32")))))


def last_checkpoint(out: Path) -> Path | None:
    """The highest-numbered checkpoint that was written to its end: its state is written last."""
    found = sorted((_number(path), path) for path in out.glob("checkpoint-*/trainer_state.json"))
    whole = (path.parent for _, path in reversed(found) if _is_json(path))
    return next(whole, None)


class _Log(TrainerCallback):  # type: ignore[misc]
    """Writes a record a step, its loss in bits per byte of all answers' text, which a whole epoch has exactly."""

    def __init__(self, path: Path, made: Sequence[Answer], say: Callable[[Record, int], None]) -> None:
        self._path, self._say = path, say
        self._bits = bits_per_byte(sum(len(answer.output) for answer in made), sum(answer.size for answer in made))

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **more: Any) -> None:
        if not state.is_world_process_zero or logs is None or "loss" not in logs:
            return
        record = {
            "step": state.global_step,
            "bits_per_byte": logs["loss"] * self._bits,
            "accuracy": logs["mean_token_accuracy"],
            "rate": logs["learning_rate"],
        }
        with self._path.open("a") as log:
            log.write(json.dumps(record) + "\n")
        self._say(record, state.max_steps)


def _claim(out: Path, settings: dict[str, Any]) -> None:
    """Makes the folder this run's; raises RedraftError when it holds a model or a run with other settings."""
    file = out / SETTINGS
    if not file.exists() and (out / "config.json").exists():
        raise RedraftError(f"{out} holds a model: choose another folder")
    if file.exists():
        check_same(out, _settings_of(file), settings)
    with writing(out):
        part = out / f"{SETTINGS}.{os.getpid()}"
        part.write_text(json.dumps(settings) + "\n")
        part.replace(file)


def _settings_of(file: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(file.read_text()))
    except (OSError, ValueError) as error:
        raise RedraftError(f"cannot read {file}: {error}") from error


def _context(model: Any) -> int | None:
    context: int | None = getattr(model.config.get_text_config(decoder=True), "max_position_embeddings", None)
    return context


def _number(state: Path) -> int:
    return int(state.parent.name.removeprefix("checkpoint-"))


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_text())
    except ValueError:
        return False
    return True
