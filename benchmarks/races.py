"""In: two counts. Out: writes that left the folder, and changes of others that were lost; 1 if there was any.

`python benchmarks/races.py 1800 400`: so many answers are applied to files in a folder that is exchanged for a link out
of it before one of the calls that look at files, and perhaps back some calls later; then so many times fifty files are
replaced while another process writes one.
"""

import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import redraft
from redraft.changes.answer import apply_answer
from redraft.files.read import read
from redraft.files.write import write_all

FILES = 50
OLD, NEW, THEIRS = "def b():\n    return 2\n", "def b():\n    return 3\n", "theirs = 1\n"


def main(swaps: str, writers: str) -> int:
    with tempfile.TemporaryDirectory() as place:
        base = Path(place).resolve()
        os.environ["REDRAFT_STATE"] = str(base / "state")
        swapped, raced = Counter(tried(base, int(swaps))), Counter(race(base, int(writers)))
    print("swapped folders:", *(f"{count} {what}" for what, count in sorted(swapped.items())))
    print("racing writers:", *(f"{count} {what}" for what, count in sorted(raced.items())))
    return int(bool(swapped["OUTSIDE"] or raced["LOST"]))


def tried(base: Path, count: int) -> Iterator[str]:
    root, outside, editor = base / "root", base / "outside", redraft.load(readers="merge")
    (root / "sub").mkdir(parents=True)
    answer = f"sub/a.py\n```python\n{NEW}```\n\nsub/new/deep.py (new file)\n```python\n{NEW}```\n"
    swap, chance, most = Swap(root, outside), random.Random(5), 0
    sys.addaudithook(swap)
    for number in range(-1, count + 1):  # the one before the first tells how many calls there are
        (root / "sub" / "a.py").write_text(OLD)
        shutil.rmtree(outside, ignore_errors=True)
        outside.mkdir()
        (outside / "a.py").write_text(OLD)
        swap.begin(*((chance.randint(1, most), chance.randint(0, 12)) if number > 0 else (0, 0)))
        said = "refused"
        with suppress(redraft.RedraftError):
            said = "written" if apply_answer(root, answer, editor=editor).written else "refused"
        most = swap.calls if number <= 0 else most
        swap.end()
        shutil.rmtree(root / "sub" / "new", ignore_errors=True)
        names = sorted(path.name for path in outside.iterdir())
        if number > 0:
            yield said if names == ["a.py"] and (outside / "a.py").read_text() == OLD else "OUTSIDE"


class Swap:
    """Makes `sub` a link out of the root before a call that looks at files, and a folder again some calls later."""

    def __init__(self, root: Path, outside: Path) -> None:
        self._root, self._outside, self._is_on = root, outside, False
        self.calls = self._at = self._back = 0

    def begin(self, at: int, back: int) -> None:
        self.calls, self._at, self._back, self._is_on = 0, at, at + back if back else 0, True

    def end(self) -> None:
        self._is_on = False
        self._unlink()

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self._is_on or not event.startswith(("open", "os.", "subprocess.")):
            return
        self.calls, self._is_on = self.calls + 1, False
        if self.calls == self._at:
            os.rename(self._root / "sub", self._root / "was")
            os.symlink(self._outside, self._root / "sub")
        elif self.calls == self._back:
            self._unlink()
        self._is_on = True

    def _unlink(self) -> None:
        if (self._root / "was").exists():
            os.unlink(self._root / "sub")
            os.rename(self._root / "was", self._root / "sub")


def race(base: Path, count: int) -> Iterator[str]:
    """Another process writes one of the files after they were read: it is last, or nothing is written."""
    folder, chance, span = base / "many", random.Random(5), 0.0
    folder.mkdir()
    paths = [folder / f"{number}.py" for number in range(FILES)]
    for number in range(count + 1):
        for path in paths:
            path.write_text(OLD)
        changes = [(read(path), NEW) for path in paths]
        path, pause = chance.choice(paths), chance.random() * span
        began = time.perf_counter()
        work = partial(theirs, path, pause, in_place=number % 2 == 1)
        process = forked(work) if number else 0
        said = "written"
        try:
            write_all(changes)
        except redraft.RedraftError:
            said = "refused"
        if not number:  # the first tells how long it takes
            span = time.perf_counter() - began
            continue
        os.waitpid(process, 0)
        rest = {each.read_text() for each in paths if each != path}
        yield said if path.read_text() == THEIRS and rest == {NEW if said == "written" else OLD} else "LOST"
        for left in folder.glob("*.redraft-new"):
            left.unlink()


def theirs(path: Path, pause: float, in_place: bool) -> None:
    time.sleep(pause)
    beside = path if in_place else path.with_suffix(".theirs")
    beside.write_text(THEIRS)
    os.replace(beside, path)


def forked(work: Callable[[], object]) -> int:
    process = os.fork()
    if not process:
        try:
            work()
        finally:
            os._exit(0)
    return process


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
