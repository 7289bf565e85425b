"""In: the log of a run. Out: a picture of its curves: loss while training, and what validation found wrong."""

import json
from pathlib import Path
from typing import Any

from redraft.data.figure import new_figure, save_figure
from redraft.errors import RedraftError

_SHARES = {"near_right": "tokens near changes", "tokens_right": "all tokens", "wholly_right": "files, wrong anywhere"}


def draw(log: Path, out: Path) -> None:
    """Raises RedraftError where the log cannot be read or the picture not be written."""
    try:
        records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise RedraftError(f"cannot read {log}: {error}") from error
    figure = new_figure(figsize=(9, 3.6), layout="constrained")
    losses, shares = figure.subplots(1, 2)
    _losses(losses, records)
    _shares(shares, [record for record in records if "tokens_right" in record])
    save_figure(figure, out, dpi=150)


def _losses(axes: Any, records: list[dict[str, Any]]) -> None:
    steps = [record for record in records if "nats" in record]
    axes.plot([step["tokens"] / 1e6 for step in steps], _smooth([step["nats"] for step in steps]))
    axes.set(xlabel="million tokens", ylabel="nats a token with loss", yscale="log")


def _shares(axes: Any, records: list[dict[str, Any]]) -> None:
    for name, label in _SHARES.items():
        values = [1 - record[name] / (record["files"] if name == "wholly_right" else 1) for record in records]
        axes.plot([record["tokens"] / 1e6 for record in records], values, marker="o", label=label)
    axes.set(xlabel="million tokens", ylabel="share wrong, held-back repositories", yscale="log")
    axes.legend()


def _smooth(values: list[float], stays: float = 0.9) -> list[float]:
    found, average = [], values[0] if values else 0.0
    for value in values:
        average = stays * average + (1 - stays) * value
        found.append(average)
    return found
