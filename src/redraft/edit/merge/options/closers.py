"""In: a file before and after one block. Out: the new lines, where each thing ends once.

A block that begins and ends inside of a construct leaves its end to the file. A block that shows a construct without
its last statements ends it all the same: that end is the file's own, below. One that shows a string or the last branch
up to the end means no more of it: what the file has there goes.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from redraft.edit.align.likeness import indent
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
_QUOTES = re.compile(r"\s*(\"\"\"|'''|```|~~~)[,;)]*\s*")
_BRANCH = re.compile(r"\s*(?:}\s*)?(?:else|finally|ensure)\b\s*[{:]?\s*", re.IGNORECASE)
_PAIRS = ("{}", "()", "[]")


@lru_cache(maxsize=64)
def without_lone_closers(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """The new lines; where more closes than opens, without the closing lines that came with nothing but blank ones,
    where more opens, with those of the file further out."""
    after = next(_without_rest(before, after), after)
    if not _closes_more(before, after):
        return after
    kept: list[str] = []
    at = 0
    for change in line_changes(before, after):
        come = after[change.after_start : change.after_end]
        written = [line for line in come if line.strip()]
        is_lone = change.start == change.end and written and all(map(_CLOSER.fullmatch, written))
        doubled = 0 if is_lone or change.start != change.end else _doubled(come, after[change.after_end :])
        kept += after[at : change.after_start]
        if change.start == change.end and kept and come and _is_longer(come[0], kept[-1]):
            kept.pop()
        kept += () if is_lone else come[: len(come) - doubled]
        at = change.after_end
    kept += after[at:]
    return after if _opens_more(before, kept) else tuple(kept)


def with_outer(before: Sequence[str], after: tuple[str, ...]) -> tuple[str, ...]:
    """The new lines with the closing lines of the file further out than what ends in their place, where that leaves
    nothing of their kind open."""
    if not _opens_more(before, after):
        return after
    kept: list[str] = []
    at = 0
    for change in line_changes(before, after):
        kept += after[at : change.after_end]
        width = next((indent(line) or 0 for line in reversed(kept) if line.strip()), 0)
        kept += _closing_outside(before[change.start : change.end], width)
        at = change.after_end
    kept += after[at:]
    balances = zip(_balance(before, after), _balance(before, kept), strict=True)
    return after if any(count for was, count in balances if was != count) else tuple(kept)


def _closing_outside(gone: Sequence[str], width: int) -> list[str]:
    """The closing lines at the end of lines, as far as they are indented less; none where other lines are gone, too."""
    if not all(_CLOSER.fullmatch(line) for line in gone if line.strip()):
        return []
    return [*takewhile(lambda line: line.strip() and (indent(line) or 0) < width, gone[::-1])][::-1]


def _doubled(come: Sequence[str], below: Sequence[str]) -> int:
    """One, where new lines end with the closing line that stands right below them."""
    return int(bool(below) and come[-1] == below[0] and _CLOSER.fullmatch(come[-1]) is not None)


def _is_longer(new: str, old: str) -> bool:
    """Whether a new line right below a closing one is that line and more."""
    return _CLOSER.fullmatch(old) is not None and new != old and new.startswith(old.rstrip())


def _without_rest(before: Sequence[str], after: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The new lines without what follows an end that is shown of the same thing, where there is any."""
    yield from _without_strings(before, after)
    yield from _without_branches(before, after)


def _without_strings(before: Sequence[str], after: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The new lines without the rest of a string, where its last quotes have come and open another one."""
    for change in line_changes(before, after):
        last = after[change.after_end - 1] if change.start == change.end else ""
        quotes = _QUOTES.fullmatch(last)
        if quotes and _count(before, quotes[1]) % 2 == 0 and _count(after, quotes[1]) % 2 == 1:
            end = next((at for at in range(change.after_end, len(after)) if quotes[1] in after[at]), -1)
            if end >= 0 and after[end] == last:
                yield (*after[: change.after_end], *after[end + 1 :])


def _count(lines: Sequence[str], quotes: str) -> int:
    return sum(line.count(quotes) for line in lines)


def _without_branches(before: Sequence[str], after: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The new lines without the second of two last branches of one construct, both up to its end."""
    if not _closes_more(before, after):
        return
    for at, line in enumerate(after[:-1]):
        branch = after[at + 1]
        if _CLOSER.fullmatch(line) and _BRANCH.fullmatch(branch) and branch in _inside(after, at):
            end = at + 1 + len(_inside(after[::-1], len(after) - at - 2)) + 1
            found = (*after[: at + 1], *after[end + 1 :])
            if after[end : end + 1] == (line,) and not (_closes_more(before, found) or _opens_more(before, found)):
                yield found


def _inside(lines: Sequence[str], end: int) -> Sequence[str]:
    """The lines above an end that are deeper or blank, and the branches among them that are not."""
    width, start = indent(lines[end]) or 0, end
    while start and ((indent(lines[start - 1]) or width + 1) > width or _BRANCH.fullmatch(lines[start - 1])):
        start -= 1
    return lines[start:end]


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
