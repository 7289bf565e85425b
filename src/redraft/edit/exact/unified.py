"""In: the lines of an answer at the beginning of a diff. Out: its hunks, whatever their headers say."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from redraft.edit.exact.dots import text_of
from redraft.edit.exact.hunks import Header, hunk, hunks, is_header
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, RefusedError, SketchError, Step, Whole, of_file

_FILE = re.compile(r"(?:---|\+\+\+) \"?(?:[abiw]/)?([^\t\n\"]+?)\"?\s*(?:\t.*)?")
_GIT = re.compile(r"diff --git \"?a/(.+?)\"? \"?b/(.+?)\"?")
_MORE = re.compile(
    r"index [0-9a-f]+\.\..*|(?:old|new) mode .*|(?:new|deleted) file mode .*|similarity index .*|"
    r"(?:rename|copy) (?:from|to) .*|dissimilarity index .*|Index: .*|={60,}"
)
_AT = re.compile(r"@@(?:\s|$|-\d)")
_NOWHERE = "/dev/null"


def is_start(lines: Sequence[str], at: int) -> bool:
    """Whether a diff begins on a line: with the names of files, or with a hunk."""
    return _begins_file(lines, at) or _is_hunk(lines, at)


def _is_hunk(lines: Sequence[str], at: int) -> bool:
    if not _AT.match(lines[at]):
        return False
    below = next((line for line in lines[at + 1 :] if not line.startswith("@@")), "")
    return below[:1] in ("+", "-", " ", "") and any(line.startswith(("+", "-")) for line in lines[at + 1 : at + 40])


def diff(lines: Sequence[str], at: int, page: Page, fence: int | None) -> Found | None:
    """Up to the end of the fence, or without one to the first line that is none of a diff's."""
    if not is_start(lines, at):
        return None
    end = _end(lines, at, page) if fence is None else fence
    steps: list[Step] = []
    while at < end:
        body = _body(lines, at, end)
        stop = next((here for here in range(max(body, at + 1), end) if _begins_file(lines, here)), end)
        steps += _steps(lines, at, body, stop, page)
        at = stop
    return Found(end, tuple(steps))


def bare_hunk(lines: Sequence[str], at: int, page: Page) -> Found | None:
    """The only hunk of a diff without headers; its lines may as well be a sketch."""
    if not any(line.startswith(("+", "-")) for line in lines):
        return None
    try:
        steps = [*hunk(lines, at, Header(), page)]
    except RefusedError as refused:
        raise SketchError from refused
    return Found(at + len(lines), tuple(replace(step, is_loose=True) for step in steps))


def _steps(lines: Sequence[str], at: int, body: int, stop: int, page: Page) -> Iterator[Step]:
    """What is done to one file; raises SketchError where its lines have no header of a hunk."""
    old, new = _names(lines[at:body])
    if old == _NOWHERE:
        added = text_of(line[1:] for line in lines[body:stop] if line.startswith("+"))
        yield Whole(added, at + 1, new, is_new=True)
    elif new == _NOWHERE:
        yield Whole(None, at + 1, old)
    elif body < stop and not is_header(lines[body]) and any(map(str.strip, lines[body:stop])):
        raise SketchError
    else:
        yield from (of_file(step, new) for step in hunks(lines[body:stop], body, page))


def _begins_file(lines: Sequence[str], at: int) -> bool:
    line, below = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
    is_svn = line.startswith("Index: ") and below.startswith("=====")
    return is_svn or _GIT.fullmatch(line) is not None or (line.startswith("--- ") and below.startswith("+++ "))


def _body(lines: Sequence[str], at: int, end: int) -> int:
    """The first line behind the names of a file."""
    while at < end and _is_about_file(lines[at]):
        at += 1
    return at


def _is_about_file(line: str) -> bool:
    return any(pattern.fullmatch(line) for pattern in (_FILE, _GIT, _MORE))


def _names(lines: Sequence[str]) -> tuple[str, str]:
    """The file before and after, "" where nothing names it."""
    old = new = ""
    for line in lines:
        git, file = _GIT.fullmatch(line), _FILE.fullmatch(line)
        if git:
            old, new = git[1], git[2]
        elif file and line.startswith("---"):
            old = file[1]
        elif file:
            new = file[1]
    return old, new


def _end(lines: Sequence[str], at: int, page: Page) -> int:
    """Outside of a fence a diff ends where a line has no sign and is not the file's."""
    last = at
    for here in range(at, len(lines)):
        line = lines[here]
        is_known = bool(line.strip()) and line.strip() in page.bare
        if is_known or line.startswith(("+", "-", " ", "\\", "\t", "@@")) or _is_about_file(line):
            last = here
        elif line.strip():
            break
    return last + 1
