"""In: a file, an answer and the text that was made of them. Out: `Broken`, the first law that the text breaks."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from redraft.edit.answer.answer import Answer
from redraft.laws.account import left_out, unaccounted
from redraft.laws.added import replaced
from redraft.laws.change import Broken, Change
from redraft.laws.comment import uncommented
from redraft.laws.dots import abbreviated
from redraft.laws.envelope import enveloped
from redraft.laws.foreign import foreign
from redraft.laws.imports import imported_twice, moved_import, needed
from redraft.laws.layout import misplaced
from redraft.laws.licence import unlicensed
from redraft.laws.made import invented, passed_over, unwritten
from redraft.laws.marker import empty_marker
from redraft.laws.orders import unfollowed
from redraft.laws.place import beside, elsewhere, likelier, outside
from redraft.laws.scope import outside_of_its_head
from redraft.laws.signs import flattened
from redraft.laws.sound import less_sound
from redraft.laws.steps import without_code
from redraft.laws.twice import doubled, entry_left, left_behind, listed_twice, renamed, repeated

LAWS: Mapping[str, Callable[[Change], Broken | None]] = {
    "envelope": enveloped,
    "signs": flattened,
    "licence": unlicensed,
    "added": replaced,
    "scope": outside_of_its_head,
    "comment": uncommented,
    "marker": empty_marker,
    "dots": abbreviated,
    "account": unaccounted,
    "left out": left_out,
    "foreign": foreign,
    "unwritten": unwritten,
    "passed over": passed_over,
    "invented": invented,
    "orders": unfollowed,
    "steps": without_code,
    "place": elsewhere,
    "named place": outside,
    "told place": beside,
    "likelier place": likelier,
    "sound": less_sound,
    "imports": imported_twice,
    "needed": needed,
    "moved import": moved_import,
    "layout": misplaced,
    "twice": doubled,
    "renamed": renamed,
    "repeated": repeated,
    "left behind": left_behind,
    "listed twice": listed_twice,
    "entry left": entry_left,
}

_KNOWN_TO_READERS = ("licence", "place")  # what who has a licence for each change, or has read the words, knows already
_OF_WRITTEN = ("unwritten", "passed over", "invented")  # what none but a model that writes itself can break
# What a model that has read the words may judge: where something goes, what it replaces, what is no code of this file.
_JUDGED = (
    "licence",
    "added",
    "comment",
    "account",
    "passed over",
    "invented",
    "orders",
    "steps",
    "place",
    "named place",
    "told place",
)
_OF_TEXTS = ("envelope", "sound", "imports")  # what needs no answer that was read


@lru_cache(maxsize=32)
def broken(
    original: str, answer: Answer, text: str, path: str = "", instruction: str = "", is_licensed: bool = False
) -> Broken | None:
    """None where the text keeps all laws; of one whose changes are licensed the licences are not asked for again."""
    but = _KNOWN_TO_READERS if is_licensed else ()
    return _but(Change.of(original, answer, text, path, instruction), *but, *_OF_WRITTEN)


def broken_choice(original: str, answer: Answer, text: str, path: str = "", instruction: str = "") -> Broken | None:
    """The same of a text that a model may choose: it has read what the words allow."""
    return _but(Change.of(original, answer, text, path, instruction), *_KNOWN_TO_READERS, *_OF_WRITTEN)


def broken_writing(original: str, answer: Answer, text: str, path: str = "", instruction: str = "") -> Broken | None:
    """The same of a text that a model wrote, but for what it may judge."""
    return _but(Change.of(original, answer, text, path, instruction), *_JUDGED, "left out")


def broken_judged(original: str, answer: Answer, text: str, path: str = "", instruction: str = "") -> Broken | None:
    """The law that a text breaks which a model that writes may judge; that it leaves a block out says nothing."""
    return _first(Change.of(original, answer, text, path, instruction), _JUDGED)


def broken_text(original: str, text: str, path: str = "", update: str = "") -> Broken | None:
    """The same of a text that an exact format makes: nothing of its envelope, and as sound as it was."""
    change = replace(Change.of(original, Answer(()), text, path), update=update)
    return _first(change, _OF_TEXTS)


def _but(change: Change, *names: str) -> Broken | None:
    return _first(change, [name for name in LAWS if name not in names])


def _first(change: Change, names: Sequence[str]) -> Broken | None:
    found = (LAWS[name](change) for name in names if change.gaps)
    return next((each for each in found if each is not None), None)
