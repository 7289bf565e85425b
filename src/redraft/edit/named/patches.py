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
    return any(line.strip() == BEGIN for line in lines) or any(_starts(lines, at) for at in range(len(lines)))


def is_cut_off(lines: Sequence[str]) -> bool:
    """Whether a patch envelope has no end."""
    written = [line.strip() for line in lines]
    return BEGIN in written and END not in written


def parts(lines: Sequence[str], is_file: IsFile, title: str = "") -> Iterator[Part]:
    """The files of a patch envelope or a diff; `title` is the one that a diff without a name is about."""
    if any(line.strip() == BEGIN for line in lines):
        found = [*_envelope(lines)]
        if not found:
            raise RedraftError("the patch names no file")
        yield from found
        return
    for section in _sections(lines):
        yield _part(section, is_file, title)


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


def _sections(lines: Sequence[str]) -> Iterator[_Section]:
    section: _Section | None = None
    for at, line in enumerate(lines):
        git = _GIT.fullmatch(line)
        if git or (_starts(lines, at) and (section is None or section.body or section.is_headed)):
            if section is not None:
                yield section
            section = _Section(git[1], git[2]) if git else _Section()
        if section is not None:
            _read(section, line, at + 1 < len(lines) and lines[at + 1].startswith("+++ "))
    if section is not None:
        yield section


def _read(section: _Section, line: str, before_new: bool) -> None:
    """Takes one line of a diff into its section."""
    header = _HEADER.fullmatch(line)
    if section.body or line.startswith("@@"):
        section.body.append(line)
    elif header and line.startswith("--- ") and before_new:
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
        gone = [line[1:] for line in section.body if line.startswith("-")]
        return Part(old or title, text="\n".join(gone) + "\n" if gone else None, is_deleted=True)
    if old == _NOWHERE:
        return Part(new or title, text=_added(new, section.body))
    path = new if is_file(new) or not is_file(old) else old
    path = old if section.to else path or title
    shows = any(line[:1] in (" ", "-") for line in section.body) or any(
        (hunk := _HUNK.fullmatch(line)) and int(hunk[1]) > 0 for line in section.body
    )
    if not shows and section.body and not is_file(path):
        return Part(path, text=_added(path, section.body))
    return Part(path, _diff(section.body) if section.body else "", to=section.to, must_exist=shows or bool(section.to))


def _added(path: str, body: Sequence[str]) -> str:
    """The new file whose lines a diff adds; raises RedraftError where it shows others."""
    lines = [line for line in body if line and not line.startswith(("@@", "\\"))]
    if any(not line.startswith("+") for line in lines):
        raise RedraftError(f"the diff says that {path} is new and shows lines that it had before")
    end = "" if any(line.startswith("\\ No newline") for line in body) else "\n"
    return "\n".join(line[1:] for line in lines) + end if lines else ""


def _diff(body: Sequence[str]) -> str:
    """The hunks as a fenced diff."""
    lines = [*([] if body and body[0].startswith("@@") else ["@@"]), *body]
    ticks = fence(*lines)
    return "\n".join((f"{ticks}diff", *lines, ticks)) + "\n"


def _starts(lines: Sequence[str], at: int) -> bool:
    """Whether a file of a diff begins at this line."""
    line = lines[at]
    if _GIT.fullmatch(line):
        return True
    follows = at + 1 < len(lines) and lines[at + 1].startswith("+++ ")
    return line.startswith("--- ") and follows and _HEADER.fullmatch(line) is not None
