"""In: a change of a file. Out: signs that the old version of a line still stands beside the new one."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from redraft.edit.features.edit import Edit, alike, most
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_telling, written

_ALIKE = 0.7
_NEAR = 3  # written lines beside a change that may be its old version
_FIRST = 4  # lines at each end of what comes that may be their new version
_FAMILY = 12  # lines of the file around a change among which a line may have likes
_SHORTEST = 8  # characters of a line that is compared
_HEAD = 3  # words and signs that a line begins with
_TOKEN = re.compile(r"\w+|[^\w\s]")
_KEY = re.compile(r"\s*([A-Za-z@$_.#-][^=:'\"\d(]{3,40}?)\s*(?:=(?!=)|:|['\"\d])")


def of_twice(edit: Edit) -> dict[str, float]:
    return {
        "twin": most(sum(_has_twin(edit, each) for each in edit.changes)),
        "edge twice": most(sum(_repeats(edit))),
        "head twice": most(_again(edit, _head)),
        "key twice": most(_again(edit, _key)),
    }


def _has_twin(edit: Edit, change: LineChange) -> bool:
    """Whether a line beside a change is like a new one, and like nothing else of the file there."""
    new = written(edit.come(change))
    new = [line for line in (*new[:_FIRST], *new[-_FIRST:]) if is_telling(line)]
    family = edit.before[max(0, change.start - _FAMILY) : change.end + _FAMILY]
    old = edit.old(change)
    beside = (*islice(edit.above(change), _NEAR), *islice(edit.below(change), _NEAR))
    return any(
        any(alike(line, each) >= _ALIKE for each in new) and _likes(line, family) - _likes(line, old) <= 1  # itself
        for line in beside
        if is_telling(line) and len(line.strip()) >= _SHORTEST
    )


def _likes(line: str, lines: Sequence[str]) -> int:
    return sum(alike(line, each) >= _ALIKE for each in written(lines))


def _repeats(edit: Edit) -> Iterator[bool]:
    """For each end of a change: whether the line that stays beside it is the same as the new one."""
    for each in edit.changes:
        if new := written(edit.come(each)):
            yield is_telling(new[-1]) and next(edit.below(each), "") == new[-1]
            yield is_telling(new[0]) and next(edit.above(each), "") == new[0]


def _again(edit: Edit, part: Callable[[str], str]) -> int:
    """How many new lines begin as one line that stays does, where the file had no other such line."""
    new = {found for line in edit.new if (found := part(line))}
    if not new:
        return 0
    begin = tuple(each.split()[0] for each in new)
    had, kept = (
        Counter(found for line in lines if line.lstrip().startswith(begin) and (found := part(line)) in new)
        for lines in (edit.before, edit.kept)
    )
    return sum(had[each] == 1 == kept[each] for each in new)


def _head(line: str) -> str:
    """What a line begins with, where it has more than that."""
    tokens = list(islice((found[0] for found in _TOKEN.finditer(line)), _HEAD + 1))
    return " ".join(tokens[:_HEAD]) if len(tokens) > _HEAD and any(len(each) > 2 for each in tokens[:_HEAD]) else ""


def _key(line: str) -> str:
    """What a line gives a value to."""
    found = _KEY.match(line)
    return found[1] if found else ""
