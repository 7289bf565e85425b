"""In: a test that needs the real weights of `small`. Out: the test, left out aloud where they are not here."""

from collections.abc import Callable
from typing import Any

import pytest

from redraft.models.sized import SMALL

_IS_MISSING = pytest.mark.skipif(not SMALL.path.is_file(), reason=f"the model small is not here: {SMALL.command}")


def needs_small(test: Callable[..., Any]) -> Callable[..., Any]:
    """Marks it `weights` and `slow`."""
    marked: Callable[..., Any] = pytest.mark.weights(pytest.mark.slow(_IS_MISSING(test)))
    return marked
