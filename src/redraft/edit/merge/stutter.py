"""In: a file, and what a block makes of it. Out: the same without a comment that would stand twice in a row, or above a
line that ends with it now."""

from collections import Counter
from collections.abc import Sequence

from redraft.edit.text.lines import is_comment


def without_stutter(before: Sequence[str], after: tuple[str, ...], shown: Counter[str]) -> tuple[str, ...]:
    """A comment that the file has once and the block shows once, at its end, is the one that follows there; one that is
    shown at the end of the line below is that."""
    old, new = Counter(map(str.strip, before)), Counter(map(str.strip, after))
    doubled = [
        at
        for at in range(1, len(after))
        if (text := after[at].strip()) == after[at - 1].strip()
        and is_comment(text)
        and old[text] == shown[text] == 1
        and new[text] == 1 + old[text]
    ]
    moved = [
        at for at in range(len(after) - 1) if _ends(after[at + 1], after[at], old) and shown[after[at].strip()] == 0
    ]
    doubled += moved
    return tuple(line for at, line in enumerate(after) if at not in doubled)


def _ends(line: str, comment: str, old: Counter[str]) -> bool:
    """Whether a new line ends with a comment of the file."""
    text = comment.strip()
    is_comment_of_file = is_comment(comment) and old[text] > 0 and len(text.split()) > 1
    return (
        is_comment_of_file
        and line.strip() != text
        and line.rstrip().endswith(text)
        and not (old[line.strip()] or is_comment(line))
    )
