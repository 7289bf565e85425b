"""In: a replacement in whose texts dots stand for lines. Out: one for each part between the dots."""

import re
from collections.abc import Iterable, Iterator, Sequence

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
    old_dots, olds = _pieces(split_lines(step.old), page)
    new_dots, news = _pieces(split_lines(step.new), page)
    if not old_dots:
        yield step
        return
    if old_dots != new_dots:
        raise RefusedError(
            f"{quoted(old_dots[0])} stands for lines in the old text at line {step.line} of the answer,"
            " and not in the new text: write out the lines"
        )
    line = step.line
    for before, after in zip(olds, news, strict=True):
        if before or after:
            yield replace(step, old=text_of(before), new=text_of(after), line=line, kept=None)
        line += len(before) + 1


def _pieces(lines: Sequence[str], page: Page) -> tuple[list[str], list[list[str]]]:
    """The dots among lines, and the lines before, between and behind them."""
    dots: list[str] = []
    pieces: list[list[str]] = [[]]
    for line in lines:
        if is_dots(line, page):
            dots.append(line.strip())
            pieces.append([])
        else:
            pieces[-1].append(line)
    return dots, pieces


def ended(text: str) -> str:
    """A text of whole lines: with a newline at its end, where it has any."""
    return text and text.removesuffix("\n") + "\n"


def text_of(lines: Iterable[str]) -> str:
    """The text of lines, each with a newline."""
    return "".join(f"{line}\n" for line in lines)
