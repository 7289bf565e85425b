"""What people get: a small typed package with all that lies beside its code, and a door that opens without noise."""

import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import redraft
from redraft import errors

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_version_is_the_one_that_the_changelog_is_about() -> None:
    assert version("redraft") == redraft.__version__
    assert f"\n## {redraft.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_importing_says_nothing_and_makes_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", "import redraft, redraft.cli"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=tmp_path, env={"HOME": str(tmp_path)}
    )
    assert (done.stdout, done.stderr, list(tmp_path.iterdir())) == ("", "", [])


def test_there_is_one_error_tree() -> None:
    found = [thing for thing in vars(errors).values() if isinstance(thing, type)]
    assert found
    assert all(issubclass(thing, errors.RedraftError) for thing in found)


@pytest.mark.slow
def test_the_wheel_holds_what_lies_beside_the_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    beside = {str(p.relative_to(ROOT / "src")) for p in (ROOT / "src").rglob("*") if p.is_file() and p.suffix != ".pyc"}
    assert beside <= names
    assert {"redraft/py.typed", "redraft/examples/comment/TemperatureCard.tsx"} <= names
    assert wheel.stat().st_size < 3_000_000
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_what_is_printed_of_a_result_is_a_line_without_the_file() -> None:
    before = "".join(f"line_{number} = {number}\n" for number in range(400))
    after = before.replace("line_7 = 7\n", "line_7 = 8\nline_x = 8\n")
    answer = "f.py\n<<<<<<< SEARCH\nline_7 = 7\n=======\nline_7 = 8\nline_x = 8\n>>>>>>> REPLACE\n"
    done = redraft.load(readers="merge").apply(before, answer, path="f.py")
    assert (done.output, done.added, done.removed) == (after, 2, 1)
    assert repr(done) == "Result(status='applied', confidence=1.0, message='', added=2, removed=1)"
    refused = redraft.load(readers="merge").apply(before, "```python\nline_y = 9\n```\n", path="f.py")
    assert refused.weighed
    assert refused.message in repr(refused).replace("\\", "")
    assert len(repr(refused)) < len(refused.message) + 100
    mended = redraft.repair(before, " line_7 = 7", " line_7 = 8", path="f.py")
    assert repr(mended).startswith("Repair(status='repaired', message='', lines=[(8, 8)], healed=(")
    assert len(repr(mended)) < 200
    assert len(repr(redraft.repair(before, "line_", "row_"))) < 1000
