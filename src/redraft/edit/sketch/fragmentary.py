"""In: a file and a block of lines from inside of something. Out: the patches that it calls for."""

from collections.abc import Iterator

from redraft.edit.sketch.declared import Sketch
from redraft.edit.sketch.items import items
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.places import Placement
from redraft.edit.sketch.scope import Scope
from redraft.edit.sketch.stretch import between, fit_of, in_stretch
from redraft.edit.sketch.unanchored import unanchored


def by_lines(sketch: Sketch, placement: Placement) -> Iterator[Patch]:
    """Raises Doubt where no line that stands in the file once tells the place, or a change has no licence."""
    held = items(sketch.file, 0, len(sketch.file.lines), ())
    shown = items(sketch.outline, 0, len(sketch.outline.lines), (), sketch.block.lines)
    fit = fit_of(sketch.file.lines, sketch.outline.lines, shown, held, -1)
    scope = Scope(
        sketch.file, sketch.outline, sketch.block, 0, len(sketch.file.lines), held, shown, fit, sketch.adds, True
    )
    pairs = list(in_stretch(scope, open_above=True, open_below=True))
    if not pairs:
        yield from unanchored(scope, placement)
        return
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
