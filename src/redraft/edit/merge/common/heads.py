"""In: lines of a block. Out: whether they are the head of a declaration and nothing else."""

import re
from collections.abc import Sequence
from itertools import accumulate

from redraft.edit.text.lines import width_of

_OPENED = re.compile(r".*(?:[{:=]|=>|->|\b(?:do|then|begin|is|as))\s*", re.IGNORECASE)
_CONTROL = re.compile(
    r"\s*(?:if|elif|else|for|while|switch|catch|with|try|do|match|when|unless|until|case|default|return)\b|\s*}"
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def is_head(texts: Sequence[str]) -> bool:
    """Whether lines are one head that opens something and end there."""
    text = " ".join(texts).rstrip()
    depths = [*accumulate(sum((sign in "([") - (sign in ")]") for sign in line) for line in texts)] or [0]
    first = width_of(texts[0]) if texts else 0
    goes_on = all(
        depth > 0 or width_of(line) > first or line.strip() == "{"
        for depth, line in zip(depths, texts[1:], strict=False)
    )
    is_one = goes_on and not any(sign in text[:-1] for sign in "{};") and all(line.strip() for line in texts)
    is_one = is_one and _CONTROL.match(text) is None
    return depths[-1] == 0 and is_one and _OPENED.fullmatch(text) is not None and _WORD.search(text) is not None
