"""In: an engine spec such as `embedded` or `hf:NAME`. Out: the engine."""

from redraft.engines import Engine
from redraft.engines.openai import OpenAIEngine
from redraft.engines.scripted import Scripted
from redraft.errors import MissingError, RedraftError

_SPECS = "embedded, base, hf:NAME_OR_PATH, openai:URL#MODEL, scripted:PATH"


def check_spec(spec: str) -> tuple[str, str]:
    """The kind of an engine and what follows; raises RedraftError for a kind that there is not."""
    if not isinstance(spec, str):
        raise TypeError(f"spec is a str, not {type(spec).__name__}")
    kind, _, rest = spec.partition(":")
    if spec not in ("embedded", "base") and (kind not in ("scripted", "openai", "hf") or not rest):
        raise RedraftError(f"unknown engine {spec!r}; there are {_SPECS}")
    return kind, rest


def load_engine(spec: str, dtype: str | None = None, device: str | None = None) -> Engine:
    """The engine alone; raises RedraftError as `load` does."""
    kind, rest = check_spec(spec)
    if kind == "scripted":
        return Scripted.read(rest)
    if kind == "openai":
        return OpenAIEngine.of(rest)
    # Here, so that neither `import redraft` nor the deterministic reader imports torch.
    try:
        from redraft.engines.torch import TorchEngine
    except ModuleNotFoundError as error:
        raise MissingError(f"the model needs {error.name}: pip install 'redraft[model]'") from error
    return TorchEngine(rest or _folder(spec), dtype, device)


def _folder(spec: str) -> str:
    """The folder of the embedded model, or of its base alone, made when it is asked for first."""
    from redraft.models.merged import instruct, merged

    return str(merged().path if spec == "embedded" else instruct())
