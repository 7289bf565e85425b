"""In: a block, the words before it, and the file. Out: the lines that the words tell by number, if it is theirs."""

import re
from collections.abc import Sequence

from redraft.edit.answer.block import Block
from redraft.edit.merge.unsaid import words_in
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling

_LINES = r"(?:lines?|ll?\.?|zeilen?|lignes?|l[ií]neas?|linhas?|righ?[ae]|regels?|wiersz\w*|строк[аиу]?|行)"
_TO = r"(?:-|\u2013|\u2014|\u301c|~|to|through|until|bis|à|al?|до|по|到|至|から)"
_RANGE = rf"(\d{{1,6}})(?:\s*{_TO}\s*[lL]?(\d{{1,6}}))?"
_NUMBERED = re.compile(rf"(?<![\w.])(?:{_LINES}\s*[#:]?\s*{_RANGE}|第?\s*{_RANGE}\s*行目?)(?![\w%])", re.IGNORECASE)
_BESIDE = re.compile(
    r"\b(?:after|before|below|above|beneath|behind|under|near|around|between|nach|hinter|vor|unter|über|nahe|après|avant"
    r"|sous|tras|después|antes|debajo|encima|depois|abaixo|acima|dopo|prima|sotto|sopra|после|перед|под|над)\b[\w\s]*$",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\s*(?:之后|之前|后面?|前面?|下面|上面|の(?:後|前|下|上))")
_ALIKE = 0.3  # share of words that old lines and new ones have in common, at least


def numbered_stretch(block: Block, file: Outline, before: Sequence[str]) -> tuple[int, int] | None:
    """The lines, as the file has them now, that the last words before a block tell by their numbers in the file as it
    was `before`; the block is no version of others."""
    span = _told(block.prose, len(before))
    if span is None or block.explicit or block.has_markers:
        return None
    now = _moved(span, before, file.lines)
    if now is None:
        return None
    shown = [line.text for line in block.lines]
    return now if block.info == "suggestion" or _is_theirs(shown, now, file.lines) else None


def _told(prose: str, count: int) -> tuple[int, int] | None:
    last = next((line for line in reversed(prose.split("\n")) if line.strip()), "").replace("*", "").replace("`", "")
    found = [*_NUMBERED.finditer(last)]
    if len(found) != 1 or _BESIDE.search(last[: found[0].start()]) or _BEHIND.match(last, found[0].end()):
        return None
    numbers = [int(number) for number in found[0].groups() if number]
    first, end = numbers[0], numbers[-1]
    return (first - 1, end) if 1 <= first <= end <= count else None


def _moved(span: tuple[int, int], before: Sequence[str], lines: Sequence[str]) -> tuple[int, int] | None:
    """The span in the lines as they are now; None where these differ above as well as below it."""
    start, end = span
    if before[:end] == lines[:end]:
        return span
    by = len(lines) - len(before)
    return (start + by, end + by) if before[start:] == lines[start + by :] and start + by >= 0 else None


def _is_theirs(shown: Sequence[str], span: tuple[int, int], lines: Sequence[str]) -> bool:
    """Whether lines are a version of those in a span: they have words in common, and show no line from around it."""
    old = lines[slice(*span)]
    around = {line.strip() for line in (*lines[: span[0]], *lines[span[1] :])} - {line.strip() for line in old}
    if any(is_telling(line) and line.strip() in around for line in shown):
        return False
    had, has = ({word for line in each for word in words_in(line)} for each in (old, shown))
    return len(had & has) >= _ALIKE * min(len(had), len(has)) and bool(had & has)
