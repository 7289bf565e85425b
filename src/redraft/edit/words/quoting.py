"""In: the words of a comment, and what the file knows. Out: the words with the file's code in ticks, as in prose."""

import re

from redraft.edit.words.known import Known, is_identifier

_TICKED = re.compile(r"(`[^`]+`)")
_SAID = re.compile(
    r"(?<![\w`])([\"'\u201c\u201e\u00ab])(?P<text>[^\"\u201c\u201d\u00bb`]{2,120}?)[\"'\u201d\u00bb](?!\w)"
)
_CODE = re.compile(r"[_()<>{}\[\]=;/@$#\"']|\w[.:-]+\w|^[.:]\w|^[A-Z]{3,}\d*$")
_END = ".,:;"
_MOST = 24  # words of one piece of code, and the blanks between them
_SIGNS = " \t*-=~_/#>\u2192\u00bb"
_RULES = " \t*-=~_#"


def quoting(text: str, known: Known) -> str:
    """`below strcmp(a, b) and above "x = 1"` with ticks around what a line of the file holds."""
    bare = text.lstrip(_SIGNS).rstrip(_RULES)
    for read in (_of_code, _of_quotes):
        pieces = (piece if piece.startswith("`") else read(piece, known) for piece in _TICKED.split(bare))
        bare = "".join(pieces)
    return bare


def _of_quotes(text: str, known: Known) -> str:
    return _SAID.sub(lambda said: f"`{said['text'].strip()}`" if known.has(said["text"].strip()) else said[0], text)


def _of_code(text: str, known: Known) -> str:
    words = re.findall(r"\S+|\s+", text)
    found, at = [], 0
    while at < len(words):
        piece, count = _longest(words[at : at + _MOST], known)
        found.append(piece)
        at += count
    return "".join(found)


def _longest(words: list[str], known: Known) -> tuple[str, int]:
    """The longest piece of code that some words begin with, in ticks, and how many of them it is; else the first."""
    first = words[0]
    if _CODE.search(first.rstrip(_END)) or is_identifier(first):
        for count in range(len(words), 0, -1):
            text = "".join(words[:count]).rstrip()
            for code in dict.fromkeys((text, text.rstrip(_END), text.rstrip(f"{_END})"))):
                if len(code.strip()) > 1 and known.has(code):
                    return f"`{code}`{''.join(words[:count])[len(code) :]}", count
    return first, 1
