"""In: the prose of an answer. Out: its sentences, quoted code and names replaced by one sign each."""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.words.known import Known, is_identifier
from redraft.edit.words.shortening import shortened

LONGEST = 600  # characters of a sentence that are read
MOST_QUOTES = 200  # in one sentence: each gets a sign of its own

CODE = re.compile(r"`([^`\n]+)`")  # what stands in backticks
NAME = re.compile(r"`([^`\n]{2,80})`")  # the same, where it is neither a sign nor more than a line
END = re.compile(r"(?<=[.!?;])\s+|\n")  # what sentences and lines of prose end in
BREAK = re.compile(r"(?<=[.!?:;])\s+|\n+")  # what sentences and clauses of prose end in

_SIGN = 0xE000  # the first of Unicode's private characters: none stands in prose
SIGN = f"[{chr(_SIGN)}-{chr(_SIGN + MOST_QUOTES)}]"
_RELATIVE = re.compile(  # `load`, which stood below it, is gone
    rf"({SIGN}(?: \w+)?), (?:which|that|who|now|formerly)\s[^,;:.]{{1,60}},(?=\s)"
)
_APPOSITION = re.compile(
    rf"(?<=[a-z]) \(({SIGN})\)(?=,? (?:is|are|has|have|was|were|becomes?|goes?)\b)"
)  # the call (`load()`) is
_BY_THE_WAY = re.compile(  # the end (note that `load` is below)
    r"\s*\((?:note|NB|N\.B\.|mind|remember|since|because)\b[^()]*\)"
)
_IN_SHORT = re.compile(  # that is, `load` goes
    r"(?:i\.e\.|that is(?: to say)?,|in other words)[,:]?\s+", re.IGNORECASE
)
_NO_MORE = re.compile(  # `load` goes, nothing else
    r"[,;]\s+(?:and )?(?:nothing (?:else|more)|that's (?:all|it))(?=[.!]?$)", re.IGNORECASE
)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"\s*(?:<{4,}|>{4,}|={3,}|-{3,}|\*{3,})")
_LIST = re.compile(r"\s*(?:[-*+•·]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|[a-z]\)\s+|#{1,6}\s+|>\s?|\((?:\d+|[a-z])\)\s+)*")
_EMPHASIS = re.compile(r"\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)")
_END = re.compile(
    r"(?<=[.!?;])[\"')]*\s+|(?<=\w\.\))\s+|\s+[\u2013\u2014]\s+|\s--\s"
    r"|(?<=:)\s+(?!(?:(?:the|its|both)\s)?[`\x01])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|cf|vs)\.|\.\.\.)$", re.IGNORECASE)
_QUOTED = re.compile(r"``((?:[^`]|(?<!`)`(?!`))+)``|`([^`\n]+)`|\[`([^`\n]+)`\]\([^)\s]*\)")
_SAID = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00bb]{8,120})[\"\u201c\u201d\u00bb]")
_CLOSER = re.compile(  # the `}` of `load`
    r"(?P<sign>[`\"'])(?:[)\]}]+[;,]?|end|</[\w-]+>)(?P=sign)"
    r"(?= (?:of|(?:that|which) (?:closes|ends)|closing|ending)\b)"
)
_PLAIN = re.compile(r"(?<![\w`])[#.]?[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_]\w*)*(?:\(\))?(?![\w])")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Quote(Struct, frozen=True):
    """A piece of quoted code or an unquoted name: its text, and the name or line of the file that it means, or ""."""

    text: str
    resolved: str


class Sentence(Struct, frozen=True):
    """A sentence whose quotes are signs in `said`; `label` says that it stands alone or ends with a colon, `item` the
    how manieth it is in an item of a list, from 1 on."""

    text: str
    said: str
    quotes: tuple[Quote, ...]
    label: bool
    item: int = 0

    def quote(self, sign: str) -> Quote:
        return self.quotes[ord(sign) - _SIGN]

    def quotes_in(self, said: str) -> list[Quote]:
        """The quotes that stand in a part of the sentence, in its order."""
        return [self.quote(sign) for sign in re.findall(SIGN, said)]


def sentences(text: str, known: Known) -> Iterator[Sentence]:
    """The sentences of a text outside of its code blocks."""
    for paragraph, is_item in _paragraphs(text):
        pieces = list(_split(paragraph))
        for number, piece in enumerate(pieces, 1):
            sentence = _sentence(piece[:LONGEST], known, len(pieces) == 1 or piece.endswith(":"))
            yield replace(sentence, item=number) if is_item else sentence


def _paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    """Lines that belong together, and whether they are a list's item; a heading and what ends with a colon stand
    alone."""
    gathered: list[str] = []
    fenced = is_item = False
    for line in [*text.splitlines(), ""]:
        fence = _FENCE.match(line) is not None
        mark = marked[0] if (marked := _LIST.match(line)) else ""
        start = bool(mark.strip())
        if gathered and (fence or start or not line.strip() or gathered[-1].endswith(":")):
            yield " ".join(gathered), is_item
            gathered = []
        fenced = fenced != fence
        is_item = is_item if gathered else start and "#" not in mark
        if not fence and not fenced and line.strip() and not _RULE.match(line):
            gathered.append(line[len(mark) :].strip())


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

    def sign(code: str, resolved: str) -> str:
        if len(quotes) >= MOST_QUOTES:
            return " "
        quotes.append(Quote(code, resolved))
        return chr(_SIGN + len(quotes) - 1)

    def ticked(match: re.Match[str]) -> str:
        code = (match[1] or match[2] or match[3]).strip()
        return sign(code, known.resolved(code) or shortened(code, known) or shortened(code.rstrip(")]}"), known))

    def plain(match: re.Match[str]) -> str:
        name = known.name(match[0])
        return sign(match[0], name) if name and is_identifier(match[0]) else match[0]

    def said_line(match: re.Match[str]) -> str:
        resolved = known.name(match[1]) or known.holding(match[1])
        return sign(match[1], resolved) if resolved else match[0]

    said = _QUOTED.sub(ticked, _CLOSER.sub("bracket", re.sub(SIGN, " ", text).replace("\u2019", "'")))
    said = _RELATIVE.sub(r"\1", _PLAIN.sub(plain, _SAID.sub(said_line, _BY_THE_WAY.sub("", _EMPHASIS.sub("", said)))))
    said = " ".join(_APPOSITION.sub(r" \1", said).split())
    whole = _NO_MORE.sub("", said[short.end() :] if (short := _IN_SHORT.match(said)) else said)
    return Sentence(text, whole, tuple(quotes), label)
