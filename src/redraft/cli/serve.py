"""In: where to listen, and an engine. Out: a server for editors, agents and gateways."""

from typing import Annotated

import typer

from redraft.access import KEY, LOOPBACK, check_address
from redraft.cli import options
from redraft.errors import MissingError

_PORT = 8000


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 for any.")] = _PORT,
    api_key: Annotated[
        str,
        typer.Option(
            metavar="KEY", envvar=KEY, show_envvar=False, help=f"Let in only those who send this key; better in {KEY}."
        ),
    ] = "",
    is_open: Annotated[
        bool, typer.Option("--open", help="Listen on other addresses than loopback without a key.")
    ] = False,
    engine: options.Engine = "embedded",
    output_format: options.FormatOption = "whole",
    readers: options.ReadersOption = options.READERS,
    dtype: options.Dtype = None,
    template: options.Template = None,
    window: options.WindowOption = None,
) -> int:
    """Serve edits and completions over HTTP, as OpenAI's and Fireworks' clients ask for them."""
    try:
        from redraft.serve import run
        from redraft.serve.settings import Settings
    except ModuleNotFoundError as error:
        raise MissingError(f"the server needs {error.name}: pip install 'redraft[serve]'") from error
    settings = Settings(engine, readers, dtype, template, output_format, window, host, port, api_key)
    check_address(host, api_key, is_open)
    run.serve(settings)
    return 0
