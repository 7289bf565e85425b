"""In: the words before a block. Out: whether they say that its code is for another place than this file."""

import re

from redraft.edit.words.hints import last_line
from redraft.edit.words.known import Known, is_word
from redraft.edit.words.sentences import SIGN, sentences

_OF_ANOTHER = re.compile(
    rf"(?:e\.g\.|for (?:example|instance)|such as)[,:]?\s*(?:\w+\s+){{0,3}}({SIGN})[^.{SIGN[1:-1]}]{{0,12}}:\W*",
    re.IGNORECASE,
)
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


def other_place(prose: str, known: Known) -> str:
    """The name, not of the file, of one of several places that the last sentence says code is for: "e.g. in `X`:"."""
    last = [sentence for sentence in sentences(last_line(prose), known) if sentence.quotes][-1:]
    for sentence in last:
        found = _OF_ANOTHER.search(sentence.said)
        quote = sentence.quote(found[1]) if found and found.end() == len(sentence.said) else None
        if quote and is_word(quote.text) and not (quote.meant or known.has(quote.text)):
            return quote.text
    return ""
