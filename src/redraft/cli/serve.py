"""In: where to listen, and an engine. Out: a server for editors, agents and gateways."""

from typing import Annotated

import typer

from redraft.access import KEY, check_address
from redraft.cli import options
from redraft.errors import MissingError
from redraft.serve.settings import Limits, Settings

_USUAL = Settings()


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
    origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A page that browsers may call from; may be repeated.")
    ] = None,
    engine: options.Engine = _USUAL.engine,
    output_format: options.FormatOption = _USUAL.output_format,
    readers: options.ReadersOption = options.READERS,
    dtype: options.Dtype = None,
    template: options.Template = None,
    window: options.WindowOption = None,
) -> int:
    """Serve edits and completions over HTTP, as OpenAI's and Fireworks' clients ask for them."""
    try:
        from redraft.serve import run
    except ModuleNotFoundError as error:
        raise MissingError(f"the server needs {error.name}: pip install 'redraft[serve]'") from error
    limits, origins = Limits(waiting, seconds), tuple(origin or ())
    model = (engine, readers, dtype, template, output_format, window)
    settings = Settings(*model, host, port, api_key, origins, workers, limits)
    check_address(host, api_key, is_open)
    run.serve(settings)
    return 0
