"""In: the lines of a chat answer. Out: the same with its SEARCH/REPLACE blocks as fenced diffs, if it has any.

<<<<<<< SEARCH
old lines
=======
new lines
>>>>>>> REPLACE

Some write ------- SEARCH and +++++++ REPLACE, or ORIGINAL and UPDATED.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from redraft.edit.prompts.fence import fence
from redraft.edit.text.changes import difference

SEARCH = re.compile(r"(\s*)(?:<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL)\b.*")
DIVIDER = re.compile(r"\s*={5,9}\s*")
REPLACE = re.compile(r"\s*(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)\b.*")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,}).*")
_TAG = re.compile(r"\s*</?\w+>\s*")


def as_diffs(lines: list[str]) -> list[str]:
    """A diff for each block, below the line that names its file; all lines as they are where a block has no end."""
    spans = list(_spans(lines))
    if not spans or any(span is None for span in spans):
        return lines
    out: list[str] = []
    for start, divider, end in filter(None, spans):
        indent = len(lines[start]) - len(lines[start].lstrip())
        old, new = (
            [dedented(line, indent) for line in lines[a + 1 : b]] for a, b in ((start, divider), (divider, end))
        )
        diff = ["@@", *(sign + text for sign, text in difference(old, new))]
        ticks = fence(*diff)
        out += [_above(lines, start), f"{ticks}diff", *diff, ticks]
    return out


def _spans(lines: Sequence[str]) -> Iterator[tuple[int, int, int] | None]:
    """Where each block begins, is parted and ends; None for one that is not whole."""
    starts = [at for at, line in enumerate(lines) if SEARCH.fullmatch(line)]
    for start, limit in pairwise([*starts, len(lines)]):
        end = next((at for at in range(start, limit) if REPLACE.fullmatch(lines[at])), None)
        parted = [at for at in range(start, end or start) if DIVIDER.fullmatch(lines[at])]
        yield (start, parted[0], end) if end is not None and len(parted) == 1 else None


def _above(lines: Sequence[str], start: int) -> str:
    """The last line between two blocks that is neither blank nor a fence, nor a tag alone."""
    above = list(takewhile(lambda line: not REPLACE.fullmatch(line), reversed(lines[max(0, start - 3) : start])))
    return next((line for line in above if line.strip() and not _FENCE.match(line) and not _TAG.fullmatch(line)), "")


def dedented(line: str, indent: int) -> str:
    return line[indent:] if not line[:indent].strip() else line
