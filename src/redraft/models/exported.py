"""In: the merged model. Out: a plain Hugging Face folder, or a GGUF file, that other programs load."""

import json
import shutil
from pathlib import Path

from redraft.errors import RedraftError
from redraft.models.merged import RECORD, Merged

NAME = "redraft-apply-135m"
# The turns that the model was trained with, a message each; the texts of an edit stand in tags in the user's.
_CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def export(made: Merged, out: Path, gguf: bool) -> Path:
    """What was written; raises RedraftError where there is something already, or where it cannot be written."""
    target = out / f"{NAME}.gguf" if gguf else out / "model.safetensors"
    if target.exists():
        raise RedraftError(f"{target} is there already: choose another folder")
    if not made.is_intact():
        raise RedraftError(f"{made.path} was changed or cut off: remove it, and it is made again")
    try:
        out.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.part")
        try:
            if gguf:
                from redraft.models.gguf import write_gguf

                write_gguf(made.path, json.loads((made.path / "config.json").read_text()), part, NAME, _CHAT)
            else:
                _copy(made.path, out, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise RedraftError(f"cannot write to {out}: {error}") from error
    return target


def _copy(folder: Path, out: Path, weights: Path) -> None:
    for file in folder.iterdir():
        if file.suffix != ".safetensors" and file.name != RECORD:
            shutil.copyfile(file, out / file.name)
    (out / "chat_template.jinja").write_text(_CHAT, encoding="utf-8")
    shutil.copyfile(folder / "model.safetensors", weights)
