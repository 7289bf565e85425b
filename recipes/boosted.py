"""In: features by name, what was right, and groups. Out: boosted trees, cross-validated by group, by LightGBM."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from logistic import Example, folds_of, names_of, values_of

from redraft.edit.trees import Tree, chance

_ROUNDS = 600
_LIKE = {
    "objective": "binary",
    "learning_rate": 0.03,
    "num_leaves": 24,
    "min_data_in_leaf": 20,
    "lambda_l2": 3.0,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "seed": 0,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


@dataclass(frozen=True)
class Boosted:
    """`gains`: what each feature helps the trees, the greatest first; `held`: what each example is given by trees that
    have seen nothing of its group."""

    trees: Sequence[Tree]
    gains: Mapping[str, float]
    held: Sequence[float]


def boosted(examples: Sequence[Example], rounds: int = _ROUNDS) -> Boosted:
    """Trees on all examples, one a round."""
    names, folds = names_of(examples), folds_of(examples)
    without = {
        fold: _fitted(names, [each for each, its in zip(examples, folds, strict=True) if its != fold], rounds)[0]
        for fold in sorted({*folds})
    }
    held = [chance(without[fold], each.features) for each, fold in zip(examples, folds, strict=True)]
    return Boosted(*_fitted(names, examples, rounds), held)


def fitted(examples: Sequence[Example], rounds: int = _ROUNDS) -> list[Tree]:
    """Trees on all examples, and no more."""
    return _fitted(names_of(examples), examples, rounds)[0]


def written(trees: Sequence[Tree]) -> str:
    """Trees as JSON, each in a line of its own."""
    return "[\n" + ",\n".join(json.dumps(tree) for tree in trees) + "\n]"


def _fitted(names: Sequence[str], examples: Sequence[Example], rounds: int) -> tuple[list[Tree], dict[str, float]]:
    import lightgbm

    values = values_of(examples, names)
    right, weights = (np.array(some, float) for some in zip(*((e.right, e.weight) for e in examples), strict=True))
    fitted = lightgbm.train(_LIKE, lightgbm.Dataset(values, right, weight=weights), rounds)
    gains = sorted(zip(names, fitted.feature_importance("gain"), strict=True), key=lambda each: -each[1])
    trees = [_tree(each["tree_structure"], names) for each in fitted.dump_model()["tree_info"]]
    return trees, {name: float(gain) for name, gain in gains if gain}


def _tree(node: Mapping[str, Any], names: Sequence[str]) -> Tree:
    if "leaf_value" in node:
        return round(float(node["leaf_value"]), 5)
    branches = (_tree(node[side], names) for side in ("left_child", "right_child"))
    return [names[node["split_feature"]], float(f"{node['threshold']:.6g}"), *branches]
