"""In: a change and the file. Out: nothing, or `RefusedError` where a new line belongs to the answer."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.forms import ENTITY, NO_BREAK
from redraft.edit.exact.page import Page, Spot
from redraft.edit.exact.steps import RefusedError, Replacement
from redraft.edit.text.changes import split_lines

_NUMBERED = re.compile(r"\s*\d{1,6}(?: ?[|\u2502](?: |$)|\u2192|#[A-Z]{2}:)|\s+\d{1,6}\t")
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
_DOTS = re.compile(r"\s*(?:(?:#|//|--|;|%|/\*|<!--|\{/\*|\"|')\s*)?\[?(?:\.{3}|\u2026).*")
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


def check_leaks(step: Replacement, spot: Spot, page: Page, file: Page) -> None:
    """Raises RefusedError for the first new line that is a part of the answer's format."""
    old = {line.strip() for line in split_lines(spot.change.old)}
    brought = [
        text for text, origin in spot.change.lines if origin is None and text.strip() and text.strip() not in old
    ]
    for text in brought:
        if text.strip() in file.bare:
            continue
        if _is_stub(text, spot, page):
            continue
        for reason in _reasons(step, text, old, file):
            raise RefusedError(f"a new line of the edit at line {step.line} of the answer {reason}: {quoted(text)}")
    check_fences(brought, step.line, step.path)


def _reasons(step: Replacement, text: str, old: set[str], file: Page) -> Iterator[str]:
    """Why a line cannot be one of the file's."""
    bare = text.strip()
    lines = file.bare
    if _NUMBERED.match(text) and not any(_NUMBERED.match(line) for line in file.lines):
        yield "begins with the number of a line, which old and new text do not both have"
    if _FRAMES.fullmatch(text):
        yield "is a mark of the format, so it cannot be told where old and new text end"
    tag = _TAGS.search(_STRINGS.sub("", text))
    if tag and tag[0] not in file.text:
        yield "holds a tag of the call around it"
    if text[0] == "+" and not text.startswith("++") and not any(line.startswith("+") for line in file.lines):
        yield "begins with the sign of a diff"
    if text[0] == "-" and bare[1:].strip() in old:
        yield "begins with the sign of a diff"
    if _EXISTING.fullmatch(text) and bare not in lines:
        yield "stands for code that is not shown: write the code itself"
    if bare.strip("#/-*<>!{}; ") in ("...", "\u2026"):
        yield "stands for code that is not shown: write the code itself"
    if any(sign in text for sign in NO_BREAK) and not any(sign in file.text for sign in NO_BREAK):
        yield "has no-break spaces, which the file does not have"
    yield from _escapes(step, text, file)


def _is_stub(text: str, spot: Spot, page: Page) -> bool:
    """Dots alone are the body of a stub in Python, below a colon."""
    if text.strip() != "...":
        return False
    lines = [*page.lines[max(spot.start - 1, 0) : spot.start], *(line for line, _ in spot.change.lines)]
    written = [line.strip() for line in lines if line.strip()]
    return all(above.endswith(":") for above, line in pairwise(["", *written]) if line == "...")


def _escapes(step: Replacement, text: str, file: Page) -> Iterator[str]:
    code = _STRINGS.sub("", text)
    suffix = PurePosixPath(step.path).suffix.lower()
    if ENTITY.search(code) and suffix not in _MARKUP and not ENTITY.search(file.text):
        yield "has an entity where a sign is meant"
    if step.is_call and _BREAKS.search(code) and suffix != ".tex" and not _BREAKS.search(_STRINGS.sub("", file.text)):
        yield r"has \n in it where a line break is meant"


def check_fences(new: list[str], line: int, path: str) -> None:
    """Raises RefusedError where new lines are in a fence of the answer, in a file that has none."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix not in _PAGES and new and _FENCE.fullmatch(new[0]) and _FENCE.fullmatch(new[-1]):
        raise RefusedError(
            f"the new text of the edit at line {line} of the answer has ticks around it: {quoted(new[0])}"
        )


def placeholder(text: str, original: str) -> str:
    """A line of a whole file that stands for others; "" where there is none."""
    had = {line.strip() for line in original.split("\n")}
    return next((line for line in text.split("\n") if _EXISTING.fullmatch(line) and line.strip() not in had), "")
