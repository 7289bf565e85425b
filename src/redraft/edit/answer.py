"""In: a chat answer that touches several files. Out: for each file that it names, the part of the answer about it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import escape
from itertools import pairwise
from pathlib import Path, PurePosixPath

from redraft.edit.prompts.fence import fence
from redraft.edit.sketch import blocks, fences, path_comment
from redraft.errors import RedraftError

_HEADER = re.compile(r"(?:---|\+\+\+) (?:[ab]/)?([^\t\n]+?)(?:\t.*)?")
_NOWHERE = "/dev/null"
_SKIPPED = frozenset((".git", ".hg", ".venv", "node_modules", "__pycache__"))


@dataclass(frozen=True)
class Part:
    """What an answer says about one file: its fenced blocks, or its part of a diff. `path` is as the answer has it."""

    path: str
    update: str


def parts(answer: str) -> tuple[Part, ...]:
    """The parts of an answer, in the order in which the files are first named.

    A block that names no file is about the one before. Raises RedraftError when there is none before it, and when the
    answer holds no code.
    """
    texts: dict[str, list[str]] = {}
    path = ""
    for title, info, lines in _blocks(answer):
        path = title or path
        if not path:
            raise RedraftError(f"a block of code names no file: {next(filter(str.strip, lines), '').strip()!r}")
        ticks = fence(*lines)
        texts.setdefault(path, []).append("\n".join((f"{ticks}{info}", *lines, ticks)))
    if not texts:
        raise RedraftError("the update holds no code")
    return tuple(Part(path, "\n\n".join(found) + "\n") for path, found in texts.items())


def find(path: str, root: Path) -> Path:
    """The file that an answer means: below `root` at its path, or the only one there whose path ends so.

    A path where nothing is names a file that is to be made. Raises RedraftError for a path out of `root`, and when
    several files may be meant.
    """
    named = PurePosixPath(path.replace("\\", "/"))
    try:
        place = root / named
        ends = [place] if place.exists() else sorted(_ending(named, root))
        if len(ends) > 1:
            shown = ", ".join(str(end.relative_to(root)) for end in ends[:3])
            raise RedraftError(f"the update may mean several files by {path}: {shown}")
        found = ends[0] if ends else place
        inside = found.resolve().is_relative_to(root.resolve())
    except (OSError, ValueError) as error:
        raise RedraftError(f"the update names no file that can be: {path}: {error}") from error
    if not inside or ".." in named.parts or _SKIPPED & set(named.parts):
        raise RedraftError(f"the update names a file outside of {root}: {path}")
    return found


def is_named(path: str, answer: str) -> bool:
    """Whether an answer names a path as such: in ticks, in a fence, a comment or a diff, or on a line of its own."""
    name = re.escape(path)
    alone = rf"^\W*(?:file ?(?:name|path)?:? *)?{name}:?\W*$"
    ways = (alone, rf"`{name}`", rf"\*\*{name}\*\*", rf"^(?:```|~~~).*{name}", rf"^(?:---|\+\+\+) (?:[ab]/)?{name}")
    return any(re.search(way, answer, re.MULTILINE | re.IGNORECASE) for way in ways)


def is_whole(part: Part) -> bool:
    """Whether a part can be a file that is new: code without markers, and without lines that a diff takes away."""
    found = blocks(part.update, part.path)
    return len(found) == 1 and all(line.kind == "code" for line in found[0].lines if not line.text.startswith("@@"))


def _ending(path: PurePosixPath, root: Path) -> Iterator[Path]:
    for found in root.rglob(escape(path.name)):
        inner = found.relative_to(root)
        if inner.parts[-len(path.parts) :] == path.parts and not _SKIPPED & set(inner.parts) and found.is_file():
            yield found


def _blocks(answer: str) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Path, language and lines of each block; a diff of several files is one block for each."""
    found = fences(answer)
    if not found:
        yield from _diffs("", "diff", answer.replace("\r\n", "\n").split("\n"))
    for block in found:
        if any(map(_is_start, block.lines)):
            yield from _diffs(block.title, "diff", block.lines)
        else:
            yield block.title or path_comment(block.lines[0] if block.lines else ""), block.info, block.lines


def _is_start(line: str) -> bool:
    return line.startswith("+++ ") and _HEADER.fullmatch(line) is not None


def _diffs(title: str, info: str, lines: Sequence[str]) -> Iterator[tuple[str, str, Sequence[str]]]:
    news = [at for at, line in enumerate(lines) if _is_start(line)]
    starts = [at - 1 if at and lines[at - 1].startswith("--- ") else at for at in news]
    for start, end in pairwise([*starts, len(lines)]):
        names = [header[1] for line in lines[start : start + 2] if (header := _HEADER.fullmatch(line))]
        path = next((name for name in reversed(names) if name != _NOWHERE), title)
        yield path, info, [line for line in lines[start:end] if not line.startswith(("diff --git ", "index "))]
