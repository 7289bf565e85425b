"""In: a test that needs the real weights and adapter of `small`. Out: it, left out aloud where they are not here."""

from collections.abc import Callable
from typing import Any

import pytest

from redraft.models.sized import SMALL, adapter_of

_IS_HERE = SMALL.path.is_file() and adapter_of(SMALL) is not None
_IS_MISSING = pytest.mark.skipif(not _IS_HERE, reason="the model small or its adapter is not here: make small")


def needs_small(test: Callable[..., Any]) -> Callable[..., Any]:
    """Marks it `weights` and `slow`."""
    marked: Callable[..., Any] = pytest.mark.weights(pytest.mark.slow(_IS_MISSING(test)))
    return marked
