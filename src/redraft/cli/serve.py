"""In: where to listen, and an engine. Out: a server for editors, agents and gateways."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from redraft.access import KEY, check_address
from redraft.cli import options
from redraft.errors import MissingError, RedraftError
from redraft.serve.settings import Limits, Settings

_USUAL = Settings()
_Origins = Annotated[
    list[str] | None, typer.Option(metavar="URL", help="A page that browsers may call from; may be repeated.")
]
_VllmOptions = Annotated[
    list[str] | None,
    typer.Argument(metavar="[-- VLLM_OPTIONS]", help="With --engine vllm:MODEL: options of `vllm serve`."),
]


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = _USUAL.host,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 for any.")] = _USUAL.port,
    api_key: Annotated[
        str,
        typer.Option(
            metavar="KEY", envvar=KEY, show_envvar=False, help=f"Let in only those who send this key; better in {KEY}."
        ),
    ] = "",
    is_open: Annotated[
        bool, typer.Option("--open", help="Listen on other addresses than loopback without a key.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes, each with a model of its own.")] = _USUAL.workers,
    waiting: Annotated[
        int, typer.Option("--queue", min=1, help="Edits that may wait; more are sent away.")
    ] = _USUAL.limits.waiting,
    seconds: Annotated[
        float, typer.Option("--time-limit", min=1, help="Seconds that a request may take.")
    ] = _USUAL.limits.seconds,
    origin: _Origins = None,
    engine: options.Engine = _USUAL.engine,
    output_format: options.FormatOption = _USUAL.output_format,
    readers: options.ReadersOption = options.READERS,
    dtype: options.Dtype = None,
    template: options.Template = None,
    window: options.WindowOption = None,
    reading: options.Time = _USUAL.limits.reading_seconds,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Speak JSON-RPC on standard input and output, as editors do, not HTTP.")
    ] = False,
    more: _VllmOptions = None,
) -> int:
    """Serve edits and completions over HTTP, as OpenAI's and Fireworks' clients ask for them.

    With --stdio one editor asks, and the base install is enough.

    With --engine vllm:MODEL this starts vLLM's own server, made ready for predictions; vllm:embedded is the model that
    comes along.
    """
    model = (engine, readers, dtype, template, output_format, window)
    limits = Limits(waiting, seconds, reading_seconds=reading)
    settings = Settings(*model, host, port, api_key, tuple(origin or ()), workers, limits)
    check_address(host, api_key, is_open)
    if engine.startswith("vllm:") and "://" not in engine:
        _vllm(settings, more or [])
    if more:
        raise RedraftError(f"{' '.join(more)}: only --engine vllm:MODEL takes options of vLLM")
    if stdio:
        return _stdio(settings)
    try:
        from redraft.serve import run
    except ModuleNotFoundError as error:
        raise MissingError(f"the server needs {error.name}: pip install 'redraft[serve]'") from error
    run.serve(settings)
    return 0


def _stdio(settings: Settings) -> int:
    """Until the editor closes standard input; raises RedraftError for what is said of a network."""
    network = {name: getattr(_USUAL, name) for name in ("host", "port", "origins", "workers", "limits")}
    if replace(settings, **network) != settings:
        raise RedraftError("with --stdio nothing listens: leave out what is about addresses and many clients")
    from redraft.serve import editors

    editors.serve(settings)
    return 0


def _vllm(settings: Settings, more: list[str]) -> None:
    """vLLM's server in the place of this process; raises RedraftError for what it has options of its own for."""
    from redraft.engines.vllm import launch

    taken: dict[str, Any] = {
        "engine": _USUAL.engine,
        "host": _USUAL.host,
        "port": _USUAL.port,
        "key": _USUAL.key,
        "dtype": None,
    }
    if replace(settings, **taken) != _USUAL:
        raise RedraftError("with --engine vllm:MODEL only --host, --port, --api-key and --dtype are redraft's to say")
    dtype = ["--dtype", settings.dtype] if settings.dtype else []
    launch.serve(settings.engine.removeprefix("vllm:"), settings.host, settings.port, settings.key, [*dtype, *more])
