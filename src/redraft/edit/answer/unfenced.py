"""In: the lines of a chat answer, and of the file. Out: the same with code in fences, however its author set it off.

Code in quotations, indented below sentences, in patches without a fence, and between paragraphs of sentences.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from redraft.edit.answer.sentences import are_sentences
from redraft.edit.prompts.fence import fence
from redraft.edit.text.lines import is_comment, written
from redraft.edit.words import Known, is_marker

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,}).*")
_QUOTED = re.compile(r"\s{0,3}> ?(.*)")
_QUOTED_FENCE = re.compile(r"> ?\s*(?:`{3,}|~{3,}).*")
_LEADS_IN = (":", "\uff1a", ":**", ":*")
_PATCH = re.compile(r"\*\*\* Begin Patch|diff --git .*|@@ -\d.*")
_PATCH_GOES_ON = re.compile(r"@@.*|\*\*\* (?!End Patch).*|diff --git .*|--- .*|\+\+\+ .*")
_END_OF_PATCH = "*** End Patch"
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
    patched = _with_patch(lines)
    if patched is not None:
        return patched
    ways = (_with_indented, _with_quoted, _between_sentences)
    return next((found for way in ways if (found := way(lines, file)) != lines), lines)


def _unquoted(lines: list[str], file: Sequence[str]) -> list[str]:
    """Without the signs of quotations, where all fences stand in them and the file has none so."""
    quoted = [line for line in lines if _QUOTED_FENCE.fullmatch(line)]
    if len(quoted) < 2 or any(map(_FENCE.fullmatch, lines)) or {*quoted} & {*file}:
        return lines
    return [match[1] if (match := _QUOTED.fullmatch(line)) else line for line in lines]


def _with_quoted(lines: list[str], file: Sequence[str]) -> list[str]:
    """Quotations in fences; all as it is where one is not below a colon, or where what is around is no sentence."""
    runs = _runs(_quoted(lines))
    around = [line for is_quoted, run in runs if not is_quoted for line in written(run)]
    above = [written(before) for (_, before), (is_quoted, _) in pairwise([(False, [""]), *runs]) if is_quoted]
    is_led_in = bool(above) and all(texts and texts[-1].rstrip().endswith(_LEADS_IN) for texts in above)
    return _with_fences(runs, _bare) if is_led_in and are_sentences(around, {*map(str.strip, file)}) else lines


def _quoted(lines: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Each line with whether it stands in a quotation; a blank one does where the line above does."""
    is_quoted = False
    for line in lines:
        is_quoted = _QUOTED.fullmatch(line) is not None if line.strip() else is_quoted
        yield is_quoted, line


def _with_patch(lines: list[str]) -> list[str] | None:
    """A patch among sentences in a fence; None where there is no patch, or nothing else."""
    starts = [at for at, line in enumerate(lines) if _PATCH.fullmatch(line) or _is_header(lines, at)]
    if not starts:
        return None
    start, end = starts[0], _end_of_patch(lines)
    if not any(map(str.strip, (*lines[:start], *lines[end:]))):
        return None
    ticks = fence(*lines)
    return [*lines[:start], f"{ticks}diff", *lines[start:end], ticks, *lines[end:]]


def _is_header(lines: Sequence[str], at: int) -> bool:
    return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")


def _end_of_patch(lines: Sequence[str]) -> int:
    """Behind its last line; without one that says so, before the first paragraph below its last header that has no
    column for signs."""
    if _END_OF_PATCH in lines:
        return lines.index(_END_OF_PATCH) + 1
    last = max(at for at, line in enumerate(lines) if _PATCH_GOES_ON.fullmatch(line))
    for at in range(last + 1, len(lines) - 1):
        if not lines[at] and lines[at + 1] and not lines[at + 1].startswith((" ", "+", "-", "\\")):
            return at
    return len(lines)


def _with_indented(lines: list[str], file: Sequence[str]) -> list[str]:
    """Code that is indented below sentences in fences; all as it is where what is not indented may be code."""
    known = {*map(str.strip, file)}
    inside = [line for line in lines if _width(line) >= _INDENT]
    margin = [line for line in written(lines) if _width(line) < _INDENT and not _RULE.fullmatch(line)]
    begins_inside = _width(next(filter(str.strip, lines), "")) >= _INDENT
    if not margin or begins_inside or not all(_is_talk(line) and line.strip() not in known for line in margin):
        return lines
    is_code = any(line.strip() in known or _CODE.search(line) for line in inside)
    return _with_fences(_runs(_indented(lines)), _dedented) if is_code else lines


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
    return [*lines[:first], *_fenced(code, str), *lines[end:]]


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


def _runs(marked: Iterable[tuple[bool, str]]) -> list[tuple[bool, list[str]]]:
    """The lines that follow each other and are set off alike."""
    return [(is_set_off, [line for _, line in run]) for is_set_off, run in groupby(marked, key=itemgetter(0))]


def _with_fences(runs: Iterable[tuple[bool, list[str]]], bare: Callable[[str], str]) -> list[str]:
    """All lines, those that are set off in fences."""
    return [line for is_set_off, run in runs for line in (_fenced(run, bare) if is_set_off else run)]


def _fenced(lines: Sequence[str], bare: Callable[[str], str]) -> list[str]:
    """The lines, without what sets them off, in a fence above the blank ones at their end."""
    end = max(at for at, line in enumerate(lines) if line.strip()) + 1
    inner = [bare(line) for line in lines[:end]]
    has_columns = all(line[:1] in ("+", "-", " ", "") for line in inner)
    is_diff = has_columns and any(line.startswith(("+", "-")) for line in inner)
    ticks = fence(*inner)
    return [f"{ticks}{'diff' if is_diff else ''}", *inner, ticks, *lines[end:]]


def _bare(line: str) -> str:
    match = _QUOTED.fullmatch(line)
    return match[1] if match else ""


def _dedented(line: str) -> str:
    return line[1 if line.startswith("\t") else min(_INDENT, _width(line)) :]


def _width(line: str) -> int:
    wide = line.expandtabs(_INDENT)
    return len(wide) - len(wide.lstrip())
