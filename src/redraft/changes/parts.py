"""In: nothing. Out: `Part`, what an answer says about one file, and `Piece`, a fenced block with what stands before."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([^`]*)")
_MARKDOWN = ("md", "markdown", "mdx")

IsFile = Callable[[str], bool]


@dataclass(frozen=True)
class Part:
    """What an answer says about one file, whose `path` is as the answer has it.

    `update` is the part of the answer that changes the file, `text` a whole new file. `must_exist` says that a diff
    shows lines of the file, `is_named` that the path cannot be a slip of the tongue.
    """

    path: str
    update: str = ""
    text: str | None = None
    to: str = ""
    is_deleted: bool = False
    must_exist: bool = False
    is_named: bool = True


@dataclass(frozen=True)
class Piece:
    """A fenced block: what follows the opening ticks, its lines, and the lines since the block before."""

    info: str
    lines: Sequence[str]
    before: Sequence[str]

    @property
    def language(self) -> str:
        word = re.split(r"[\s:{,=]", self.info.strip(), maxsplit=1)[0].lower()
        return "" if "." in word or "/" in word else word


def pieces(lines: Sequence[str]) -> tuple[list[Piece], Sequence[str]]:
    """The fenced blocks of an answer, and what follows the last one."""
    found: list[Piece] = []
    last = 0
    for start, end, info in _spans(lines):
        indent = len(lines[start]) - len(lines[start].lstrip())
        inside = [line[min(indent, len(line) - len(line.lstrip())) :] for line in lines[start + 1 : end]]
        found.append(Piece(info, inside, lines[last:start]))
        last = end + 1
    return found, lines[last:]


def _spans(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The lines of the ticks that open and close each block; a block in Markdown may hold others."""
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        if opening is None:
            at += 1
            continue
        end = _end(lines, at, opening)
        yield at, end, opening[2].strip()
        at = end + 1


def _end(lines: Sequence[str], start: int, opening: re.Match[str]) -> int:
    depth = 1
    nests = opening[2].strip().lower().startswith(_MARKDOWN)
    for at in range(start + 1, len(lines)):
        fence = _FENCE.fullmatch(lines[at])
        if fence is None or fence[1][0] != opening[1][0] or len(fence[1]) < len(opening[1]):
            continue
        if fence[2].strip():
            depth += nests
            continue
        depth -= 1
        if depth == 0:
            return at
    return len(lines)
