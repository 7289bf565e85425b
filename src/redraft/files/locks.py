"""In: an open file or folder. Out: a lock on it among all redrafts, until it is closed or its process ends."""

from contextlib import suppress

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None


def lock(handle: int) -> None:
    """Waits for it; does nothing where the system or the disk has no locks."""
    if HAS_LOCKS:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)


def try_lock(handle: int) -> bool:
    """False where somebody else has it, or nobody knows."""
    if not HAS_LOCKS:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def unlock(handle: int) -> None:
    if HAS_LOCKS:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)
