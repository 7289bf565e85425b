"""In: a file, an answer, and its new text. Out: whether the one line that differs is all that the answer is about.

Then the line is what the answer is for, and no slip of who wrote it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from redraft.edit.answer.answer import Answer
from redraft.edit.guard.unheard import unheard_odds
from redraft.edit.outline import outline
from redraft.edit.text.changes import line_changes, split_lines
from redraft.edit.text.lines import stripped, words_in

_QUIET = -2.5  # log-odds up to which words hardly bid what the text lacks


def is_sole_line(original: str, answer: Answer, text: str, path: str) -> bool:
    """Whether one line becomes another, each stretch that is shown is the file's, or the one place with that line, and
    the words speak of nothing else.

    Blank lines and indentation are not compared: the text has them of the file.
    """
    old, new = (stripped(split_lines(each)) for each in (original, text))
    changes = line_changes(old, new)
    if len(changes) != 1 or any(block.explicit for block in answer.blocks):
        return False
    (change,) = changes
    if change.end - change.start != 1 or change.after_end - change.after_start != 1:
        return False
    changed, line = change.start, new[change.after_start]
    found = [_shows(old, stretch, changed, line) for stretch in _stretches(answer)]
    return None not in found and True in found and not _speaks_of_more(original, answer, text, path)


def _speaks_of_more(original: str, answer: Answer, text: str, path: str) -> bool:
    """Whether words bid what the text may lack, or name what the file declares and no block shows."""
    declared = {node.name for node in outline(split_lines(original), path).nodes if node.name}
    unshown = declared.difference(*map(words_in, [*answer.code, path]))
    return not unshown.isdisjoint(words_in(answer.prose)) or unheard_odds(answer, original, text) > _QUIET


def _stretches(answer: Answer) -> Iterator[list[str]]:
    """The written lines between markers."""
    for block in answer.blocks:
        for is_marker, lines in groupby(block.lines, key=lambda line: line.kind == "marker"):
            stretch = [] if is_marker else stripped(line.text for line in lines)
            if stretch:
                yield stretch


def _shows(old: Sequence[str], stretch: Sequence[str], changed: int, line: str) -> bool | None:
    """Whether a stretch shows the changed line; None where it shows what is not the file's, or may be elsewhere."""
    places = [(at, _unlike(old, stretch, at)) for at in range(len(old) - len(stretch) + 1)]
    if any(unlike == [] for _, unlike in places):
        return False
    near = [(at, unlike[0]) for at, unlike in places if len(unlike) == 1]
    if len(stretch) < 2 or len(near) != 1:
        return None
    ((at, place),) = near
    return True if at + place == changed and stretch[place] == line else None


def _unlike(old: Sequence[str], stretch: Sequence[str], at: int) -> list[int]:
    """The first two lines of a stretch that are others in the file."""
    found: list[int] = []
    for place, line in enumerate(stretch):
        if old[at + place] != line:
            found.append(place)
            if len(found) == 2:
                break
    return found
