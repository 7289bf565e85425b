"""In: files of samples and pairs, a Llama folder, a course. Out: a run in a folder: log, states, model, adapter."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from redraft.data.samples import read_samples
from redraft.edit.prompts.prompt import Format
from redraft.edit.prompts.template import find_template
from redraft.engines.folder import TEMPLATE_KEY, open_folder
from redraft.engines.sizes import reads
from redraft.engines.torch import device_of, dtype_of, fastest_dtype, open_tokens
from redraft.errors import RedraftError
from redraft.train.course import STATE, Course, Record, Training, validate
from redraft.train.curves import draw
from redraft.train.lean import Net, split, write
from redraft.train.low_rank import write_adapter
from redraft.train.material import Maker, drawing, read_lessons, usable
from redraft.train.run_folder import check_same, writing

SETTINGS, LOG = "lean.json", "log.jsonl"
_TEMPLATE = "apply"


@dataclass(frozen=True)
class Sources:
    samples: Path
    pairs: Path | None
    valid: Path | None
    valid_pairs: Path | None


class Run:
    """One run in one folder; with the same settings it goes on from its last state, with others it is refused.

    Raises RedraftError for what is no plain Llama, for samples of which none fits, and for a folder of another run.
    """

    def __init__(
        self, model: Path, sources: Sources, course: Course, longest: int, output_format: Format, out: Path
    ) -> None:
        self.folder, self.out, self.course = open_folder(model), out, course
        if self.folder.config.get("model_type") != "llama" or not reads(self.folder):
            raise RedraftError(f"{model} is not a plain Llama: use `redraft train tune`")
        tokens = open_tokens(str(model), self.folder)
        maker = Maker(tokens, find_template(_TEMPLATE, output_format), longest)
        rng = Random(course.seed)
        self.samples = usable(read_samples(sources.samples))
        self.singles = drawing(self.samples, maker.of_sample)
        known = read_lessons(sources.pairs) if sources.pairs else []
        self.pairs = drawing(known, maker.of_lesson) if known else None
        held = usable(read_samples(sources.valid)) if sources.valid else []
        self.valid = [made for one in held if (made := maker.of_sample(one, rng))]
        known = read_lessons(sources.valid_pairs) if sources.valid_pairs else []
        self.valid_pairs = [made for one in known if (made := maker.of_lesson(one, rng))]
        self.settings = asdict(course) | {"longest": longest, "format": output_format, "samples": _digest(sources)}
        if (out / SETTINGS).exists():
            check_same(out, json.loads((out / SETTINGS).read_text()), self.settings)

    def train(self, compiled: bool, every: int, say: Callable[[Record], None]) -> dict[str, Any]:
        """To the end, with a validation and a saved state every so many steps, and the model written."""
        net = Net(self.folder, dtype_of(fastest_dtype(device_of("cpu"))))
        training = Training(net, self.course, compiled)
        with writing(self.out):
            (self.out / SETTINGS).write_text(json.dumps(self.settings) + "\n")
            if (self.out / STATE).exists():
                training.resume(self.out)
            with (self.out / LOG).open("a") as log:
                for record in training.run(self.singles, self.pairs):
                    say(record)
                    if training.step % every == 0 or training.progress >= 1:
                        record |= self._validated(training)
                        training.save(self.out, self.settings)
                    log.write(json.dumps(record) + "\n")
                    log.flush()
            with training.averaged():
                self._write(net)
            draw(self.out / LOG, self.out / "curves.png")
        seconds = round(training.seconds)
        return {"steps": training.step, "tokens": training.tokens, "seconds": seconds, "samples": len(self.samples)}

    def _validated(self, training: Training) -> Record:
        if not self.valid and not self.valid_pairs:
            return {}
        with training.averaged():
            return validate(training.net, self.valid, self.valid_pairs)

    def _write(self, net: Net) -> None:
        write(net, self.folder, self.out / "model.safetensors")
        config = self.folder.config | {TEMPLATE_KEY: _TEMPLATE}
        (self.out / "config.json").write_text(json.dumps(config, indent=1) + "\n")
        for file in [*self.folder.tokenizer_files(), self.folder.path / "generation_config.json"]:
            if file.is_file() and not file.name.startswith("chat_template"):
                shutil.copy(file, self.out)


def adapt(before: Path, after: Path, rank: int, out: Path) -> float:
    """What a training changed, cut to a rank, as an adapter in a folder; the share of its energy that is kept.

    Raises RedraftError where the two are not models of the same shape, or the folder cannot be written.
    """
    dtype, folder = dtype_of("float32"), open_folder(before)
    old, new = (Net(open_folder(path), dtype).trained() for path in (before, after))
    if {name: weight.shape for name, weight in old.items()} != {name: weight.shape for name, weight in new.items()}:
        raise RedraftError(f"{after} and {before} are not models of the same shape")
    net = Net(folder, dtype)
    changes = {
        own: part
        for name, weight in new.items()
        for own, part in split(name, weight.detach() - old[name].detach(), net).items()
    }
    with writing(out):
        return write_adapter(changes, rank, str(folder.config.get("_name_or_path", "")), out)


def _digest(sources: Sources) -> str:
    known = [path for path in (sources.samples, sources.pairs) if path]
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in known)).hexdigest()
