"""In: a file and a block of lines from inside of something. Out: the patches that it calls for."""

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from redraft.edit.sketch.declared import Sketch
from redraft.edit.sketch.fit import Fit, fitted, indent_of
from redraft.edit.sketch.items import Item, items, width
from redraft.edit.sketch.keys import is_renumbered, kin
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.places import Told, is_end_of_file
from redraft.edit.sketch.scope import Scope
from redraft.edit.sketch.stretch import between, fit_of, in_stretch, lowest
from redraft.edit.text.lines import is_telling


def _versions(scope: Scope) -> list[Patch]:
    """The patches for lines of which each is one of the file's with other numbers; none where one is not, or may be
    new. In a plain list, such as requirements, words that add do not make a second of a line."""
    if (scope.adds and scope.file.language) or any(item.is_marker for item in scope.shown):
        return []
    found: list[Patch] = []
    for item in scope.shown:
        same = [old for old in scope.held if is_renumbered(old.name, item.name)]
        if len(same) != 1 or (found and same[0].start < found[-1].end):
            return []
        lead = indent_of(scope.file.lines[same[0].start])
        found.append(Patch(same[0].start, same[0].end, (lead + item.name,)))
    return found


_GOES_ON = re.compile(r"\s*(?:\}|\)|\]|else|elif|elsif|except|catch|finally|rescue|ensure)")


def _told(scope: Scope, told: Told) -> Patch | None:
    """New lines below the one line that the words name, with what stands deeper below it, or at the end of the file."""
    lines, new = scope.file.lines, [item for item in scope.shown if not item.is_marker]
    if len(new) < len(scope.shown) or not told.is_new:
        return None
    is_page = scope.file.language == "markdown"
    if any(is_end_of_file(each) or (is_page and each.relation == "end" and not each.names) for each in told.places):
        end = max((at for at, line in enumerate(lines) if line.strip()), default=-1) + 1
        return Patch(end, end, ("", *structs.replace(scope, fit=Fit(lowest(scope.outline.lines), "")).texts(new, 0)))
    if told.line is None and scope.adds and not told.is_open:
        return _behind_calls(scope, new)
    if told.line is None or told.is_above:
        return None
    depth, end, base = width(lines[told.line]), told.line + 1, lowest(scope.outline.lines)
    if base > depth:
        raise Doubt(f"the words put {new[0].name!r} beside line {told.line + 1} of the file, and it is shown deeper")
    while end < len(lines) and lines[end].strip() and width(lines[end]) > depth:
        end += 1
    if end > told.line + 1 and end < len(lines) and width(lines[end]) == depth and not is_telling(lines[end]):
        end += 1
    elif end < len(lines) and lines[end].strip() and (_GOES_ON.match(lines[end]) or width(lines[end]) < depth):
        raise Doubt(f"the words put {new[0].name!r} below line {told.line + 1} of the file, which goes on")
    fit = fitted(base, indent_of(lines[told.line]), scope.outline.lines, lines)
    return Patch(end, end, structs.replace(scope, fit=fit).texts(new, 0))


def _behind_calls(scope: Scope, new: Sequence[Item]) -> Patch | None:
    """Calls of what the file calls again and again side by side: behind the last of these."""
    names = {kin(item.name) for item in new}
    same = [item for item in scope.held if kin(item.name) in names and "(" in item.name]
    if len(names) != 1 or len(same) < 2 or len({item.depth for item in same}) > 1:
        return None
    if not all(re.search(r"[.:]\w", name) for name in names) or any(
        item.name.count("(") != item.name.count(")") for item in same
    ):
        return None
    fit = fitted(lowest(scope.outline.lines), indent_of(scope.file.lines[same[-1].start]), (), scope.file.lines)
    return Patch(same[-1].end, same[-1].end, structs.replace(scope, fit=fit).texts(new, 0))


def by_lines(sketch: Sketch, told: Told) -> Iterator[Patch]:
    """Raises Doubt where no line that stands in the file once tells the place, or a change has no licence."""
    held = items(sketch.file, 0, len(sketch.file.lines), ())
    shown = items(sketch.outline, 0, len(sketch.outline.lines), (), sketch.block.lines)
    fit = fit_of(sketch.file.lines, sketch.outline.lines, shown, held, -1)
    scope = Scope(
        sketch.file, sketch.outline, sketch.block, 0, len(sketch.file.lines), held, shown, fit, sketch.adds, True
    )
    pairs = list(in_stretch(scope, open_above=True, open_below=True))
    if not pairs and (versions := _versions(scope)):
        yield from versions
        return
    if not pairs and (patch := _told(scope, told)) is not None:
        yield patch
        return
    if not pairs:
        raise Doubt(f"no line of the answer stands in the file once: {shown[0].name if shown else ''!r}")
    is_exact = (
        not any(item.is_marker for item in shown)
        and pairs[0][0] == 0
        and pairs[-1][0] == len(shown) - 1
        and len(pairs) > 1
    )
    is_split = sketch.adds and pairs[0][0] > 0 and pairs[-1][0] < len(shown) - 1
    if is_split and not any(item.is_marker for item in shown):
        raise Doubt(f"the words add, and line {held[pairs[0][1]].start + 1} of the file stands amid what comes")
    scope = Scope(
        scope.file, scope.outline, scope.block, scope.start, scope.end, held, shown, fit, sketch.adds, True, is_exact
    )
    yield from between(scope, pairs, open_above=True, open_below=True)
