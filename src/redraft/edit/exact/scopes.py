"""In: the anchors of a patch and a page. Out: the lines that they name, and the places that stand below them."""

from collections.abc import Sequence

from redraft.edit.exact.indents import indent_of
from redraft.edit.exact.page import Page, Spot


def scope_lines(scopes: Sequence[str], page: Page) -> list[int]:
    """The lines that the last anchor names, each below the lines of those before it."""
    found = _named(scopes[0], page) if scopes else []
    for scope in scopes[1:]:
        regions = [_region(at, page) for at in found]
        named = _named(scope, page)
        inner = [at for at in named if any(at in region for region in regions)]
        found = inner or [at for at in named if found and at > max(found)]
    return found


def in_scopes(scopes: Sequence[str], spots: Sequence[Spot], page: Page) -> list[Spot]:
    """The places inside of what the anchors open; where none is, those below them."""
    named = scope_lines(scopes, page)
    found = inside(named, spots, page)
    return found if found or len(named) != 1 else [spot for spot in spots if spot.start > named[0]]


def inside(named: Sequence[int], spots: Sequence[Spot], page: Page) -> list[Spot]:
    """The places inside of what lines open."""
    regions = [range(at, _region(at, page).stop) for at in named]
    return [spot for spot in spots if any(spot.start in region for region in regions)]


def opens(named: Sequence[int], page: Page) -> bool:
    """Whether a line of those opens something."""
    return any(_region(at, page) for at in named)


def _named(scope: str, page: Page) -> list[int]:
    """The lines that equal an anchor, or begin with it, or else hold it."""
    text = scope.strip()
    if text in page.bare:
        return page.bare[text]
    holding = [at for at, line in enumerate(page.lines) if text in line]
    begin = [at for at in holding if page.lines[at].lstrip().startswith(text)]
    return begin or holding


def _region(start: int, page: Page) -> range:
    """The lines below one that are indented deeper, up to the next that is not."""
    width = len(indent_of(page.lines[start]).expandtabs(8))
    for at in range(start + 1, len(page.lines)):
        line = page.lines[at]
        if line.strip() and len(indent_of(line).expandtabs(8)) <= width and not _goes_on(line, at, start):
            return range(start + 1, at)
    return range(start + 1, len(page.lines))


def _goes_on(line: str, at: int, start: int) -> bool:
    """A brace or a bracket alone directly below a head opens its body."""
    return line.strip() in ("{", "(", "[", "do", "begin", "then") and at - start <= 3
