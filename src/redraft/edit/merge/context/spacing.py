"""In: pairs of lines that say the same. Out: those of which the spacing or the separators are meant.

Spacing and separators go with the change beside them.
"""

import re
from collections.abc import Sequence

from redraft.edit.align.spelling import lead_of
from redraft.edit.text.lines import is_separated_otherwise, is_telling

_CALL = re.compile(r"^([^()]*)\((.*)\)$")


def spaced_beside(pairs: Sequence[tuple[int, int]], old: Sequence[str], new: Sequence[str]) -> set[int]:
    """New lines that differ in spacing alone and stand beside a changed line, or beside another such line; those with
    another separator also above lines that only go."""
    goes_on, ends = set(pairs), (len(old), len(new))
    separated = [(a, b) for a, b in pairs if old[a] != new[b] and is_separated_otherwise(old[a], new[b])]
    listed = [(a, b) for a, b in separated if "," in (old[a].rstrip()[-1:], new[b].rstrip()[-1:])]
    meant = {b for a, b in listed if (a + 1, b + 1) not in goes_on and (a + 1, b + 1) != ends}
    follow = {b: a for a, b in (*pairs, ends)}
    meant |= {b for a, b in separated if any(map(is_telling, old[a + 1 : follow.get(b + 1, 0)]))}
    spaced = {b for a, b in pairs if old[a] != new[b] and _is_spacing(old[a], new[b])}
    spaced -= {b for _, b in separated} - meant
    changed, gone = set(range(len(new))) - {b for _, b in pairs}, set(range(len(old))) - {a for a, _ in pairs}
    called = [(a, b) for a, b in pairs if _is_called(old[a], new[b])]
    spaced |= {b for a, b in called if any(a + step in gone and b + step in changed for step in (-1, 1))}
    found: set[int] = set()
    for at in (*range(len(new)), *reversed(range(len(new)))):
        if at in spaced and {at - 1, at + 1} & (changed | found):
            found.add(at)
    return found | meant


def _is_called(one: str, other: str) -> bool:
    """Whether lines differ in the brackets of a call that takes all the rest."""
    bare = [_CALL.sub(r"\1 \2", text) for text in (one, other)]
    return not _is_spacing(one, other) and _is_spacing(*bare)


def _is_spacing(one: str, other: str) -> bool:
    """Whether lines differ in white space or in the separator at the end; tabs and blanks mixed up are a slip."""
    if lead_of(one)[:1].strip("\n") and set(lead_of(other)) - set(lead_of(one)):
        return False
    return "".join(one.split()).rstrip(",;") == "".join(other.split()).rstrip(",;")
