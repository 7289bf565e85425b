"""In: the lines of a chat answer, and of the file. Out: the same with code in fences, however its author set it off.

Code in quotations, indented below sentences, and between paragraphs of sentences.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from redraft.edit.prompts.fence import fence
from redraft.edit.text.lines import is_comment, written
from redraft.edit.words import Known, is_marker

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,}).*")
_QUOTED = re.compile(r"\s{0,3}> ?(.*)")
_QUOTED_FENCE = re.compile(r"> ?\s*(?:`{3,}|~{3,}).*")
_CODE = re.compile(
    r"[;{}()\[\]=>]\s*$|^\s*(?:[#@<]|import\b|from\b|def\b|class\b|return\b|const\b|let\b|var\b|func\b|fn\b)"
)
_SAID = re.compile(r".*[:.!?\uff1a\u3002\uff01\uff1f]\s*|(?:\S+\s+){3,}\S+\s*")
_SENTENCE = re.compile(r"[^\W\d_].*(?:[.!?]|:)\W*")
_HEAD = re.compile(r"(?:if|for|while|elif|with|when|case|unless|until|match|def|class)\b.*:\s*")
_WORDS = re.compile(r"(?:[^\W\d_][\w'\u2019-]*[,;]? +){2}[^\W\d_]|`[^`]+`")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*")
_INDENT = 4


def as_fenced(lines: list[str], file: Sequence[str] = ()) -> list[str]:
    """The answer with fences; as it is where it has them, or is code alone."""
    lines = _unquoted(lines, file)
    if any(map(_FENCE.fullmatch, lines)):
        return lines
    ways = (_with_indented, _between_sentences)
    return next((found for way in ways if (found := way(lines, file)) != lines), lines)


def _unquoted(lines: list[str], file: Sequence[str]) -> list[str]:
    """Without the signs of quotations, where all fences stand in them and the file has none so."""
    quoted = [line for line in lines if _QUOTED_FENCE.fullmatch(line)]
    if len(quoted) < 2 or any(map(_FENCE.fullmatch, lines)) or {*quoted} & {*file}:
        return lines
    return [match[1] if (match := _QUOTED.fullmatch(line)) else line for line in lines]


def _with_indented(lines: list[str], file: Sequence[str]) -> list[str]:
    """Code that is indented below sentences in fences; all as it is where what is not indented may be code."""
    known = {*map(str.strip, file)}
    inside = [line for line in lines if _width(line) >= _INDENT]
    margin = [line for line in written(lines) if _width(line) < _INDENT and not _RULE.fullmatch(line)]
    begins_inside = _width(next(filter(str.strip, lines), "")) >= _INDENT
    if not margin or begins_inside or not all(_is_talk(line) and line.strip() not in known for line in margin):
        return lines
    is_code = any(line.strip() in known or _CODE.search(line) for line in inside)
    if not is_code:
        return lines
    runs = ((is_set_off, [line for _, line in run]) for is_set_off, run in groupby(_indented(lines), key=itemgetter(0)))
    return [line for is_set_off, run in runs for line in (_fenced([*map(_dedented, run)]) if is_set_off else run)]


def _between_sentences(lines: list[str], file: Sequence[str]) -> list[str]:
    """Code between the sentences above and below in a fence; all as it is where the file has such sentences."""
    runs = groupby(range(len(lines)), key=lambda at: bool(lines[at].strip()))
    paragraphs = [[*run] for is_written, run in runs if is_written]
    shown = [each for each in paragraphs if not all(_is_sentence(lines[at]) for at in each)]
    if not shown or any(map(_is_sentence, file)):
        return lines
    first, end = shown[0][0], shown[-1][-1] + 1
    code, known = lines[first:end], {*map(str.strip, file)}
    if (shown[0], shown[-1]) == (paragraphs[0], paragraphs[-1]):
        return lines
    if any("`" in line for line in code) or not any(line.strip() in known or _CODE.search(line) for line in code):
        return lines
    return [*lines[:first], *_fenced(code), *lines[end:]]


def _is_sentence(line: str) -> bool:
    """Whether a line is said to the reader, from the margin on, and is no head of a block of code."""
    return bool(_SENTENCE.fullmatch(line) and _WORDS.search(line) and not _HEAD.fullmatch(line))


def _is_talk(line: str) -> bool:
    is_code = _CODE.search(line) or is_comment(line) or is_marker(line, Known())
    return _SAID.fullmatch(line) is not None and not is_code


def _indented(lines: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Each line with whether it is indented below a blank line; a blank one is so where the line above is."""
    is_code, above = False, ""
    for line in lines:
        if line.strip():
            is_code = _width(line) >= _INDENT and (is_code or not above.strip())
        yield is_code, line
        above = line


def _fenced(lines: Sequence[str]) -> list[str]:
    """The lines in a fence above the blank ones at their end."""
    end = max(at for at, line in enumerate(lines) if line.strip()) + 1
    inner = lines[:end]
    has_columns = all(line[:1] in ("+", "-", " ", "") for line in inner)
    is_diff = has_columns and any(line.startswith(("+", "-")) for line in inner)
    ticks = fence(*inner)
    return [f"{ticks}{'diff' if is_diff else ''}", *inner, ticks, *lines[end:]]


def _dedented(line: str) -> str:
    return line[1 if line.startswith("\t") else min(_INDENT, _width(line)) :]


def _width(line: str) -> int:
    wide = line.expandtabs(_INDENT)
    return len(wide) - len(wide.lstrip())
