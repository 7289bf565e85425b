"""In: lines of diffs and of patch envelopes. Out: a `Part` for each file that they change, make, delete or rename."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from redraft.edit.named.parts import IsFile, Part
from redraft.edit.prompts.fence import fence
from redraft.errors import RedraftError

_HEADER = re.compile(r"(?:---|\+\+\+) \"?(?:[abiw]/)?([^\t\n\"]+?)\"?(?:\t.*)?")
_GIT = re.compile(r"diff --git \"?a/(.+?)\"? \"?b/(.+?)\"?")
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@.*")
_SECTION = re.compile(r"\*\*\* (Add|Update|Delete) File: *(.+?)\s*")
_MOVE = re.compile(r"\*\*\* Move to: *(.+?)\s*")
BEGIN, END = "*** Begin Patch", "*** End Patch"
CUT_OFF = f"the answer is cut off: its patch has no {END!r}; ask for the rest of it"
_NOWHERE = "/dev/null"


@dataclass
class _Section:
    """One file of a diff, as it is read."""

    old: str = ""
    new: str = ""
    to: str = ""
    body: list[str] = field(default_factory=list)
    is_binary: bool = False
    is_headed: bool = False


def is_patch(lines: Sequence[str]) -> bool:
    return BEGIN in map(str.strip, lines) or any(_starts(lines, at) for at in range(len(lines)))


def is_cut_off(lines: Sequence[str]) -> bool:
    """Whether a patch envelope has no end."""
    written = [line.strip() for line in lines]
    return BEGIN in written and END not in written


def parts(lines: Sequence[str], is_file: IsFile, title: str = "") -> list[Part]:
    """The files of a patch envelope or a diff; `title` is the one that a diff without a name is about."""
    if BEGIN not in map(str.strip, lines):
        return [_part(section, is_file, title) for section in _sections(lines)]
    if found := [*_envelope(lines)]:
        return found
    raise RedraftError("the patch names no file")


def _envelope(lines: Sequence[str]) -> Iterator[Part]:
    if is_cut_off(lines):
        raise RedraftError(CUT_OFF)
    kind, path, to, body = "", "", "", list[str]()
    for line in lines:
        section, move = _SECTION.fullmatch(line), _MOVE.fullmatch(line)
        if section or line.strip() == END:
            if kind:
                yield _enveloped(kind, path, to, body)
            kind, path, to, body = (section[1], section[2], "", []) if section else ("", "", "", [])
        elif move:
            to = move[1]
        elif kind and not line.startswith("*** "):
            body.append(line)


def _enveloped(kind: str, path: str, to: str, body: Sequence[str]) -> Part:
    if kind == "Delete":
        return Part(path, is_deleted=True)
    if kind == "Add":
        return Part(path, text=_added(path, body))
    return Part(path, _diff(body), to=to, must_exist=True)


def _sections(lines: Sequence[str]) -> list[_Section]:
    found: list[_Section] = []
    for at, line in enumerate(lines):
        is_begun = bool(found) and not found[-1].body and not found[-1].is_headed
        if git := _GIT.fullmatch(line):
            found.append(_Section(git[1], git[2]))
        elif _starts(lines, at) and not is_begun:
            found.append(_Section())
        if found:
            _read(found[-1], line, is_old=_is_new(lines, at + 1))
    return found


def _read(section: _Section, line: str, is_old: bool) -> None:
    """Takes one line of a diff into its section; `is_old`: below it stands the new name of the file."""
    header = _HEADER.fullmatch(line)
    if section.body or line.startswith("@@"):
        section.body.append(line)
    elif header and line.startswith("--- ") and is_old:
        section.old = header[1]
    elif header and line.startswith("+++ "):
        section.new, section.is_headed = header[1], True
    elif line.startswith("rename to "):
        section.to = line.removeprefix("rename to ").strip()
    elif line.startswith("deleted file mode"):
        section.new = _NOWHERE
    elif line.startswith("new file mode"):
        section.old = _NOWHERE
    elif line.startswith(("Binary files ", "GIT binary patch")):
        section.is_binary = True


def _part(section: _Section, is_file: IsFile, title: str) -> Part:
    old, new = section.old or section.new, section.new
    if section.is_binary:
        raise RedraftError(f"the diff of {new} is of a binary file")
    if new == _NOWHERE:
        return Part(old or title, text=_gone(section.body), is_deleted=True)
    if old == _NOWHERE:
        return Part(new or title, text=_added(new, section.body))
    path = old if section.to or (is_file(old) and not is_file(new)) else new or title
    if not section.body:
        return Part(path, to=section.to, must_exist=bool(section.to))
    shows = _shows_lines(section.body)
    if not shows and not is_file(path):
        return Part(path, text=_added(path, section.body))
    return Part(path, _diff(section.body), to=section.to, must_exist=shows or bool(section.to))


def _gone(body: Sequence[str]) -> str | None:
    """The text that goes with a file, None where a diff shows none of it."""
    return "".join(f"{line[1:]}\n" for line in body if line.startswith("-")) or None


def _shows_lines(body: Sequence[str]) -> bool:
    """Whether hunks show lines that the file has, or say that there are any."""
    hunks = filter(None, map(_HUNK.fullmatch, body))
    return any(line.startswith((" ", "-")) for line in body) or any(int(hunk[1]) > 0 for hunk in hunks)


def _added(path: str, body: Sequence[str]) -> str:
    """The new file whose lines a diff adds; raises RedraftError where it shows others."""
    lines = [line for line in body if line and not line.startswith(("@@", "\\"))]
    if not all(line.startswith("+") for line in lines):
        raise RedraftError(f"the diff says that {path} is new and shows lines that it had before")
    end = "" if any(line.startswith("\\ No newline") for line in body) else "\n"
    return "\n".join(line[1:] for line in lines) + end if lines else ""


def _diff(body: Sequence[str]) -> str:
    """The hunks as a fenced diff."""
    lines = body if "".join(body[:1]).startswith("@@") else ["@@", *body]
    ticks = fence(*lines)
    return "\n".join((f"{ticks}diff", *lines, ticks)) + "\n"


def _starts(lines: Sequence[str], at: int) -> bool:
    """Whether a file of a diff begins at this line."""
    line = lines[at]
    is_old = line.startswith("--- ") and _is_new(lines, at + 1) and _HEADER.fullmatch(line)
    return bool(is_old or _GIT.fullmatch(line))


def _is_new(lines: Sequence[str], at: int) -> bool:
    return "".join(lines[at : at + 1]).startswith("+++ ")
