"""In: the words of an answer, and the changes it makes of a file. Out: those beside what it says alone is different."""

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from redraft.edit.align.spelling import lead_of
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_comment, is_telling
from redraft.edit.words.sentences import CODE

_DIFFERS = r"(?:differs?|chang\w+|(?:is|are|was|were) (?:different|new|touched|affected|edited|modified))"
_ONLY = r"(?:only|just)"
_BEGIN = r"(?:^|[.!?:;\n(]\s*|[-*] )"
_ALONE = re.compile(
    rf"{_BEGIN}(?:so |and |here )?{_ONLY}\b(?P<after>[^.:;!?\n\x01]{{0,40}}\x01[^.:;!?\n]{{0,60}}?)\b{_DIFFERS}"
    rf"|{_BEGIN}{_ONLY} {_DIFFERS}\b(?P<behind>[^.:;!?\n\x01]{{0,40}}\x01[^.:;!?\n]{{0,60}})",
    re.IGNORECASE,
)
_MORE = re.compile(r"(?:,|\(|&|\+|\b(?:and|plus|with)\b)\s*(?!\x01)", re.IGNORECASE)
_LINE = re.compile(r"\x01[\s-](?:\w+ )?lines?\b|\blines? (?:with |of )?\x01", re.IGNORECASE)


class _Alone(Struct, frozen=True):
    """What alone is different: lines with one of some pieces of code, or also those below them that stand deeper."""

    pieces: Sequence[re.Pattern[str]]
    is_line: bool

    def holds(self, change: LineChange, before: Sequence[str], after: Sequence[str]) -> bool:
        """Whether a change is of it; lines without words belong to any."""
        lines = (*before[change.start : change.end], *after[change.after_start : change.after_end])
        if not any(map(is_telling, lines)):
            return True
        above = () if self.is_line else _heads(after, change.after_start, lines)
        return any(piece.search(line) for piece in self.pieces for line in (*lines, *above))


def beside(
    before: Sequence[str], after: Sequence[str], found: Collection[LineChange], prose: str
) -> frozenset[LineChange]:
    """The changes that are none of what the words say is all that changes; none where all or no changes are such."""
    alone = _alone(prose)
    meant = {change for change in found if alone is not None and alone.holds(change, before, after)}
    return frozenset(found) - meant if meant else frozenset()


def _alone(prose: str) -> _Alone | None:
    """What the last sentence names that says what alone is different."""
    match = next(reversed([*_ALONE.finditer(CODE.sub("\x01", prose))]), None)
    told = "" if match is None else next(filter(None, match.groups()))
    if match is None or _MORE.search(told):
        return None
    first = match.string.count("\x01", 0, match.start())
    codes = CODE.findall(prose)[first : first + told.count("\x01")]
    return _Alone([*map(_piece, codes)], _LINE.search(told) is not None)


def _piece(code: str) -> re.Pattern[str]:
    """Finds code that begins and ends where words with hyphens do."""
    left, right = (r"(?<![\w$-])" * code[0].isalnum(), r"(?![\w$-])" * code[-1].isalnum())
    return re.compile(left + re.escape(code) + right)


def _heads(after: Sequence[str], start: int, lines: Sequence[str]) -> Iterator[str]:
    """The lines above a change that stand less and less deep."""
    width = min(len(lead_of(line)) for line in lines if line.strip())
    for line in reversed(after[:start]):
        if is_telling(line) and not is_comment(line) and len(lead_of(line)) < width:
            width = len(lead_of(line))
            yield line
