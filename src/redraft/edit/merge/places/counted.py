"""In: the words before a block, and the file. Out: the lines that they tell by how many these are.

"the three lines below `x`", "`x` and the two lines under it", "both calls of `x` become", "instead of its only line".
"""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.align.likeness import indent
from redraft.edit.merge.common.lookup import single, stands
from redraft.edit.outline import Outline
from redraft.edit.words import Known
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.known import whole_piece

_TAIL = 600  # characters before a block that are read
_NUMBERS = ("one", "two|both", "three", "four", "five", "six", "seven", "eight")
_NUMBER = rf"(?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)})"
_QUOTE = r"`(?P<quote>[^`\n]+)`"
_LINES = r"(?:\w+\s){0,2}?lines?"
_BELOW = r"(?:(?:right|directly|just|immediately)\s)?(?:under|below|beneath|after|following|behind)"
_BELOW_QUOTE = rf"(?<!\w){_NUMBER}\s+{_LINES}\s+{_BELOW}\s+(?:the\s)?(?:\w+\s)?{_QUOTE}"
_WITH_QUOTE = (
    rf"{_QUOTE}(?:\s\w+)?,?\s+(?:and|plus)\s+(?:\w+\s)?{_NUMBER}\s+{_LINES}\s+"
    rf"(?:{_BELOW}\s+(?:it|that|this|them)|below|following)(?!\w)"
)
_USES = (
    rf"(?<!\w){_NUMBER}\s+(?:\w+\s){{0,2}}?(?:calls?|lines?|statements?|uses?|assertions?|checks?|entries)\s+"
    rf"(?:(?:to|of|with|on|for)\s+)?{_QUOTE}\s*(?:\w+\s+){{0,2}}?"
    r"(?:becomes?|become|turn into|(?:is|are) replaced|now reads?)\b"
)
_ONLY = (
    r"\b(?:replac\w*|instead of|in place of|substitut\w*)\s+(?:(?:it|this|that)\s)?(?:with\s)?(?:its|the)\s+"
    r"(?:one|only|single|sole)\s+\w+"
)


def counted(prose: str, scope: int | None, file: Outline, known: Known) -> tuple[int, int] | None:
    """The lines that the last words which count some tell to be replaced; of uses those in the declaration `scope`."""
    said = prose.strip()[-_TAIL:].replace("*", "")
    if speaks_of("addition", said.rpartition("\n")[2]):
        return None
    if re.search(_ONLY, said, re.IGNORECASE):
        return None if scope is None else _only_statement(scope, file)
    for pattern, read in ((_WITH_QUOTE, _with), (_BELOW_QUOTE, _below), (_USES, _uses)):
        for match in reversed([*re.finditer(pattern, said, re.IGNORECASE)]):
            return read(match["quote"].strip(), _number(match["number"]), scope, file, known)
    return None


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return next(at for at, words in enumerate(_NUMBERS, 1) if re.fullmatch(words, text, re.IGNORECASE))


def _with(quote: str, number: int, scope: int | None, file: Outline, known: Known) -> tuple[int, int] | None:
    below = _below(quote, number, scope, file, known)
    return None if below is None else (_line(quote, scope, file, known) or 0, below[1])


def _below(quote: str, number: int, scope: int | None, file: Outline, known: Known) -> tuple[int, int] | None:
    line = _line(quote, scope, file, known)
    written = [] if line is None else [at for at in range(line + 1, len(file.lines)) if file.lines[at].strip()]
    return (written[0], written[number - 1] + 1) if len(written) >= number > 0 else None


def _line(quote: str, scope: int | None, file: Outline, known: Known) -> int | None:
    span = None if scope is None else range(file.nodes[scope].start, file.nodes[scope].end)
    found = single(stands(known.line(quote) or quote, file, span))
    return None if found is None else found.start


def _uses(quote: str, number: int, scope: int | None, file: Outline, known: Known) -> tuple[int, int] | None:
    """As many lines that have a quote as are told, where nothing else stands between them."""
    node = None if scope is None else file.nodes[scope]
    span = range(len(file.lines)) if node is None else range(node.head + 1, node.end)
    piece = whole_piece(quote.removesuffix("()"))
    found = [at for at in span if piece.search(file.lines[at])]
    if not found or len(found) != number:
        return None
    return (found[0], found[-1] + 1) if [*_written_at(file.lines, found[0], found[-1] + 1)] == found else None


def _only_statement(scope: int, file: Outline) -> tuple[int, int] | None:
    """The one statement in a declaration: nothing else stands as little deep there, but for what closes it."""
    start, end = file.nodes[scope].body or (0, 0)
    written = [*_written_at(file.lines, start, end)]
    least = min((indent(file.lines[at]) or 0 for at in written), default=0)
    heads = [at for at in written if (indent(file.lines[at]) or 0) == least and any(map(str.isalnum, file.lines[at]))]
    return (written[0], written[-1] + 1) if heads == written[:1] else None


def _written_at(lines: Sequence[str], start: int, end: int) -> Iterator[int]:
    return (at for at in range(start, end) if lines[at].strip())
