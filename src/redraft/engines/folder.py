"""In: a model's name or folder. Out: a folder that holds a model in safetensors, or what is missing."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.errors import RedraftError

# Where a configuration says which template the model was trained with.
TEMPLATE_KEY = "redraft_template"
_PLAIN = ("PreTrainedTokenizerFast", "TokenizersBackend")


@dataclass(frozen=True)
class Folder:
    """A Hugging Face model folder on this machine."""

    path: Path
    config: dict[str, Any]

    @property
    def plain_tokenizer(self) -> Path | None:
        """The tokenizer's file where it says how text becomes ids: no class of its own."""
        file = self.path / "tokenizer.json"
        return file if file.is_file() and self._settings.get("tokenizer_class") in _PLAIN else None

    @property
    def chat_template(self) -> str | None:
        """The template of its chats, in Jinja; of several the one by default."""
        file = self.path / "chat_template.jinja"
        if file.is_file():
            return read_text(file)
        found = self._settings.get("chat_template")
        if isinstance(found, list):
            found = {each["name"]: each["template"] for each in found}.get("default")
        return found or None

    def special_tokens(self) -> dict[str, str]:
        """What its templates call `eos_token` and the like."""
        said = {name: each["content"] if isinstance(each, dict) else each for name, each in self._settings.items()}
        return {name: each for name, each in said.items() if name.endswith("_token") and isinstance(each, str)}

    @property
    def _settings(self) -> dict[str, Any]:
        file = self.path / "tokenizer_config.json"
        return read_json(file) if file.is_file() else {}

    def end_ids(self) -> frozenset[int]:
        """The ids that end an output, from the generation settings and the configuration."""
        settings = self.path / "generation_config.json"
        found = [self.config, read_json(settings)] if settings.is_file() else [self.config]
        return frozenset(token for config in found for token in _listed(config.get("eos_token_id")))

    def tensors(self) -> list[Path]:
        return sorted(self.path.glob("*.safetensors"))


def _listed(ids: int | list[int] | None) -> list[int]:
    if ids is None:
        return []
    return ids if isinstance(ids, list) else [ids]


def open_folder(path: Path) -> Folder:
    """Raises RedraftError for a path that is no model folder, or one whose weights are not safetensors."""
    if not path.is_dir():
        raise RedraftError(f"no model folder at {path}")
    if not (path / "config.json").is_file():
        raise RedraftError(f"{path} is not a model folder: it has no config.json")
    folder = Folder(path, read_json(path / "config.json"))
    if not folder.tensors():
        pickles = _names(path, (".bin", ".pt", ".pth", ".ckpt", ".h5", ".gguf"))
        raise RedraftError(f"{path} has no safetensors weights" + (f", only {', '.join(pickles)}" if pickles else ""))
    return folder


def _names(path: Path, suffixes: Iterable[str]) -> list[str]:
    return sorted(file.name for file in path.iterdir() if file.suffix in suffixes)


def read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RedraftError(f"cannot read {path}: {error}") from error


def read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_text(path))
    except ValueError as error:
        raise RedraftError(f"cannot read {path}: {error}") from error
    if not isinstance(content, dict):
        raise RedraftError(f"cannot read {path}: not a JSON object")
    return content


def template_of(name: str, has_chat: bool, folder: Folder | None = None) -> str:
    """The name of the template that suits a model of this name or path: what its configuration says, or else looks."""
    if folder and TEMPLATE_KEY in folder.config:
        return str(folder.config[TEMPLATE_KEY])
    if re.search("fast-?_?apply", Path(name).name, re.IGNORECASE):
        return "fastapply"
    return "chat" if has_chat else "fenced"
