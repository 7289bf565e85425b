"""In: a folder, and where to listen. Out: tools for coding agents that edit the files of that folder."""

import os
import socket
from pathlib import Path
from signal import signal
from typing import Annotated

import typer

from redraft.access import KEY, LOOPBACK, check_address
from redraft.apply import load
from redraft.budget import AT_ONCE
from redraft.changes.write import recovered
from redraft.cli import options, streams
from redraft.errors import MissingError, RedraftError


def mcp(
    root: Annotated[Path, typer.Option(metavar="DIR", help="Only files below it can be edited.")] = Path("."),
    http: Annotated[bool, typer.Option("--http", help="Listen for streamable HTTP instead of using stdio.")] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 for any.")] = 8001,
    api_key: Annotated[
        str, typer.Option(metavar="KEY", envvar=KEY, show_envvar=False, help="Let in only those who send this key.")
    ] = "",
    is_open: Annotated[
        bool, typer.Option("--open", help="Listen on other addresses than loopback without a key.")
    ] = False,
    engine: options.Engine = "embedded",
    readers: options.ReadersOption = options.READERS,
    dtype: options.Dtype = None,
    seconds: options.Time = AT_ONCE,
) -> int:
    """Give coding agents the tools edit_file, edit_files and repair_edit, over the Model Context Protocol."""
    try:
        from redraft.mcp.server import PATH_OF_MCP, run_http, server
        from redraft.mcp.workspace import Workspace
    except ModuleNotFoundError as error:
        raise MissingError(f"the tools need {error.name}: pip install 'redraft[mcp]'") from error
    streams.note(recovered())
    workspace = Workspace(root, load(engine, dtype=dtype, readers=readers, seconds=seconds))
    made = server(workspace)
    if not http:
        # A thread that waits for standard input would keep the process; files are whole whenever it ends.
        for number in streams.STOPS:
            signal(number, lambda number, frame: os._exit(128 + number))
        made.run("stdio")
        return 0
    check_address(host, api_key, is_open)
    with _listening(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        streams.tell(f"files below {workspace.root} at http://{shown}:{listening.getsockname()[1]}{PATH_OF_MCP}")
        run_http(made, host, api_key, listening)
    return 0


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise RedraftError(f"cannot listen on {host}:{port}: {error}") from error
