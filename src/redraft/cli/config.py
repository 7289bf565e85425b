"""In: a setting, and its value. Out: the configuration read, changed or printed."""

from typing import Annotated

import typer

from redraft.cli import streams
from redraft.config import check_key, config_path, configured, read, write
from redraft.engines.spec import check_spec, not_installed

config = typer.Typer(invoke_without_command=True, help="Set once what every call would have to say.")

_EMPTY = " nothing is set; redraft config set engine SPEC sets an engine for all calls"
_Key = Annotated[str, typer.Argument(metavar="KEY", help="engine: the --engine of apply, edit, batch, serve and mcp.")]


@config.callback()
def show(context: typer.Context) -> None:
    """Print where the configuration lies, and what it sets."""
    if context.invoked_subcommand is None:
        found = read()
        streams.tell(f"{config_path()}:{'' if found else _EMPTY}")
        for key, value in found.items():
            streams.write(f"{key} = {value}\n")


@config.command("set")
def set_value(key: _Key, value: Annotated[str, typer.Argument(help="Its value, such as openai:URL#MODEL.")]) -> None:
    """Set a value for all later calls; an option of a call, or the environment, still wins."""
    check_key(key)
    check_spec(value)
    path = write({**read(), key: value})
    streams.tell(f"{key} is {value} from now on, by {path}")
    if missing := not_installed(value):
        streams.tell(f"warning: it cannot be used yet: {missing}")


@config.command()
def get(key: _Key) -> None:
    """Print the value that counts: the environment's, else the file's; nothing where none is set."""
    check_key(key)
    if value := configured(key):
        streams.write(f"{value}\n")


@config.command()
def unset(key: _Key) -> None:
    """Forget a value."""
    check_key(key)
    left = read()
    left.pop(key, None)
    write(left)
    streams.tell(f"{key} is not set any more")
