"""In: a chat model's answer (fenced blocks and prose, a diff, or bare code). Out: its code blocks, line by line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from redraft.edit.hunks.blocks import as_diffs
from redraft.edit.marker import comment_body, is_marker

__all__ = ["Block", "Fence", "Line", "blocks", "fences", "is_marker"]

Kind = Literal["code", "marker", "removed"]


@dataclass(frozen=True)
class Line:
    """One line of a sketch without its newline; `added` says that a diff marks it as new."""

    text: str
    kind: Kind
    added: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether it is a blank line that no diff adds or takes away."""
        return self.kind == "code" and not self.added and not self.text.strip()


@dataclass(frozen=True)
class Block:
    """Consecutive lines of a sketch, `blanks` of them at the end left out.

    `explicit` says that a diff names what goes and what comes.
    """

    lines: tuple[Line, ...]
    blanks: int = 0

    @property
    def explicit(self) -> bool:
        return any(line.added or line.kind == "removed" for line in self.lines)


@dataclass(frozen=True)
class Fence:
    """A fenced block: the language it names, the file that its title or the line before names, and its lines."""

    info: str
    title: str
    lines: list[str]


_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})\s*([^`]*)")
_PROSE_SUFFIXES = {".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".tex", ".org"}
_MARKDOWN = {"md", "markdown", "mdx"}
_DIFF_WORDS = {"diff", "patch", "udiff"}
_FILE_NAME = re.compile(r"[\w@.+\-/\\\[\]()]*[\w\])]\.\w{1,10}\b")
_HUNK = re.compile(r"@@(?: .*)?(?:@@.*)?|@@.*@@.*")
_CODE_LIKE = re.compile(
    r"[;{}()\[\],=>]\s*$|^\s{2,}\S"
    r"|^\s*(?:import|from|def|class|return|const|let|var|func|fn|pub|use|package|#include|@\w|</?\w)"
)
_SENTENCE = re.compile(
    r"\s*(?:[-*>]\s+|\d+[.)]\s+|#+ )?[\"'`*(]?[A-Za-z][\w'\u2019`*,;:()/\"“” -]*[.:!?,]?[\"'`*)]?(?:\s.*[.:!?])?\s*"
)
# The languages that a fence names, and in what files their code may stand; only what can hardly be a slip.
_SCRIPT = ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .html .htm .php .md .mdx"
_PAGE = ".html .htm .vue .svelte .astro .php .erb .jinja .md .mdx"
_LANGUAGES = {
    name: frozenset("" if suffix == "none" else suffix for suffix in suffixes.split())
    for names, suffixes in (
        ("bash sh shell zsh console", ".sh .bash .zsh none"),
        ("text plaintext txt", ".txt none"),
        ("powershell", ".ps1"),
        ("python py", ".py .pyi .pyx .ipynb .md"),
        ("json", ".json .jsonc .ipynb .md"),
        ("javascript js jsx typescript ts tsx", _SCRIPT),
        ("html", _PAGE),
        ("css scss less", f".css .scss .sass .less {_PAGE}"),
        ("sql", ".sql .md"),
        ("xml", ".xml .csproj .props .svg .xaml .html .md"),
        ("yaml yml", ".yaml .yml .md"),
        ("toml", ".toml .md"),
        ("go golang", ".go .md"),
        ("rust rs", ".rs .md"),
        ("java", ".java .kt .md"),
        ("kotlin kt", ".kt .kts .java .md"),
        ("csharp cs", ".cs .cshtml .razor .md"),
        ("ruby rb", ".rb .erb .rake .gemspec .md"),
        ("swift", ".swift .md"),
    )
    for name in names.split()
}


def blocks(update: str, path: str = "") -> tuple[Block, ...]:
    """The code blocks of an answer, in order; none when it is prose only, or titled with a file other than `path`."""
    lines = _lines(update)
    fences = _meant_for(_fences(lines, path), path)
    if fences:
        return tuple(block for fence in fences if (block := _block(fence.lines, fence.info)) is not None)
    if not update.strip() or _is_prose(lines, path):
        return ()
    bare = _block(lines, "")
    return () if bare is None else (bare,)


def fences(update: str) -> tuple[Fence, ...]:
    """The fenced blocks of an answer, whatever file they are for."""
    return tuple(_fences(_lines(update), ""))


def _lines(update: str) -> list[str]:
    return as_diffs(update.replace("\r\n", "\n").split("\n"))


def _fences(lines: list[str], path: str) -> list[Fence]:
    nested = list(_scan(lines, nesting=True))
    ends_open = bool(nested) and nested[-1][1] == len(lines)
    spans = list(_scan(lines, nesting=False)) if ends_open else nested
    if not spans or _is_bare_with_fences(lines, spans, path):
        return []
    return [_cut(lines, start, end) for start, end in spans]


def _scan(lines: list[str], nesting: bool) -> Iterator[tuple[int, int]]:
    """Pairs (line of the opening fence, line of the closing fence or len(lines))."""
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        if opening is None:
            at += 1
            continue
        end = _closing(lines, at, opening, nesting)
        yield at, end
        at = end + 1


def _closing(lines: list[str], start: int, opening: re.Match[str], nesting: bool) -> int:
    if nesting and _language(opening[3]) in _MARKDOWN and len(opening[2]) == 3:
        return _last_bare_fence(lines, start)
    depth = 1
    for at in range(start + 1, len(lines)):
        fence = _FENCE.fullmatch(lines[at])
        if fence is None or fence[2][0] != opening[2][0] or len(fence[2]) < len(opening[2]):
            continue
        if fence[3].strip():
            depth += nesting
            continue
        depth -= 1
        if depth == 0:
            return at
    return len(lines)


def _last_bare_fence(lines: list[str], start: int) -> int:
    """A fenced Markdown file may hold bare fences: it ends at the last one before the next Markdown fence."""
    last = len(lines)
    for at in range(start + 1, len(lines)):
        fence = _FENCE.fullmatch(lines[at])
        if fence is not None and _language(fence[3]) in _MARKDOWN:
            break
        if fence is not None and not fence[3].strip():
            last = at
    return last


def _is_bare_with_fences(lines: list[str], spans: list[tuple[int, int]], path: str) -> bool:
    """True when the fences belong to the code itself: a Markdown sketch, or a docstring that shows an example."""
    inside = {at for start, end in spans for at in range(start, end + 1)}
    outside = [line for at, line in enumerate(lines) if at not in inside and line.strip()]
    if any(is_marker(line) and not line.lstrip().startswith(("*", "-- ")) for line in outside):
        return True
    first = _FENCE.fullmatch(lines[spans[0][0]])
    assert first is not None
    if PurePosixPath(path).suffix.lower() in _PROSE_SUFFIXES:
        named = _language(first[3]) in _MARKDOWN | _DIFF_WORDS | {""} or _FILE_NAME.search(first[3][:200]) is not None
        return bool(outside) and (not named or outside[0].startswith("# ")) and len(first[2]) == 3
    code_like = sum(bool(_CODE_LIKE.search(line[-200:])) for line in outside)
    return len(outside) >= 2 and code_like > 0.6 * len(outside)


def _cut(lines: list[str], start: int, end: int) -> Fence:
    opening = _FENCE.fullmatch(lines[start])
    assert opening is not None
    indent = len(opening[1])
    body = [line[min(indent, len(line) - len(line.lstrip())) :] for line in lines[start + 1 : end]]
    return Fence(_language(opening[3]), _title(opening[3], _before(lines, start)), body)


def _language(info: str) -> str:
    word = re.split(r"[\s:{,]", info.strip(), maxsplit=1)[0].lower()
    return "" if "." in word or "/" in word else word


def _before(lines: list[str], start: int) -> str:
    """The line above a fence, or above the blank line there."""
    above = lines[max(0, start - 2) : start]
    return above[-1] if above and above[-1].strip() else above[0] if len(above) == 2 else ""


def _title(info: str, before: str) -> str:
    for text in (info, before if len(before) < 120 and before.count(" ") < 4 else ""):
        if name := _FILE_NAME.search(text[:200]):
            return name[0].replace("\\", "/")
    return ""


def _meant_for(fences: list[Fence], path: str) -> list[Fence]:
    if not path or len(fences) < 2:
        return fences
    name = PurePosixPath(path.replace("\\", "/")).name
    if any(PurePosixPath(fence.title).name == name for fence in fences):
        fences = [fence for fence in fences if not fence.title or PurePosixPath(fence.title).name == name]
    suffix = PurePosixPath(name).suffix.lower()
    fitting = [fence for fence in fences if suffix in _LANGUAGES.get(fence.info, {suffix})]
    return fitting or fences


def _is_prose(lines: list[str], path: str) -> bool:
    written = [line for line in lines if line.strip()]
    if PurePosixPath(path).suffix.lower() in _PROSE_SUFFIXES or any(map(is_marker, written)):
        return False
    sentences = sum(bool(_SENTENCE.fullmatch(line[:500])) and line.strip().count(" ") >= 2 for line in written)
    return sentences == len(written) and any(line.rstrip().endswith((".", ":", "!", "?")) for line in written)


def _block(lines: list[str], info: str) -> Block | None:
    found = tuple(_diff_lines(lines) if _is_diff(lines, info) else map(_line, lines))
    end = len(found)
    while end and found[end - 1].is_blank:
        end -= 1
    return Block(found[:end], len(found) - end) if any(line.text.strip() for line in found) else None


def _line(text: str) -> Line:
    return Line(text, "marker" if is_marker(text) else "code")


def _is_diff(lines: list[str], info: str) -> bool:
    changed = sum(line.startswith(("+", "-")) for line in lines)
    if info in _DIFF_WORDS:
        return changed > 0
    headers = sum(bool(_HUNK.fullmatch(line)) for line in lines)
    columns = sum(line.startswith(("+", "-", " ", "@@", "\\")) or not line for line in lines)
    return headers > 0 and changed > 0 and columns > 0.8 * len(lines)


def _diff_lines(lines: list[str]) -> Iterator[Line]:
    for at, line in enumerate(lines):
        if _HUNK.fullmatch(line):
            yield Line(line, "marker")
        elif not _is_header(lines, at):
            yield _diff_line(line)


def _is_header(lines: list[str], at: int) -> bool:
    line = lines[at]
    if line.startswith(("diff --git ", "index ", "\\ No newline", "new file mode", "similarity index")):
        return True
    pair = (line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")) or (
        line.startswith("+++ ") and at > 0 and lines[at - 1].startswith("--- ")
    )
    return pair


def _diff_line(line: str) -> Line:
    column, text = line[:1], line[1:]
    if column == "-":
        return Line(text, "removed")
    if column == "+":
        return Line(text, "code", added=True)
    text = text if column == " " else line
    return _line(text)


def path_comment(text: str) -> str:
    """The file name when the line is a comment that holds nothing else, else an empty string."""
    body = comment_body(text.strip())
    match = re.fullmatch(r"(?:file ?(?:path|name)?: *)?(\S+)", body or "", re.IGNORECASE)
    return match[1] if match and _FILE_NAME.fullmatch(match[1]) else ""
