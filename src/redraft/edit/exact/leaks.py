"""In: a change and the file. Out: nothing, or `RefusedError` where a new line belongs to the answer."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise
from pathlib import PurePosixPath

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.forms import ENTITY, NO_BREAK
from redraft.edit.exact.page import Page, Spot
from redraft.edit.exact.steps import RefusedError, Replacement
from redraft.edit.outline.grammars import grammar
from redraft.edit.text.changes import split_lines
from redraft.edit.text.lines import written
from redraft.edit.text.standing import Standing, standing
from redraft.edit.text.strings import in_strings, stands_for_lines

_NUMBERED = re.compile(r"\s*\d{1,6}(?: ?[|\u2502](?: |$)|\u2192|#[A-Z]{2}:)|\s+\d{1,6}\t")
_LINE_TAG = re.compile(r"\s*\d{1,6}#")
_FRAMES = re.compile(
    r"\s*(?:<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)\b.*|-{5,9} ?SEARCH>?|={7}|>{5,9} ?(?:REPLACE|UPDATED)\b.*|"
    r"\+{5,9} ?REPLACE>?|-{5,9} ?={5,9}|:(?:start|end)_line:.*|\*\*\* (?:Begin|End) Patch.*|\*\*\* End of File|"
    r"\*\*\* (?:Update|Add|Delete) File: .*|@@ .*@@.*)\s*"
)
_TAGS = re.compile(
    r"</?(?:antml:)?(?:old|new)_?(?:str|string|text|code)(?:[ =][^>]*)?>|"
    r"</?(?:antml:)?(?:invoke|parameter|function_calls|tool_call|"
    r"function=\w+|parameter=\w+|replace_in_file|apply_diff|write_to_file|edit_file|code_edit)\b[^>]*>|"
    r"<!\[CDATA\[|\]\]>"
)
_DOTS = re.compile(r"\.{3}|\u2026")
_NO_BREAK = re.compile(f".*[{''.join(NO_BREAK)}]")
_ENTITY = re.compile(f".*(?:{ENTITY.pattern})")
_ADDED = re.compile(r"\+")
_EXISTING = re.compile(
    r".*(?:\.{3}|\u2026).*\b(?:existing|rest|remaining|unchanged|previous|same)\b.*|"
    r"\s*\[(?:.*\b)?(?:existing|rest of|remaining|unchanged)\b.*\]\s*|"
    r"\s*(?:#|//|--|/\*|<!--)\s*(?:rest of (?:the )?(?:file|code|class|function)|existing code|unchanged).*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w+#.:/\\ -]*")
_STRINGS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|/(?:[^/\\\s]|\\.)+/")
_BREAKS = re.compile(r"\\n(?=\s|\\n|$|\w+\s*[:=(])")
_MARKUP = {
    *(".html", ".htm", ".xml", ".xhtml", ".svg", ".vue", ".svelte", ".jsx", ".tsx", ".md", ".mdx", ".markdown", ".php"),
    *(".erb", ".hbs", ".ejs", ".astro", ".jinja", ".j2", ".cshtml", ".razor", ".xaml", ".plist", ".csproj", ".rst"),
}
_PAGES = {".md", ".mdx", ".markdown", ".rst", ".adoc", ""}


def check_leaks(step: Replacement, spot: Spot, page: Page, file: Page, answer: Sequence[str]) -> None:
    """Raises RefusedError for the first new line that is a part of the answer's format."""
    old = {*map(str.strip, split_lines(spot.change.old))}
    brought = [
        text for text, origin in spot.change.lines if origin is None and text.strip() and text.strip() not in old
    ]
    for text in brought:
        if text.strip() in file.bare or _is_stub(text, spot, page) or _is_quoted(text, spot, page, step.path):
            continue
        for reason in (*_reasons(text, old, file), *_misspelled(step, text, file, answer)):
            where = _standing(step, text, answer)
            line = f"line {where.number} of the answer" if where else f"new text of line {step.line} of the answer"
            raise RefusedError(f"{line} {reason}")
    _check_fences(brought, step, answer)


def _standing(step: Replacement, text: str, answer: Sequence[str]) -> Standing | None:
    return standing(answer, text, step.line + len(split_lines(step.old)))


def _reasons(text: str, old: set[str], file: Page) -> Iterator[str]:
    """Why a line cannot be one of the file's, and what to do about it."""
    bare, shown = text.strip(), quoted(text)
    if _NUMBERED.match(text) and not file.has(_NUMBERED):
        what = "tag" if _LINE_TAG.match(text) else "number"
        yield f"starts with a line {what}, {shown}, which the file does not have: remove the {what}s"
    if _FRAMES.fullmatch(text):
        yield f"is a mark of the edit within its new text, {shown}: remove it, or end the edit above it"
    tag = _TAGS.search(_STRINGS.sub("", text))
    if tag and tag[0] not in file.text:
        yield f"has the tag {tag[0]} of the call within the new text, {shown}: remove it, or end the text above it"
    if text[0] == "+" and not text.startswith("++") and not file.has(_ADDED):
        yield f"starts with a diff '+' inside new text, {shown}: remove the '+'"
    if text[0] == "-" and bare[1:].strip() in old:
        yield f"starts with a diff '-' inside new text, {shown}: leave out the lines that go"
    if _EXISTING.fullmatch(text) or bare.strip("#/-*<>!{}; ") in ("...", "\u2026"):
        yield f"stands for code that is not shown, {shown}: write out that code, or change fewer lines"


def _is_stub(text: str, spot: Spot, page: Page) -> bool:
    """Dots alone are the body of a stub in Python, below a colon."""
    lines = [*page.lines[max(spot.start - 1, 0) : spot.start], *(line for line, _ in spot.change.lines)]
    pairs = pairwise(["", *map(str.strip, written(lines))])
    return text.strip() == "..." and all(above.endswith(":") for above, line in pairs if line == "...")


def _is_quoted(text: str, spot: Spot, page: Page, path: str) -> bool:
    """Whether dots are within a new string, where no lines of the old one are left out."""
    if not _DOTS.search(text):
        return False
    new = [line for line, _ in spot.change.lines]
    inside = in_strings([*page.lines[: spot.start], *new, *page.lines[spot.end :]], grammar(path))
    places = [at for at, line in enumerate(new) if line == text]
    old = split_lines(spot.change.old)
    return all(spot.start + at in inside and not stands_for_lines(new, at, old) for at in places)


def _misspelled(step: Replacement, text: str, file: Page, answer: Sequence[str]) -> Iterator[str]:
    """Which signs of a line are not spelled as the file spells them."""
    code, shown = _STRINGS.sub("", text), quoted(text)
    suffix = PurePosixPath(step.path).suffix.lower()
    sign = next(filter(NO_BREAK.__contains__, text), "")
    if sign and not file.has(_NO_BREAK):
        yield f"has no-break spaces (U+{ord(sign):04X}) where the file has plain ones, {shown}: replace them"
    if (found := ENTITY.search(code)) and suffix not in _MARKUP and not file.has(_ENTITY):
        yield f"has the HTML escape '{found[0]}' for {unescape(found[0])!r}, {shown}: write the plain character"
    if step.is_call and _BREAKS.search(code) and suffix != ".tex" and not _BREAKS.search(_STRINGS.sub("", file.text)):
        where = _standing(step, text, answer)
        is_escaped = where is not None and where.is_escaped
        plain = r"is escaped twice, {}: write \n, not \\n" if is_escaped else r"has \n in it, {}: write a line break"
        yield plain.format(shown)


def _check_fences(new: list[str], step: Replacement, answer: Sequence[str]) -> None:
    """Raises RefusedError where new lines are in a fence of the answer, in a file that has none."""
    suffix = PurePosixPath(step.path).suffix.lower()
    if suffix not in _PAGES and new and _FENCE.fullmatch(new[0]) and _FENCE.fullmatch(new[-1]):
        where = _standing(step, new[0], answer)
        raise RefusedError(
            f"new text (line {where.number if where else step.line} of the answer) is wrapped in "
            f"{new[0].strip()[:3]} marks that would land in the file: remove them"
        )


def placeholder(text: str, original: str) -> str:
    """A line of a whole file that stands for others; "" where there is none."""
    had = {*map(str.strip, original.split("\n"))}
    return next((line for line in filter(_EXISTING.fullmatch, text.split("\n")) if line.strip() not in had), "")
