"""The recipe makes a model from clones and measures it; what is there already it leaves."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from git_repository import Repository, program
from redraft.data.edits import Edit, read_edits, write_edits
from redraft.data.samples import Sample, read_samples, write_samples

RECIPE = Path(__file__).parent.parent / "recipes" / "embedded.sh"
TRAINED = ("acme/tools", "Else/where.git", "else+plus/repo")
DEVELOPED = "DaveGamble/cJSON"  # the package's own development set has it


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four clones in all layouts, eight edits each; and a folder that is none."""
    folder = tmp_path_factory.mktemp("clones")
    for number, name in enumerate((*TRAINED, DEVELOPED)):
        made = Repository(folder / "sources" / str(number))
        files = {f"{letter}{number}.py": size for letter, size in (("a", 24), ("b", 27), ("c", 110), ("d", 120))}
        for changed in (-1, 4 + number, 14 + number):
            made.commit({path: program(size, changed) for path, size in files.items()})
        made.git("clone", "--quiet", *(["--bare"] if name.endswith(".git") else []), ".", str(folder / name))
    shutil.rmtree(folder / "sources")
    (folder / "acme" / "empty").mkdir()
    return folder


def cook(*arguments: object) -> subprocess.CompletedProcess[str]:
    return _run(RECIPE, *arguments)


def mix(*arguments: object) -> subprocess.CompletedProcess[str]:
    return _run(RECIPE.with_name("mix.sh"), *arguments)


def _run(recipe: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["bash", str(recipe), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def repositories(edits: Path) -> set[str]:
    return {edit.repository for edit in read_edits(edits)}


def contents(folder: Path) -> dict[Path, tuple[int, bytes]]:
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_clones_become_edits_and_samples(clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the training, which takes hours: without a base the recipe ends there, in one line."""
    monkeypatch.setenv("REDRAFT_HOME", str(tmp_path / "home"))
    out = tmp_path / "out"
    (out / "base").mkdir(parents=True)
    first = cook(clones, out, 2)
    assert (first.returncode, first.stdout) == (1, "")
    assert first.stderr.splitlines()[-1].startswith(f"redraft: {out}/base is not a model folder")
    assert f"left out, no git clone: {clones}/acme/empty\n" in first.stderr
    assert repositories(out / "train.parquet") == {"acme/tools", "Else/where", "else/plus"}
    assert repositories(out / "development.parquet") == {DEVELOPED}
    for side, known in (("train", TRAINED), ("development", (DEVELOPED,))):
        assert len({one.repository for one in read_samples(out / side / "mix.parquet")}) == len(known)
        assert (out / side / "lessons.jsonl").read_text()
    assert not list(out.glob("*.part"))
    made = contents(out)
    assert "making" not in cook(clones, out, 2).stderr
    assert contents(out) == made
    assert f"{out} is of another run (2 steps, {clones}): choose another folder" in cook(clones, out, 3).stderr


@pytest.mark.slow
def test_what_a_recipe_cannot_use_is_refused_in_one_line(clones: Path, tmp_path: Path) -> None:
    (tmp_path / "one" / "acme").mkdir(parents=True)
    shutil.copytree(clones / "acme" / "tools", tmp_path / "one" / "acme" / "tools")
    shutil.copytree(clones / DEVELOPED, tmp_path / "own" / DEVELOPED)
    shutil.copytree(clones / DEVELOPED, tmp_path / "own" / "nlohmann" / "json")
    shutil.copytree(clones, tmp_path / "reserved")
    shutil.copytree(clones / "acme" / "tools", tmp_path / "reserved" / "pallets" / "flask")
    out = tmp_path / "out"
    cases: dict[str, tuple[object, ...]] = {
        "usage: recipes/embedded.sh CLONES OUT [STEPS [ANSWERS.parquet...]]": (clones,),
        "gone is not a folder": ("gone", out),
        "STEPS is a number, not 0": (clones, out, 0),
        "one holds less than two clones (OWNER/NAME)": (tmp_path / "one", out / "one"),
        "own is the package's development set": (tmp_path / "own", out / "own"),
        "reserved for tests, never mined: pallets/flask": (tmp_path / "reserved", out / "reserved"),
    }
    for message, arguments in cases.items():
        finished = cook(*arguments)
        assert (finished.returncode, finished.stdout) == (1, "")
        assert message in finished.stderr.splitlines()[-1]
    assert not list(out.rglob("model*"))


def test_edits_and_answers_become_a_mix(tmp_path: Path) -> None:
    texts = [(program(30), program(30, n)) for n in range(20)]
    found = [Edit("o/n", f"{n}", f"a{n}.py", f"{n}", "2", *pair, "python", "MIT") for n, pair in enumerate(texts)]
    write_edits(tmp_path / "edits.parquet", found)
    sample = Sample(
        **asdict(found[0]), instruction="", update="u", style="answer-tidy", source="writers", expect="applied"
    )
    write_samples(tmp_path / "answers.parquet", [sample])
    mixed = mix(tmp_path / "edits.parquet", tmp_path / "out", tmp_path / "answers.parquet")
    assert mixed.returncode == 0, mixed.stderr
    made = Counter(one.source for one in read_samples(tmp_path / "out" / "mix.parquet"))
    assert set(made) == {"rules", "drift", "writers"}
    assert made["writers"] / made.total() == pytest.approx(0.2, abs=0.05)
    assert "source    writers" in mixed.stdout
    assert (tmp_path / "out" / "mix.png").is_file()
    assert (tmp_path / "out" / "lessons.jsonl").read_text()
    assert "there already" in mix(tmp_path / "edits.parquet", tmp_path / "out").stderr
    assert mix(tmp_path / "nowhere", tmp_path / "out").returncode == 1
