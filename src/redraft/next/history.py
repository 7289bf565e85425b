"""In: a unified diff. Out: the changes that it tells, hunk by hunk, as prompts for the next edit show them."""

import re
from collections.abc import Iterator

from redraft.errors import RedraftError
from redraft.next.sweep import Change

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_SIDES = {" ": (1, 1), "-": (1, 0), "+": (0, 1), "": (1, 1)}
_FIRST = re.compile(r"^(?:diff |--- |\+\+\+ |@@ |index |Index: |commit |From )", re.MULTILINE)


def changes_of(diff: str) -> tuple[Change, ...]:
    """The hunks in their order; raises RedraftError for text that is no unified diff. Nothing told is no change."""
    if not diff.strip():
        return ()
    if not _FIRST.search(diff):
        raise RedraftError("the history is no unified diff: `git diff` writes one")
    return tuple(_hunks(diff.split("\n")))


def _hunks(lines: list[str]) -> Iterator[Change]:
    path, at = "", 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(("--- ", "+++ ")):
            path = _path(line[4:]) or path
        elif found := _HUNK.match(line):
            before, after, at = _sides(lines, at, *(1 if count is None else int(count) for count in found.groups()))
            yield Change(path or "file", before, after)


def _sides(lines: list[str], at: int, old: int, new: int) -> tuple[str, str, int]:
    """The lines of one hunk on either side, and where it ends; raises RedraftError where lines are missing."""
    before, after = list[str](), list[str]()
    start = at
    while old > 0 or new > 0:
        line = lines[at] if at < len(lines) else "?"
        if not line.startswith("\\"):
            if line[:1] not in _SIDES:
                raise RedraftError(f"line {at + 1} of the history: the hunk of line {start} ends early")
            gone, come = _SIDES[line[:1]]
            before += [line[1:]] * gone
            after += [line[1:]] * come
            old, new = old - gone, new - come
        at += 1
    return _text(before), _text(after), at


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _path(name: str) -> str:
    """The path in a header; "" where it stands for no file."""
    bare = name.partition("\t")[0].strip()
    return "" if bare == "/dev/null" else bare.removeprefix("a/").removeprefix("b/")
