"""In: a new file and the one that it replaces, both open. Out: owner, mode, access list and attributes as before."""

import errno
import os
from contextlib import suppress

from redraft.errors import RedraftError

_NEW_MODE = 0o666
# They vouch for the old bytes: a system takes them away from a file that is written.
_OF_OLD_BYTES = frozenset(("security.capability", "security.evm", "security.ima"))
_NONE = (errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)  # no attributes in this file system


def keep(new: int, old: int, name: str) -> None:
    """Raises RedraftError for an attribute that cannot be kept."""
    found = os.fstat(old)
    if hasattr(os, "fchown"):
        with suppress(OSError):
            os.fchown(new, found.st_uid, found.st_gid)
    set_mode(new, found.st_mode & 0o7777)
    if not hasattr(os, "listxattr"):
        return
    wanted, there = _attributes(old), _attributes(new)
    for key in there.keys() - wanted.keys():  # such as the access list that a folder gives to new files
        with suppress(OSError):
            os.removexattr(new, key)
    for key, value in wanted.items():
        if there.get(key) != value:
            try:
                os.setxattr(new, key, value)
            except OSError as error:
                raise RedraftError(f"cannot write {name}: its attribute {key} would be lost") from error


def set_mode(handle: int, mode: int | None = None) -> None:
    """The given permissions, or those of any new file."""
    if mode is None:
        mask = os.umask(0)
        os.umask(mask)
        mode = _NEW_MODE & ~mask
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


def _attributes(handle: int) -> dict[str, bytes]:
    try:
        names = os.listxattr(handle)
    except OSError as error:
        if error.errno in _NONE:
            return {}
        raise
    return {name: os.getxattr(handle, name) for name in names if name not in _OF_OLD_BYTES}
