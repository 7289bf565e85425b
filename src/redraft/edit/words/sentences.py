"""In: the prose of an answer. Out: its sentences, quoted code and names replaced by one sign each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redraft.edit.words.known import Known, is_identifier

LONGEST = 600  # characters of a sentence that are read
MOST_QUOTES = 200  # in one sentence: each gets a sign of its own

_COLONS = (":", "\uff1a")
_SIGN = 0xE000  # the first of Unicode's private characters: none stands in prose
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LIST = re.compile(r"\s*(?:[-*+•·]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|[a-z]\)\s+|#{1,6}\s+|>\s?|\((?:\d+|[a-z])\)\s+)*")
_END = re.compile(r"(?<=[.!?;])[\"')*]*\s+|(?<=[。\uff01\uff1f\uff1b\uff1a])|(?<=:)\s+|\s+[\u2013\u2014]\s+|\s--\s")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|z\.B|d\.h|bzw|usw|vgl|cf|p\.ex|ej|vs|\u0442\.\u0435|\u0442\.\u0434|\u043d\u0430\u043f\u0440)\.|\.\.\.)$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"``([^`]+)``|`([^`\n]+)`")
_CANDIDATE = re.compile(r"(?<![\w`])[#.]?[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_]\w*)*(?:\(\))?(?![\w])")


@dataclass(frozen=True)
class Quote:
    """A piece of quoted code or an unquoted name: its text, and the name or line of the file that it means, or ""."""

    text: str
    meant: str
    ticked: bool


@dataclass(frozen=True)
class Sentence:
    """A sentence whose quotes are signs; `label` says that it stands alone on its line or ends with a colon."""

    text: str
    said: str
    quotes: tuple[Quote, ...]
    label: bool

    def quote(self, sign: str) -> Quote:
        return self.quotes[ord(sign) - _SIGN]


SIGNS = f"[{chr(_SIGN)}-{chr(_SIGN + MOST_QUOTES)}]"


def sentences(text: str, known: Known) -> Iterator[Sentence]:
    """The sentences of a text outside of its code blocks."""
    for paragraph in _paragraphs(text):
        pieces = list(_split(paragraph))
        for piece in pieces:
            yield _sentence(piece[:LONGEST], known, len(pieces) == 1 or piece.endswith(_COLONS))


def _paragraphs(text: str) -> Iterator[str]:
    """Lines that belong together: a list's item, a heading and a table's row stand alone."""
    open_lines: list[str] = []
    fenced = False
    for line in [*text.splitlines(), ""]:
        fence = _FENCE.match(line) is not None
        marked = _LIST.match(line)
        start = marked is not None and bool(marked[0].strip())
        if open_lines and (fence or start or not line.strip() or open_lines[-1].rstrip().endswith(_COLONS)):
            yield " ".join(open_lines)
            open_lines = []
        fenced = fenced != fence
        if not fence and not fenced and line.strip():
            open_lines.append(line[marked.end() if marked else 0 :].strip().replace("**", ""))


def _split(paragraph: str) -> Iterator[str]:
    """A paragraph cut after full stops, colons and dashes that stand outside of quoted code."""
    hidden = _QUOTED.sub(lambda match: "\x01" * len(match[0]), paragraph)
    start = 0
    for end in _END.finditer(hidden):
        if _ABBREVIATION.search(hidden[max(start, end.start() - 6) : end.start()].rstrip("\"')* ")):
            continue
        if piece := paragraph[start : end.start()].strip():
            yield piece
        start = end.end()
    if piece := paragraph[start:].strip():
        yield piece


def _sentence(text: str, known: Known, label: bool) -> Sentence:
    quotes: list[Quote] = []

    def sign(quote: Quote) -> str:
        if len(quotes) >= MOST_QUOTES:
            return " "
        quotes.append(quote)
        return chr(_SIGN + len(quotes) - 1)

    def ticked(match: re.Match[str]) -> str:
        code = (match[1] or match[2]).strip()
        return sign(Quote(code, known.meant(code), True))

    def plain(match: re.Match[str]) -> str:
        name = known.name(match[0])
        return sign(Quote(match[0], name, False)) if name and is_identifier(match[0]) else match[0]

    clean = re.sub(rf"{SIGNS}", " ", text)
    said = _CANDIDATE.sub(plain, _QUOTED.sub(ticked, clean))
    return Sentence(text, " ".join(said.split()), tuple(quotes), label)
