"""In: boosted decision trees, and features by name. Out: how likely it is what the trees were fitted for.

A tree is a number, or a list: the name of a feature, the most that it may be for the first branch, the two branches.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from pathlib import Path
from typing import Any

import msgspec

Tree = Any  # float | list[Tree], as JSON has it


@cache
def read_trees(path: Path) -> list[Tree]:
    """The trees that a recipe wrote, read once."""
    found: list[Tree] = msgspec.json.decode(path.read_bytes())
    return found


def chance(trees: Sequence[Tree], features: Mapping[str, float]) -> float:
    """The logistic function of the sum of the trees' leaves; a feature without a value is 0."""
    return 1 / (1 + exp(-sum(_leaf(tree, features) for tree in trees)))


def _leaf(tree: Tree, features: Mapping[str, float]) -> float:
    while isinstance(tree, list):
        name, most, low, high = tree
        tree = low if features.get(name, 0.0) <= most else high
    return float(tree)
