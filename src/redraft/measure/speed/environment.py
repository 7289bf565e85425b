"""In: an engine and the command that loaded it. Out: with what its figures are measured: commit, versions, hardware."""

import platform
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

from redraft.measure.speed.limit import OwnModel
from redraft.measure.speed.record import Environment

_CPU_INFO = Path("/proc/cpuinfo")


def describe(spec: str, engine: object, command: str, **of_run: int | None) -> Environment:
    """`of_run`: `cases`, `max_tokens` and `window` of the run."""
    versions = {name: version(name) for name in ("redraft", "torch", "transformers")}
    versions["python"] = platform.python_version()
    commit = _commit(Path(__file__))
    if not isinstance(engine, OwnModel):
        return Environment(spec, None, None, None, _processor(), commit, command, versions, **of_run)
    # Here, because an engine that replays a script needs no torch.
    import torch

    on_gpu = torch.device(str(engine.device)).type == "cuda"
    hardware = torch.cuda.get_device_name() if on_gpu else _processor()
    return Environment(
        spec, engine.dtype, str(engine.device), torch.get_num_threads(), hardware, commit, command, versions, **of_run
    )


def _commit(file: Path) -> str:
    """The commit that is checked out, "" where the package is no part of a checkout."""
    if shutil.which("git") is None or not _git(file, "ls-files", file.name):
        return ""
    return _git(file, "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")


def _git(file: Path, *arguments: str) -> str:
    command = ["git", "-C", str(file.parent), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _processor() -> str:
    lines = _CPU_INFO.read_text().splitlines() if _CPU_INFO.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
