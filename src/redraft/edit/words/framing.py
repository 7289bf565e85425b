"""In: the sentences of an answer. Out: whether they only frame its code, and say nothing of what changes."""

import re
from pathlib import PurePosixPath

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_CODE = re.compile(r"`[^`\s]+`")
_WORDS = """
    a about above after again all also and another any anything are as at be before below block blocks but by can
    change changed changes code complete contents current currently do does done down each edit edited edits else
    entire everything exactly explain few file files final finally find first follow following follows for from full
    further go goes good have here here's how i i'd i'll i've if in into is it it's its know last let like made make
    makes me modification modifications modified modify more need needed needs new next no not nothing now of ok okay
    old on one ones only or original other others otherwise part parts patch piece place please previous questions
    replace replaces rest result same second section see should show shows snippet snippets so some stay stays sure
    that that's the them then there there's these they thing things third this those to unchanged untouched
    update updated updates use version want was way were what where which will with would you you'd you're your
"""
_FRAMING = frozenset(_WORDS.split())


def is_framing(prose: str, path: str = "") -> bool:
    """Whether sentences hold only words that present code, and perhaps the file's name."""
    name = PurePosixPath(path.replace("\\", "/")).name
    said = prose.replace(path, " ").replace(name, " ") if name else prose
    return _CODE.search(said) is None and all(
        word.lower().replace("\u2019", "'") in _FRAMING for word in _WORD.findall(said)
    )
