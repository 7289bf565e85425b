"""In: the first commands of the README. Out: docs/screenshot.svg: what a terminal shows of them."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
APPLY = "redraft apply hello.py -u answer.md"
SHOWN = ("cat answer.md", f"{APPLY} --diff", APPLY, "redraft undo")


def commands() -> list[str]:
    """The first block for a shell that calls redraft."""
    block = next(part for part in (ROOT / "README.md").read_text().split("```sh\n") if "redraft apply" in part)
    return block.split("\n```")[0].split("\n")


def session() -> str:
    """The commands with what they print."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "REDRAFT_STATE": f"{folder}/state", "FORCE_COLOR": "1"}
        for line in commands():
            if line.startswith("printf"):
                subprocess.run(line, shell=True, cwd=folder, check=True)
        shown = []
        for line in SHOWN:
            call = line.replace("redraft", f"{sys.executable} -m redraft", 1)
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            done = subprocess.run(call, shell=True, cwd=folder, check=True, env=environment, **pipes)
            shown.append(f"\x1b[1m$ {line}\x1b[m\n{done.stdout}")
    return "\n".join(shown)


if __name__ == "__main__":
    console = Console(record=True, width=88, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(Text.from_ansi(session()))
    (ROOT / "docs" / "screenshot.svg").write_text(console.export_svg(title="redraft"))
