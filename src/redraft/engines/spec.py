"""In: an engine spec such as `embedded` or `hf:NAME`. Out: the engine."""

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from redraft.edit.prompts.regional import RegionTemplate
from redraft.engines import Engine
from redraft.errors import MissingError, RedraftError

Size = Literal["", "small", "large"]  # of an embedded model; "" is another one

_KINDS = {
    "embedded": "embedded[:large]",
    "hf": "hf:NAME_OR_PATH",
    "numpy": "numpy:[FOLDER]",
    "llamacpp": "llamacpp:[FILE.gguf]",
    "completions": "completions:URL#MODEL",
    "vllm": "vllm:URL#MODEL",
    "openai": "openai:URL#MODEL",
    "scripted": "scripted:PATH",
}
_SIZES = ("small", "large")  # of the embedded model; without a name it is the first
_OF_THE_CACHE = ("numpy", "llamacpp")  # without more, the model that was fetched
_NEEDED = {"llamacpp": ("llama.cpp", "llamacpp"), "numpy": ("the model", "local")}  # for whom, and the extra
# What an engine imports, for what, and the extra that brings it.
_IMPORTED = {
    **dict.fromkeys(("openai", "completions", "vllm"), ("asking an endpoint", ("httpx2",), "endpoint")),
    "hf": ("the model", ("torch", "transformers"), "model"),
    "numpy": ("the model", ("numpy", "gguf", "tokenizers"), "local"),
    "llamacpp": ("llama.cpp", ("llama_cpp",), "llamacpp"),
}
SPECS = ", ".join(_KINDS.values())
OTHERWISE = ", or name a chat model to ask: --engine openai:URL#MODEL"


def check_spec(spec: str) -> tuple[str, str]:
    """The kind of an engine and what follows; raises RedraftError for a kind that there is not."""
    if not isinstance(spec, str):
        raise TypeError(f"spec is a str, not {type(spec).__name__}")
    kind, colon, rest = spec.partition(":")
    if kind == "embedded":
        is_known = not colon or rest in _SIZES
    else:
        is_known = kind in _KINDS and bool(colon) and bool(rest or kind in _OF_THE_CACHE)
    if not is_known:
        raise RedraftError(f"unknown engine {spec!r}; there are {SPECS}")
    return kind, rest


def not_installed(spec: str) -> str:
    """What an engine needs that is not here, and how to install it; "" where nothing is missing."""
    needing, modules, extra = _IMPORTED.get(check_spec(spec)[0], ("", (), ""))
    missing = next((name for name in modules if find_spec(name) is None), "")
    return f"{needing} needs {missing}: pip install 'redraft[{extra}]'" if missing else ""


def is_ranker(spec: str) -> bool:
    """Whether the engine of a spec ranks texts; an endpoint's chat tells no probabilities. Raises as `check_spec`."""
    return check_spec(spec)[0] != "openai"


def size_of(spec: str) -> Size:
    """Which of the embedded models a spec names, "" for another one."""
    kind, rest = check_spec(spec)
    if kind != "embedded":
        return ""
    return "large" if rest == "large" else "small"


def writes_regions(spec: str) -> bool:
    """Whether the model of a spec is one that writes regions, as far as that can be told without opening it."""
    kind, rest = check_spec(spec)
    if kind == "embedded" or spec == "numpy:":
        return True
    return (
        kind in ("hf", "numpy")
        and (Path(rest) / "config.json").is_file()
        and _template(Path(rest)) == RegionTemplate.name
    )


def _template(path: Path) -> str:
    from redraft.engines.folder import TEMPLATE_KEY, read_json

    return str(read_json(path / "config.json").get(TEMPLATE_KEY))


def load_engine(spec: str, dtype: str | None = None, device: str | None = None) -> Engine:
    """The engine alone; raises RedraftError as `load` does."""
    kind, rest = check_spec(spec)
    # Imported here, so that `import redraft` and the deterministic reader import neither torch nor any engine.
    if kind == "scripted":
        from redraft.engines.scripted import Scripted

        return Scripted.read(rest)
    if kind == "openai":
        from redraft.engines.openai import OpenAIEngine

        return OpenAIEngine.of(rest)
    size = "small"
    if kind == "embedded":
        kind, rest, size = _kind_of_embedded(), "", rest or size
    needing, extra = _NEEDED.get(kind, ("the model", "model"))
    try:
        if kind == "llamacpp":
            return _llamacpp(rest)
        if kind == "completions":
            from redraft.engines.completions import CompletionsEngine

            return CompletionsEngine.of(rest)
        if kind == "vllm":
            from redraft.engines.vllm.engine import VllmEngine

            return VllmEngine.of(rest)
        if kind == "numpy":
            from redraft.engines.numpy import NumpyEngine

            return NumpyEngine(rest or _folder(size), dtype, device)
        from redraft.engines.torch import TorchEngine
    except ModuleNotFoundError as error:
        commands = _commands(f"pip install 'redraft[{extra}]'", rest, size)
        raise MissingError(f"{needing} needs {error.name}: {commands}{OTHERWISE}", commands) from error
    return TorchEngine(rest or _folder(size), dtype, device)


def _commands(install: str, rest: str, size: str) -> str:
    """What to type for a model that can be asked: without a name after the kind it is the one that is fetched."""
    from redraft.models.sized import MODELS

    return install if rest or MODELS[size].path.is_file() else f"{install} and {MODELS[size].fetching}"


def _kind_of_embedded() -> str:
    """torch reads longer prompts in half the time; numpy does without it."""
    return "numpy" if find_spec("torch") is None else "hf"


def _folder(size: str) -> str:
    """The folder of an embedded model, made when it is asked for first."""
    from redraft.models.sized import MODELS, merged_of

    try:
        return str(merged_of(MODELS[size]).path)
    except MissingError as error:
        raise MissingError(f"{error}{OTHERWISE}", error.commands) from error


def _llamacpp(path: str) -> Engine:
    """The model of a GGUF file, or the embedded one as it was fetched."""
    from redraft.engines.llamacpp import LlamaCppEngine
    from redraft.models.sized import weights_of

    return LlamaCppEngine(path or str(weights_of()))
