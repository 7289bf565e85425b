"""In: a replacement in whose texts dots stand for lines. Out: one for each part between the dots."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import RefusedError, Replacement
from redraft.edit.text.changes import split_lines

_DOTS = re.compile(
    r"\s*(?:(?:#|//|--|;|%|/\*|<!--|\{/\*)\s*)?(?:\.{3}|\u2026)(?:[^\"'()=]*(?:\.{3}|\u2026))?\s*(?:\*/\}?|-->)?\s*"
)


def is_dots(line: str, page: Page) -> bool:
    """Whether a line stands for others, and is not the file's."""
    return _DOTS.fullmatch(line) is not None and line.strip() not in page.bare


def parted(step: Replacement, page: Page) -> Iterator[Replacement]:
    """Raises RefusedError where the two sides have other dots."""
    old, new = split_lines(step.old), split_lines(step.new)
    dots = [line.strip() for line in old if is_dots(line, page)]
    if not dots:
        yield step
        return
    if dots != [line.strip() for line in new if is_dots(line, page)]:
        text = quoted(dots[0])
        raise RefusedError(
            f"{text} stands for lines in the old text at line {step.line} of the answer, and not in the new text:"
            " write out the lines"
        )
    olds, news = _pieces(old, page), _pieces(new, page)
    line = step.line
    for before, after in zip(olds, news, strict=True):
        if before or after:
            yield replace(step, old=text_of(before), new=text_of(after), line=line, kept=None)
        line += len(before) + 1


def _pieces(lines: Sequence[str], page: Page) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for line in lines:
        if is_dots(line, page):
            found.append([])
        else:
            found[-1].append(line)
    return found


def text_of(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
