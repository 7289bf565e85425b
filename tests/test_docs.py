"""The documents say what the code does: commands, snippets, tables, links, the demonstration and the rules."""

import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from redraft.apply import Readers, load
from redraft.data.mine import RESERVED
from redraft.edit.guard.check import Status
from redraft.edit.prompts.template import TEMPLATES
from redraft.engines.spec import SPECS
from redraft.result import Result

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "AGENTS.md",
    "CHANGELOG.md",
    *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md"))),
)
README = (ROOT / "README.md").read_text()
EXPECTED = (ROOT / "demo" / "expected.py").read_text()
MODULES = [p for p in sorted((ROOT / "src").rglob("*.py")) if p.parent.parent.name != "examples"]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


def first_cells(page: str, heading: str) -> list[str]:
    """The code in the first column of the table whose first heading is `heading`."""
    table = (ROOT / page).read_text().split(f"| {heading} |")[1].split("\n\n")[0]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


def commands() -> dict[str, set[str]]:
    """Each command of docs/help.md, with its options."""
    sections = re.split(r"^## `", (ROOT / "docs/help.md").read_text(), flags=re.MULTILINE)[1:]
    names = (re.match(r"[a-z ]+[a-z]", section) for section in sections)
    options = (set(re.findall(r"--[a-z-]+", section)) | {"--help"} for section in sections)
    return {name[0]: known for name, known in zip(names, options, strict=True) if name}


def test_the_list_of_commands_is_what_make_help_writes() -> None:
    assert runpy.run_path(str(ROOT / "docs" / "help.py"))["page"]() == (ROOT / "docs" / "help.md").read_text()


def test_the_page_of_the_library_is_what_make_api_writes() -> None:
    assert runpy.run_path(str(ROOT / "docs" / "api.py"))["page"]() == (ROOT / "docs" / "api.md").read_text()


def test_the_snippet_of_the_library_runs(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("answer.md").write_text("New file `notes.py`:\n\n```python\nnote = 1\n```\n")
    exec(compile(blocks("docs/api.md", "python")[0], "docs/api.md", "exec"), {})
    assert capsys.readouterr().out == "create notes.py applied\n"
    assert Path("notes.py").read_text() == "note = 1\n"


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_exist(page: str) -> None:
    known = commands()
    for line in "\n".join(blocks(page, "sh")).split("\n"):
        # What stands behind -- is for another program.
        for call in re.findall(r"\bredraft [a-z][^|#]*", line.partition(" -- ")[0]):
            name = max((name for name in known if f"{call} ".startswith(f"{name} ")), key=len, default=None)
            assert name is not None, call
            assert set(re.findall(r"--[a-z-]+", call)) <= known[name], call


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text())
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for file in (ROOT / "demo").iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_streaming_snippet_streams(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (snippet,) = (block for block in blocks("docs/models.md", "python") if "scripted" in block)
    exec(compile(snippet, "docs/models.md", "exec"), {})
    assert capsys.readouterr().out == EXPECTED


@pytest.mark.slow
def test_the_readme_runs_from_top_to_bottom(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "redraft"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m redraft "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", "REDRAFT_STATE": f"{tmp_path}/state"}
    for language, block in re.findall(r"^```(sh|python)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        lines = [line for line in block.split("\n") if not line.startswith("pip ")]
        script = ["bash", "-e", "-c"] if language == "sh" else [sys.executable, "-c"]
        subprocess.run([*script, "\n".join(lines)], cwd=tmp_path, env=environment, check=True, stdin=subprocess.DEVNULL)
    assert "Good morning" in (tmp_path / "hello.py").read_text()


def test_the_installs_of_the_documents_name_extras_that_there_are() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for page in PAGES:
        for extra in re.findall(r"'redraft\[(\w+)\]'", (ROOT / page).read_text()):
            assert extra in known, page


def test_the_readme_is_short() -> None:
    assert README.count("\n") <= 100


def test_the_merge_places_the_demonstration() -> None:
    original, update = ((ROOT / "demo" / name).read_text() for name in ("inventory.py", "update.md"))
    result = load(readers="merge").apply(original, update, path="inventory.py")
    assert result.weighed[0].candidate.text == EXPECTED
    assert original.count("\n") >= 150


def test_the_tables_name_what_there_is() -> None:
    assert set(first_cells("docs/use.md", "status")) == set(get_args(Status))
    assert first_cells("docs/models.md", "`--template`") == list(TEMPLATES)
    assert set(first_cells("docs/models.md", "`--engine`")) == set(SPECS.split(", "))
    assert set(first_cells("docs/models.md", "`--readers`")) == set(get_args(Readers))


def test_the_keys_of_a_batch_line_are_those_of_a_result() -> None:
    (keys,) = blocks("docs/use.md", "json")
    assert ast.literal_eval(keys) == ["id", *Result("applied", None, None, "both", "").record()]


def test_the_reserved_repositories_are_listed() -> None:
    listed = (ROOT / "AGENTS.md").read_text().rpartition(":\n\n")[2].replace("\\*", "*")
    assert listed.strip().removesuffix(".").split(", ") == list(RESERVED)


def test_every_module_keeps_the_rules() -> None:
    for module in MODULES:
        text = module.read_text()
        tree = ast.parse(text)
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        assert not text or text.startswith(('"""In: ', '"""The one error tree')), module
        assert text.count("\n") <= 300, module
        assert [f.name for f in functions if (f.end_lineno or 0) - f.lineno >= 50] == [], module
