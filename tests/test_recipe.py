"""The recipe makes a mix of edits and answers; what is there already it leaves."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from git_repository import program
from redraft.data.edits import Edit, write_edits
from redraft.data.samples import Sample, read_samples, write_samples

RECIPE = Path(__file__).parent.parent / "recipes" / "mix.sh"


def mix(*arguments: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["bash", str(RECIPE), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


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
