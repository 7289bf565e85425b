"""In: what was seen of texts that a model chose or wrote. Out: the weights by which it is trusted; how that holds.

    python recipes/trust.py benchmarks/choice/signs.jsonl          # "chosen" of src/redraft/trust.json
    python recipes/trust.py benchmarks/choice/written-small.jsonl  # "small", and "large" likewise

A record has `set`, `id`, `right` and `signs`, those of `Signs` in `redraft.choosing` or `redraft.regional` by name.
Counts are cross-validated.
"""

import json
from pathlib import Path
from typing import Any

import typer
from logistic import Example, Fit, fit

_FROM = (0.7, 0.75, 0.8, 0.85, 0.9)


def main(records: Path) -> None:
    found = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    fitted = fit([Example(each["signs"], each["right"], each["id"]) for each in found])
    print(json.dumps({name: round(value, 4) for name, value in fitted.weights.items()}))
    for name in sorted({each["set"] for each in found}):
        print(f"{name}: {', '.join(_counts(found, fitted, name))}")


def _counts(found: list[dict[str, Any]], fitted: Fit, name: str) -> list[str]:
    """How many of a set are right and wrong from each confidence on."""
    held = [(sure, each["right"]) for each, sure in zip(found, fitted.held, strict=True) if each["set"] == name]
    texts = []
    for least in _FROM:
        taken = [is_right for sure, is_right in held if sure >= least]
        texts.append(f"{sum(taken)} right and {len(taken) - sum(taken)} wrong from {least}")
    return [f"{len(held)} texts", *texts]


if __name__ == "__main__":
    typer.run(main)
