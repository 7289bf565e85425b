"""In: a block none of whose lines tells its place in the file. Out: the patches, by other numbers or by the words."""

import re
from collections import defaultdict
from collections.abc import Iterator

from msgspec import structs

from redraft.edit.sketch.fit import Fit, fitted
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.keys import unnumbered
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.places import Placement, is_end_of_file
from redraft.edit.sketch.scope import Scope
from redraft.edit.sketch.stretch import lowest
from redraft.edit.text.lines import is_telling, lead_of

_GOES_ON = re.compile(r"\s*(?:\}|\)|\]|else|elif|elsif|except|catch|finally|rescue|ensure)")


def unanchored(scope: Scope, placement: Placement) -> Iterator[Patch]:
    """Raises Doubt where nothing tells a place, or what tells it is read in two ways."""
    is_marked = any(item.is_marker for item in scope.shown)
    if not is_marked and (versions := _versions(scope)):
        yield from versions
    elif not is_marked and placement.is_new and (patch := _placed(scope, placement)) is not None:
        yield patch
    else:
        name = scope.shown[0].name if scope.shown else ""
        raise Doubt(f"no line of the answer stands in the file once: {name!r}")


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
        same = held[unnumbered(item.name)] if unnumbered(item.name) else []
        if len(same) != 1 or (found and same[0].start < found[-1].end):
            return []
        lead = lead_of(scope.file.lines[same[0].start])
        found.append(Patch(same[0].start, same[0].end, (lead + item.name,)))
    return found


def _placed(scope: Scope, placement: Placement) -> Patch | None:
    is_page = scope.file.language == "markdown"
    if any(
        is_end_of_file(each) or (is_page and each.relation == "end" and not each.names) for each in placement.places
    ):
        end = max((at for at, line in enumerate(scope.file.lines) if line.strip()), default=-1) + 1
        return Patch(end, end, ("", *_texts(scope, Fit(lowest(scope.outline.lines), ""))))
    if placement.line is not None and not placement.is_above:
        return _below(scope, placement.line)
    return None


def _below(scope: Scope, line: int) -> Patch:
    """Below a line that the words name, and what stands deeper below it."""
    lines, name = scope.file.lines, scope.shown[0].name
    depth, end, base = width(lines[line]), line + 1, lowest(scope.outline.lines)
    if base > depth:
        raise Doubt(f"the words put {name!r} beside line {line + 1} of the file, and it is shown deeper")
    while end < len(lines) and lines[end].strip() and width(lines[end]) > depth:
        end += 1
    below = lines[end] if end < len(lines) else ""
    if end > line + 1 and below.strip() and width(below) == depth and not is_telling(below):
        end += 1
    elif below.strip() and (_GOES_ON.match(below) or width(below) < depth):
        raise Doubt(f"the words put {name!r} below line {line + 1} of the file, which goes on")
    return Patch(end, end, _texts(scope, fitted(base, lead_of(lines[line]), scope.outline.lines, lines)))


def _texts(scope: Scope, fit: Fit) -> tuple[str, ...]:
    return structs.replace(scope, fit=fit).texts(scope.shown, 0)
