"""In: a declaration of a file and what an answer shows of it. Out: the patches that make the one the other."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from redraft.edit.answer.block import Block
from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.sketch.fit import Fit, fitted
from redraft.edit.sketch.items import body, first_line, inner, items, known_by, width, written
from redraft.edit.sketch.keys import is_renumbered, sets
from redraft.edit.sketch.patch import Doubt, Firm, Patch
from redraft.edit.sketch.scope import Scope
from redraft.edit.sketch.stretch import between, fit_of, in_stretch
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import lead_of

_OPEN = ("class", "interface", "impl", "trait", "module", "namespace", "object", "call", "element")
_BEHIND = re.compile(r"(?<=\S)\s+(?://|#|--\s|/\*)\s*\S.*$")
_DATA = ("json", "yaml", "toml", "ini")
_ENDLESS = ("yaml", "toml", "ini")
_MANY = 4  # lines that go in one place without a word
_NAME = re.compile(r"[\w.]+")


class Sketch(Struct, frozen=True):
    """A file and a block of an answer, both parsed; `adds` says that the words order to add and nothing else.

    `shortens`: they speak of what goes or becomes simpler, and `gone` are the names that they say this of.
    """

    file: Outline
    outline: Outline
    block: Block
    adds: bool = False
    is_whole: bool = False
    shortens: bool = False
    gone: frozenset[str] = frozenset()

    def goes(self, start: int, end: int) -> bool:
        """Whether the words say of lines of the file that they go."""
        lines = [line for line in self.file.lines[start:end] if line.strip()]
        return bool(lines) and bool(self.gone) and any(name in lines[0] for name in self.gone)

    def first(self, node: Node) -> int:
        """Where a declaration of the answer begins."""
        return first_line(node, self.block.lines)

    def marks(self, start: int, end: int) -> bool:
        return any(line.kind == "marker" for line in self.block.lines[start:end])


def changed(sketch: Sketch, old: int, new: int) -> Iterator[Patch]:
    """The patches for a declaration that the file and the answer both have; raises Doubt."""
    before, after = sketch.file.nodes[old], sketch.outline.nodes[new]
    _refuse_prototype(sketch.file, sketch.outline, before, after)
    if sketch.marks(sketch.first(after), after.end):
        yield from _entered(sketch, old, new, has_markers=True)
        return
    is_like = before.kind == after.kind == "function" and _parameters(before) != _parameters(after)
    head, shown = sketch.file.lines[before.head], sketch.outline.lines[after.head]
    if sketch.adds and (is_like or (is_renumbered(head, shown) and not sets(shown))):
        raise Doubt(f"{after.name!r} may be another one beside that of line {before.head + 1}, or take its place")
    is_head = after.end - after.head <= _head_of(sketch, after) and not _is_closed(sketch.outline, after)
    if is_head and before.end - before.head > after.end - after.head:
        if not sketch.outline.lines[after.end - 1].rstrip().endswith(("{", ":", "(", "do", ")", "then")):
            raise Doubt(f"what is shown of {before.name!r} ends before its end: show all of it, or put a marker there")
        yield from _headed(sketch, before, after, body(sketch.file, before)[0], after.end)
        return
    if _is_cut_data(sketch, old, new):
        yield from _entered(sketch, old, new, has_markers=False)
        return
    _refuse_cut(sketch, before, after)
    names = {known_by(sketch.outline.nodes[child]) for child in inner(sketch.outline, new)}
    missing = [child for child in inner(sketch.file, old) if known_by(sketch.file.nodes[child]) not in names]
    if all(sketch.goes(sketch.file.nodes[child].head, sketch.file.nodes[child].end) for child in missing):
        missing = []
    is_data = sketch.file.language in _DATA and not (sketch.shortens or sketch.is_whole)
    if missing and is_data:
        yield from _entered(sketch, old, new, has_markers=False)
    elif not missing or not before.is_container:
        yield replaced(sketch, before, after)
    elif sketch.is_whole or not (before.kind in _OPEN or sketch.adds):
        lost = sketch.file.nodes[missing[0]]
        raise Doubt(
            f"{before.name!r} is shown without {lost.name!r} (line {lost.head + 1}), and nothing says whether that goes"
        )
    elif _head(sketch.file, before) != _head(sketch.outline, after):
        raise Doubt(f"{before.name!r} is shown with another head and without {sketch.file.nodes[missing[0]].name!r}")
    else:
        yield from _entered(sketch, old, new, has_markers=False)


def _refuse_prototype(file: Outline, outline: Outline, before: Node, after: Node) -> None:
    """Raises Doubt where one side only declares what the other defines."""
    only, last = file.lines[before.end - 1].strip(), outline.lines[after.end - 1].strip()
    lines, shown = before.end - before.head, after.end - after.head
    if lines == 1 and only.endswith(";") and shown > 2 and "(" in only:
        raise Doubt(f"line {before.head + 1} of the file only declares {before.name!r}: say where its body goes")
    if shown == 1 and last.endswith(";") and lines > 2 and "(" in last:
        raise Doubt(f"{last!r} declares what line {before.head + 1} of the file defines: say where it goes")


def _head(outline: Outline, node: Node) -> list[str]:
    return [*written(outline.lines[node.head : body(outline, node)[0]])]


def _parameters(node: Node) -> str:
    return "".join(node.signature.partition(")")[0].split())


def _is_cut_data(sketch: Sketch, old: int, new: int) -> bool:
    """Whether keys that the answer does not show all stand below those that it shows: what has no end may go on."""
    if sketch.file.language not in _ENDLESS:
        return False
    shown = {known_by(sketch.outline.nodes[child]) for child in inner(sketch.outline, new)}
    held = [known_by(sketch.file.nodes[child]) in shown for child in inner(sketch.file, old)]
    return len(held) > sum(held) > 0 and all(held[: sum(held)])


def _head_of(sketch: Sketch, node: Node) -> int:
    """How many lines the head of a declaration of the answer has: it may be all that is shown of it."""
    if node.body is not None and node.body[0] < node.end:
        return node.body[0] - node.head
    lines = sketch.outline.lines[node.head : node.end]
    return next(
        (at for at, line in enumerate(lines) if at and line.strip() and width(line) > width(lines[0])), len(lines)
    )


def _is_closed(outline: Outline, node: Node) -> bool:
    """Whether a declaration ends in the line that it begins in: `write(text) {}`."""
    line = outline.lines[node.end - 1].rstrip().rstrip(";,")
    return node.end - node.head == 1 and line.endswith("}") and 0 < line.count("{") == line.count("}")


def _refuse_cut(sketch: Sketch, before: Node, after: Node) -> None:
    """What is shown of a declaration ends where the file's does, or with something new."""
    if _is_closed(sketch.outline, after):
        return
    held = [*written(sketch.file.lines[before.head : before.end])]
    shown = [*written(sketch.outline.lines[after.head : after.end])]
    last, end = (side[-1].rstrip(";,") for side in (held, shown))
    closes = width(sketch.file.lines[before.end - 1]) == width(sketch.file.lines[before.head]) and len(held) > 1
    is_cut = closes and last != end and not any(map(str.isalnum, last.removeprefix("end")))
    at = max((at for at, line in enumerate(held) if line == shown[-1]), default=-1)
    if is_cut or (-1 < at < len(held) - 1 and sum(line == shown[-1] for line in held) == 1 and not closes):
        raise Doubt(f"what is shown of {before.name!r} ends before its end: show all of it, or put a marker at the end")
    lost, come = (len(Counter(side) - Counter(other)) for side, other in ((held, shown), (shown, held)))
    if held[-1].startswith("- ") and lost > come and not (sketch.shortens or sketch.is_whole or sketch.gone):
        raise Doubt(
            f"the list of {before.name!r} has no end, and is shown with fewer items: put a marker where some stay"
        )


def replaced(sketch: Sketch, before: Node, after: Node) -> Patch:
    """A declaration that is shown whole, in the place of the file's."""
    file, shown = sketch.file.lines, sketch.outline.lines
    _refuse_lost_comment(file[before.head : before.end], shown[after.head : after.end])
    _refuse_shrunk(sketch, before, after)
    fit = fitted(width(shown[after.head]), lead_of(file[before.head]), shown, file)
    leads = _leads(file[before.start : before.head], fit.lines(shown[sketch.first(after) : after.head]))
    lines = _as_held(file[before.head : before.end], shown[after.head : after.end]) or [
        *fit.lines(shown[after.head : after.end])
    ]
    old = file[before.end - 1].rstrip()
    if old.endswith(",") and not lines[-1].rstrip().endswith((",", ";")):
        lines[-1] = f"{lines[-1].rstrip()},"
    elif not old.endswith(",") and lines[-1].rstrip().endswith(",") and sketch.file.language == "json":
        lines[-1] = lines[-1].rstrip().removesuffix(",")
    base = width(shown[after.head])
    lines = [
        one if one.strip() and width(one) < base else line
        for line, one in zip(lines, shown[after.head : after.end], strict=True)
    ]
    return Patch(before.start, before.end, (*leads, *lines))


def _as_held(held: Sequence[str], shown: Sequence[str]) -> list[str]:
    """The lines at the depths that the file has for each depth of the answer; none where it does not show them all.

    It does where nothing goes and no line comes to stand deeper than another one that it stood beside.
    """
    theirs, own = Counter(written(held)), Counter(written(shown))
    indents = {line.strip(): lead_of(line) for line in held if line.strip()}
    found: dict[int, str] = {}
    for line in shown:
        text = line.strip()
        if theirs[text] == own[text] == 1 and found.setdefault(width(line), indents[text]) != indents[text]:
            return []
    order = [len(found[depth].expandtabs()) for depth in sorted(found)]
    if theirs - own or order != sorted({*order}) or {width(line) for line in shown if line.strip()} - {*found}:
        return []
    return [found[width(line)] + line.lstrip() if line.strip() else "" for line in shown]


def _refuse_shrunk(sketch: Sketch, before: Node, after: Node) -> None:
    """Many lines that go with nothing in their place are left out by a slip as likely as on purpose."""
    held = [*written(sketch.file.lines[before.head : before.end])]
    shown = [*written(sketch.outline.lines[after.head : after.end])]
    for change in line_changes(held, shown):
        lost = change.end - change.start - (change.after_end - change.after_start)
        if lost > 0 and sketch.adds:
            raise Firm(f"the words add, and {held[change.start]!r} is left out of {before.name!r}: show it, too")
        if lost >= _MANY and not sketch.shortens:
            raise Doubt(f"{held[change.start]!r} and lines below it are left out of {before.name!r}: say that they go")


def _leads(held: Sequence[str], shown: Sequence[str]) -> tuple[str, ...]:
    """The comments and attributes above a declaration: those of the file where the answer shows none of theirs."""
    if not [*written(shown)]:
        return tuple(held)
    own = {*written(shown)}
    heads = {match[0] for line in own if (match := _NAME.search(line))}
    lost = [line for line in held if line.strip() and line.strip() not in own]
    if not lost:
        return tuple(shown)
    comments = [line for line in lost if _is_comment(line)]
    if comments and own & {*written(held)} - {"///", "//", "#", "*", "/**", "*/"} and held[0].strip() not in own:
        raise Doubt(f"{comments[0].strip()!r} stands above what is shown without it: show it, or say that it goes")
    attributes = [line for line in lost if not _is_comment(line)]
    for line in attributes:
        match = _NAME.search(line)
        if match is None or match[0] not in heads:
            raise Firm(f"{line.strip()!r} stands above what is shown without it: show it, or say that it goes")
    if comments and not any(_is_comment(line) for line in own):
        return (*(line for line in held if _is_comment(line)), *shown)
    return tuple(shown)


def _is_comment(line: str) -> bool:
    text = line.strip()
    return text.startswith(("//", "/*", "*", "--", '"""', "'''")) or (
        text.startswith("#") and not text.startswith("#[")
    )


def _refuse_lost_comment(held: Sequence[str], shown: Sequence[str]) -> None:
    """A comment behind code that is shown again without it is lost by a slip, or meant to go: nothing tells."""
    text, lines = "\n".join(shown), {*written(shown)}
    for line in held:
        if (found := _BEHIND.search(line)) and found[0].strip() not in text and line[: found.start()].strip() in lines:
            raise Doubt(f"{line.strip()!r} is shown without its comment: show it as it is, or say that it goes")


def _entered(sketch: Sketch, old: int, new: int, has_markers: bool) -> Iterator[Patch]:
    """The head as shown, and the body item by item."""
    before, after = sketch.file.nodes[old], sketch.outline.nodes[new]
    (first, last), (low, high) = body(sketch.file, before), body(sketch.outline, after)
    yield from _headed(sketch, before, after, first, low)
    lines = sketch.block.lines if has_markers else ()
    is_code = not (before.is_container or before.children)
    held = items(sketch.file, first, last, () if is_code else inner(sketch.file, old))
    shown = items(sketch.outline, low, high, () if is_code else inner(sketch.outline, new), lines)
    fit = fit_of(sketch.file.lines, sketch.outline.lines, shown, held, width(sketch.outline.lines[after.head]))
    if not held:
        fit = _of_empty(sketch, before, fit)
    scope = Scope(
        sketch.file,
        sketch.outline,
        sketch.block,
        first,
        last,
        held,
        shown,
        fit,
        sketch.adds,
        is_code,
        gone=sketch.gone,
        is_partial=not has_markers,
    )
    pairs = list(in_stretch(scope))
    for b, f in pairs:
        mine, theirs = shown[b].node, held[f].node
        if mine is not None and theirs is not None:
            yield from changed(sketch, theirs, mine)
    yield from between(scope, pairs)


def _of_empty(sketch: Sketch, before: Node, fit: Fit) -> Fit:
    head = lead_of(sketch.file.lines[before.head])
    return Fit(fit.base, head + (fit.step or "    "), fit.unit, fit.step)


def _headed(sketch: Sketch, before: Node, after: Node, first: int, low: int) -> Iterator[Patch]:
    """The lines above the body, where the answer shows them otherwise."""
    file, shown = sketch.file.lines, sketch.outline.lines
    fit = fitted(width(shown[after.head]), lead_of(file[before.head]), shown, file)
    held = file[before.start : first]
    leads = _leads(file[before.start : before.head], fit.lines(shown[sketch.first(after) : after.head]))
    head = fit.lines(shown[after.head : low])
    if first - before.head > 1 and file[first - 1].strip() == "{" and not head[-1].rstrip().endswith("{"):
        first -= 1
    if [*written(held)] != [*written((*leads, *head))]:
        yield Patch(before.start, first, (*leads, *head))
