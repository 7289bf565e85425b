"""In: files, in a folder or as texts. Out: `Tree`: which of them a path in an answer means, and what it holds."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import Protocol

from redraft.errors import RedraftError
from redraft.files import read as files
from redraft.files.place import check_inside, find

_MODE = 0o644


class Tree(Protocol):
    """Files that an answer may name; a place is what `find` makes of such a name."""

    @property
    def where(self) -> str: ...

    def find(self, path: str) -> Path:
        """The file that is meant, which need not be there yet; raises RedraftError for one that cannot be."""
        ...

    def exists(self, place: Path) -> bool: ...

    def is_file(self, place: Path) -> bool: ...

    def is_link(self, place: Path) -> bool: ...

    def key(self, place: Path) -> Hashable:
        """The same for all names of one file."""
        ...

    def name(self, place: Path) -> str: ...

    def read(self, place: Path) -> files.File: ...

    def new(self, place: Path) -> files.File: ...

    def near(self, place: Path) -> str:
        """The file of the same name in a folder whose name is nearly that of a file that is not there; "" for none."""
        ...


@dataclass(frozen=True)
class Folder:
    """The files below `root`; they are read in `encoding`, None for what each declares.

    `opened` are texts that an editor holds, saved or not, by their resolved paths: they stand for what the disk has.
    """

    root: Path
    encoding: str | None = None
    opened: Mapping[Path, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        return f"below {self.root}"

    def find(self, path: str) -> Path:
        return find(path, self.root)

    def exists(self, place: Path) -> bool:
        return place.exists() or place.resolve() in self.opened

    def is_file(self, place: Path) -> bool:
        return place.is_file() or place.resolve() in self.opened

    def is_link(self, place: Path) -> bool:
        return place.is_symlink()

    def key(self, place: Path) -> Hashable:
        try:
            found = place.stat()
        except OSError:
            return place.resolve()
        return found.st_dev, found.st_ino  # a disk may take two spellings for one name

    def name(self, place: Path) -> str:
        return place.relative_to(self.root).as_posix()

    def read(self, place: Path) -> files.File:
        text = self.opened.get(place.resolve())
        if text is not None:
            return replace(self.new(place), text=text, is_new=False)
        return self._inside(files.read(place, self.encoding), place)

    def new(self, place: Path) -> files.File:
        return self._inside(files.new(place, self.encoding), place)

    def near(self, place: Path) -> str:
        parts = place.relative_to(self.root).parts
        above = self.root
        for at, part in enumerate(parts[:-1]):
            if not (above / part).exists():
                beside = [each.name for each in above.iterdir() if each.is_dir()] if above.is_dir() else []
                found = (above.joinpath(name, *parts[at + 1 :]) for name in get_close_matches(part, beside))
                return next((self.name(each) for each in found if each.is_file()), "")
            above /= part
        return ""

    def _inside(self, file: files.File, place: Path) -> files.File:
        """What is edited in the end: links may lead elsewhere by now."""
        check_inside(file.path, self.root, self.name(place))
        return file


@dataclass(frozen=True)
class Texts:
    """Files as texts by their paths; no disk is looked at."""

    texts: Mapping[str, str]
    where: str = "among those that came along"

    def find(self, path: str) -> Path:
        named = PurePosixPath(path.replace("\\", "/"))
        if named.is_absolute() or ".." in named.parts or not named.name:
            raise RedraftError(f"the answer names a path that cannot be: {path}")
        ends = [each for each in self.texts if PurePosixPath(each).parts[-len(named.parts) :] == named.parts]
        if named.as_posix() not in self.texts and len(ends) > 1:
            raise RedraftError(f"the answer may mean several files by {path}: {', '.join(sorted(ends)[:3])}")
        return Path(named if named.as_posix() in self.texts or not ends else ends[0])

    def exists(self, place: Path) -> bool:
        return self.name(place) in self.texts

    def is_file(self, place: Path) -> bool:
        return self.exists(place)

    def is_link(self, place: Path) -> bool:
        return False

    def key(self, place: Path) -> Hashable:
        return place

    def name(self, place: Path) -> str:
        return place.as_posix()

    def read(self, place: Path) -> files.File:
        return files.File(place, self.texts[self.name(place)], "utf-8", b"", _MODE, b"")

    def new(self, place: Path) -> files.File:
        return files.File(place, "", "utf-8", b"", 0, b"", is_new=True)

    def near(self, place: Path) -> str:
        alike = [each for each in self.texts if PurePosixPath(each).name == place.name]
        return next(iter(get_close_matches(place.as_posix(), alike)), "")
