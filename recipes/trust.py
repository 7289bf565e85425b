"""In: what models made of edits in doubt. Out: the weights by which a text is trusted; how that holds.

    python recipes/trust.py benchmarks/choice/doubts-large.jsonl        # "large", "longer" of src/redraft/trust.json
    python recipes/trust.py benchmarks/choice/doubts-large-short.jsonl  # "large", "short"; so of "small"
    python recipes/trust.py benchmarks/choice/doubts-small-other.jsonl  # "small", "longer"

A record of `recipes/doubts.py` has `set`, `id`, and of each of its texts `right`, the first that means the same
(`same`) and the signs of `redraft.choosing` by name. Fitted is a conditional logit with an L2 penalty, in which all
that is right counts together. Counts are cross-validated by writers, whom the first part of an id tells; `before` is
what the reader wrote. Both files hold short and longer answers; the second, with fewer longer ones, is the older.
"""

import json
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import typer
from logistic import fold_of
from scipy.optimize import minimize

_FROM = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
_STRENGTHS = (0.1, 0.3, 1.0, 3.0)


def main(records: Path) -> None:
    found = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    names = sorted({name for each in found for text in each["texts"] for name in text["signs"]})
    doubts = [(_values(each, names), _right(each)) for each in found]
    same = [[text["same"] for text in each["texts"]] for each in found]
    folds = [fold_of(each["id"].rpartition("-")[0]) for each in found]
    held = {strength: _held(doubts, folds, strength) for strength in _STRENGTHS}
    best = min(held, key=lambda strength: _loss(held[strength], doubts))
    weights = _fitted(doubts, best)
    print(json.dumps({name: round(float(value), 4) for name, value in zip(["none", *names], weights, strict=True)}))
    print(f"L2 {best}, held out {_loss(held[best], doubts):.3f} nats a doubt")
    for name in sorted({(each["set"], each["found"] != "refused") for each in found}):
        kept = [at for at, each in enumerate(found) if (each["set"], each["found"] != "refused") == name]
        before = [found[at]["found"] for at in kept]
        said = f"before {before.count('right')} right, {before.count('wrong')} wrong"
        counts = ", ".join(_counts([(held[best][at], doubts[at][1], same[at]) for at in kept]))
        print(f"{name[0]}, {'written' if name[1] else 'refused'}: {len(kept)} doubts; {said}; {counts}")


def _values(doubt: dict[str, Any], names: list[str]) -> Any:
    """Shape (texts, signs)."""
    return np.array([[text["signs"][name] for name in names] for text in doubt["texts"]]).reshape(-1, len(names))


def _right(doubt: dict[str, Any]) -> Any:
    """1 for each text that is right, and at the end for none of them, where none is; shape (texts + 1,)."""
    right = [float(text["right"]) for text in doubt["texts"]]
    return np.array([*right, float(not any(right))])


def _chances(weights: Any, values: Any) -> Any:
    """Of each text, and at the end of none."""
    worths = np.append(values @ weights[1:], weights[0])
    worths = np.exp(worths - worths.max())
    return worths / worths.sum()


def _fitted(doubts: list[tuple[Any, Any]], strength: float) -> Any:
    def loss(weights: Any) -> tuple[float, Any]:
        total, slope = strength * float(weights[1:] @ weights[1:]), 2 * strength * np.append(0.0, weights[1:])
        for values, right in doubts:
            chances = _chances(weights, values)
            known = float(chances @ right)
            total -= log(known)
            off = chances - chances * right / known
            slope += np.append(off[-1], values.T @ off[:-1])
        return total, slope

    size = next(values.shape[1] for values, _ in doubts)
    return minimize(loss, np.zeros(size + 1), jac=True, method="L-BFGS-B").x


def _held(doubts: list[tuple[Any, Any]], folds: list[int], strength: float) -> list[Any]:
    """Of each doubt the chances that a fit gives which has not seen its part."""
    parts = sorted(set(folds))
    fits = {
        part: _fitted([each for each, fold in zip(doubts, folds, strict=True) if fold != part], strength)
        for part in parts
    }
    return [_chances(fits[fold], values) for (values, _), fold in zip(doubts, folds, strict=True)]


def _loss(held: list[Any], doubts: list[tuple[Any, Any]]) -> float:
    return -sum(log(float(chances @ right)) for chances, (_, right) in zip(held, doubts, strict=True)) / len(doubts)


def _counts(held: list[tuple[Any, Any, list[int]]]) -> list[str]:
    """How many of the likeliest texts are right and wrong from each chance on; texts that mean the same are one."""
    best = [(chance, bool(right[at])) for chances, right, same in held if same for chance, at in [_best(chances, same)]]
    texts = []
    for least in _FROM:
        taken = [is_right for chance, is_right in best if chance >= least]
        texts.append(f"{sum(taken)} right and {len(taken) - sum(taken)} wrong from {least}")
    return texts


def _best(chances: Any, same: list[int]) -> tuple[float, int]:
    """The likeliest meaning: its chance, and the first text that has it."""
    together = np.bincount(same, weights=chances[:-1], minlength=len(same))
    return float(together.max()), int(together.argmax())


if __name__ == "__main__":
    typer.run(main)
