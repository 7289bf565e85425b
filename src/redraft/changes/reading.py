"""In: a chat answer that names its files. Out: what it says about each of them, in the order in which they come."""

from collections.abc import Iterator, Sequence
from itertools import chain

from redraft.changes import patches
from redraft.changes.naming import commands, operations, title
from redraft.changes.parts import IsFile, Part, Piece, pieces
from redraft.edit.formats.read import as_blocks, without_thoughts
from redraft.edit.prompts.fence import fence
from redraft.errors import RedraftError

_FOR_THE_SHELL = ("bash", "sh", "shell", "zsh", "console", "terminal", "powershell", "ps1", "cmd", "bat")
_NO_CODE = (*_FOR_THE_SHELL, "text", "txt", "plaintext", "output", "log")


def read(answer: str, is_file: IsFile) -> list[Part]:
    """What an answer says about files; a block that names none is about the one before.

    Raises RedraftError where a block names no file and none came before, and where the answer changes nothing.
    """
    lines = as_blocks(without_thoughts(answer.replace("\r\n", "\n").split("\n")))
    found, after = pieces(lines)
    if not found and patches.is_patch(lines):
        return list(patches.parts(lines, is_file))
    said = chain.from_iterable(piece.before for piece in found)
    parts = [*_parts(found, is_file), *operations([*said, *after], is_file)]
    if not parts:
        raise RedraftError("the answer holds no code")
    return parts


def _parts(found: Sequence[Piece], is_file: IsFile) -> Iterator[Part]:
    path, is_named = "", False
    for piece in found:
        own, sure = title(piece, is_file)
        if patches.is_patch(piece.lines):
            yield from patches.parts(piece.lines, is_file, own)
            continue
        if not own and piece.language in _NO_CODE and not path.endswith((".sh", ".bash", ".zsh", ".txt", ".ps1")):
            yield from commands(piece.lines, is_file)
            continue
        path, is_named = (own, sure) if own else (path, is_named)
        if not path and any(line.strip() for line in piece.lines):
            shown = next(filter(str.strip, piece.lines)).strip()
            raise RedraftError(f"a block of code names no file: {shown!r}; write the path above it, or name the FILE")
        if path:
            ticks = fence(*piece.lines)
            update = "\n".join((f"{ticks}{piece.language}", *piece.lines, ticks)) + "\n"
            yield Part(path, update, is_named=is_named)
