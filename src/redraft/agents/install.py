"""In: an agent and a project. Out: the changes of its settings that put redraft's tools in, or take them out."""

import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from redraft.agents.settings import AGENTS
from redraft.changes.change import Change, Operation
from redraft.errors import RedraftError
from redraft.files import read as files
from redraft.result import Result


def changes(agent: str, project: Path, is_removed: bool = False) -> list[Change]:
    """Those that change anything; nothing is written. Raises RedraftError for settings that cannot be read."""
    if agent not in AGENTS:
        raise RedraftError(f"unknown agent {agent!r}; there are {', '.join(AGENTS)}")
    if not project.is_dir():
        raise RedraftError(f"there is no folder {project}")
    found = []
    for setting in AGENTS[agent]:
        path = setting.path(project)
        file = files.read(path) if path.exists() else files.new(path)
        try:
            text = setting.edit(file.text, command(), is_removed)
        except RedraftError as error:
            raise RedraftError(f"{path}: {error}") from error
        if text != file.text:
            operation: Operation = "create" if file.is_new else "edit" if text else "delete"
            found.append(Change(str(path), file, Result("applied", text, 1.0, "format", ""), operation))
    return found


def command() -> Sequence[str]:
    """How an agent starts redraft: by its name where each shell finds it, else by the path of this program.

    What an environment that is active now puts on PATH is not found by an agent that was started elsewhere.
    """
    found, place = shutil.which("redraft"), Path(sys.prefix)
    is_active = sys.prefix != sys.base_prefix and found is not None and Path(found).is_relative_to(place)
    if found is not None:
        return [found if is_active else "redraft"]
    program = shutil.which("redraft", path=str(Path(sys.executable).parent))
    return [program] if program else [sys.executable, "-m", "redraft"]


def missing() -> str:
    """What the tools of agents need that is not here, "" for nothing."""
    return "" if find_spec("mcp") else "the tools need mcp: pip install 'redraft[mcp]'"
