"""In: one line of a sketch, and what the file knows. Out: what a note says that is gone from the file."""

import re
from dataclasses import dataclass

from redraft.edit.words.comments import DOTS, LONGEST, comment_body, is_code
from redraft.edit.words.known import Known

_VERB = r"(?:removed|deleted|dropped|gone|no longer (?:needed|here|exists))"
_COUNT = re.compile(rf"\(?(?:(?P<n>\d+) lines? {_VERB}|{_VERB}:? (?P<m>\d+) lines?)(?: here)?\)?\.?", re.IGNORECASE)
_PURE = re.compile(rf"\(?{_VERB}(?: here)?\)?", re.IGNORECASE)
_AHEAD = re.compile(r"(?:removed|deleted|dropped)\s*(?::|the |old |\s)*(?P<what>.+?)\.?", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?:the |old )*(?P<what>.+?) (?:(?:is|are|was|were|has been|have been|now)\s)*"
    r"(?:removed|deleted|dropped|gone)(?: (?:here|now|entirely))?\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Deletion:
    """What is gone: declared names, or the lines from `first` to `last` of the file, or a `count` of lines here."""

    names: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    count: int | None = None


def deletion(line: str, known: Known) -> Deletion | None:
    """What a comment or bracketed line says is gone: `# fetch_all() is gone`, `# (3 lines removed)`; else None."""
    text = line.strip()
    if not text or len(text) > LONGEST or text in known.lines or is_code(text):
        return None
    body = comment_body(text)
    if body is None:
        body = text[1:-1] if text[0] in "([<" and text[-1] in ")]>" else ""
    if counted := _COUNT.fullmatch(body.strip()):
        return Deletion(count=int(counted["n"] or counted["m"]))
    if _PURE.fullmatch(body.strip()):
        return Deletion()
    said = _AHEAD.fullmatch(body.strip()) or _BEHIND.fullmatch(body.strip())
    return _gone(said["what"], known) if said else None


def _gone(what: str, known: Known) -> Deletion | None:
    if lines := re.fullmatch(rf"(.+?)\s*{DOTS}\s*(.+)", what):
        first, last = _line(lines[1], known), _line(lines[2], known)
        return Deletion(first=first, last=last) if first and last else None
    if line := known.line(what.strip("`")):
        return Deletion(first=line, last=line)
    names = tuple(name for word in re.split(r",|\band\b|\s", what) if (name := known.name(word.strip("`'\""))))
    return Deletion(names=names) if names else None


def _line(text: str, known: Known) -> str:
    text = text.strip("` ")
    if found := known.line(text):
        return found
    begun = [line for line in known.lines if line.startswith(text)] if len(text) > 2 else []
    return begun[0] if len(begun) == 1 else ""
