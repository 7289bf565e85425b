"""In: the merged model. Out: a plain Hugging Face folder, or a GGUF file, that other programs load."""

import json
import os
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


def export(made: Merged, out: Path, gguf: bool, quantized: str | None = None) -> Path:
    """What was written; `quantized` is a type that `quantize` knows, for a GGUF file.

    Raises RedraftError where there is something already, or where it cannot be written.
    """
    target = out / (gguf_name(quantized) if gguf else "model.safetensors")
    if quantized and not gguf:
        raise RedraftError("only a GGUF file is quantized: add --gguf")
    if target.exists():
        raise RedraftError(f"{target} is there already: choose another folder")
    if not made.is_intact():
        raise RedraftError(f"{made.path} was changed or cut off: remove it, and it is made again")
    try:
        out.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            if gguf:
                _write_gguf(made, part, quantized)
            else:
                _copy(made.path, out, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise RedraftError(f"cannot write to {out}: {error}") from error
    return target


def gguf_name(quantized: str | None) -> str:
    return f"{NAME}-{quantized}.gguf" if quantized else f"{NAME}.gguf"


def kept_gguf(made: Merged) -> Path:
    """The merged model as a GGUF file in bfloat16, beside its folder; made now if it was not before."""
    folder = made.path.with_name(f"{made.path.name}-gguf")
    target = folder / gguf_name(None)
    return target if target.is_file() else export(made, folder, gguf=True)


def _write_gguf(made: Merged, out: Path, quantized: str | None) -> None:
    from redraft.models.gguf import write_gguf

    whole = out.with_name(f"{out.name}.whole") if quantized else out
    try:
        write_gguf(made.path, json.loads((made.path / "config.json").read_text()), whole, NAME, _CHAT)
        if quantized:
            from redraft.models.quantized import quantize

            quantize(whole, out, quantized)
    finally:
        if quantized:
            whole.unlink(missing_ok=True)


def _copy(folder: Path, out: Path, weights: Path) -> None:
    for file in folder.iterdir():
        if file.suffix != ".safetensors" and file.name != RECORD:
            shutil.copyfile(file, out / file.name)
    (out / "chat_template.jinja").write_text(_CHAT, encoding="utf-8")
    shutil.copyfile(folder / "model.safetensors", weights)
