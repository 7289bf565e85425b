"""In: lines of YAML and those of a file. Out: these lines, with lists as deep below their keys as in the file."""

from collections.abc import Sequence
from itertools import pairwise

from redraft.edit.text.lines import width_of


def with_lists(texts: Sequence[str], file: Sequence[str]) -> list[str]:
    """Lines of YAML, in which lists may stand as deep as their keys or deeper: as deep as those of the file do, where
    all that are shown stand otherwise."""
    wanted, shown = ({width for _, width in _lists(lines)} for lines in (file, texts))
    out = list(texts)
    if len(wanted) != 1 or len(shown) != 1 or wanted == shown:
        return out
    for first, width in _lists(texts):
        depth, more = width_of(texts[first]), max(wanted) - width
        for at in range(first, len(texts)):
            lead = width_of(texts[at])
            if texts[at].strip() and (lead < depth or (lead == depth and not texts[at].lstrip().startswith("- "))):
                break
            out[at] = " " * more + out[at] if more > 0 and out[at].strip() else out[at][-min(more, 0) :]
    return out


def _lists(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where a list begins below its key, and how much deeper."""
    solid = [(at, line) for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    return [
        (at, width_of(line) - len(key) + len(key.lstrip("- ")))
        for (_, key), (at, line) in pairwise(solid)
        if key.endswith(":") and line.lstrip().startswith("- ")
    ]
