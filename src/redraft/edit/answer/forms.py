"""In: the lines of a chat answer, and of the file. Out: the same with code in fences, however its author set it off.

Code in fences within quotations, code indented below sentences; pairs of texts in JSON and in tags.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from redraft.edit.prompts.fence import fence
from redraft.edit.text.lines import is_comment
from redraft.edit.words import Known, is_marker

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,}).*")
_QUOTED = re.compile(r"\s{0,3}> ?(.*)")
_QUOTED_FENCE = re.compile(r"> ?\s*(?:`{3,}|~{3,}).*")
_CODE = re.compile(
    r"[;{}()\[\]=>]\s*$|^\s*(?:[#@<]|import\b|from\b|def\b|class\b|return\b|const\b|let\b|var\b|func\b|fn\b)"
)
_SAID = re.compile(r".*[:.!?\uff1a\u3002\uff01\uff1f]\s*|(?:\S+\s+){3,}\S+\s*")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*")
_INDENT = 4


def as_fenced(lines: list[str], file: Sequence[str] = ()) -> list[str]:
    """The answer with fences; as it is where it has them, or is code alone."""
    lines = _unquoted(lines, file)
    if any(map(_FENCE.fullmatch, lines)):
        return lines
    return _with_indented(lines, file)


def _unquoted(lines: list[str], file: Sequence[str]) -> list[str]:
    """Without the signs of quotations, where all fences stand in them and the file has none so."""
    quoted = [line for line in lines if _QUOTED_FENCE.fullmatch(line)]
    if len(quoted) < 2 or any(map(_FENCE.fullmatch, lines)) or {*quoted} & {*file}:
        return lines
    return [match[1] if (match := _QUOTED.fullmatch(line)) else line for line in lines]


def _with_indented(lines: list[str], file: Sequence[str]) -> list[str]:
    """Code that is indented below sentences in fences; all as it is where what is not indented may be code."""
    known = {line.strip() for line in file}
    margin = [line for line in lines if line.strip() and _width(line) < _INDENT and not _RULE.fullmatch(line)]
    first = next((line for line in lines if line.strip()), "")
    is_talk = bool(margin) and all(map(_is_talk, margin))
    inside = [line for line in lines if _width(line) >= _INDENT]
    is_code = any(line.strip() in known or _CODE.search(line) for line in inside)
    if not (is_talk and is_code) or _width(first) >= _INDENT or any(line.strip() in known for line in margin):
        return lines
    out: list[str] = []
    for is_code, run in groupby(_runs(lines), key=lambda run: run[0]):
        found = [line for _, text in run for line in text]
        out += _fenced(found) if is_code else found
    return out


def _is_talk(line: str) -> bool:
    is_code = _CODE.search(line) or is_comment(line) or is_marker(line, Known())
    return _SAID.fullmatch(line) is not None and not is_code


def _runs(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Lines that are indented below a blank line, and the others, each with the blank lines that follow."""
    is_code, above = False, ""
    for line in lines:
        if line.strip():
            is_code = _width(line) >= _INDENT and (is_code or not above.strip())
        yield is_code, [line]
        above = line


def _fenced(lines: Sequence[str]) -> list[str]:
    """The lines, without what sets them off, in a fence above the blank ones at their end."""
    end = max(at for at, line in enumerate(lines) if line.strip()) + 1
    inner = [_dedented(line) for line in lines[:end]]
    has_columns = all(line[:1] in ("+", "-", " ", "") for line in inner)
    is_diff = has_columns and any(line.startswith(("+", "-")) for line in inner)
    ticks = fence(*inner)
    return [f"{ticks}{'diff' if is_diff else ''}", *inner, ticks, *lines[end:]]


def _dedented(line: str) -> str:
    return line[1 if line.startswith("\t") else min(_INDENT, _width(line)) :]


def _width(line: str) -> int:
    wide = line.expandtabs(_INDENT)
    return len(wide) - len(wide.lstrip())
