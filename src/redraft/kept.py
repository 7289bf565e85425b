"""In: how long the texts are that edits are about. Out: what was found for them is dropped before it takes too much.

An edit asks the same of the same lines many times over, and a server's next edit is often about the same file: such
functions remember what they found, for so many texts, however long these are.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from threading import Lock

# Measured: what is kept takes 90 to 150 bytes for each character of a file and its answer. So these are some 256 MB.
_CHARACTERS = 2_000_000
_ROOMS = ("redraft.edit.", "redraft.laws.", "redraft.reading")


class _Passed:
    """Characters since all was dropped, in all threads."""

    def __init__(self) -> None:
        self._lock, self._count = Lock(), 0

    def add(self, characters: int) -> bool:
        """Whether these are enough to drop all."""
        with self._lock:
            self._count += characters
            is_much = self._count > _CHARACTERS
            self._count *= not is_much
        return is_much


_PASSED = _Passed()


@contextmanager
def passing(characters: int) -> Iterator[None]:
    """Within, an edit of so many characters is read; what is kept may be dropped behind it."""
    try:
        yield
    finally:
        if _PASSED.add(characters):
            forget()


def forget() -> None:
    """Drops all that is kept for texts; what is read from the package once stays."""
    for cache in caches():
        cache.cache_clear()


def caches() -> "list[_lru_cache_wrapper[object]]":
    """What remembers more than one thing, and not all."""
    modules = [module for name, module in sys.modules.items() if name.startswith(_ROOMS)]
    found = {id(each): each for module in modules for each in vars(module).values() if _is_cache(each)}
    return [each for each in found.values() if (each.cache_parameters()["maxsize"] or 1) > 1]


def _is_cache(value: object) -> bool:
    return isinstance(value, _lru_cache_wrapper)
