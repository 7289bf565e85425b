"""In: a file, and what a block makes of it. Out: the same without a comment that would stand twice in a row, above a
line that ends with it now, or where it no longer is because the block shows it in another place."""

from collections import Counter
from collections.abc import Iterator, Sequence

from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_comment

_LEAST = 4  # words of a comment that stands nowhere else by chance


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
    doubled += [*moved, *_left_behind(before, after, shown)]
    return tuple(line for at, line in enumerate(after) if at not in doubled)


def _left_behind(before: Sequence[str], after: Sequence[str], shown: Counter[str]) -> Iterator[int]:
    """The comments of the file that a block shows in another place as a whole, and not above the line below them."""
    told = Counter(_said(text) for text in shown.elements() if is_comment(text) and len(text.split()) > _LEAST)
    changes = line_changes(before, after) if told else ()
    new = {n for each in changes for n in range(each.after_start, each.after_end)}
    come = Counter(_said(after[at]) for at in new if is_comment(after[at]))
    copied = {after[at + 1].strip() for at in new if is_comment(after[at]) and at + 1 < len(after)}
    at = 0
    while told and at < len(after):
        end = next((n for n in range(at, len(after)) if not is_comment(after[n])), len(after))
        is_again = all(
            n not in new and come[text] == told[text] == 1 for n in range(at, end) if (text := _said(after[n]))
        )
        below = after[end].strip() if end < len(after) else ""
        if is_again and below and below in shown and below not in copied:
            yield from range(at, end)
        at = end + 1


def _said(text: str) -> str:
    """A comment without the full stop at its end."""
    return text.strip().rstrip(".")


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
