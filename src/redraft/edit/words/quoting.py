"""In: the words of a comment, and what the file knows. Out: the words with the file's code in ticks, as in prose."""

import re
from itertools import islice

from redraft.edit.words.known import Known, is_identifier, whole_piece

_TICKED = re.compile(r"(`[^`]+`)")
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u201e": "\u201c\u201d", "\u00ab": "\u00bb"}
_LONGEST = 120  # characters in quotes
_CODE = re.compile(r"[_()<>{}\[\]=;/@$#\"']|\w[.:-]+\w|^[.:]\w|^[A-Z]{3,}\d*$")
_PHRASE = re.compile(
    r"\b(?P<relation>below|above|under|underneath|beneath|after|before|behind) (?:(?:the|its) )?"
    r"(?P<words>(?:[\w-]+ ){0,3}[\w-]+)(?=\s*(?:$|[,.;:(])| and | of )"
)
_LONG = 4  # letters of a word that tells a line
_END = ".,:;"
_MOST = 24  # words of one piece of code, and the blanks between them
_SIGNS = " \t*-=~_/#>\u2192\u00bb"
_RULES = " \t*-=~_#"


def quoting(text: str, known: Known) -> str:
    """`below strcmp(a, b) and above "x = 1"` with ticks around what a line of the file holds."""
    bare = text.lstrip(_SIGNS).rstrip(_RULES)
    for read in (_of_code, _of_phrases):
        bare = "".join(piece if piece[:1] == "`" else read(piece, known) for piece in _TICKED.split(bare))
    return bare


def _of_phrases(text: str, known: Known) -> str:
    """`below the copyright line`: the line in ticks, where one has all words of the phrase that the file has at all."""

    def line(match: re.Match[str]) -> str:
        words = [word for word in match["words"].split() if word in known.words]
        holding = _holding(words, known) if any(len(word) >= _LONG for word in words) else []
        return f"{match['relation']} `{holding[0]}`" if len(holding) == 1 else match[0]

    return _PHRASE.sub(line, text)


def _holding(words: list[str], known: Known) -> list[str]:
    pieces = [whole_piece(word) for word in words]
    return list(islice((line for line in known.having(words[0]) if all(piece.search(line) for piece in pieces)), 2))


def _of_code(text: str, known: Known) -> str:
    words = re.findall(r"\S+|\s+", text)
    found, at = [], 0
    while at < len(words):
        piece, count = _longest(words[at : at + _MOST], known, is_first=not at)
        found.append(piece)
        at += count
    return "".join(found)


def _longest(words: list[str], known: Known, is_first: bool) -> tuple[str, int]:
    """The longest piece of code that some words begin with, in ticks, and how many of them it is; else the first.

    A capital tells a declared name, but for that of the first word.
    """
    first = words[0]
    if (said := _said("".join(words), known)) is not None:
        count = len(re.findall(r"\S+|\s+", said[0]))
        return f"`{said[1].strip()}`{''.join(words[:count])[len(said[0]) :]}", count
    bare = first.rstrip(_END)
    if _CODE.search(bare) or is_identifier(first) or (not is_first and bare[:1].isupper() and bare in known.declared):
        for count in range(len(words), 0, -1):
            text = "".join(words[:count]).rstrip()
            for code in dict.fromkeys((text, text.rstrip(_END), text.rstrip(f"{_END})"))):
                if len(code.strip()) > 1 and known.has(code):
                    return f"`{code}`{''.join(words[:count])[len(code) :]}", count
    return first, 1


def _said(text: str, known: Known) -> tuple[str, str] | None:
    """The longest piece in quotes that a text begins with and the file has: with its quotes, and without."""
    closers = _QUOTES.get(text[0], "")
    ends = [at for at in range(3, min(len(text), _LONGEST + 2)) if text[at] in closers]
    for at in reversed(ends if closers else ()):
        if not text[at + 1 : at + 2].isalnum() and known.has(text[1:at].strip()):
            return text[: at + 1], text[1:at]
    return None
