"""In: whether anyone still waits for what an engine computes. Out: an exception before the next forward if not."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CHECK: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


class AbandonedError(Exception):
    """Nobody waits for the result any more: no error that anyone would see."""


@contextmanager
def checked(check: Callable[[], None]) -> Iterator[None]:
    """Within it, every forward of this thread begins with `check`, which raises to stop the work."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


def before_forward() -> None:
    """Raises what the check of this thread raises, if there is one."""
    check = _CHECK.get()
    if check is not None:
        check()
