"""In: a text. Out: the same without white space, and as it is where its signs are escaped."""

import re
from collections.abc import Iterator
from html import unescape

_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")


def bare(line: str) -> str:
    return "".join(line.split())


def unspaced(text: str) -> str:
    return bare(text).replace(",", "")


def spellings(text: str) -> str:
    """A text as it stands, and as it is where its signs are escaped, without white space."""
    return "".join(map(bare, escapes(text)))


def escapes(text: str) -> Iterator[str]:
    once = _unescaped(text)
    twice = _unescaped(once)  # a call in a call
    yield from dict.fromkeys((text, once, twice, unescape(text), unescape(once)))


def _unescaped(text: str) -> str:
    pairs = _ESCAPE.sub(_plain, text).encode("utf-16", "surrogatepass")
    return pairs.decode("utf-16", "surrogatepass")


def _plain(found: re.Match[str]) -> str:
    sign = found[1]
    return chr(int(sign[1:], 16)) if len(sign) > 1 else _SIGNS.get(sign, sign)
