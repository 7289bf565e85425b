"""In: the words before a block, and the file. Out: the stretch that they tell by its first and last line."""

import re
from collections.abc import Sequence

from redraft.edit.align.likeness import indent
from redraft.edit.merge.lookup import stands
from redraft.edit.outline import Outline
from redraft.edit.words.known import is_word

_TAIL = 600  # characters before a block that are read
_SIGN = 0xE000  # the first of Unicode's private characters: none stands in prose
_QUOTED = re.compile(r"^[ \t]*> ?(?P<line>\S.*)$|`(?P<code>[^`\n]+)`", re.MULTILINE)
_Q = "([\ue000-\ue0ff])"
_FROM = (
    r"\b(?:from|beg[iau]ns?|beginning|starts?|starting|first|von|ab|beginnt|erste\w*|de|du|depuis|commence\w*|premi[eè]re"
    r"|desde|empieza|comienza|primer\w*|começa|primeira|от|\u0441|начин\w*|перв\w*)\b|从|自"
)
_TO = (
    r"\b(?:to|through|until|till|ends?|ending|last|bis|endet|letzte\w*|à|jusqu\w*|termine|fini\w*|derni[eè]re|hasta"
    r"|termina|última|até|a|до|по|заканч\w*|последн\w*)\b|到|至"
)
_PAIR = re.compile(
    rf"(?:{_FROM})[^.;\ue000-\ue0ff]{{0,40}}{_Q}[^.;\ue000-\ue0ff]{{0,60}}?(?:{_TO})[^.;\ue000-\ue0ff]{{0,30}}{_Q}"
    rf"|{_Q}\s*から[^.;\ue000-\ue0ff]{{0,20}}{_Q}[^.;\ue000-\ue0ff]{{0,10}}まで",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:last|letzte\w*|derni\w+|últim\w+|последн\w*)\b|最后|最後", re.IGNORECASE)
_CLOSING = re.compile(r"[\W_]+|</.*|end\b.*")


def told_stretch(prose: str, shown: Sequence[str], file: Outline) -> tuple[int, int] | None:
    """The lines from the first told one through the last; of several stretches that which has most of what is shown."""
    quotes: list[str] = []

    def sign(match: re.Match[str]) -> str:
        quotes.append((match["line"] or match["code"]).strip())
        return chr(_SIGN + len(quotes) - 1)

    said = _QUOTED.sub(sign, prose.strip()[-_TAIL:].replace("*", ""))
    pair = next((match for match in reversed([*_PAIR.finditer(said)]) if _is_last(said, match.end())), None)
    if pair is None or len(quotes) > 0xFF:
        return None
    first, last = (quotes[ord(each) - _SIGN] for each in pair.groups() if each)
    if is_word(first) or is_word(last):
        return None
    lines = {line.strip() for line in shown}
    spans = [span for at in _places(first, file) if (span := _until(at, last, file)) is not None]
    if _LATER.search(said[pair.start() : pair.start(1)]):
        spans = spans[-1:]
    return max(spans, key=lambda span: sum(file.lines[at].strip() in lines for at in range(*span)), default=None)


def _is_last(said: str, end: int) -> bool:
    """Whether no sentence follows, and nothing else is quoted."""
    return re.fullmatch(r"[^.\n\ue000-\ue0ff]{0,80}[.:]?\s*(?:[^.\ue000-\ue0ff]{0,60}:)?\s*", said[end:]) is not None


def _places(text: str, file: Outline) -> list[int]:
    return [found.start if found.node is None else file.nodes[found.node].head for found in stands(text, file)]


def _until(start: int, last: str, file: Outline) -> tuple[int, int] | None:
    """The stretch up to the next line that is the last one, not deeper than the first where it closes something."""
    ends = [at for at in _places(last, file) if at >= start]
    if _CLOSING.fullmatch(last):
        lead = indent(file.lines[start]) or 0
        ends = [at for at in ends if (indent(file.lines[at]) or 0) <= lead] or ends
    return (start, ends[0] + 1) if ends else None
