"""In: a file, an answer, and a candidate. Out: what tells of each change whether it is meant, and of all together."""

from collections.abc import Callable, Sequence
from math import log1p

from redraft.edit.merge.differences import Differences
from redraft.edit.merge.read import Candidate, Reading
from redraft.edit.merge.retelling import stretches
from redraft.edit.seen.edit import most

Signs = dict[str, float]
_MOST = 60  # changes that are looked at one by one
_LONGEST = 3000  # lines of a file whose changes are
_SURE = 0.99


def signs(original: str, reading: Reading, taken: Candidate, asked: str) -> list[Signs]:
    """What tells of each change of the file, in order, whether it is meant; none where they are too many."""
    before, after = (text.removesuffix("\n").split("\n") for text in (original, taken.text))
    found = stretches(before, after)
    if not found or len(found) > _MOST or len(before) > _LONGEST:
        return []
    seen = Differences(before, after, found, reading.answer, asked, reading.known)
    return [_signs(seen, at) | {"asked": float(bool(asked.strip()))} for at in range(len(found))]


def _signs(seen: Differences, at: int) -> Signs:
    old, new = ([line.strip() for line in lines] for lines in (seen.old(at), seen.new(at)))
    return seen.signs(at) | {
        "changes": float(len(seen.found)),
        "lines go": log1p(len(old)),
        "lines come": log1p(len(new)),
        "alike": seen.likeness(at),
        "new shown": _share(seen.is_shown, new),
        "old shown": _share(seen.is_shown, old),
        "old elsewhere": _share(seen.is_kept, old),
    }


def _share(holds: Callable[[str], bool], lines: Sequence[str]) -> float:
    return sum(map(holds, lines)) / max(1, len(lines))


def doubts(chances: Sequence[float]) -> dict[str, float]:
    """Features of a whole edit, by the chances that its changes are not meant."""
    return {
        "change doubted": max(chances, default=0.0),
        "changes doubted": most(sum(chances)),
        "changes doubted together": -sum(log1p(-min(chance, _SURE)) for chance in chances),
    }
