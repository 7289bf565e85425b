"""In: a coding agent's name, or what its hook is told. Out: its settings with redraft in them; the hook's answer."""

import json
from pathlib import Path
from typing import Annotated

import typer

from redraft.agents.settings import AGENTS
from redraft.calls.hook import answer
from redraft.cli import streams
from redraft.cli.read import read_input

agents = typer.Typer(no_args_is_help=True, help="Set coding agents up to use redraft.")

Agent = Annotated[str, typer.Argument(metavar="AGENT", help=f"One of {', '.join(AGENTS)}.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")]
Project = Annotated[Path, typer.Option("--root", metavar="DIR", help="The project whose settings are meant.")]


@agents.command()
def install(agent: Agent, root: Project = Path("."), dry_run: DryRun = False) -> int:
    """Show how an agent's settings change, and write them; `redraft undo` or `agents remove` takes it back."""
    return _changed(agent, root, dry_run, is_removed=False)


@agents.command()
def remove(agent: Agent, root: Project = Path("."), dry_run: DryRun = False) -> int:
    """Take redraft out of an agent's settings again."""
    return _changed(agent, root, dry_run, is_removed=True)


@agents.command()
def hook() -> int:
    """Answer Claude Code's hooks: JSON on standard input, for an edit that fails the call that works."""
    try:
        event = json.loads(read_input().text)
    except ValueError:
        return 0  # what is no event is nothing that an agent should stop for
    found = answer(event) if isinstance(event, dict) else None
    if found is not None:
        streams.write(json.dumps(found) + "\n")
    return 0


def _changed(agent: str, root: Path, dry_run: bool, is_removed: bool) -> int:
    # Not above: the hook, which runs at every turn of an agent, needs none of it.
    from redraft.agents.install import changes, missing
    from redraft.changes.write import write

    found = changes(agent, root, is_removed)
    streams.write("".join(change.diff() for change in found))
    if not found:
        streams.tell(f"nothing to do: {agent} {'has no entry' if is_removed else 'is set up'}")
        return 0
    if not dry_run:
        write(found)
    for change in found:
        done = {"create": "created", "delete": "deleted", "edit": "written"}[change.operation]
        streams.tell(f"{change.path}: {f'would be {done}' if dry_run else done}")
    if not is_removed and (lacking := missing()):
        streams.tell(f"warning: {agent} cannot use it yet: {lacking}")
    return 0
