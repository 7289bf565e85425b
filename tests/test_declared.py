"""Every import is declared, and what is installed without extras applies edits."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = {"pyyaml": "yaml", "llama-cpp-python": "llama_cpp"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def names(requirements: list[str]) -> set[str]:
    """The modules that requirements bring, each named as its distribution."""
    found = (re.match(r"[\w-]+", requirement) for requirement in requirements)
    return {MODULES.get(name[0], name[0].replace("-", "_")) for name in found if name} - {"redraft"}


def imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


LIGHT = names(PROJECT["dependencies"])
EXTRAS = {extra: names(given) for extra, given in PROJECT["optional-dependencies"].items()}


def test_every_import_is_declared() -> None:
    modules = [path for path in (ROOT / "src").rglob("*.py") if path.parent.parent.name != "examples"]
    used = {name for module in modules for name in imports(module)} - set(sys.stdlib_module_names) - {"redraft"}
    assert used - LIGHT - set().union(*EXTRAS.values()) == set()
    assert LIGHT - used == set()


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({extras}))
from redraft.__main__ import main
main()
"""


def test_a_light_install_applies_undoes_and_names_what_the_model_needs(tmp_path: Path) -> None:
    # typer takes pydantic where it is installed, and looks for it itself.
    extras = sorted(set().union(*EXTRAS.values()) - LIGHT - {"pytest", "pydantic"})
    (tmp_path / "f.py").write_text("def a():\n    return 1\n\n\ndef b():\n    return 2\n")
    (tmp_path / "u.md").write_text("```python\ndef b():\n    return 3\n```\n")
    environment = {**os.environ, "REDRAFT_STATE": str(tmp_path / "state")}

    def run(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-c", WITHOUT.format(extras=extras), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
        return done.returncode, done.stderr

    assert run("--help") == (0, "")
    code, said = run("apply", "f.py", "-u", "u.md")
    assert (code, said.partition("(")[0]) == (0, "f.py: written, 1 line added, 1 line removed ")
    assert (tmp_path / "f.py").read_text().endswith("return 3\n")
    assert run("undo") == (0, "f.py: the old version is back\n")
    code, said = run("apply", "f.py", "-u", "u.md", "--readers", "model")
    assert (code, said.count("\n"), "pip install 'redraft[local]'" in said) == (1, 1, True)
    code, said = run("model", "get", "small")
    assert (code, said.count("\n"), "pip install 'redraft[local]'" in said) == (1, 1, True)
