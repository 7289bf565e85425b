"""In: a candidate. Out: by numbers, how doubtful its changes are, and what it leaves; and of what the doubts are."""

from math import log

from redraft.edit.features.edit import most
from redraft.edit.merge.reading import Candidate

_PLACES = ("second", "third")
_CHANCES = {"many": 0.2, "some": 0.1}  # chances from which changes are counted
_SURE = 0.001  # a chance that is as good as none
# Signs of the change that is the likeliest to be none, and of the stretch that is the likeliest to go.
_OF_CHANGE = (
    "alike", "spoken", "asked", "unspoken", "lines go", "lines come", "others spoken", "tokens go", "tokens come",
    "said as it is", "touches", "near", "used beside", "largest", "share", "new name", "known name", "named",
    "come told", "gone told", "is comment", "is import", "is item", "is assignment", "is opens", "only values",
    "imports", "modifiers", "least habit", "habit lost", "shared with others", "comes in others", "old shown",
    "new shown", "slips",
)  # fmt: skip
_OF_STRETCH = (
    "lines", "gap", "code beside", "marker beside", "last of block", "like near", "like all", "words in new",
    "names in new", "insertion", "beside new", "same block", "only use left", "spoken", "new of block", "gone quoted",
)  # fmt: skip


def of_doubts(taken: Candidate) -> dict[str, float]:
    chances = sorted(taken.kept.chances, reverse=True)
    return {
        "perhaps retold": max(chances, default=0.0),
        "perhaps retold in all": most(sum(chances)),
        **{f"perhaps retold: {place}": each for place, each in zip(_PLACES, chances[1:], strict=False)},
        **{f"perhaps retold: {name}": most(sum(each > least for each in chances)) for name, least in _CHANCES.items()},
        "perhaps retold: any": -sum(log(max(_SURE, 1 - each)) for each in chances),
        **{f"retold: {name}": taken.kept.signs.get(name, 0.0) for name in _OF_CHANGE},
        "perhaps outdated": taken.left.chance,
        **{f"outdated: {name}": taken.left.signs.get(name, 0.0) for name in _OF_STRETCH},
        "judged": float(bool(taken.kept.chances)),
    }
