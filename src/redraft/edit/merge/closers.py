"""In: a file before and after one block. Out: the new lines without closing ones that close nothing.

A block that shows a construct without its last statements ends it all the same: that end is the file's own, below.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from redraft.edit.text.changes import line_changes

_TAG = r"\{\{?/\w+\}?\}|\{%-?\s*end\w*\s*-?%\}"  # of a template
_CLOSER = re.compile(rf"\s*(?:[)}}\]]+[;,]?|(?:end|fi|done|esac)\b[\s\w$.;,]*|{_TAG})\s*", re.IGNORECASE)
_WORD = re.compile(rf"\s*(?:(?:end|fi|done|esac)\b|{_TAG})", re.IGNORECASE)
_OPENER = re.compile(
    r"\s*(?:def|defp|class|module|if|unless|case|while|until|for|begin|function|local function|loop|select|do)\b"
    r"|\s*(?:\{\{?#\w|\{%-?\s*(?:if|for|block|macro|filter|call|with|autoescape)\b)"
    r"|.*\b(?:do|then|begin|function\s*\([^)]*\))\s*(?:\|[^|]*\|)?\s*$",
    re.IGNORECASE,
)
_PAIRS = ("{}", "()", "[]")


@lru_cache(maxsize=64)
def without_lone_closers(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """The new lines; where more closes than opens, without the closing lines that came with nothing but blank ones."""
    if not _closes_more(before, after):
        return after
    kept: list[str] = []
    at = 0
    for change in line_changes(before, after):
        come = after[change.after_start : change.after_end]
        written = [line for line in come if line.strip()]
        is_lone = change.start == change.end and written and all(map(_CLOSER.fullmatch, written))
        doubled = 0 if is_lone or change.start != change.end else _doubled(come, after[change.after_end :])
        kept += after[at : change.after_start] if is_lone else after[at : change.after_end - doubled]
        at = change.after_end
    kept += after[at:]
    return after if _opens_more(before, kept) else tuple(kept)


def _doubled(come: Sequence[str], below: Sequence[str]) -> int:
    """One, where new lines end with the closing line that stands right below them."""
    return int(bool(below) and come[-1] == below[0] and _CLOSER.fullmatch(come[-1]) is not None)


def _closes_more(before: Sequence[str], after: Sequence[str]) -> bool:
    return any(count < 0 for count in _balance(before, after))


def _opens_more(before: Sequence[str], after: Sequence[str]) -> bool:
    return any(count > 0 for count in _balance(before, after))


def _balance(before: Sequence[str], after: Sequence[str]) -> list[int]:
    """How many more brackets of each kind, and words, lines that come open than close; those that go count against."""
    come, gone = Counter(after), Counter(before)
    lines = [(line, count - gone[line]) for line, count in come.items() if count != gone[line]]
    lines += [(line, -count) for line, count in gone.items() if line not in come]
    found = [sum(count * (line.count(pair[0]) - line.count(pair[1])) for line, count in lines) for pair in _PAIRS]
    words = sum(count * ((_OPENER.match(line) is not None) - (_WORD.match(line) is not None)) for line, count in lines)
    return [*found, words]
