"""In: a change. Out: the first dots, or words in brackets, that stand for what the file says there, or a guess."""

import re
from collections.abc import Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import DOTS_WITHIN
from redraft.laws.change import Broken, Change, likeness

_BRACKETED = re.compile(r"[(\[{,]\s*(?:\.{3}|\u2026)\s*[)\]}]")
_STRING = re.compile(r"(?<=[\"'`])(?:\.{3}|\u2026)(?=[\"'`])")  # a string that is nothing else
_CUT = re.compile(r"(?<=[^:\s]\s)(?:\.{3}|\u2026)$")  # the end of a line, and no body in Python
_OF = r"(?:(?:the|same|existing|current|original|unchanged|loop|rest|of|as|before|whole|old)\s+)"
_WHAT = r"(?:body|code|implementation|contents?|method|function|class|file|logic|lines|rest|before)"
_STAND_IN = re.compile(  # a line of its own that is no code; `<body>` and `{content}` may be
    rf"\[\s*{_OF}*{_WHAT}\s*\]|[<({{]\s*{_OF}+{_WHAT}\s*[>)}}]|[\[<({{]\s*(?:unchanged|omitted|snip)\s*[\]>)}}]",
    re.IGNORECASE,
)
_GUESS = re.compile(  # port: 80  # or whatever you have there
    r"\S\s*(?:#|//|--|/\*)\s.*\b(?:whatever|or similar|something like|your (?:own|actual|real))\b", re.IGNORECASE
)
_ALIKE = 0.5  # of tokens, from which a line that goes is what one with dots stands for
_SHORTEST = 4  # signs in front of the dots that tell which line is meant


def abbreviated(change: Change) -> Broken | None:
    for gap in change.gaps:
        for at in change.come(gap):
            text = change.after[at].strip()
            if _STAND_IN.fullmatch(text) and change.lost(gap):
                message = f"line {at + 1} of the new file, {quoted(text)}, would stand for lines that go"
                return Broken("dots", f"{message}: write them out, or leave them out below a comment with dots")
            if _GUESS.search(text):
                message = f"line {at + 1} of the new file, {quoted(text)}, is a guess"
                return Broken("dots", f"{message}: write what is to stand there")
            line = _stood_for(text, change, gap)
            if line is not None:
                message = f"line {at + 1} of the new file would have dots, {quoted(text)}"
                return Broken("dots", f"{message}, for what line {line + 1} of the file says there: write it out")
    return None


def _stood_for(text: str, change: Change, gap: LineChange) -> int | None:
    """The line of the file that the dots of a text stand for, if they stand for one."""
    line = _resolved(text, change)
    if line is None and _BRACKETED.search(text):
        return _replaced(text, change, change.lost(gap))
    if line is None and _CUT.search(text):
        return _replaced(text, change, [at for at in change.lost(gap) if not DOTS_WITHIN.search(change.before[at])])
    return line


def _resolved(text: str, change: Change) -> int | None:
    """The line of the file that begins and ends as a text does around its dots, or around the first and last ones."""
    spans = sorted(each.span() for dots in (DOTS_WITHIN, _STRING) for each in dots.finditer(text))
    for start, end in (*spans, *([(spans[0][0], spans[-1][1])] if len(spans) > 1 else [])):
        before, behind = text[:start].rstrip(), text[end:].strip()
        if len(before) < _SHORTEST:
            continue
        for at, line in enumerate(map(str.strip, change.before)):
            is_longer = len(line) > len(before) + len(behind) and not DOTS_WITHIN.match(line[len(before) :].lstrip())
            if is_longer and line.startswith(before) and line.endswith(behind):
                return at
    return None


def _replaced(text: str, change: Change, lost: Sequence[int]) -> int | None:
    """The line that goes there which is the most like a text with dots, if any is like it."""
    alike = [(likeness(change.before[at], text), -at) for at in lost]
    best, at = max(alike, default=(0.0, 0))
    return -at if best >= _ALIKE else None
