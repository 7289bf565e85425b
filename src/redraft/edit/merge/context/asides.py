"""In: comments of a file, and those that a block has in their place. Out: whether they are the same in other words."""

import re
from collections.abc import Collection, Sequence

from redraft.edit.text.lines import is_comment, width_of

_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_NUMBER = re.compile(r"\d+")
GLUE = frozenset(
    ("that", "this", "with", "from", "not", "the", "and", "are", "for", "any", "has", "was", "its", "all", "as", "at")
) | {"an", "be", "by", "if", "in", "is", "it", "of", "on", "or", "so", "to"}
_BEGUN = re.compile(r"\s*(?:/{2,}|\*|#+|-{2}|;+|%+)?!?\s*\w")  # a comment that is no item of a list, and no tag
_ENDS = (".", "!", "?")
_STEM = 5  # letters by which words are compared


def is_aside(text: str) -> bool:
    """Whether a line is a comment or blank."""
    return not text.strip() or is_comment(text)


def is_paraphrased(old: Sequence[str], new: Sequence[str], mentioned: Collection[str]) -> bool:
    """Whether comments say nothing new of which words are spoken, and no other number, which nobody makes up."""
    there = {word.lower() for word in words_of(old)} | GLUE
    come = (word for word in words_of(new) if word.lower() not in there)
    return not any(word in mentioned for word in come) and not _numbers(new) - _numbers(old)


def kept_beside(old: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """Comments that stay where nothing or a whole construct is shown in their place: they belong to what is below."""
    if not (any(map(is_comment, old)) and all(map(is_aside, old))):
        return None
    if not any(line.strip() for line in new):
        return [*old]
    return [*new, *old] if _is_construct(new, min(width_of(line) for line in old if line.strip())) else None


def _is_construct(lines: Sequence[str], level: int) -> bool:
    """Whether lines are code that begins and ends at a level, and goes deeper."""
    written = [line for line in lines if line.strip()]
    code = [line for line in written if not is_comment(line)]
    is_level = bool(code) and not is_comment(written[-1]) and width_of(code[0]) == min(map(width_of, code)) == level
    text = "".join(code)
    is_closed = all(text.count(one) == text.count(other) for one, other in ("{}", "()", "[]"))
    return is_level and is_closed and any(width_of(line) > level for line in code)


def is_rest_of_sentence(gone: Sequence[str], above: Sequence[str], new: Sequence[str]) -> bool:
    """Whether comments are the rest of a sentence that goes on from the line above them, and that its new version ends
    there."""
    lines = [*above, *gone]
    is_one = bool(gone) and len(lines) > len(gone) and all(map(is_comment, (*lines, *new)))
    is_ended = bool(new) and new[0].rstrip().endswith(_ENDS)
    return is_one and is_ended and not any(_ends(line) for line in lines[:-1]) and _BEGUN.match(gone[0]) is not None


def _ends(line: str) -> bool:
    return line.rstrip().endswith((*_ENDS, ":"))


def is_paraphrased_above(
    above: Sequence[str], old: Sequence[str], new: Sequence[str], mentioned: Collection[str]
) -> bool:
    """Whether new comments only say again what the file's comments say right above them."""
    if not all(map(is_aside, (*old, *new))) or not any(map(is_comment, new)) or any(map(is_comment, old)):
        return False
    there = above[len(above) - _asides(above[::-1]) :]
    stems = [{word[:_STEM].lower() for word in words_of(lines)} for lines in (there, new)]
    return bool(stems[0] & stems[1]) and is_paraphrased(there, new, mentioned)


def _asides(lines: Sequence[str]) -> int:
    """How many lines at the beginning are comments or blank."""
    return next((at for at, line in enumerate(lines) if not is_aside(line)), len(lines))


def words_of(lines: Sequence[str]) -> set[str]:
    """The names and words of lines that have three letters or more."""
    return {word for line in lines for word in _WORD.findall(line)}


def _numbers(lines: Sequence[str]) -> set[str]:
    return {number for line in lines for number in _NUMBER.findall(line)}
