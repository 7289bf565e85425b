"""In: the lines of an answer. Out: the edits that it writes in tags, with the file that a tag or an attribute names.

<edit file="a.py"><old_text>old lines</old_text><new_text>new lines</new_text></edit>
"""

import re
from collections.abc import Collection, Iterator, Sequence
from html import unescape

from msgspec import Struct

from redraft.edit.formats.edit import Edit, Pair, Role, role_of
from redraft.edit.text.changes import split_lines

_GIVEN = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*"
_TAG = re.compile(rf"\s*<(?P<name>[A-Za-z][\w:.-]*)(?P<attributes>{_GIVEN})>(?P<rest>.*)")
_LONE = re.compile(rf"\s*</?[A-Za-z][\w:.-]*{_GIVEN}/?>\s*|\s*(?:<!\[CDATA\[|\]\]>)\s*")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_FILE = re.compile(r"\S*\w(?:\.\w{1,12}|file)")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)


class _Text(Struct, frozen=True):
    """What stands in a tag, on lines `start:end` of the answer."""

    role: Role
    text: str
    start: int
    end: int


def tagged(lines: Sequence[str], file: Collection[str]) -> list[Edit]:
    """Pairs of tags for old and new lines, and tags with the code of a file that another tag names; `file` are the
    lines of the file, stripped, whose tags are no format."""
    found: list[Edit] = []
    path, old = "", None
    for part in _texts(lines, file):
        if part.role == "path":
            path = part.text.strip()
        elif part.role == "new" and old is not None:
            found.append(Edit(old.start, part.end, (_pair(old.text, part.text, file),), path=path))
        elif part.role == "code" and _FILE.fullmatch(path):
            found.append(Edit(part.start, part.end, code=tuple(split_lines(part.text)), path=path))
        old = part if part.role == "old" else None if part.role != "path" else old
    return found


def is_wrapper(line: str, file: Collection[str]) -> bool:
    """Whether a line is a tag alone, which the file does not have."""
    return _LONE.fullmatch(line) is not None and line.strip() not in file


def path_in(line: str) -> str:
    """The file that a line names in a tag or in an attribute of one, "" where it names none."""
    match = _TAG.fullmatch(line)
    if match is None:
        return ""
    name = next((a or b for key, a, b in _ATTRIBUTE.findall(match["attributes"]) if role_of(key) == "path"), "")
    inner = match["rest"].strip().removesuffix(f"</{match['name']}>")
    return name or (inner.strip() if role_of(_called(match)) == "path" and inner != match["rest"].strip() else "")


def _texts(lines: Sequence[str], file: Collection[str]) -> Iterator[_Text]:
    """What the tags hold that have a role, in order."""
    at = 0
    while at < len(lines):
        match = _TAG.fullmatch(lines[at]) if lines[at].strip() not in file else None
        role = role_of(_called(match)) if match else ""
        if match and (path := path_in(lines[at])):
            yield _Text("path", path, at, at + 1)
        end = _closing(lines, at, match["name"]) if match and role not in ("", "path") else None
        if match and end is not None:
            yield _Text(role, _inside(match["rest"], lines[at + 1 : end + 1], match["name"]), at, end + 1)
        at = at + 1 if end is None else end + 1


def _called(match: re.Match[str]) -> str:
    """The name of a tag, or the name that a parameter has as an attribute."""
    named = {key: a or b for key, a, b in _ATTRIBUTE.findall(match["attributes"])}
    return named.get("name", "") if match["name"] in ("parameter", "param", "arg", "argument") else match["name"]


def _closing(lines: Sequence[str], start: int, name: str) -> int | None:
    """The line that the closing tag ends."""
    close = f"</{name}>"
    return next((at for at in range(start, len(lines)) if lines[at].rstrip().endswith(close)), None)


def _inside(rest: str, below: Sequence[str], name: str) -> str:
    text = "\n".join((rest, *below)).rstrip().removesuffix(f"</{name}>")
    if match := _CDATA.fullmatch(text):
        text = match[1]
    first, newline, others = text.partition("\n")
    text = others if newline and not first.strip() else text
    body, newline, last = text.rpartition("\n")
    return body + newline if newline and not last.strip() else text


def _pair(old: str, new: str, file: Collection[str]) -> Pair:
    """The texts of two tags, entities read where the file has the lines only so."""
    pair, meant = Pair.of(old, new), Pair.of(unescape(old), unescape(new))
    if pair == meant or not file:
        return pair
    there, there_meant = (sum(line.strip() in file for line in each.old) for each in (pair, meant))
    return meant if there_meant > there else pair
