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
_NUMBERS = (
    "one|ein(?:e[nrms]?)?|une?|uma?|un[ao]|одн\\w+|一",
    "two|both|zwei|beiden?|deux|dos|ambos|ambas|dois|duas|дв[аеу]\\w*|об[ае]\\w*|两|二|2つの|二つの",
    "three|drei|trois|tres|três|три|трёх|трех|三",
    "four|vier|quatre|cuatro|quatro|четыре\\w*|四",
    "five|fünf|cinq|cinco|пять|пяти|五",
    "six|sechs|seis|шесть|шести|六",
    "seven|sieben|sept|siete|sete|семь|семи|七",
    "eight|acht|huit|ocho|oito|восемь|восьми|八",
)
_NUMBER = rf"(?P<number>\d{{1,2}}|{'|'.join(_NUMBERS)})"
_QUOTE = r"`(?P<quote>[^`\n]+)`"
_LINES = r"(?:\w+\s){0,2}?(?:lines?|zeilen?|lignes?|líneas?|linhas?|строк\w*)"
_BELOW = (
    r"(?:(?:right|directly|just|immediately|direkt|juste|justo|logo|сразу)\s)?"
    r"(?:under|below|beneath|after|following|behind|unter|nach|hinter|sous|après|debajo de|después de|bajo|tras"
    r"|abaixo d[eo]|depois d[eo]|под|после|за)"
)
_IT = r"(?:it|that|this|them|ihr|ihm|dieser|elle|lui|ella|él|ela|ele|ней|ним)"
_AND = r"(?:and|und|et|y|e|и|plus)"
_BELOW_QUOTE = rf"(?<!\w){_NUMBER}\s+{_LINES}\s+{_BELOW}\s+(?:(?:the|der|la|le|el|o|a)\s)?(?:\w+\s)?{_QUOTE}"
_WITH_QUOTE = (
    rf"{_QUOTE}(?:\s\w+)?,?\s+{_AND}\s+(?:\w+\s)?{_NUMBER}\s+{_LINES}\s+"
    rf"(?:{_BELOW}\s+{_IT}|darunter|danach|suivantes|siguientes|seguintes|ниже|below|following)(?!\w)"
    rf"|{_QUOTE.replace('quote', 'first')}和(?:它)?(?:下面|后面|之后)的(?P<count>\d|[一二两三四五六七八])行"
)
_USES = (
    rf"(?<!\w){_NUMBER}\s+(?:\w+\s){{0,2}}?(?:calls?|lines?|statements?|uses?|assertions?|checks?|entries|aufrufe?|zeilen"
    r"|appels|lignes|llamadas|líneas|chamadas|linhas|вызов\w*|строк\w*)\s+"
    rf"(?:(?:to|of|with|on|for|von|mit|à|de|avec|a|con|com|с|к)\s+)?{_QUOTE}\s*(?:\w+\s+){{0,2}}?"
    r"(?:becomes?|become|turn into|(?:is|are) replaced|now reads?|werden|deviennent|pasan a ser|se tornam|становятся)\b"
)
_ONLY = (
    r"\b(?:replac\w*|instead of|in place of|ersetz\w*|statt|anstelle|remplac\w*|à la place de|au lieu de|reemplaz\w*"
    r"|en lugar de|substitu\w*|em vez de|замен\w*|вместо)\s+(?:(?:it|this|that)\s)?(?:with\s)?"
    r"(?:its|the|sein\w*|ihr\w*|der|die|das|sa|son|la|le|su|el|sua|seu|a|o|его|её)\s+"
    r"(?:one|only|single|sole|einzig\w+|seul\w*|únic[ao]|единственн\w+)\s+\w+"
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
            named = match.groupdict()
            number = _number(named["number"] or named.get("count") or "")
            quote = (named["quote"] or named.get("first") or "").strip()
            return read(quote, number, scope, file, known)
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
