"""In: a file, an answer and the text that was made of them. Out: `Broken`, the first law that the text breaks."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from redraft.edit.answer.answer import Answer
from redraft.laws.account import unaccounted
from redraft.laws.change import Broken, Change
from redraft.laws.dots import abbreviated
from redraft.laws.envelope import enveloped
from redraft.laws.licence import unlicensed
from redraft.laws.marker import empty_marker
from redraft.laws.orders import unfollowed
from redraft.laws.place import elsewhere, outside
from redraft.laws.signs import flattened
from redraft.laws.sound import unsound
from redraft.laws.twice import doubled

LAWS: Mapping[str, Callable[[Change], Broken | None]] = {
    "envelope": enveloped,
    "signs": flattened,
    "licence": unlicensed,
    "marker": empty_marker,
    "dots": abbreviated,
    "account": unaccounted,
    "orders": unfollowed,
    "place": elsewhere,
    "named place": outside,
    "sound": unsound,
    "twice": doubled,
}

_OF_ALL = ("envelope", "dots", "account", "named place", "sound")  # whatever licence each change of a text has
_OF_TEXTS = ("envelope", "sound")  # what needs no answer that was read


@lru_cache(maxsize=32)
def broken(
    original: str, answer: Answer, text: str, path: str = "", instruction: str = "", is_licensed: bool = False
) -> Broken | None:
    """None where the text keeps all laws; of one whose changes are licensed the licences are not asked for again."""
    return _first(Change.of(original, answer, text, path, instruction), _OF_ALL if is_licensed else tuple(LAWS))


def broken_text(original: str, text: str, path: str = "", update: str = "") -> Broken | None:
    """The same of a text that an exact format makes: nothing of its envelope, and as sound as it was."""
    change = replace(Change.of(original, Answer(()), text, path), update=update)
    return _first(change, _OF_TEXTS)


def _first(change: Change, names: Sequence[str]) -> Broken | None:
    found = (LAWS[name](change) for name in names if change.gaps)
    return next((each for each in found if each is not None), None)
