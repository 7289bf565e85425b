"""In: the lines of a chat answer. Out: its SEARCH/REPLACE blocks, in the spellings of Aider, Cline, Roo and of git.

<<<<<<< SEARCH
old lines
=======
new lines
>>>>>>> REPLACE
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from redraft.edit.formats.edit import Edit, Pair

_OLD = r"(?:SEARCH|ORIGINAL|OLD|FIND|BEFORE|HEAD|CURRENT)\b.*"
_NEW = r"(?:REPLACE|UPDATED?|NEW|AFTER|SUGGEST\w*|INCOMING|MODIFIED|PROPOSED)\b.*"
START = re.compile(rf"(\s*)(?:<{{5,9}} ?{_OLD}|-{{5,9}} ?SEARCH>?\s*)", re.IGNORECASE)
END = re.compile(rf"\s*(?:>{{5,9}} ?{_NEW}|\+{{5,9}} ?REPLACE>?\s*)", re.IGNORECASE)
DIVIDER = re.compile(r"\s*={5,9}\s*")
_DETAIL = re.compile(r"\s*:(?:start|end)_line: ?(\d+)\s*")
_RULE = re.compile(r"\s*-{5,9}\s*")


def conflicts(lines: Sequence[str], file: Collection[str] = ()) -> list[Edit]:
    """All blocks but those that the file itself has; none where one has no end, or not one divider."""
    found = list(_blocks(lines, file))
    return [edit for edit in found if edit is not None] if None not in found else []


def _blocks(lines: Sequence[str], file: Collection[str]) -> Iterator[Edit | None]:
    starts = [at for at, line in enumerate(lines) if START.fullmatch(line) and line.strip() not in file]
    for start, limit in pairwise([*starts, len(lines)]):
        end = next((at for at in range(start, limit) if END.fullmatch(lines[at])), None)
        parted = [at for at in range(start, end or start) if DIVIDER.fullmatch(lines[at])]
        if end is None or len(parted) != 1:
            yield None
            continue
        indent = len(lines[start]) - len(lines[start].lstrip())
        old = tuple(dedented(line, indent) for line in lines[start + 1 : parted[0]])
        new = tuple(dedented(line, indent) for line in lines[parted[0] + 1 : end])
        yield Edit(start, end + 1, (Pair(_without_details(old), new),))


def _without_details(old: tuple[str, ...]) -> tuple[str, ...]:
    """The lines below those that say where they stand: `:start_line:12`, and a rule."""
    count = 0
    while count < len(old) and _DETAIL.fullmatch(old[count]):
        count += 1
    return old[count + (count < len(old) and _RULE.fullmatch(old[count]) is not None) :] if count else old


def dedented(line: str, indent: int) -> str:
    return line[indent:] if not line[:indent].strip() else line
