"""In: the lines of an answer at a SEARCH mark. Out: its block, in the spellings of Aider, Cline and Roo.

<<<<<<< SEARCH
:start_line:12
-------
old lines
=======
new lines
>>>>>>> REPLACE
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.dots import parted, text_of
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, Replacement, cut_off, refused
from redraft.edit.text.changes import split_lines

START = re.compile(r"(\s*)(?:<{3,10} ?(?:SEARCH|ORIGINAL|OLD|FIND|BEFORE)>?\b.*|-{3,10} ?SEARCH>?\s*)", re.IGNORECASE)
END = re.compile(r"\s*(?:>{3,10} ?(?:REPLACE|UPDATED?|NEW|AFTER)\b.*|\+{3,10} ?REPLACE>?\s*)", re.IGNORECASE)
DIVIDER = re.compile(r"\s*={5,9}\s*")
MALFORMED, HEADED, GLUED = "another divider", "header in both texts", "dashes in front of the first line"
_USUAL = "======="
_OTHERWISE = re.compile(r"\s*(?:={3,10}|-{5,9} ?={5,9})\s*")
_DETAIL = re.compile(r"\s*:(start|end)_line: ?(\d+)\s*")
_GLUED = re.compile(r"-{7}([^-\s].*)")
_RULE = re.compile(r"\s*-{5,9}\s*")
_ESCAPED = re.compile(r"\\(?=<{5,9}|={5,9}|>{5,9}|-{5,9}|\+{5,9}|:(?:start|end)_line:)")


def block(lines: Sequence[str], at: int, page: Page) -> Found | None:
    """Raises RefusedError for a block without its end, or not parted in one way."""
    start = START.fullmatch(lines[at])
    if start is None:
        return None
    is_own = lines[at].strip() in page.bare
    end = _end(lines, at, page, is_own)
    width = len(start[1])
    inside = [line if line[:width].strip() else line[width:] for line in lines[at + 1 : end]]
    if is_own and (page.has_run(lines[at : end + 1]) or not any(map(DIVIDER.fullmatch, inside))):
        return None  # the file shows this very block
    step = _replacement(inside, at, page)
    if is_own and not page.has_run(split_lines(step.old)):
        return None
    return Found(end + 1, tuple(parted(step, page)))


def _replacement(inside: Sequence[str], at: int, page: Page) -> Replacement:
    """What the lines of a block say that begins at a line of the answer."""
    divider = _divider(inside, at, page)
    number, details, old = _details(inside[:divider])
    is_headed = details > 0 and inside[divider + 1 : divider + 1 + details] == inside[:details]
    new = inside[divider + 1 + details * is_headed :]
    slips = {MALFORMED: not DIVIDER.fullmatch(inside[divider]), HEADED: is_headed, GLUED: len(old) + details > divider}
    line = at + 2 + details if details < divider else at + 1
    old, new = _unescaped(old, page), _unescaped(new, page)
    return Replacement(text_of(old), text_of(new), line, number=number, slips=tuple(filter(slips.get, slips)))


def _end(lines: Sequence[str], at: int, page: Page, is_own: bool) -> int:
    """The last line of a block; that of one whose marks the file has, too, may be its first."""
    for here in range(at + 1, len(lines)):
        if END.fullmatch(lines[here]):
            return here
        if not is_own and START.fullmatch(lines[here]) and lines[here].strip() not in page.bare:
            raise refused("block", at + 1, "has no REPLACE mark before the next one begins: add it")
    if is_own:
        return at
    raise cut_off("block", at + 1, "has no REPLACE mark at its end")


def _divider(inside: Sequence[str], at: int, page: Page) -> int:
    """The line between old and new text."""
    found = _matching(DIVIDER, inside) or _matching(_OTHERWISE, inside)
    usual = [here for here in found if inside[here].strip() == _USUAL]
    found = usual if len(usual) == 1 else found
    if not found:
        raise refused("block", at + 1, "has no line ======= between old and new text: add it")
    fitting = found if len(found) == 1 else [here for here in found if _fits(inside, here, page)]
    if len(fitting) != 1:
        which = f"{len(found)} lines ======= (the last is line {at + 2 + found[-1]})"
        raise refused("block", at + 1, f"has {which}, so it cannot be told where the new text begins: leave one")
    return fitting[0]


def _matching(pattern: re.Pattern[str], lines: Sequence[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if pattern.fullmatch(line)]


def _fits(inside: Sequence[str], at: int, page: Page) -> bool:
    """Whether the file has the lines above, and no mark below that it does not have above."""
    old = _details(inside[:at])[2]
    above, below = (set(map(str.strip, filter(DIVIDER.fullmatch, lines))) for lines in (old, inside[at + 1 :]))
    return below <= above and page.has_run(old, str.rstrip)


def _details(inside: Sequence[str]) -> tuple[int | None, int, Sequence[str]]:
    """The line at which the block says that it stands, how many lines say so, and those below."""
    details = [*takewhile(bool, map(_DETAIL.fullmatch, inside))]
    starts = [int(match[2]) for match in details if match and match[1] == "start"]
    number, count = next(reversed(starts), 0) or None, len(details)
    below = inside[count] if 0 < count < len(inside) else ""
    if glued := _GLUED.fullmatch(below):
        return number, count + 1, (glued[1], *inside[count + 1 :])
    count += _RULE.fullmatch(below) is not None
    return number, count, inside[count:]


def _unescaped(lines: Sequence[str], page: Page) -> list[str]:
    """Marks that are the file's own have a backslash in front."""
    return [line[1:] if _ESCAPED.match(line) and line.strip() not in page.bare else line for line in lines]


def unmarked(lines: Sequence[str], at: int, page: Page) -> str:
    """What is wrong with a mark that belongs to no block, "" where nothing is."""
    if lines[at].strip() in page.bare or not END.fullmatch(lines[at]):
        return ""
    what = f"line {at + 1} of the answer ends a block that does not begin, {quoted(lines[at])}"
    return f"{what}: add its SEARCH mark and old text"
