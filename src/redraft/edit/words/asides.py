"""In: the words before a block. Out: whether they say that its code is for another place than this file."""

import re

from redraft.edit.words.hints import last_line

_PATTERN = re.compile(
    r"\b(?:you|one|people|it|this|that|they|these|those)(?:'s| is| are| can| could| may| will| would|'ll|'d)?"
    r"(?: (?:then|now|also|simply|just|be|afterwards|still))* (?:use|used|call|called|set|configured?|enabled?|invoked?"
    r"|pass|passed|overrid(?:e|den)|written|write|run|try|turn(?:ed)? on|chain|chained|imported?|switched on)\b"
    r"[^.\n]{0,60}\b(?:like (?:this|so)|as follows|this way|with(?: \S+)?)\W*$"
    r"|\b(?:callers?|call(?:ing)? sites?|implement[eo]rs|implementing class(?:es)?|consumers)\b[^.\n]{0,80}:\W*$",
    re.IGNORECASE,
)


def is_use(prose: str) -> bool:
    """Whether the last line tells how something is used, or what those need who use it."""
    return _PATTERN.search(last_line(prose).replace("\u2019", "'")) is not None
