"""In: the arguments of the command line. Out: the exit code: 0 done, 1 bad usage or input, 3 refused, 130 stopped."""

import json
import os
from contextlib import suppress
from importlib import import_module
from typing import Annotated, cast

import typer

from redraft import __version__
from redraft.cli import streams
from redraft.errors import RedraftError, RefusedError

# Its name and home changed between versions of typer: the base of every usage error.
_UsageError = cast(type[typer.BadParameter], typer.BadParameter.__mro__[1])

_QUIET = ("-q", "--quiet")

# Where each command is; only the one that is called is imported.
COMMANDS = {
    "apply": "redraft.cli.apply:apply",
    "edit": "redraft.cli.edit:edit",
    "next": "redraft.cli.next_edit:next_edit",
    "repair": "redraft.cli.repair:repair",
    "watch": "redraft.cli.watch:watch",
    "undo": "redraft.cli.undo:undo",
    "redo": "redraft.cli.undo:redo",
    "log": "redraft.cli.undo:log",
    "mcp": "redraft.cli.mcp:mcp",
    "agents": "redraft.cli.agents:agents",
    "batch": "redraft.cli.batch:batch",
    "serve": "redraft.cli.serve:serve",
    "compare": "redraft.cli.compare:compare",
    "bench": "redraft.cli.bench:bench",
    "eval": "redraft.cli.evaluate:evaluate",
    "data": "redraft.cli.data:data",
    "train": "redraft.cli.regions:train",
    "model": "redraft.cli.model:model",
    "config": "redraft.cli.config:config",
}


# What a command needs beside the light install, where it does not say so itself.
_EXTRAS = {
    "bench": "eval,model",
    "compare": "model",
    "data": "data",
    "eval": "eval",
    "mcp": "mcp",
    "model": "model",
    "next": "model",
    "serve": "serve",
    "train": "train",
}
_LIGHT = ("filelock", "gguf", "jinja2", "numpy", "tokenizers")  # what the extra `local` brings


def commands(named: str | None = None) -> typer.Typer:
    """The command line with the command of that name, or with all where there is none."""
    app = typer.Typer(pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]})
    app.callback()(redraft)
    for name in [named] if named in COMMANDS else COMMANDS:
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(module), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        streams.write(f"redraft {__version__}\n")
        raise typer.Exit()


def redraft(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing of what went well; also after a command.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; also after a command.")
    ] = False,
) -> None:
    """Apply the code edits that chat models write: the new file, or one line that says why not."""


def run(arguments: list[str]) -> int:
    """Runs one command; what is wrong is said in one line on stderr."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own = arguments[:end]
    streams.quiet = any(flag in own for flag in _QUIET)
    everywhere = ("--debug", *_QUIET)
    given = _with_message([*(argument for argument in own if argument not in everywhere), *arguments[end:]])
    named = next((argument for argument in given if not argument.startswith("-")), None)
    try:
        app = commands(None if "_REDRAFT_COMPLETE" in os.environ else named)
        return app(given or ["--help"], prog_name="redraft", standalone_mode=False) or 0
    except (KeyboardInterrupt, typer.Abort):
        return streams.STOPPED
    except streams.OutputError as error:
        return streams.failed(error)
    except Exception as error:
        if was_interrupted(error):
            return streams.STOPPED
        if "--debug" in own:
            raise
        return _failed(error, named, "--json" in own)


def _failed(error: Exception, named: str | None, as_json: bool) -> int:
    if isinstance(error, OSError) and error.errno in streams.OUTPUT_ERRORS and error.filename is None:
        return streams.failed(streams.OutputError(error))
    refused = isinstance(error, RefusedError)
    _refuse(_message(error, named), "refused" if refused else "error", as_json)
    return 3 if refused else 1


def was_interrupted(error: BaseException) -> bool:
    """Whether an error is an interrupt in the making of a class, which Python before 3.12 wraps in a RuntimeError."""
    return isinstance(error, RuntimeError) and isinstance(error.__cause__, KeyboardInterrupt)


def _with_message(arguments: list[str]) -> list[str]:
    """Gives --commit, whose message may be left out, an empty one where no words follow it."""
    if "--commit" not in arguments:
        return arguments
    at = arguments.index("--commit") + 1
    follows = arguments[at] if at < len(arguments) else "-"
    is_message = not follows.startswith("-") and not os.path.exists(follows)
    return arguments if is_message else [*arguments[:at], "", *arguments[at:]]


def _message(error: Exception, named: str | None) -> str:
    if isinstance(error, RedraftError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and (extra := _EXTRAS.get(named or "")):
        extra = "local" if extra == "model" and error.name in _LIGHT else extra
        return f"redraft {named} needs {error.name}: pip install 'redraft[{extra}]'"
    if isinstance(error, _UsageError):
        return error.format_message().removeprefix("Invalid value: ")
    return f"unexpected {type(error).__name__}: {error}; --debug shows where, please report it"


def _refuse(message: str, status: str, as_json: bool) -> None:
    # Empty where a group of commands was named alone, which prints its help.
    line = " ".join(message.split())
    if line and as_json:
        with suppress(streams.OutputError):
            streams.write(json.dumps({"status": status, "message": line, "written": False}) + "\n")
    if line:
        streams.tell(f"redraft: {line}")
