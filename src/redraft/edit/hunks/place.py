"""In: a file's lines and hunks. Out: for each hunk its place in the file, or an error that says why it has none."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from redraft.edit.align.likeness import form, head, indent, nearest, quoted
from redraft.edit.align.spelling import lead_of
from redraft.edit.answer.block import Line
from redraft.edit.hunks.indentation import is_constant, unspaced
from redraft.edit.hunks.parse import Hunk
from redraft.edit.hunks.slips import Fit, Slips, chosen
from redraft.edit.text.changes import standing
from redraft.edit.text.lines import is_telling
from redraft.errors import RedraftError

_NAMED = 2  # lines of a hunk in a message
_LISTED = 5  # places in a message
_MOST = 1000  # places of a hunk, above which the order of hunks is not asked

Key = Callable[[str], str]


class HunkError(RedraftError):
    """A hunk without exactly one place in the file; the message names it and the places that come nearest."""


class Place(Struct, frozen=True):
    """The file's line for each line that is looked up (None: it is not there); `start` is the first of them."""

    lines: Sequence[int | None]
    start: int

    def above(self, hunk: Hunk, count: int) -> int:
        """How many lines of the file stand above what a hunk puts in after `count` of the lines looked up."""
        old = hunk.old
        after = self.lines[count] if count < len(old) else None
        if after is not None and old[count].kind == "removed" and not (count and old[count - 1].kind == "removed"):
            return after
        before = next((place for place in reversed(self.lines[:count]) if place is not None), None)
        if before is not None:
            return before + 1
        return next((place for place in self.lines[count:] if place is not None), self.start)


def places(hunks: Mapping[int, Hunk], lines: Sequence[str]) -> dict[int, Place]:
    """The place of each hunk; raises HunkError for the first that has none, or several with nothing to decide."""
    file = Lookup(lines)
    options = {number: _options(number, hunk, file) for number, hunk in hunks.items()}
    ordered = _in_order(hunks, options)
    settled = _in_order(hunks, {number: _named(hunks[number], found, file) for number, found in options.items()})
    for number, found in options.items():
        if number not in settled or ordered.get(number, settled[number]) != settled[number]:
            what = f"{_called(number, hunks[number])} stands {len(found)} times in the file, at {_listed(found)}"
            raise HunkError(f"{what}; show more lines around it")
        if beside := _stands_beside(hunks[number], settled[number], lines):
            raise HunkError(f"change {number} of the diff is in the file already: its new lines stand at line {beside}")
    return settled


class Lookup:
    """The lines of a file, looked up by several keys."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._keyed: dict[Key, tuple[list[str], dict[str, list[int]]]] = {}

    def find(self, run: Sequence[str], key: Key) -> Iterator[int]:
        """Where lines stand one after the other."""
        if key not in self._keyed:
            keyed = [key(line) for line in self.lines]
            at: dict[str, list[int]] = defaultdict(list)
            for number, text in enumerate(keyed):
                at[text].append(number)
            self._keyed[key] = keyed, at
        return standing([key(text) for text in run], *self._keyed[key])

    @cached_property
    def slips(self) -> Slips:
        return Slips(self.lines)


def least_key(run: Sequence[str]) -> Key:
    """What lines have to differ in from all others to tell a place; indentation alone is too little for brackets."""
    return str if any(map(is_telling, run)) else unspaced


def _options(number: int, hunk: Hunk, file: Lookup) -> list[Place]:
    """All places on the strictest rung that has any."""
    if not hunk.old:
        return [Place((), _start_of_new(number, hunk, file.lines))]
    old = [line.text for line in hunk.old]
    if starts := _strict(old, file) or _loose(number, hunk, old, file):
        return [Place(range(start, start + len(old)), start) for start in starts]
    fits = file.slips.fits(hunk)
    if least_key(old) is unspaced or (fit := chosen(fits)) is None:
        raise HunkError(f"{_called(number, hunk)} is not in the file{_nearest(hunk, fits, file.lines)}")
    return [Place(fit.lines, next(place for place in fit.lines if place is not None))]


def _strict(old: Sequence[str], file: Lookup) -> list[int]:
    starts = list(file.find(old, str)) or list(file.find(old, str.rstrip))
    return list(file.find(old, unspaced)) if starts and least_key(old) is unspaced else starts


def _loose(number: int, hunk: Hunk, old: Sequence[str], file: Lookup) -> list[int]:
    """Equal but for white space; raises HunkError where the result of the hunk is in the file instead."""
    if applied := _applied(hunk, file):
        raise HunkError(
            f"change {number} of the diff is in the file already: what it makes stands at line {applied[0] + 1}"
        )
    if least_key(old) is unspaced:
        return []
    starts = [start for start in file.find(old, str.strip) if is_constant(_leads(old, file.lines, start))]
    return starts or list(file.find(old, unspaced))


def _start_of_new(number: int, hunk: Hunk, lines: Sequence[str]) -> int:
    """Where + lines alone go: into an empty file, behind the header's number, or below the one line it names."""
    if not lines:
        return 0
    if hunk.start is not None and hunk.start <= len(lines):
        return hunk.start
    named = [at for at, line in enumerate(lines) if line.strip() == hunk.hint]
    if hunk.hint and len(named) == 1 and not _is_shut(hunk, lines, named[0]):
        return named[0] + 1
    raise HunkError(f"change {number} of the diff has new lines alone: show a line of the file above or below them")


def _is_shut(hunk: Hunk, lines: Sequence[str], at: int) -> bool:
    """Whether a line opens a body in which new lines are not indented enough to stand."""
    width = indent(lines[at]) or 0
    body = next((found for line in lines[at + 1 :] if (found := indent(line)) is not None), 0)
    new = next((found for text in hunk.new if (found := indent(text)) is not None), 0)
    return body > width >= new


def _leads(old: Sequence[str], lines: Sequence[str], start: int) -> list[tuple[str, str]]:
    return [(lead_of(text), lead_of(lines[at])) for at, text in enumerate(old, start) if text.strip()]


def _applied(hunk: Hunk, file: Lookup) -> list[int]:
    """Where the result of a hunk stands, if it is more than a line or two of context."""
    written = [text for text in hunk.new if is_telling(text)]
    adds = any(line.added and is_telling(line.text) for line in hunk.lines)
    return list(file.find(hunk.new, str.rstrip)) if len(written) > 1 or adds else []


def _stands_beside(hunk: Hunk, place: Place, lines: Sequence[str]) -> int:
    """The line at which new lines at an end of a hunk stand in the file already; 0 where they do not."""
    first, last = _new_at_top(hunk.lines), _new_at_top(hunk.lines[::-1])[::-1]
    top, end = place.above(hunk, 0), place.above(hunk, len(hunk.old))
    for run, start in ((first, top - len(first)), (last, end)):
        if any(map(is_telling, run)) and start >= 0 and [*lines[start : start + len(run)]] == run:
            return start + 1
    return 0


def _new_at_top(lines: Sequence[Line]) -> list[str]:
    """The new lines before the first other one; none where that one goes."""
    run = list(takewhile(lambda line: line.added, lines))
    goes = len(run) < len(lines) and lines[len(run)].kind == "removed"
    return [] if goes else [line.text for line in run]


def _named(hunk: Hunk, found: Sequence[Place], file: Lookup) -> list[Place]:
    """The places that the header means: the one at its very number, or the one below the text that it names."""
    if len(found) < 2:
        return list(found)
    by_number = [place for place in found if place.start == hunk.start]
    is_telling_any = any(is_telling(line.text) for line in hunk.old)
    if by_number and (is_telling_any or _is_as_shown(hunk, by_number[0], file.lines)):
        return by_number
    if not is_telling_any:
        return list(found)
    scopes = list(_scopes(hunk.hint, file))
    below = [place for place in found if any(_is_in(hunk, place, scope) for scope in scopes)]
    return below if len(below) == 1 else list(found)


def _is_as_shown(hunk: Hunk, place: Place, lines: Sequence[str]) -> bool:
    shown = [line.text for line in hunk.old]
    return shown == [*lines[place.start : place.start + len(shown)]]


def _is_in(hunk: Hunk, place: Place, scope: range) -> bool:
    return scope.start <= _span(hunk, place)[0] and place.start < scope.stop


def _scopes(hint: str, file: Lookup) -> Iterator[range]:
    """From each line with a text to the next line of its kind that is indented no deeper."""
    if not is_telling(hint):
        return
    exact = list(file.find([hint], unspaced))
    spelled = form(hint)
    for at in exact or [at for at, line in enumerate(file.lines) if spelled in form(line)]:
        width, kind = indent(file.lines[at]) or 0, head(file.lines[at].strip()).kind
        below = range(at + 1, len(file.lines))
        yield range(at, next((end for end in below if _ends(file.lines[end], width, kind)), len(file.lines)))


def _ends(line: str, width: int, kind: str) -> bool:
    found = indent(line)
    return found is not None and found <= width and is_telling(line) and head(line.strip()).kind == kind


def _in_order(hunks: Mapping[int, Hunk], options: Mapping[int, Sequence[Place]]) -> dict[int, Place]:
    """The places of hunks with but one, or but one that puts all hunks in the order of the file."""
    alone = {number: found[0] for number, found in options.items() if len(found) == 1}
    if len(alone) == len(options) or any(len(found) > _MOST for found in options.values()):
        return alone
    spans = [[_span(hunks[number], place) for place in found] for number, found in options.items()]
    first = _earliest(spans)
    last = _earliest([[(-end, -start) for start, end in reversed(found)] for found in reversed(spans)])
    if first is None or last is None:
        return alone
    return {
        number: found[low]
        for (number, found), low, high in zip(options.items(), first, reversed(last), strict=True)
        if low == len(found) - 1 - high
    }


def _earliest(spans: Sequence[Sequence[tuple[int, int]]]) -> list[int] | None:
    """The first of the options for each hunk that begins below the one before; None where there is none."""
    found: list[int] = []
    top: tuple[int, int] | None = None
    for options in spans:
        at = next((at for at, span in enumerate(options) if top is None or (span[0] >= top[1] and span > top)), None)
        if at is None:
            return None
        found.append(at)
        top = options[at]
    return found


def _span(hunk: Hunk, place: Place) -> tuple[int, int]:
    """The lines of the file from the first change of a hunk to its last."""
    counts = [0]
    for line in hunk.lines:
        counts.append(counts[-1] + (not line.added))
    changed = [at for at, line in enumerate(hunk.lines) if line.added or line.kind == "removed"]
    return place.above(hunk, counts[changed[0]]), place.above(hunk, counts[changed[-1] + 1])


def _called(number: int, hunk: Hunk) -> str:
    texts = [line.text for line in hunk.old if line.text.strip()]
    more = ", ..." if len(texts) > _NAMED else ""
    return f"change {number} of the diff ({', '.join(map(quoted, texts[:_NAMED])) or 'blank lines'}{more})"


def _listed(found: Sequence[Place]) -> str:
    numbers = [str(place.start + 1) for place in found[:_LISTED]]
    if len(found) > _LISTED:
        return f"lines {', '.join(numbers)} and {len(found) - _LISTED} more"
    return f"lines {', '.join(numbers[:-1])} and {numbers[-1]}"


def _nearest(hunk: Hunk, fits: Sequence[Fit], lines: Sequence[str]) -> str:
    """The place with the fewest wrong lines, where half of them are right; else the nearest single line."""
    telling = sorted((line.text for line in hunk.old), key=is_telling, reverse=True)
    if not fits or fits[0].right < fits[0].wrong:
        return nearest(telling[0], lines)
    paired = [place for place in fits[0].lines if place is not None]
    said = f"; nearest are lines {paired[0] + 1}-{paired[-1] + 1}"
    for line, place in zip(hunk.old, fits[0].lines, strict=True):
        if place is None and line.text.strip():
            return f"{said}, which lack {quoted(line.text)}"
        if place is not None and unspaced(line.text) != unspaced(lines[place]):
            return f"{said}, where line {place + 1} is {quoted(lines[place])}, not {quoted(line.text)}"
    return said
