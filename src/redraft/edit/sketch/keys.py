"""In: a line of code. Out: what it sets, calls or lists: by this two lines may be versions of each other, or kin."""

import re

from redraft.edit.text.lines import without_numbers

_SETS = re.compile(
    r"(?:(?:export|pub|public|private|protected|static|final|const|let|var|val|mut|readonly|local)\s+)*"
    r"[\"']?([A-Za-z_$@.\-][\w.$\-]*(?:\[[^\]]*\])?)[\"']?(?::(?![:=])(?:[^=]*=(?![=>]))?|\s*=(?![=>]))"
)
TOKEN = re.compile(r"\w+|[^\w\s]")
SHORTEST = 3  # tokens of a line that says enough to be another one's old version
_ARM = re.compile(r"([\w\"':.$-]+)\s*=>")
_WORD = re.compile(r"[\w.:$@!-]+|\S")
_RETURN = re.compile(r"return\b")


def sets(text: str) -> str:
    """The name that a line gives a value to, or "return" where it ends a function; "" for any other."""
    text = text.strip()
    if _RETURN.match(text):
        return "return"
    match = _SETS.match(text) or _ARM.match(text)
    return match[1] if match else ""


def is_version(old: str, new: str) -> bool:
    """Whether a line is another one with other numbers, or with more at its end."""
    one, other = (TOKEN.findall(text) for text in (old.strip(), new.strip()))
    is_more = len(one) >= SHORTEST and other[: len(one)] == one
    return one != other and (is_more or is_renumbered(old, new))


def is_renumbered(old: str, new: str) -> bool:
    """Whether a line says something, and is another one with other numbers."""
    return unnumbered(old) == unnumbered(new) != "" and old.strip() != new.strip()


def unnumbered(text: str) -> str:
    """A line with one number for all; "" for one that says too little besides."""
    found = without_numbers(text.strip())
    return found if sum(map(str.isalpha, found)) >= SHORTEST else ""


def kin(text: str) -> str:
    """The first word of a line: lines that begin alike stand together."""
    match = _WORD.match(text.strip())
    return match[0] if match else ""
