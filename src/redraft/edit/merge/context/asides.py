"""In: comments of a file, and those that a block has in their place. Out: whether they are the same in other words."""

import re
from collections.abc import Collection, Sequence
from itertools import filterfalse, takewhile

from redraft.edit.merge.lines.lost import unclosed
from redraft.edit.text.lines import is_comment, width_of, written

_WORD = re.compile(r"[A-Za-z_]\w{2,}")
GLUE = frozenset(
    ("that", "this", "with", "from", "not", "the", "and", "are", "for", "any", "has", "was", "its", "all", "as", "at")
) | {"an", "be", "by", "if", "in", "is", "it", "of", "on", "or", "so", "to"}
_OPENED = re.compile(r"\s*[rRuU]?(\"\"\"|''')")  # a docstring
_STEM = 5  # letters by which words are compared


def is_aside(text: str) -> bool:
    """Whether a line is a comment or blank."""
    return not text.strip() or is_comment(text)


def code_of(lines: Sequence[str]) -> list[str]:
    """The written lines that are no comments."""
    return [*filterfalse(is_aside, lines)]


def is_paraphrased(old: Sequence[str], new: Sequence[str], mentioned: Collection[str]) -> bool:
    """Whether comments say nothing new of which words are spoken."""
    there = {*map(str.lower, words_of(old))} | GLUE
    come = {word for word in words_of(new) if word.lower() not in there}
    return come.isdisjoint(mentioned)


def kept_beside(old: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """Comments that stay where nothing or a whole construct is shown in their place: they belong to what is below."""
    if not (any(map(is_comment, old)) and all(map(is_aside, old))):
        return None
    if not any(map(str.strip, new)):
        return [*old]
    return [*new, *old] if _is_construct(new, min(map(width_of, written(old)))) else None


def _is_construct(lines: Sequence[str], level: int) -> bool:
    """Whether lines are code that begins and ends at a level, and goes deeper."""
    code, last = code_of(lines), written(lines)[-1:]
    widths = [*map(width_of, code)]
    is_level = code[-1:] == last != [] and widths[0] == min(widths) == level
    return is_level and max(widths) > level and not any(unclosed(code).values())


def is_paraphrased_above(
    above: Sequence[str], old: Sequence[str], new: Sequence[str], mentioned: Collection[str]
) -> bool:
    """Whether new comments only say again what the file's comments say right above them."""
    if not all(map(is_aside, (*old, *new))) or not any(map(is_comment, new)) or any(map(is_comment, old)):
        return False
    there = [*takewhile(is_aside, above[::-1])]
    stems, others = ({word[:_STEM].lower() for word in words_of(lines)} for lines in (there, new))
    return not stems.isdisjoint(others) and is_paraphrased(there, new, mentioned)


def words_of(lines: Sequence[str]) -> set[str]:
    """The names and words of lines that have three letters or more."""
    return {*_WORD.findall("\n".join(lines))}


def is_documentation(gone: Sequence[str]) -> bool:
    """Whether lines are one whole comment or string that documents a declaration."""
    texts = [*map(str.strip, written(gone))] or [""]
    is_string = _OPENED.match(texts[0]) is not None and texts[-1].endswith(texts[0].lstrip("rRuUbB")[:3])
    is_comment = texts[0].startswith("/**") and all(text.startswith("*") for text in texts[1:])
    return is_string or is_comment or all(text.startswith("///") for text in texts)
