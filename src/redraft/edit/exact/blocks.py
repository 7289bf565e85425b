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

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.dots import parted, text_of
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, RefusedError, Replacement

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
    end = _own_end(lines, at) if is_own else _end(lines, at, page)
    if is_own and next(page.runs(lines[at : end + 1]), None) is not None:
        return None  # the file shows this very block
    width = len(start[1])
    inside = [line[width:] if not line[:width].strip() else line for line in lines[at + 1 : end]]
    if is_own and not any(DIVIDER.fullmatch(line) for line in inside):
        return None
    divider = _divider(inside, at, page)
    number, details, old = _details(inside[:divider])
    new, slips = inside[divider + 1 :], [] if DIVIDER.fullmatch(inside[divider]) else [MALFORMED]
    if details and new[:details] == inside[:details]:
        new, slips = new[details:], [*slips, HEADED]
    if len(old) + details > divider:
        slips.append(GLUED)
    old, new = _unescaped(old, page), _unescaped(new, page)
    line = at + 2 + details if details < divider else at + 1
    step = Replacement(text_of(old), text_of(new), line, number=number, slips=tuple(slips))
    if is_own and (not old or next(page.runs(old), None) is None):
        return None
    return Found(end + 1, tuple(parted(step, page)))


def _own_end(lines: Sequence[str], at: int) -> int:
    """The end of a block whose marks the file has, too."""
    return next((here for here in range(at + 1, len(lines)) if END.fullmatch(lines[here])), at)


def _end(lines: Sequence[str], at: int, page: Page) -> int:
    for here in range(at + 1, len(lines)):
        if END.fullmatch(lines[here]):
            return here
        if START.fullmatch(lines[here]) and lines[here].strip() not in page.bare:
            raise RefusedError(
                f"the block at line {at + 1} of the answer has no REPLACE mark before the next one begins: add it"
            )
    raise RefusedError(
        f"the answer is cut off: the block at its line {at + 1} has no REPLACE mark at its end; ask for the rest of it",
        is_cut=True,
    )


def _divider(inside: Sequence[str], at: int, page: Page) -> int:
    """The line between old and new text."""
    found = [here for here, line in enumerate(inside) if DIVIDER.fullmatch(line)]
    found = found or [here for here, line in enumerate(inside) if _OTHERWISE.fullmatch(line)]
    usual = [here for here in found if inside[here].strip() == _USUAL]
    found = usual if len(usual) == 1 else found
    if not found:
        raise RefusedError(
            f"the block at line {at + 1} of the answer has no line ======= between old and new text: add it"
        )
    if len(found) > 1:
        fitting = [here for here in found if _fits(inside, here, page)]
        if len(fitting) != 1:
            raise RefusedError(
                f"the block at line {at + 1} of the answer has {len(found)} lines ======= "
                f"(the last is line {at + 2 + found[-1]}), so it cannot be told where the new text begins: leave one"
            )
        return fitting[0]
    return found[0]


def _fits(inside: Sequence[str], at: int, page: Page) -> bool:
    """Whether the file has the lines above, and no mark below that it does not have above."""
    old = _details(inside[:at])[2]
    has = {line.strip() for line in old if DIVIDER.fullmatch(line)}
    marks = [line.strip() for line in inside[at + 1 :] if DIVIDER.fullmatch(line)]
    stands = next(page.runs(old, str.rstrip), None) is not None
    return stands and all(mark in has for mark in marks)


def _details(inside: Sequence[str]) -> tuple[int | None, int, Sequence[str]]:
    """The line at which the block says that it stands, how many lines say so, and those below."""
    number, count = None, 0
    while count < len(inside) and (match := _DETAIL.fullmatch(inside[count])):
        number = int(match[2]) if match[1] == "start" else number
        count += 1
    if count and count < len(inside) and _RULE.fullmatch(inside[count]):
        count += 1
    elif count and count < len(inside) and (glued := _GLUED.fullmatch(inside[count])):
        return number or None, count + 1, (glued[1], *inside[count + 1 :])
    return number or None, count, inside[count:]


def _unescaped(lines: Sequence[str], page: Page) -> list[str]:
    """Marks that are the file's own have a backslash in front."""
    return [
        line if line.strip() in page.bare else _ESCAPED.sub("", line, count=1) if line.startswith("\\") else line
        for line in lines
    ]


def unmarked(lines: Sequence[str], at: int, page: Page) -> str:
    """What is wrong with a mark that belongs to no block, "" where nothing is."""
    if lines[at].strip() in page.bare or not END.fullmatch(lines[at]):
        return ""
    what = f"line {at + 1} of the answer ends a block that does not begin, {quoted(lines[at])}"
    return f"{what}: add its SEARCH mark and old text"
