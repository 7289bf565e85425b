"""In: a block none of whose lines tells its place in the file. Out: the patches, by other numbers or by the words."""

import re
from collections import defaultdict

from msgspec import structs

from redraft.edit.sketch.fit import Fit, fitted
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.keys import unnumbered
from redraft.edit.sketch.patch import Doubt, Patch, written_end
from redraft.edit.sketch.places import Placement, is_end_of_file
from redraft.edit.sketch.scope import Scope
from redraft.edit.sketch.stretch import lowest
from redraft.edit.text.lines import is_telling, lead_of
from redraft.edit.words.directive import Place

_GOES_ON = re.compile(r"\s*(?:\}|\)|\]|else|elif|elsif|except|catch|finally|rescue|ensure)")


def unanchored(scope: Scope, placement: Placement) -> list[Patch]:
    """Raises Doubt where nothing tells a place, or what tells it is read in two ways."""
    patches: list[Patch] = []
    if not any(item.is_marker for item in scope.shown):
        patches = _versions(scope) or (_placed(scope, placement) if placement.is_new else [])
    if not patches:
        raise Doubt("no line of the answer stands in the file once")
    return patches


def _versions(scope: Scope) -> list[Patch]:
    """The patches for lines of which each is one of the file's with other numbers; none where one is not, or may be
    new. In a plain list, such as requirements, words that add do not make a second of a line."""
    if scope.adds and scope.file.language:
        return []
    held = defaultdict[str, list[Item]](list)
    for old in scope.held:
        held[unnumbered(old.name)].append(old)
    found: list[Patch] = []
    for item in scope.shown:
        text = unnumbered(item.name)
        same = held[text]
        if not text or len(same) != 1 or (found and same[0].start < found[-1].end):
            return []
        lead = lead_of(scope.file.lines[same[0].start])
        found.append(Patch(same[0].start, same[0].end, (lead + item.name,)))
    return found


def _placed(scope: Scope, placement: Placement) -> list[Patch]:
    is_page = scope.file.language == "markdown"
    if any(is_end_of_file(each) or (is_page and each == Place("end", ())) for each in placement.places):
        end = written_end(scope.file.lines)
        return [Patch(end, end, ("", *_texts(scope, Fit(lowest(scope.outline.lines), ""))))]
    if placement.line is not None and not placement.is_above:
        return [_below(scope, placement.line)]
    return []


def _below(scope: Scope, line: int) -> Patch:
    """Below a line that the words name, and what stands deeper below it."""
    lines = scope.file.lines
    depth, end, base = width(lines[line]), line + 1, lowest(scope.outline.lines)
    if base > depth:
        raise Doubt("the words put something beside a line of the file, and it is shown deeper")
    while end < len(lines) and lines[end].strip() and width(lines[end]) > depth:
        end += 1
    below = "".join(lines[end : end + 1])
    if end > line + 1 and below.strip() and width(below) == depth and not is_telling(below):
        end += 1
    elif below.strip() and (_GOES_ON.match(below) or width(below) < depth):
        raise Doubt("the words put something below a line of the file that goes on")
    return Patch(end, end, _texts(scope, fitted(base, lead_of(lines[line]), scope.outline.lines, lines)))


def _texts(scope: Scope, fit: Fit) -> tuple[str, ...]:
    return structs.replace(scope, fit=fit).texts(scope.shown, 0)
