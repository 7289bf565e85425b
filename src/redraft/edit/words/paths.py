"""In: the words of a note, and what the file knows. Out: the words with the file's code in ticks, and what is named in
front of them as the place that they speak of: `Store > load, above "x = 1":` is "In `Store.load`, above `x = 1`:".
"""

import re
from collections.abc import Iterator

from redraft.edit.words.grammar import pattern
from redraft.edit.words.known import Known
from redraft.edit.words.quoting import quoting

_STEP = re.compile(r"\s*(?:\s>|[\u00bb\u203a\u2192]|::|\s/\s|,)\s*")
_STOP = re.compile(r"[:,]\s+(?=[\w(`\"'])")
_IN = re.compile(r"(?:in(?:side)? )?(?:the )?", re.IGNORECASE)
_MOST = 4  # signs at which a heading may end


def addressed(text: str, known: Known) -> str:
    """The words with the file's code in ticks; declarations in front, and a colon or comma, say what it is about."""
    found = list(_headings(text, known))
    if not found:
        return quoting(text, known)
    end, names = found[-1]
    return f"In `{'.'.join(names)}`, {quoting(text[end:], known)}"


def _headings(text: str, known: Known) -> Iterator[tuple[int, list[str]]]:
    """Where the words go on behind names alone, and the names."""
    for stop in list(_STOP.finditer(text))[:_MOST]:
        names = [_name(piece, known) for piece in _STEP.split(text[: stop.start()])]
        if not all(names):
            continue
        yield stop.end(), [name for name in names if known.name(name)] or names[-1:]


def _name(piece: str, known: Known) -> str:
    """What the file declares so, also behind or before a word for what it is."""
    bare = _IN.sub("", piece.strip(), count=1)
    first, _, rest = bare.partition(" ")
    rest = rest if pattern("kind").fullmatch(first) else ""
    words = (text for text in (bare, rest) if text)
    return next(filter(None, (known.meant(word.strip("`*\"' ")) or known.meant(word) for word in words)), "")
