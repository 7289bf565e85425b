"""In: one line of a sketch, and what the file knows. Out: the line cut around a marker that stands inside it."""

import re
from itertools import islice

from redraft.edit.words.comments import LONGEST, comment_body, only_dots
from redraft.edit.words.known import Known
from redraft.edit.words.markers import is_marker, says_marker

_INLINE = re.compile(
    r"(?P<before>.*?\S)(?P<gap>\s*)(?P<marker>\{/\*.*?\*/\}|/\*.*?\*/|<!--.*?-->|//.*|(?<=\s)\#.*|\.{3}|\u2026)"
    r"(?P<after>\s*(?:[})\]>;,]|</[\w.-]+>|end\b)*\s*(?:(?:#|//|--)\s.*)?)"
)
_REMARK = re.compile(r"(?:^|\s+)(?:#|//|--)\s.*$")
_TAG = re.compile(r"\s*<[\w.:-]+(?:\s[^<>]*)?>")
_CLOSERS = re.compile(r"[)}\]]+;?")
_SHORTEST = 6  # characters beside the dots that tell which line is meant
_EMPTY = re.compile(r"\b(?:empty|nothing|no-?op|ignored?|unused|intentional\w*|todo|not implemented)\b", re.I)
_OPENING = ("{", ":", "=>", "->", "=", ">", "do", "then", "[", "(", "begin")


def split_inline(line: str, known: Known) -> tuple[str, str, str] | None:
    """A line with a marker inside, cut around it: `int size() { /* as before */ }`, `def f(): ...`; else None."""
    text = line.rstrip()
    if len(text) > LONGEST or text.strip() in known.lines or only_dots(text.strip()) or is_marker(text, known):
        return None
    match = _INLINE.fullmatch(text)
    if match is None or not _may_hold(match, known):
        return None
    dots = match["marker"] in ("...", "\u2026") or _is_whole_body(match)
    stands = _replaces(match["before"], match["after"], known) if dots else _says(match["marker"], known)
    return (match["before"], match["marker"], _without_remark(match["after"].strip(), known)) if stands else None


def _without_remark(after: str, known: Known) -> str:
    """What stands behind a marker without a comment that says the same: `...  # unchanged`."""
    remark = _REMARK.search(after)
    return after[: remark.start()].strip() if remark and _says(remark[0].strip(), known) else after


def shortened(line: str, known: Known) -> str:
    """The one line of the file that a line with dots in it abbreviates: `parser.add(name, ...)`; "" where none is."""
    text = line.strip().replace("\u2026", "...")
    pieces = [piece.strip() for piece in text.split("...")]
    if len(pieces) < 2 or len(text) > LONGEST or sum(map(len, pieces)) < _SHORTEST or text in known.lines:
        return ""
    found = list(islice((whole for whole in known.having(max(pieces, key=len)) if _abbreviates(pieces, whole)), 2))
    return found[0] if len(found) == 1 else ""


def _abbreviates(pieces: list[str], whole: str) -> bool:
    """Whether a line begins with the first piece, ends with the last, and has the others in between; the brackets that
    an opening line leaves to be closed are no end."""
    if whole.endswith(_OPENING) and _CLOSERS.fullmatch(pieces[-1]):
        pieces = [*pieces[:-1], ""]
    if len(whole) > LONGEST or not whole.startswith(pieces[0]) or not whole.endswith(pieces[-1]):
        return False
    at, last = len(pieces[0]), len(whole) - len(pieces[-1])
    for piece in pieces[1:-1]:
        at = whole.find(piece, at, last) + len(piece)
        if at < len(piece):
            return False
    return at < last


def _may_hold(match: re.Match[str], known: Known) -> bool:
    """Whether a body, or more of a list, may follow on what stands before a marker."""
    before, marker, after = match["before"], match["marker"], match["after"].strip()
    if before.endswith(_OPENING):
        return True
    if before.endswith(",") and not only_dots(marker):
        body = comment_body(marker) or ""
        return body[:1] in ".\u2026" and body[-1:] in ".\u2026"
    head = before.strip()
    if len(head) >= _SHORTEST and any(line != head and line.startswith(head) for line in known.having(head)):
        return not only_dots(marker)
    return after.startswith("end") and any(map(known.name, re.findall(r"[\w$]+", before)))


def _is_whole_body(match: re.Match[str]) -> bool:
    """Whether a comment is all that stands in a pair of braces, and does not say that it is empty on purpose."""
    braces = match["before"].endswith("{") and match["after"].strip()[:1] == "}"
    return braces and comment_body(match["marker"]) is not None and not _EMPTY.search(match["marker"])


def _says(marker: str, known: Known) -> bool:
    body = comment_body(marker)
    return body is not None and says_marker(body, known)


def _replaces(before: str, after: str, known: Known) -> bool:
    """Whether bare dots stand for a body or what is between tags, not for arguments that are spread."""
    if _TAG.fullmatch(before):
        return after.startswith("</")
    if after.startswith("end"):
        return True
    is_body = before[-1] not in "[(>" or before.endswith(("=>", "->"))
    return is_body and any(map(known.name, re.findall(r"[\w$]+", before)))
