"""In: a file before and after a block. Out: the new lines, each with a single statement under its condition as the file
has it: in braces or without, in a block or behind itself."""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.align.spelling import lead_of

_CONDITION = re.compile(r"(?:if|unless|while|until) .*[^:{;]")
_HELD = 3  # lines of a statement with those that hold it

Lines = tuple[str, ...]


def braced_as(before: Sequence[str], after: Lines) -> Lines:
    """The new lines with the file's own way to hold a single statement, where they have another one."""
    there = {*after}
    for lines, is_file in ((before, True), (after, False)):
        for held, bare in _held(lines):
            old, new = (held, bare) if is_file else (bare, held)
            if new[0] not in there:
                continue
            places = _places(new, after) if not (_places(new, before) or _places(old, after)) else []
            known = _places(old, before) if len(places) == 1 else []
            if len(known) == 1:
                at, first = places[0], known[0]
                after = (*after[:at], *before[first : first + len(old)], *after[at + len(new) :])
    return after


def _held(lines: Sequence[str]) -> Iterator[tuple[Lines, Lines]]:
    """Each statement that two lines hold, with these and without."""
    for last in range(_HELD - 1, len(lines)):
        if lines[last].strip() not in ("}", "end"):
            continue
        head, body, end = lines[last - _HELD + 1 : last + 1]
        if lead_of(head) != lead_of(end) or len(lead_of(body)) <= len(lead_of(end)):
            continue
        if end.strip() == "}" and head.rstrip().endswith("{"):
            yield (head, body, end), (head.rstrip()[:-1].rstrip(), body)
        elif end.strip() == "end" and _CONDITION.fullmatch(head.strip()):
            yield (head, body, end), (f"{lead_of(head)}{body.strip()} {head.strip()}",)


def _places(some: Lines, lines: Sequence[str]) -> list[int]:
    """Where some lines follow each other."""
    return [at for at, line in enumerate(lines) if line == some[0] and tuple(lines[at : at + len(some)]) == some]
