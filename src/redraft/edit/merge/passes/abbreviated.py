"""In: a line of a block with dots inside, the lines beside it, and the file. Out: the lines of the file that it means.

`run(a, ...)` stands for the statement that begins and ends so, on however many lines; so does `run( /* as it is */ )`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from redraft.edit.align.likeness import indent
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_comment, is_telling, without_numbers

_DOTS = r"(?:\.{3}|\u2026)"
_GAP = re.compile(
    rf"(?<!\S){_DOTS}\s[^\W\d][\w ,/-]*\s{_DOTS}(?!\S)"  # `a || ... same list ... }`
    r"|(?<!\.)(?<![\w\])])\.{3}(?![\w.])|(?<=[\w\])])\.{3}(?![\w.,)])|\u2026"
    r"|(?<=[(\[{<])\s*/\*[^*]+\*/\s*(?=[)\]}>])"
)
_WORD_AT_END = re.compile(r"(?:end|fi|done)$")  # what closes a construct at the level of its head
_REMARK = re.compile(r"((?:\.{3}|\u2026)[\s)\]};,]*(?:end\b)?)\s*(?:(?:#|//|--|/\*)\s.*|\s\([^()]*\)\s*)$")
_SPACES = re.compile(r"(?<!\w)\s+|\s+(?!\w)")
_CONTINUED = re.compile(r"\s\\(?:\s|$)")
_QUOTES = str.maketrans("'`", '""')
_BRACKETS = ("()", "[]", "{}")
_OPENING = ("{", ":", "(", "[", "do", "then", "|", ">")
_CLOSING = re.compile(r"\s*(?:[)\]}]|end\b|fi\b|done\b|</)")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_VARIABLE = re.compile(r"(?:var|const|val)$")
_SAME = 2  # words and signs with which a line begins that is told in other words
_TELLING = 8  # letters of one
_LONGEST = 80  # lines of what one line abbreviates
_QUOTED = 8  # letters by which a comment with dots may quote one of the file
_BEGUN = 4  # letters that a line with dots has to begin with, at least, to stand for several


class Places(Struct, frozen=True, dict=True):
    """A file, and the lines of it that stand there once, by their text."""

    file: Outline

    @cached_property
    def once(self) -> dict[str, int]:
        found: dict[str, list[int]] = {}
        for at, line in enumerate(self.file.lines):
            found.setdefault(line.strip(), []).append(at)
        return {text: places[0] for text, places in found.items() if text and len(places) == 1}

    @cached_property
    def squeezed(self) -> Sequence[str]:
        return [squeezed(line) for line in self.file.lines]


def squeezed(text: str) -> str:
    """A text with one kind of quotes and no blanks but between words, nor signs that it goes on in the next line."""
    return _SPACES.sub("", _CONTINUED.sub(" ", text.strip())).translate(_QUOTES)


def abbreviated(shown: Sequence[str], at: int, places: Places) -> tuple[str, ...] | None:
    """The lines of the file that one of the lines shown abbreviates; None where it has no dots, or none or several."""
    text = _REMARK.sub(r"\1", shown[at])
    pieces = [squeezed(piece) for piece in _GAP.split(text.strip())]
    if len(pieces) < 2 or not is_telling(pieces[0]):
        return None
    file = places.file
    found = list(_matching(pieces, text, places)) or list(_retold(pieces, places))
    for choose in (_beside, _between):
        if len({file.lines[first:end] for first, end in found}) > 1:
            found = choose(found, shown, at, places)
    if len({file.lines[first:end] for first, end in found}) == 1:
        return with_comments(shown, at, file, *found[0])
    if sum(map(str.isalnum, pieces[0])) < _BEGUN:
        return None
    begun = [node for node in file.nodes if squeezed(file.lines[node.head]).startswith(pieces[0])]
    return with_comments(shown, at, file, begun[0].head, begun[0].end) if len(begun) == 1 and not found else None


def quoted(text: str, shown: Sequence[str], at: int, places: Places) -> int | None:
    """Which line of the file a comment or heading quotes by its beginning: `## Using the ...`; None where none does."""
    pieces = [squeezed(piece) for piece in _GAP.split(text.strip())]
    if len(pieces) < 2 or sum(map(str.isalnum, pieces[0])) < (_QUOTED if is_comment(text) else _BEGUN):
        return None
    pattern = re.compile(".+?".join(map(re.escape, pieces)), re.DOTALL)
    begun = (number for number, line in enumerate(places.squeezed) if line.startswith(pieces[0]))
    found = [(number, number + 1) for number in begun if pattern.fullmatch(places.squeezed[number])]
    for choose in (_beside, _between):
        if len(found) > 1:
            found = choose(found, shown, at, places)
    return found[0][0] if len(found) == 1 else None


def with_comments(shown: Sequence[str], at: int, file: Outline, first: int, end: int) -> tuple[str, ...]:
    """Lines of the file that one line stands for, with the comments of their own unless the block shows some, too."""
    node = next((node for node in file.nodes if node.head == first), None)
    if node is None:
        return file.lines[first:end]
    lead = {line.strip() for line in file.lines[node.start : node.head]}
    above = shown[at - 1].strip() if at else ""
    return file.lines[first if above in lead or is_comment(above) else node.start : end]


def _matching(pieces: Sequence[str], text: str, places: Places) -> Iterator[tuple[int, int]]:
    """The stretches of lines that begin and end like a line and have its pieces in order.

    Several lines are one statement: they open and close as much as the line, and none but the last stands at its level.
    """
    has_body = not pieces[-1] and len(pieces) > 2 and pieces[-2].endswith(_OPENING)
    pattern = re.compile(".+?".join(map(re.escape, pieces[:-1] if has_body else pieces)), re.DOTALL)
    depths, lines = _depths(text), places.file.lines
    is_clear = sum(map(str.isalnum, pieces[0])) >= _BEGUN
    for first, begun in enumerate(places.squeezed):
        if not begun or not (begun.startswith(pieces[0]) or pieces[0].startswith(begun)):
            continue
        if pattern.fullmatch(begun):
            yield first, first + 1 if pieces[-1] else _end_of_line(lines, first, has_body)
            continue
        width = indent(lines[first]) or 0
        most = _LONGEST if is_clear or begun == pieces[0] else 1
        for end in range(first + 2, min(first + most, len(lines)) + 1):
            is_level = lines[end - 1].strip() and (indent(lines[end - 1]) or 0) <= width
            if is_level and not _CLOSING.match(lines[end - 1]):
                break
            whole = squeezed(" ".join(lines[first:end]))
            if not (whole.startswith(pieces[0]) or pieces[0].startswith(whole)):
                break
            is_end = bool(is_level) or (bool(lines[end - 1].strip()) and _WORD_AT_END.search(pieces[-1]) is None)
            if is_end and pattern.fullmatch(whole) and _depths(whole) == depths:
                yield first, end if pieces[-1] else max(end, _end_of_line(lines, first, has_body=False))
                break


def _retold(pieces: Sequence[str], places: Places) -> Iterator[tuple[int, int]]:
    """The lines that have all words and signs of a line in their order, more between them, and end alike."""
    shown = [_tokens(piece) for piece in pieces]
    told = [token for part in shown for token in part]
    if sum(len(token) for token in told if token[0].isalnum()) < _TELLING:
        return
    for at, line in enumerate(places.file.lines):
        there = _tokens(line)
        rest = iter(there)
        if (
            there[:_SAME] == told[:_SAME]
            and (not shown[-1] or there[-1:] == told[-1:])
            and all(t in rest for t in told)
        ):
            yield at, at + 1


def _tokens(text: str) -> list[str]:
    """The words and signs of a line in one kind of quotes; what declares a variable is one word."""
    return [_VARIABLE.sub("let", token) for token in _TOKEN.findall(text.translate(_QUOTES))]


def _depths(text: str) -> list[int]:
    return [text.count(pair[0]) - text.count(pair[1]) for pair in _BRACKETS]


def _end_of_line(lines: Sequence[str], first: int, has_body: bool) -> int:
    """Where a line ends that goes on in deeper ones, though it opens nothing, or with its body."""
    width, end = indent(lines[first]) or 0, first + 1
    if has_body or not lines[first].rstrip().endswith(_OPENING):
        while end < len(lines) and (indent(lines[end]) or (0 if lines[end].strip() else width + has_body)) > width:
            end += 1
    while not lines[end - 1].strip():
        end -= 1
    return end


def _beside(found: list[tuple[int, int]], shown: Sequence[str], at: int, places: Places) -> list[tuple[int, int]]:
    """Those beside which the file has what is shown beside the line, or the same of other numbers, if there are any."""
    for key in (str, without_numbers):
        sides = [(key(near), step) for step in (-1, 1) if (near := _written(shown, at, step))]
        kept = [
            (first, end)
            for first, end in found
            if any(
                near == key(_written(places.file.lines, first if step < 0 else end - 1, step)) for near, step in sides
            )
        ]
        if kept:
            return kept
    return found


def _between(found: list[tuple[int, int]], shown: Sequence[str], at: int, places: Places) -> list[tuple[int, int]]:
    """Those between the nearest lines above and below that the file has once; of several the first."""
    above = next((place for text in reversed(shown[:at]) if (place := places.once.get(text.strip())) is not None), -1)
    below = next((place for text in shown[at + 1 :] if (place := places.once.get(text.strip())) is not None), None)
    last = len(places.file.lines) if below is None or below < above else below
    inside = [(first, end) for first, end in found if above < first and end <= last]
    return inside[:1] if above >= 0 else inside


def _written(lines: Sequence[str], at: int, step: int) -> str:
    """The next written line above or below, "" where there is none."""
    at += step
    while 0 <= at < len(lines) and not lines[at].strip():
        at += step
    return lines[at].strip() if 0 <= at < len(lines) else ""
