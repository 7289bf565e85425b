"""In: the lines of one block and the file. Out: its lines with their roles: code, marker, removed, added.

A diff is told by its headers; lines with signs but no header, also among lazy markers, are told by the file: what is
removed stands in it, what is added does not.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from redraft.edit.answer.block import Line
from redraft.edit.answer.dots import literal
from redraft.edit.answer.fences import DIFF_WORDS
from redraft.edit.text.lines import is_comment, written
from redraft.edit.words import Known, is_marker

_HUNK = re.compile(r"@@(?: .*)?(?:@@.*)?|@@.*@@.*")
_GUTTER = re.compile(r"\s*(\d{1,6})(?:\s?[|:│┃]\s?(.*)|\s?→(.*)|\t(.*)| ([ +-].*)|)")
_BARE_GUTTER = re.compile(r"\s+[|│┃]\s?(.*)")  # of a line without a number among numbered ones
_SIGNED = re.compile(r"([ \t]*)([-+])(?!\2[\w(*$@])(.*)")  # `++count` and `--force` have signs of their own
_ENVELOPE = re.compile(r"\*\*\* (?:(?:Begin|End) Patch|End of File|(?:Update|Add|Delete) File:.*|Move to:.*)")
_COMMENTED_OUT = re.compile(r"\w\([^()]*[\"'=][^()]*\)|\w\s*=\s*\S|;\s*$")
_DOTTED = re.compile(r"\.{3}\s*\S.*\.{3}|\u2026.*\u2026")
_LAZY = re.compile(r"\.{2}|\u2026|[^\x00-\x7f]|\b(?:same|unchanged|existing|rest|before|stay|keep)", re.IGNORECASE)
_NUMBERED_SHARE = 0.8
_STANDING_SHARE = 0.6


class Texts(Struct, frozen=True, dict=True):
    """The lines of a file, as they are and without indentation, and what it declares."""

    lines: Sequence[str]
    known: Known

    def is_marker(self, line: str) -> bool:
        """Whether a line stands for code that is left out; code that is commented out does not."""
        if line.strip() in ("...", "\u2026") or (line.strip() in self.stripped and _DOTTED.search(line)):
            return is_marker(line, Known())  # where it stands in the file, too, the lines around decide what it is
        return is_marker(line, self.known) and (_COMMENTED_OUT.search(line) is None or _LAZY.search(line) is not None)

    @cached_property
    def exact(self) -> frozenset[str]:
        return frozenset(line.rstrip() for line in self.lines)

    @cached_property
    def stripped(self) -> frozenset[str]:
        return frozenset(map(str.strip, self.lines)) - {""}


def with_roles(lines: Sequence[str], info: str, file: Texts) -> list[Line]:
    """The lines of a block without numbers in front and headers of patches, each with its role."""
    lines = _without_gutter(lines, file)
    inside = [line for line in lines if not _ENVELOPE.fullmatch(line)]
    if len(inside) < len(lines) or _is_diff(lines, info):
        return list(_diff_lines(inside, file))
    if unsigned := _undeclared(lines, file):
        return unsigned
    markers = {at for at, text in enumerate(lines) if file.is_marker(text)}
    markers -= literal(lines, markers, file.lines, file.known)
    return [Line(text, "marker" if at in markers else "code") for at, text in enumerate(lines)]


def _without_gutter(lines: Sequence[str], file: Texts) -> Sequence[str]:
    """The lines without line numbers in front, where most have one, mostly rising, and the file has none so."""
    solid = written(lines)
    found = [match for line in solid if (match := _GUTTER.fullmatch(line)) and line.strip() not in file.stripped]
    falls = sum(int(below[1]) < int(above[1]) for above, below in pairwise(found))
    inside = len(found) + len([*filter(_BARE_GUTTER.fullmatch, solid)])
    if len(found) < 2 or inside < _NUMBERED_SHARE * len(solid) or falls > (1 - _NUMBERED_SHARE) * len(found) / 2:
        return lines
    return [_behind_gutter(line) for line in lines]


def _behind_gutter(line: str) -> str:
    if match := _GUTTER.fullmatch(line):
        return next((text for text in match.groups()[1:] if text is not None), "")
    bare = _BARE_GUTTER.fullmatch(line)
    return bare[1] if bare else line


def _is_diff(lines: Sequence[str], info: str) -> bool:
    changed = any(line.startswith(("+", "-")) for line in lines)
    headers = any(map(_HUNK.fullmatch, lines))
    if info in DIFF_WORDS:
        return changed or headers
    columns = sum(line.startswith(("+", "-", " ", "@@", "\\")) or not line for line in lines)
    return headers and changed and columns > 0.8 * len(lines)


def _diff_lines(lines: Sequence[str], file: Texts) -> Iterator[Line]:
    for at, line in enumerate(lines):
        if _HUNK.fullmatch(line):
            yield Line(line, "marker")
        elif not _is_header(lines, at):
            yield _diff_line(line, file)


def _is_header(lines: Sequence[str], at: int) -> bool:
    if lines[at].startswith(("diff --git ", "index ", "\\ No newline", "new file mode", "similarity index")):
        return True
    pairs = pairwise(lines[max(at - 1, 0) : at + 2])
    return any(old.startswith("--- ") and new.startswith("+++ ") for old, new in pairs)


def _diff_line(line: str, file: Texts) -> Line:
    if line.startswith(("-", "+")):
        return _changed(line[0], line[1:])
    return _unchanged(line.removeprefix(" "), file)


def _unchanged(text: str, file: Texts) -> Line:
    """A line without a sign: a marker, or a comment that the file does not have, is a word to the reader."""
    is_aside = file.is_marker(text) or (is_comment(text) and text.strip() not in file.stripped)
    return Line(text, "marker" if is_aside else "code")


def _changed(sign: str, text: str) -> Line:
    return Line(text, "removed") if sign == "-" else Line(text, "code", added=True)


def _undeclared(lines: Sequence[str], file: Texts) -> list[Line]:
    """The lines of a diff that does not say that it is one; none where the file does not bear it out."""
    gone, come = _signed_texts(lines, file)
    if not gone or not _is_there(gone, bool(come), file):
        return []
    shown = [line for at, line in enumerate(lines) if not _is_header(lines, at) or line.strip() in file.stripped]
    if _is_overwritten(gone, file):
        shown = [_with_column(line) for line in shown]
    return [_unsigned(line, file) for line in shown]


def _signed_texts(lines: Sequence[str], file: Texts) -> tuple[list[str], list[str]]:
    """What goes and what comes by the signs of lines that the file does not have."""
    new = [line for line in lines if line.strip() not in file.stripped]
    signed = [(match[2], match[1] + match[3]) for match in map(_SIGNED.fullmatch, new) if match]
    gone, come = ([text for sign, text in signed if sign == own and text.strip()] for own in "-+")
    return gone, come


def _is_there(gone: Sequence[str], is_replaced: bool, file: Texts) -> bool:
    """Whether the file has what goes: most of it, or all where nothing comes for it."""
    standing = sum(text.strip() in file.stripped for text in gone)
    return standing >= (_STANDING_SHARE if is_replaced else 1) * len(gone)


def _is_overwritten(gone: Sequence[str], file: Texts) -> bool:
    """Whether signs stand in the place of a space of the line's own."""
    as_is = sum(text.rstrip() in file.exact for text in gone)
    return sum(f" {text.rstrip()}" in file.exact for text in gone) > as_is


def _with_column(line: str) -> str:
    """A line whose sign has a column of its own."""
    match = _SIGNED.fullmatch(line)
    return f"{match[1]}{match[2]} {match[3]}" if match and match[3].strip() else line


def _unsigned(line: str, file: Texts) -> Line:
    match = _SIGNED.fullmatch(line)
    if match is None or line.strip() in file.stripped:
        return _unchanged(line, file)
    return _changed(match[2], match[1] + match[3])
