"""In: a step without its one place. Out: a sentence on what was looked for, what is near, what settles it."""

import re
from collections.abc import Sequence

from redraft.edit.align.likeness import nearest, quoted
from redraft.edit.exact.forms import ENTITY, NUMBERED
from redraft.edit.exact.page import Page, Spot
from redraft.edit.exact.steps import Replacement
from redraft.edit.text.changes import lines_named, split_lines
from redraft.edit.text.signs import differing
from redraft.edit.text.standing import standing

_LISTED = 5
_AS_IT_IS = "copy the lines from the file as it is now"
_GUTTER = re.compile(r"\s*(\d{1,6})(?: ?[|\u2502\u2192:\t#])")


def several(step: Replacement, spots: Sequence[Spot], page: Page) -> str:
    gutter = _GUTTER.match(step.old)
    if gutter and step.number and int(gutter[1]) != step.number:
        two = f"is to be at line {step.number} of the file, and has {gutter[1]} in front"
        return f"{_called(step)} {two}: give one right number, or show more lines around it"
    more = (
        "show more lines around it" if not step.number else "give the right line number, or show more lines around it"
    )
    return f"{_called(step)} stands {len(spots)} times in the file, at {_at_lines(spots, page)}; {more}"


def not_as_often(step: Replacement, spots: Sequence[Spot], page: Page) -> str:
    what = f"{_called(step)} is to be replaced {step.count} times and stands {len(spots)} times"
    return f"{what}, at {_at_lines(spots, page)}: correct the count"


def made_in_part(step: Replacement) -> str:
    return f"{_called(step)} is a part of the new text where that stands already; show more of the lines around it"


def beyond(step: Replacement, spot: Spot, named: Sequence[int], page: Page) -> str:
    anchor = f"its anchor {quoted(step.scopes[-1])}"
    where = "above" if min(named) >= spot.end else "outside of"
    what = f"{_called(step)} stands at line {page.number(spot.start)} of the file, {where} {anchor}"
    return f"{what}, which is line {page.number(named[0])}; name the class or function in which it stands"


def unplaced(step: Replacement, found: Sequence[int], page: Page) -> str:
    if not step.scopes:
        what = f"the new lines at line {step.line} of the answer have no old line beside them"
        return f"{what}: put the line above them in both texts"
    anchor = f"the anchor {quoted(step.scopes[-1])} above line {step.line} of the answer"
    if not found:
        return f"{anchor} is not in the file{nearest(step.scopes[-1], page.lines)}"
    numbers = ", ".join(str(page.number(at)) for at in found[:_LISTED])
    return f"{anchor} stands at lines {numbers} of the file: name the class or function around it, too"


def missing(step: Replacement, page: Page, answer: Sequence[str] = ()) -> str:
    """What is not there, and the first line that differs at the place where the most lines agree."""
    old = split_lines(step.old)
    if slip := one_sided(step):
        return f"{_called(step)} is not in the file: {slip}"
    strange = [line for line in old if line.strip() and line.strip() not in page.bare]
    for text in strange:
        for at, line in enumerate(page.lines):
            if signs := differing(text, line):
                there = f"{_place(step, text, answer)} differs from line {page.number(at)} of the file only in {signs}"
                return f"{there}, {quoted(text)}: copy it from the file"
    telling = max(strange or old, key=len, default="")
    start = _closest(old, page)
    if start is None:
        return f"{_called(step)} is not in the file{nearest(telling, page.lines)}; {_AS_IT_IS}"
    for here, text in enumerate(old, start):
        if here >= len(page.lines):
            return f"{_called(step)} goes on below the end of the file with {quoted(text)}: {_AS_IT_IS}"
        if page.lines[here].strip() != text.strip():
            shown = f"{_place(step, text, answer)}, {quoted(text)}," if text.strip() else f"{_called(step)}"
            return f"{shown} does not match {_there(here, page)}: {_AS_IT_IS}"
    return f"{_called(step)} is at line {page.number(start)} of the file indented otherwise: {_AS_IT_IS}"


def _there(at: int, page: Page) -> str:
    """A line of the page as the reader of file and answer knows it."""
    text = page.lines[at]
    if page.origins[at] is None:
        return f"{quoted(text)}, which an edit above it brings below line {page.number(at)} of the file"
    return f"line {page.number(at)} of the file, {quoted(text) if text.strip() else 'which is blank'}"


def _place(step: Replacement, text: str, answer: Sequence[str]) -> str:
    where = standing(answer, text, step.line)
    return f"line {where.number if where else step.line} of the answer"


def one_sided(step: Replacement) -> str:
    """What only one of the two texts has."""
    for name, pattern in (("line numbers", NUMBERED), ("HTML escapes such as &lt;", ENTITY)):
        found = [bool(pattern.search(text)) for text in (step.old, step.new)]
        if found == [True, False] and step.new.strip():
            return f"it has {name} in it, and the new text has none: write both as the file has them"
    return ""


def _closest(old: Sequence[str], page: Page) -> int | None:
    votes, first = page.likely_starts(old), old[0].strip()
    near = (lambda start: (page.lines[start].strip() == first, votes[start], -start)) if first else votes.__getitem__
    return max(votes, key=near, default=None)


def _called(step: Replacement) -> str:
    text = next(filter(str.strip, step.old.split("\n")), "")
    return f"the old text at line {step.line} of the answer ({quoted(text)})"


def _at_lines(spots: Sequence[Spot], page: Page) -> str:
    return lines_named([page.number(spot.start) for spot in spots], _LISTED)
