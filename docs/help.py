"""In: the commands of `redraft`. Out: docs/help.md on standard output: each command with its arguments and options."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from typer import Typer
from typer.models import ArgumentInfo

from redraft.cli import commands

_PREFACE = """<!-- written by `make help`; edit the commands instead -->
# Commands

Results go to standard output, all talk to standard error. Exit codes: 0 applied or nothing to change, 1 wrong usage or
unusable input, 3 refused with the file left as it was, 130 interrupted. Every command also takes `--help`.
"""
_VALUES = {bool: "", str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}


def page() -> str:
    """The whole page; the commands of a group follow one another."""
    return "\n".join([_PREFACE, *_sections("redraft", commands())])


def _sections(name: str, commands: Typer) -> Iterator[str]:
    for command in commands.registered_commands:
        assert command.callback is not None
        own = command.name or command.callback.__name__.replace("_", "-")
        yield _section(f"{name} {own}", command.callback)
    for group in commands.registered_groups:
        assert group.typer_instance is not None
        own = f"{name} {group.name or group.typer_instance.info.name}"
        alone = group.typer_instance.registered_callback
        if alone is not None and group.typer_instance.info.invoke_without_command is True:
            yield f"## `{own}`\n\n{inspect.getdoc(alone.callback)}\n"
        yield from _sections(own, group.typer_instance)


def _section(name: str, command: Callable[..., Any]) -> str:
    parameters = inspect.signature(command).parameters
    hints = get_type_hints(command, include_extras=True)
    rows = [_row(key, hints[key], parameter.default) for key, parameter in parameters.items()]
    arguments = [head for head, _ in rows if not head.startswith("-")]
    usage = " ".join([name, *arguments, *(["[options]"] if len(rows) > len(arguments) else [])])
    lines = ["| `{}` | {} |".format(*(cell.replace("|", r"\|") for cell in row)) for row in rows]
    table = "\n".join(["| | |", "|---|---|", *lines, ""]) if rows else ""
    return f"## `{usage}`\n\n{inspect.getdoc(command)}\n\n{table}"


def _row(key: str, hint: Any, default: Any) -> tuple[str, str]:
    """How a parameter is spelled, and what it means."""
    assert get_origin(hint) is Annotated
    kind, info = get_args(hint)[:2]
    required = default is inspect.Parameter.empty
    default = default.name if isinstance(default, Path) else default
    shown = type(default) in (str, int, float) and default != ""
    text = info.help + (f" Default: `{default}`." if shown else "")
    if isinstance(info, ArgumentInfo):
        value = (info.metavar or key.upper()).strip("[]")
        return (value if required else f"[{value}]"), text
    # typer takes the first name for the default until it builds the command.
    names = [name for name in (info.default, *(info.param_decls or ())) if str(name).startswith("--")]
    option = names[0] if names else f"--{key.replace('_', '-')}"
    if default is True:
        option = f"{option}/--no-{option.removeprefix('--')}"
    value = info.metavar or _values(kind)
    return f"{option} {value}".strip(), text + (" Required." if required else "")


def _values(kind: Any) -> str:
    """What stands for the value of an option that does not say it: its choices, or its type."""
    if get_origin(kind) is Literal:
        return "|".join(get_args(kind))
    return _VALUES[next((part for part in get_args(kind) if part is not NoneType), kind)]


if __name__ == "__main__":
    print(page(), end="")
