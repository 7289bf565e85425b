"""The mean of two adapters: each at an end, what lies between them, and what is no pair."""

from pathlib import Path

import pytest
import torch
import typer
from mean import main
from safetensors.torch import load_file, save_file

FILE = "adapter_model.safetensors"


def adapter(folder: Path, *rows: float) -> Path:
    folder.mkdir()
    save_file({"a": torch.tensor([rows], dtype=torch.bfloat16)}, folder / FILE)
    (folder / "adapter_config.json").write_text(folder.name)
    return folder


@pytest.mark.parametrize(("share", "values"), [(0, [1, 2]), (0.5, [2, 0]), (1, [3, -2])])
def test_the_mean_lies_between_two_adapters(tmp_path: Path, share: float, values: list[float]) -> None:
    first, second = adapter(tmp_path / "first", 1, 2), adapter(tmp_path / "second", 3, -2)
    main(first, second, tmp_path / "out", share)
    found = load_file(tmp_path / "out" / FILE)["a"]
    assert (found.dtype, found.tolist()) == (torch.bfloat16, [values])
    assert (tmp_path / "out" / "adapter_config.json").read_text() == "second"


def test_adapters_of_different_ranks_have_none(tmp_path: Path) -> None:
    first, second = adapter(tmp_path / "first", 1, 2), adapter(tmp_path / "second", 3)
    with pytest.raises(typer.BadParameter, match="not of one base and rank"):
        main(first, second, tmp_path / "out", 0.5)
    assert not (tmp_path / "out").exists()
