"""In: the lines of a chat answer. Out: its fenced blocks, each with the sentences before it."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, takewhile
from pathlib import PurePosixPath

from msgspec import Struct

from redraft.edit.text.lines import written
from redraft.edit.words import Known, comment_body, is_marker


class Fence(Struct, frozen=True):
    """A fenced block: the language it names, the file that its title or the line before names, and its lines.

    `before` is what the answer says between the block before and this one, `opening` all that stands behind the first
    ticks. `is_closed`: it has an end. The ticks are lines `start` and `end` of the answer.
    """

    info: str
    title: str
    lines: tuple[str, ...]
    before: tuple[str, ...] = ()
    is_closed: bool = True
    end: int = 0
    start: int = 0
    opening: str = ""


_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})\s*([^`]*)")
_PROSE_SUFFIXES = {".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".tex", ".org"}
_MARKDOWN = {"md", "markdown", "mdx"}
DIFF_WORDS = {"diff", "patch", "udiff"}
FILE_NAME = re.compile(r"[\w@.+\-/\\\[\]()]*[\w\])]\.\w{1,10}\b")
CODE_LIKE = re.compile(
    r"[;{}()\[\],=>]\s*$|^\s{2,}\S"
    r"|^\s*(?:import|from|def|class|return|const|let|var|func|fn|pub|use|package|#include|@\w|</?\w)"
)
_RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*")  # below the head of a table
_FOLDED = re.compile(r"\s*</?(?:details|summary)\b.*")  # what folds a block away on a page
_OF_AGENT = re.compile(r"\s*(?:$|[\u23fa\u25cf\u23bf\u2022\u273b])")  # blank, or in front of what an agent did
_QUOTED = re.compile(r"`[^`]+`")
_SENTENCE = re.compile(
    r"\s*(?:[-*>]\s+|\d+[.)]\s+|#+ )?[\"'`*(]?[A-Za-z][\w'\u2019`*,;:()/\"“” -]*[.:!?,]?[\"'`*)]?(?:\s.*[.:!?])?\s*"
)


def fences(lines: Sequence[str], path: str = "", file: Collection[str] = (), is_intended: bool = False) -> list[Fence]:
    """The fenced blocks of an answer, whatever file they are for; none where its fences belong to the code itself.

    `file` are the lines of the file that it is about, stripped. `is_intended`: fences are known to be the answer's own.
    """
    nested = list(_scan(lines, nesting=True))
    ends_open = bool(nested) and nested[-1][1] == len(lines)
    spans = list(_scan(lines, nesting=False)) if ends_open else nested
    if not spans or (not is_intended and _is_bare_with_fences(lines, spans, path, file)):
        return []
    return [
        _cut(lines, start, end, lines[behind:start]) for (start, end), behind in zip(spans, _ends(spans), strict=False)
    ]


def _ends(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Where what is outside of fences begins: at the top, and behind each."""
    return [0, *(end + 1 for _, end in spans)]


def _scan(lines: Sequence[str], nesting: bool) -> Iterator[tuple[int, int]]:
    """Pairs (line of the opening fence, line of the closing fence or len(lines))."""
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        if opening is None or _is_underline(lines, at):
            at += 1
            continue
        end = _closing(lines, at, opening, nesting)
        yield at, end
        at = end + 1


def _is_underline(lines: Sequence[str], at: int) -> bool:
    """Whether tildes underline a title, as in a docstring: they are as long as the line right above them."""
    line, above = lines[at].strip(), lines[at - 1].strip() if at else ""
    return line.startswith("~") and not line.strip("~") and len(line) == len(above) and not above.startswith("~")


def _closing(lines: Sequence[str], start: int, opening: re.Match[str], nesting: bool) -> int:
    if nesting and _language(opening[3]) in _MARKDOWN and len(opening[2]) == 3:
        return _last_bare_fence(lines, start)
    depth = 1
    for at in range(start + 1, len(lines)):
        fence = _FENCE.fullmatch(lines[at])
        if fence is None or not fence[2].startswith(opening[2]):
            continue
        depth += nesting if fence[3].strip() else -1
        if depth == 0:
            return at
    return len(lines)


def _last_bare_fence(lines: Sequence[str], start: int) -> int:
    """A fenced Markdown file may hold bare fences: it ends at the last one before the next Markdown fence."""
    found = ((at, fence) for at in range(start + 1, len(lines)) if (fence := _FENCE.fullmatch(lines[at])))
    inside = takewhile(lambda one: _language(one[1][3]) not in _MARKDOWN, found)
    return max((at for at, fence in inside if not fence[3].strip()), default=len(lines))


def _is_bare_with_fences(lines: Sequence[str], spans: list[tuple[int, int]], path: str, file: Collection[str]) -> bool:
    """True when the fences belong to the code itself: a Markdown sketch, or a docstring that shows an example."""
    around = [lines[behind:start] for behind, (start, _) in zip(_ends(spans), [*spans, (len(lines), 0)], strict=True)]
    outside = [line for line in chain(*around) if not _OF_AGENT.match(line)]
    if any(is_marker(line, Known()) and not line.lstrip().startswith(("*", "-- ")) for line in outside):
        return True
    if PurePosixPath(path).suffix.lower()[1:] in _MARKDOWN:
        return _is_page(outside, lines[spans[0][0]]) and not _is_talk(outside, file)
    outside = [line for line in outside if not _FOLDED.fullmatch(line)]
    code_like = sum(bool(CODE_LIKE.search(line[-200:])) for line in outside)
    return len(outside) >= 2 and code_like > 0.6 * len(outside)


def _is_page(outside: Sequence[str], first: str) -> bool:
    """Whether lines around fences may be those of a page that has the fences itself."""
    opening = _opening(first)
    named = _language(opening[3]) in _MARKDOWN | DIFF_WORDS | {""} or FILE_NAME.search(opening[3][:200]) is not None
    return bool(outside) and (not named or outside[0].startswith("# ")) and len(opening[2]) == 3


def _is_talk(outside: Sequence[str], file: Collection[str]) -> bool:
    """Whether lines around fences are sentences of which a page has none: words about it."""
    is_said = outside[0].rstrip().endswith((":", ".", "!", "\uff1a", "\u3002")) and not outside[0].startswith("#")
    return bool(file) and is_said and not any(text.strip() in file for text in outside)


def _cut(lines: Sequence[str], start: int, end: int, before: Sequence[str]) -> Fence:
    opening = _opening(lines[start])
    indent = len(opening[1])
    body = tuple(line[min(indent, len(line) - len(line.lstrip())) :] for line in lines[start + 1 : end])
    title = _title(opening[3], _before(lines, start))
    is_closed = end < len(lines)
    return Fence(_language(opening[3]), title, body, tuple(before), is_closed, end, start, opening[3].strip())


def _opening(line: str) -> re.Match[str]:
    opening = _FENCE.fullmatch(line)
    assert opening is not None
    return opening


def _language(info: str) -> str:
    word = re.split(r"[\s:{,]", info.strip(), maxsplit=1)[0].lower()
    return "" if "." in word or "/" in word else word


def _before(lines: Sequence[str], start: int) -> str:
    """The line above a fence, or above the blank line there."""
    above, line = ["", "", *lines[max(0, start - 2) : start]][-2:]
    return line if line.strip() else above


def _title(info: str, before: str) -> str:
    for text in (info, before if len(before) < 120 and before.count(" ") < 4 else ""):
        if name := FILE_NAME.search(text[:200]):
            return name[0].replace("\\", "/")
    return ""


def is_prose(lines: Sequence[str], path: str) -> bool:
    has_table = any(map(_RULE.fullmatch, lines))
    solid = [line for line in written(lines) if not (has_table and line.lstrip().startswith("|"))]
    if PurePosixPath(path).suffix.lower() in _PROSE_SUFFIXES or any(is_marker(line, Known()) for line in solid):
        return False
    bare = [_QUOTED.sub("`code`", line[:500]) for line in solid]
    are_sentences = all(_SENTENCE.fullmatch(line) and line.strip().count(" ") >= 2 for line in bare)
    return are_sentences and any(line.rstrip().endswith((".", ":", "!", "?")) for line in solid)


def path_comment(text: str) -> str:
    """The file name when the line is a comment that holds nothing else, else an empty string."""
    body = comment_body(text.strip())
    match = re.fullmatch(r"(?:file ?(?:path|name)?: *)?(\S+)", body or "", re.IGNORECASE)
    return match[1] if match and FILE_NAME.fullmatch(match[1]) else ""


def path_heading(text: str, path: str) -> str | None:
    """What a comment says behind the name of the file at `path`, `src/a.py > load`; None where it names no file."""
    body = comment_body(text.strip())
    name = re.escape(PurePosixPath(path).name)
    folders = r"(?:[\w.@+-]+[/\\])*"
    match = re.fullmatch(
        rf"(?:file ?(?:path|name)?: *)?{folders}{name}(?:\s*[>/\u00bb\u203a\u2192:,#(|]+(.*))?", body or ""
    )
    return (match[1] or "").strip() if match and path else None
