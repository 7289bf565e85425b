"""In: a file and a block of lines from inside of something. Out: the patches that it calls for."""

from msgspec.structs import replace

from redraft.edit.sketch.items import items
from redraft.edit.sketch.patch import Doubt, Patch
from redraft.edit.sketch.places import Placement
from redraft.edit.sketch.scope import Scope, Sketch
from redraft.edit.sketch.stretch import between, fit_of, in_stretch
from redraft.edit.sketch.unanchored import unanchored


def by_lines(sketch: Sketch, placement: Placement) -> list[Patch]:
    """Raises Doubt where no line that stands in the file once tells the place, or a change has no licence."""
    end = len(sketch.file.lines)
    held = items(sketch.file, 0, end, ())
    shown = items(sketch.outline, 0, len(sketch.outline.lines), (), sketch.marks)
    fit = fit_of(sketch.file.lines, sketch.outline.lines, shown, held, -1)
    scope = Scope(sketch.file, sketch.outline, sketch.block, 0, end, held, shown, fit, sketch.adds, is_code=True)
    pairs = in_stretch(scope)
    if not pairs:
        return unanchored(scope, placement)
    if sketch.marks:
        return [*between(scope, pairs, is_open=True)]
    has_above, has_below = pairs[0][0] > 0, pairs[-1][0] < len(shown) - 1
    if sketch.adds and has_above and has_below:
        raise Doubt("the words add, and lines of the file stand amid what comes")
    is_exact = len(pairs) > 1 and not has_above and not has_below
    return [*between(replace(scope, is_exact=is_exact), pairs, is_open=True)]
