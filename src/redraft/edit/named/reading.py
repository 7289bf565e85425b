"""In: a chat answer that names its files. Out: what it says about each of them, in the order in which they come.

Each file gets its blocks with the sentences around them: those above a line that names the next file are still its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from redraft.edit.answer.fences import Fence, fences
from redraft.edit.exact.read import as_sketch, files_of, steps_with_files
from redraft.edit.exact.steps import Replacement, Whole
from redraft.edit.named import patches
from redraft.edit.named.naming import Title, commands, named_in, operations, title
from redraft.edit.named.parts import IsFile, Part
from redraft.edit.prompts.fence import fence
from redraft.edit.text.changes import split_lines
from redraft.edit.text.kind import is_path_of
from redraft.edit.text.newlines import with_newlines
from redraft.edit.text.thoughts import without_thoughts
from redraft.errors import RedraftError

_FOR_THE_SHELL = ("bash", "sh", "shell", "zsh", "console", "terminal", "powershell", "ps1", "cmd", "bat")
_NO_CODE = (*_FOR_THE_SHELL, "text", "txt", "plaintext", "output", "log")


def read(answer: str, is_file: IsFile) -> list[Part]:
    """What an answer says about files; a block that names none is about the one before.

    An answer that names one file in all is about this file, wherever it says so. Raises RedraftError where a block
    names no file and none came before, and where the answer names no file or changes nothing.
    """
    if (files := files_of(answer)) and all(map(is_file, files)):
        return [Part(file, answer, answer) for file in files]
    written = without_thoughts(with_newlines(answer).split("\n"))
    try:
        if parts := _read(written, is_file) or _called(answer, is_file):
            return parts
        raise RedraftError("the answer holds no code, and names no file that is there")
    except RedraftError:
        if (name := _only(written, is_file)) is None:
            raise
        return [Part(name, answer, answer)]


def _called(answer: str, is_file: IsFile) -> list[Part]:
    """The parts of an answer whose calls edit files that are there, or give others as a whole; else none."""
    steps = steps_with_files(answer)
    edited = dict.fromkeys(step.path for step in steps if isinstance(step, Replacement))
    given = {step.path: step.text for step in steps if isinstance(step, Whole)}
    if not all(map(is_file, edited)) or None in given.values():
        return []
    new = ((path, _fenced([*split_lines(text)])) for path, text in given.items() if text is not None)
    return [
        *(Part(path, answer, answer) for path in edited),
        *(Part(path, code, code) for path, code in new if path not in edited),
    ]


def own(answer: str, path: str, original: str = "") -> str:
    """What an answer about several files says about the one at `path`; all of it where it is about this one alone.

    One in exact formats is read whole: they say themselves what is whose.
    """
    if files_of(answer):
        return answer
    answer = as_sketch(answer, original, path)
    if not path:
        return answer
    try:
        found = read(answer, lambda name: is_path_of(name, path))
    except RedraftError:
        return answer
    mine = [part for part in found if is_path_of(part.path, path)]
    is_shared = len(mine) < len(found) and all(part.is_edit for part in mine)
    return together(mine) if mine and is_shared else answer


def together(parts: Iterable[Part]) -> str:
    """The updates of one file as one."""
    return "\n".join(part.update for part in parts if part.update)


def _read(lines: Sequence[str], is_file: IsFile) -> list[Part]:
    """A part for each block, and for each sentence that deletes or renames a file."""
    found = fences(lines, is_intended=True)
    if not found and patches.is_patch(lines):
        return patches.parts(lines, is_file)
    shares = _Shares(is_file)
    for block in found:
        shares.take(block)
    after = lines[found[-1].end + 1 :] if found else lines
    shares.say(after)
    said = chain.from_iterable(block.before for block in found)
    return [*shares.parts, *operations([*said, *after], is_file)]


class _Shares:
    """The parts of the blocks so far; what is said below a block belongs to it, up to the line that names a file."""

    def __init__(self, is_file: IsFile) -> None:
        self.parts: list[Part] = []
        self._is_file, self._path, self._is_named = is_file, "", False
        self._intro: Sequence[str] = ()

    def take(self, block: Fence) -> None:
        about = title(block, self._is_file, takes_sentence=True)
        self.say(block.before[: about.line])
        said, self._intro = [*self._intro, *block.before[about.line :]], ()
        if patches.is_patch(block.lines):
            self._patch(block, about, said)
            return
        is_script = self._path.endswith((".sh", ".bash", ".zsh", ".txt", ".ps1"))
        if not about.path and block.info in _NO_CODE and not is_script:
            self.say(said)
            self.parts += commands(block.lines, self._is_file)
            return
        if about.path:
            self._path, self._is_named = about.path, about.is_sure
        if self._path:
            code = _fenced(block.lines, block.info)
            self.parts.append(Part(self._path, "\n".join((*said, code)), code, is_named=self._is_named))
        elif shown := next(filter(None, map(str.strip, block.lines)), ""):
            raise RedraftError(f"a block of code names no file: {shown!r}; write the path above it, or name the FILE")

    def say(self, lines: Sequence[str]) -> None:
        """Sentences below the last block, or above the first."""
        if not any(map(str.strip, lines)):
            return
        at = next((at for at in reversed(range(len(self.parts))) if self.parts[at].update), None)
        if at is None:
            self._intro = [*self._intro, *lines]
        else:
            self.parts[at] = replace(self.parts[at], update="\n".join((self.parts[at].update, *lines)) + "\n")

    def _patch(self, block: Fence, about: Title, said: Sequence[str]) -> None:
        made = patches.parts(block.lines, self._is_file, about.path)
        first = next((at for at, part in enumerate(made) if part.update), None)
        if first is not None and any(map(str.strip, said)):
            made[first] = replace(made[first], update="\n".join((*said, made[first].update)))
        self.parts += made


def _only(lines: Sequence[str], is_file: IsFile) -> str | None:
    """The file that the words of an answer name where it is the only one, with more or fewer of its folders."""
    found = fences(lines, is_intended=True)
    said = [*chain.from_iterable(block.before for block in found), *lines[found[-1].end + 1 if found else 0 :]]
    names = sorted(named_in(said, is_file), key=len, reverse=True)
    return names[0] if names and all(is_path_of(each, names[0]) for each in names) else None


def _fenced(lines: Sequence[str], info: str = "") -> str:
    ticks = fence(*lines)
    return "\n".join((f"{ticks}{info}", *lines, ticks)) + "\n"
