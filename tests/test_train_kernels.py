"""Scores that attention is built with: linear programmes whose solutions prefer what they were asked to prefer."""

import numpy as np
import pytest

from redraft.train.heads import DISTANCES, place_turns, rotary_turn
from redraft.train.kernels import Kernel, Preferences, first_after, nearer, not_before

TURNS = place_turns(2304).tolist()


def scores(kernel: Kernel, frequencies: list[float], differences: range) -> np.ndarray:
    angles = np.outer(differences, frequencies)
    return np.cos(angles) @ kernel.cosine + np.sin(angles) @ kernel.sine


def test_the_nearer_of_two_tokens_wins() -> None:
    frequencies = [rotary_turn(pair) for pair in DISTANCES]
    found = scores(nearer(frequencies, 200, 3, 32_768), frequencies, range(32_768))
    assert (found[:200] - found[1:201] >= 3 - 1e-6).all()
    assert found[210:].max() < found[190]


def test_an_earlier_line_is_told_from_a_later_one() -> None:
    kernel = not_before(TURNS, 160, 1500)
    assert scores(kernel, TURNS, range(1500)).min() >= 160 - 1e-6
    assert scores(kernel, TURNS, range(-1499, 0)).max() <= 1e-6


def test_the_first_line_from_here_on_wins() -> None:
    kernel = first_after(TURNS, 30, 3, 8, 100, 800)
    found = scores(kernel, TURNS, range(800))
    assert found[0] - found[1] >= 30 - 1e-6
    assert (found[1:8] - found[2:9] >= 3 - 1e-6).all()
    assert found[12:].max() <= found[8] - 100 + 1e-6
    assert scores(kernel, TURNS, range(-799, 0)).max() <= found[8] - 100 + 1e-6


def test_what_cannot_be_preferred_is_refused() -> None:
    wanted = Preferences([1.0])
    wanted.at_least(wanted.score([0]), 1)
    wanted.at_least(-wanted.score([0]), 1)
    with pytest.raises(ValueError, match="no coefficients"):
        wanted.solve()
