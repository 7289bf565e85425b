"""In: what a file ends in, or a path. Out: a path that says no more than that, and whose file a name is."""

from pathlib import PurePosixPath

_ANY = "*"


def of_kind(ending: str) -> str:
    return f"{_ANY}.{ending}"


def is_kind(path: str) -> bool:
    """Whether a path says no more than what the file ends in."""
    return PurePosixPath(path).stem == _ANY


def is_path_of(name: str, path: str) -> bool:
    """Whether a name is that of the file at a path, with as many of the folders around it as both have; any that ends
    so may be that of a file of which no more is known."""
    if is_kind(path):
        return name.endswith(path.removeprefix(_ANY))
    folders = (PurePosixPath(each.replace("\\", "/")).parts[::-1] for each in (name, path))
    return bool(name and path) and all(one == other for one, other in zip(*folders, strict=False))
