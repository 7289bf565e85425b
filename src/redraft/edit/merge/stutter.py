"""In: a file, and what a block makes of it. Out: the same without a comment that would stand twice in a row."""

from collections import Counter
from collections.abc import Sequence

from redraft.edit.text.lines import is_comment


def without_stutter(before: Sequence[str], after: tuple[str, ...], shown: Counter[str]) -> tuple[str, ...]:
    """A comment that the file has once and the block shows once, at its end, is the one that follows there."""
    old, new = Counter(map(str.strip, before)), Counter(map(str.strip, after))
    doubled = [
        at
        for at in range(1, len(after))
        if (text := after[at].strip()) == after[at - 1].strip()
        and is_comment(text)
        and old[text] == shown[text] == 1
        and new[text] == 1 + old[text]
    ]
    return tuple(line for at, line in enumerate(after) if at not in doubled)
