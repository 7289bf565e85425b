"""In: a declaration of a file and what an answer shows of it. Out: the patches that make the one the other."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.sketch.items import body, inner, items, known_by, width
from redraft.edit.sketch.keys import is_renumbered, sets
from redraft.edit.sketch.patch import Doubt, Firm, Patch
from redraft.edit.sketch.scope import Scope, Sketch
from redraft.edit.sketch.stretch import between, fit_of, in_stretch
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_telling, lead_of, stripped

_OPEN = ("class", "interface", "impl", "trait", "module", "namespace", "object", "call", "element")
_BEHIND = re.compile(r"(?<=\S)\s+(?://|#|--\s|/\*)\s*\S.*$")
_DATA = ("json", "yaml", "toml", "ini")
_ENDLESS = ("yaml", "toml", "ini")
_OPENERS = ("{", ":", "(", "do", ")", "then")
_MANY = 4  # lines that go in one place without a word
_NAME = re.compile(r"[\w.]+")
_SIGNS = {"///", "//", "#", "*", "/**", "*/"}  # of comments, alone in a line
_CUT = "what is shown of a declaration ends before its end"


def changed(sketch: Sketch, old: int, new: int) -> Iterator[Patch]:
    """The patches for a declaration that the file and the answer both have; raises Doubt."""
    before, after = sketch.file.nodes[old], sketch.outline.nodes[new]
    if sketch.has_marks(after):
        return _entered(sketch, old, new)
    _refuse_second(sketch, before, after)
    if _is_head(sketch, before, after):
        if not sketch.outline.lines[after.end - 1].rstrip().endswith(_OPENERS):
            raise Doubt(_CUT)
        return _headed(sketch, before, after, body(sketch.file, before)[0], after.end)
    if _is_cut_data(sketch, old, new):
        return _entered(sketch, old, new)
    _refuse_cut(sketch, before, after)
    is_missing = _is_missing(sketch, old, new)
    if is_missing and sketch.file.language in _DATA and not (sketch.shortens or sketch.is_whole):
        return _entered(sketch, old, new)
    if not is_missing or not before.is_container:
        return iter([replaced(sketch, before, after)])
    if sketch.is_whole or not (before.kind in _OPEN or sketch.adds):
        raise Doubt("a declaration is shown without all that is in it, and nothing says whether that goes")
    if _head(sketch.file, before) != _head(sketch.outline, after):
        raise Doubt("a declaration is shown with another head and without all that is in it")
    return _entered(sketch, old, new)


def _refuse_second(sketch: Sketch, before: Node, after: Node) -> None:
    """Raises Doubt where words add, and what is shown may come beside what the file has."""
    is_like = before.kind == after.kind == "function" and _parameters(before) != _parameters(after)
    head, shown = sketch.file.lines[before.head], sketch.outline.lines[after.head]
    if sketch.adds and (is_like or (is_renumbered(head, shown) and not sets(shown))):
        raise Doubt("a declaration may be another one beside that of the file, or take its place")


def _is_head(sketch: Sketch, before: Node, after: Node) -> bool:
    """Whether the head is all that is shown of a declaration that has more lines in the file."""
    size = after.end - after.head
    if before.end - before.head <= size or _is_closed(sketch.outline, after):
        return False
    if after.body is not None and after.body[0] < after.end:
        return size <= after.body[0] - after.head
    head, *others = sketch.outline.lines[after.head : after.end]
    return not any(line.strip() and width(line) > width(head) for line in others)


def _is_missing(sketch: Sketch, old: int, new: int) -> bool:
    """Whether a declaration of the file has members that are not shown, and not all of which go by the words."""
    names = _names(sketch.outline, new)
    members = (sketch.file.nodes[child] for child in inner(sketch.file, old))
    return any(known_by(node) not in names and not sketch.goes(node) for node in members)


def _names(outline: Outline, at: int) -> set[str]:
    return {known_by(outline.nodes[child]) for child in inner(outline, at)}


def _head(outline: Outline, node: Node) -> list[str]:
    return stripped(outline.lines[node.head : body(outline, node)[0]])


def _parameters(node: Node) -> str:
    return "".join(node.signature.partition(")")[0].split())


def _is_cut_data(sketch: Sketch, old: int, new: int) -> bool:
    """Whether keys that the answer does not show all stand below those that it shows: what has no end may go on."""
    if sketch.file.language not in _ENDLESS:
        return False
    names = _names(sketch.outline, new)
    held = [known_by(sketch.file.nodes[child]) in names for child in inner(sketch.file, old)]
    return len({*held}) == 2 and held == sorted(held, reverse=True)


def _is_closed(outline: Outline, node: Node) -> bool:
    """Whether a declaration ends in the line that it begins in: `write(text) {}`."""
    line = outline.lines[node.end - 1].rstrip().rstrip(";,")
    return node.end - node.head == 1 and line.endswith("}") and line.count("{") == line.count("}")


def _refuse_cut(sketch: Sketch, before: Node, after: Node) -> None:
    """What is shown of a declaration ends where the file's does, or with something new."""
    if _is_closed(sketch.outline, after):
        return
    lines = sketch.file.lines
    held, shown = stripped(lines[before.head : before.end]), stripped(sketch.outline.lines[after.head : after.end])
    if len(held) > 1 and width(lines[before.end - 1]) == width(lines[before.head]):
        last = held[-1].rstrip(";,")
        is_cut = last != shown[-1].rstrip(";,") and not is_telling(last.removeprefix("end"))
    else:
        is_cut = held.count(shown[-1]) == 1 and held[-1] != shown[-1]
    if is_cut:
        raise Doubt(_CUT)
    lost, come = (len(Counter(side) - Counter(other)) for side, other in ((held, shown), (shown, held)))
    if held[-1].startswith("- ") and lost > come and not (sketch.shortens or sketch.is_whole or sketch.gone):
        raise Doubt("a list that has no end is shown with fewer items")


def replaced(sketch: Sketch, before: Node, after: Node) -> Patch:
    """A declaration that is shown whole, in the place of the file's."""
    held, shown = sketch.file.lines[before.head : before.end], sketch.outline.lines[after.head : after.end]
    _refuse_lost_comment(held, shown)
    _refuse_shrunk(sketch, stripped(held), stripped(shown))
    base = width(shown[0])
    fit = sketch.fit(base, before.head)
    lines = _as_held(held, shown) or [*fit.lines(shown)]
    lines[-1] = _separated(lines[-1], held[-1].rstrip(), sketch.file.language)
    lines = [own if own.strip() and width(own) < base else line for line, own in zip(lines, shown, strict=True)]
    return Patch(before.start, before.end, (*_leads(sketch, before, after), *lines))


def _separated(line: str, old: str, language: str) -> str:
    """The last line of a declaration with a comma where the file has one; in JSON without one where it has none."""
    bare = line.rstrip()
    if old.endswith(","):
        return line if bare.endswith((",", ";")) else f"{bare},"
    return bare.removesuffix(",") if language == "json" and bare.endswith(",") else line


def _as_held(held: Sequence[str], shown: Sequence[str]) -> list[str]:
    """The lines at the depths that the file has for each depth of the answer; none where it does not show them all.

    It does where nothing goes and no line comes to stand deeper than another one that it stood beside.
    """
    theirs, own = Counter(stripped(held)), Counter(stripped(shown))
    indents = {line.strip(): lead_of(line) for line in held if line.strip()}
    found: dict[int, str] = {}
    for line in shown:
        text = line.strip()
        if theirs[text] == own[text] == 1 and found.setdefault(width(line), indents[text]) != indents[text]:
            return []
    order = [len(found[depth].expandtabs()) for depth in sorted(found)]
    depths = {width(line) for line in shown if line.strip()}
    if theirs - own or order != sorted({*order}) or depths - {*found}:
        return []
    return [found[width(line)] + line.lstrip() if line.strip() else "" for line in shown]


def _refuse_shrunk(sketch: Sketch, held: Sequence[str], shown: Sequence[str]) -> None:
    """Many lines that go with nothing in their place are left out by a slip as likely as on purpose."""
    for change in line_changes(held, shown):
        lost = change.end - change.start - (change.after_end - change.after_start)
        if lost > 0 and sketch.adds:
            raise Firm("the words add, and a line of the file is left out")
        if lost >= _MANY and not sketch.shortens:
            raise Doubt("many lines are left out, and nothing says that they go")


def _leads(sketch: Sketch, before: Node, after: Node) -> tuple[str, ...]:
    """The comments and attributes above a declaration: those of the file where the answer shows none of theirs."""
    held = sketch.file.lines[before.start : before.head]
    fit = sketch.fit(width(sketch.outline.lines[after.head]), before.head)
    shown = fit.lines(sketch.outline.lines[sketch.first(after) : after.head])
    own = {*stripped(shown)}
    if not own:
        return held
    lost = [line for line in held if line.strip() and line.strip() not in own]
    comments = [line for line in lost if _is_comment(line)]
    if comments and own & ({*stripped(held)} - _SIGNS) and held[0].strip() not in own:
        raise Doubt("a comment stands above what is shown without it")
    heads = {*map(_first_name, own)} - {""}
    if any(_first_name(line) not in heads for line in lost if line not in comments):
        raise Firm("an attribute stands above what is shown without it")
    if comments and not any(map(_is_comment, own)):
        return (*filter(_is_comment, held), *shown)
    return shown


def _first_name(line: str) -> str:
    match = _NAME.search(line)
    return match[0] if match else ""


def _is_comment(line: str) -> bool:
    text = line.strip()
    return text.startswith(("//", "/*", "*", "--", '"""', "'''")) or (
        text.startswith("#") and not text.startswith("#[")
    )


def _refuse_lost_comment(held: Sequence[str], shown: Sequence[str]) -> None:
    """A comment behind code that is shown again without it is lost by a slip, or meant to go: nothing tells."""
    text, lines = "\n".join(shown), {*stripped(shown)}
    for line in held:
        if (found := _BEHIND.search(line)) and found[0].strip() not in text and line[: found.start()].strip() in lines:
            raise Doubt("a line is shown without its comment")


def _entered(sketch: Sketch, old: int, new: int) -> Iterator[Patch]:
    """The head as shown, and the body item by item."""
    before, after = sketch.file.nodes[old], sketch.outline.nodes[new]
    (first, last), (low, high) = body(sketch.file, before), body(sketch.outline, after)
    yield from _headed(sketch, before, after, first, low)
    is_code = not (before.is_container or before.children)
    held = items(sketch.file, first, last, inner(sketch.file, old))
    shown = items(sketch.outline, low, high, () if is_code else inner(sketch.outline, new), sketch.marks)
    fit = fit_of(sketch.file.lines, sketch.outline.lines, shown, held, width(sketch.outline.lines[after.head]))
    if not held:
        step = fit.step if fit.is_stepped else "    "
        fit = replace(fit, indent=lead_of(sketch.file.lines[before.head]) + step)
    scope = Scope(sketch.file, sketch.outline, sketch.block, first, last, held, shown, fit, sketch.adds, is_code)
    scope = replace(scope, gone=sketch.gone, is_partial=not sketch.has_marks(after))
    pairs = in_stretch(scope, is_closed=True)
    yield from changed_in(sketch, scope, pairs)
    yield from between(scope, pairs)


def changed_in(sketch: Sketch, scope: Scope, pairs: Sequence[tuple[int, int]]) -> Iterator[Patch]:
    """The patches for the declarations among pairs of items."""
    for b, f in pairs:
        mine, theirs = scope.shown[b].node, scope.held[f].node
        if mine is not None and theirs is not None:
            yield from changed(sketch, theirs, mine)


def _headed(sketch: Sketch, before: Node, after: Node, first: int, low: int) -> Iterator[Patch]:
    """The lines above the body, where the answer shows them otherwise."""
    file, shown = sketch.file.lines, sketch.outline.lines
    head = sketch.fit(width(shown[after.head]), before.head).lines(shown[after.head : low])
    lines = (*_leads(sketch, before, after), *head)
    is_same = stripped(file[before.start : first]) == stripped(lines)
    if first - before.head > 1 and file[first - 1].strip() == "{" and not head[-1].rstrip().endswith("{"):
        first -= 1
    if not is_same:
        yield Patch(before.start, first, lines)
