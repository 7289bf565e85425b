"""In: the lines of a snippet of code. Out: its outline, in whatever surroundings it reads best."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from redraft.edit.outline.grammars import grammar, parse
from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.outline.outline import read

_HASH = "bash cmake dockerfile elixir fish gdscript graphql ini julia make nim nix perl powershell properties python r "
_COMMENTS = {
    **dict.fromkeys((_HASH + "ruby starlark toml yaml hcl").split(), ("#", "")),
    **dict.fromkeys(["html", "vue", "svelte", "xml", "markdown", "astro"], ("<!--", " -->")),
    **dict.fromkeys(["lua", "luau", "sql", "haskell", "elm"], ("--", "")),
    **dict.fromkeys(["css", "ocaml", "ocaml_interface"], ("/*", " */")),
    "ocaml": ("(*", " *)"),
    "ocaml_interface": ("(*", " *)"),
    "clojure": (";", ""),
    "erlang": ("%", ""),
    "vim": ('"', ""),
}
_SCRIPT = ("({|})", "class X {|}", "interface X {|}", "enum X {|}", "[|]", "function x() {|}")
_WRAPS = {
    "javascript": ("({|})", "class X {|}", "[|]", "function x() {|}"),
    **dict.fromkeys(("typescript", "tsx"), _SCRIPT),
    "java": ("class X {|}", "interface X {|}", "enum X {|}", "class X { void x() {|}}"),
    "csharp": ("class X {|}", "interface X {|}", "enum X {|}", "class X { void x() {|}}"),
    "kotlin": ("class X {|}", "enum class X {|}", "fun x() {|}"),
    "swift": ("class X {|}", "enum X {|}", "protocol X {|}", "func x() {|}"),
    "scala": ("class X {|}", "enum X {|}", "def x = {|}"),
    "dart": ("class X {|}", "enum X {|}", "void x() {|}"),
    "go": (
        *("package x;|", "type X struct {|}", "type X interface {|}", "const (|)", "import (|)", "var x = X{|}"),
        *("func x() {|}", "type (|)"),
    ),
    "rust": ("struct X {|}", "enum X {|}", "trait X {|}", "impl X {|}", "let x = X {|};", "match x {|}"),
    "c": ("struct X {|};", "enum X {|};", "X x = {|};", "void x() {|}"),
    "cpp": ("class X {|};", "enum X {|};", "X x = {|};", "void x() {|}"),
    "objc": ("@interface X|@end", "@implementation X|@end", "enum X {|};", "void x() {|}"),
    "php": ("<?php|", "<?php class X {|}", "<?php enum X {|}", "<?php return [|];", "<?php function x() {|}"),
    "ruby": ("x = {|}", "class X|end"),
    "python": ("{|}", "[|]", "x(|)"),
    "lua": ("x = {|}",),
    "luau": ("x = {|}",),
    "css": ("x {|}", "@keyframes x {|}"),
    "scss": ("x {|}", "@keyframes x {|}"),
    "json": ("{|}", "[|]"),
    "xml": ("<x>|</x>",),
    "sql": ("CREATE TABLE x (|);",),
    "proto": ("message X {|}", "enum X {|}", "service X {|}"),
    "graphql": ("type X {|}", "enum X {|}", "{|}"),
    "hcl": ("x = {|}",),
    "nix": ("{|}", "{ }:|"),
    "prisma": ("model X {|}", "enum X {|}", "generator x {|}"),
    "zig": ("const X = struct {|};", "fn x() void {|}"),
    "solidity": ("contract X {|}", "struct X {|}", "contract X { function x() public {|}}"),
    "powershell": ("class X {|}", "$x = @{|}"),
    "vue": ("<script>|</script>",),
    "svelte": ("<script>|</script>",),
    "gdscript": (),
    "nim": ("type|",),
    "haskell": ("class X a where|",),
    "elm": (),
    "r": ("x(|)",),
    "fsharp": ("module X|",),
}
_LABELS = {"labeled_statement"}


def fragment(lines: Sequence[str], path: str, markers: Collection[int] = ()) -> Outline:
    """The outline of a snippet; `markers` are lines that stand for code left out."""
    language = grammar(path)
    opening, closing = _COMMENTS.get(language, ("//", ""))
    marked = [
        f"{line[: len(line) - len(line.lstrip())]}{opening} ...{closing}" if at in markers else line
        for at, line in enumerate(lines)
    ]
    dedented = _dedented(marked)
    wraps = [("", ""), *(tuple(wrap.split("|")) for wrap in _WRAPS.get(language, ()))]
    best = min(_costs(dedented, wraps, language), key=lambda found: found[0])[1]
    return _read(tuple(lines), dedented, best, language)


def _costs(lines: list[str], wraps: Sequence[Any], language: str) -> Any:
    for rank, (before, after) in enumerate(wraps):
        text = "\n".join((before, *lines, after) if before else lines)
        cost = _cost(parse(text.encode(errors="replace"), language))
        yield (cost, rank), (before, after)
        if cost == 0:
            return


def _cost(root: Any) -> int:
    """Lines that a grammar cannot read, or reads as what nobody writes."""
    cost, nodes = 0, [] if root is None else [root]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            cost += 1 + node.end_point[0] - node.start_point[0]
        for child in node.children:
            if child.type in _LABELS or (child.type == "statement_block" and _is_method(node, child)):
                cost += 1
            if child.has_error or child.end_point[0] > child.start_point[0]:
                nodes.append(child)
    return cost


def _is_method(node: Any, block: Any) -> bool:
    """`name(...) {` reads as a call and a block outside of a class."""
    before = block.prev_sibling
    if node.type != "program" or before is None:
        return False
    return bool(before.type == "expression_statement") and bool(before.end_point[0] == block.start_point[0])


def _dedented(lines: Sequence[str]) -> list[str]:
    widths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    width = min(widths, default=0)
    return [line[width:] if line.strip() else line for line in lines]


def _read(lines: tuple[str, ...], text: list[str], wrap: tuple[str, str], language: str) -> Outline:
    if not wrap[0]:
        return replace(read(tuple(text), language), lines=lines)
    found = read((wrap[0], *text, wrap[1]), language)
    kept = [at for at, node in enumerate(found.nodes) if node.start > 0]
    places = {at: number for number, at in enumerate(kept)}
    nodes = tuple(_shifted(found.nodes[at], places, len(lines)) for at in kept)
    faults = tuple(line - 1 for line in found.faults if 0 < line <= len(lines))
    return Outline(lines, language, nodes, faults)


def _shifted(node: Node, places: dict[int, int], last: int) -> Node:
    return replace(
        node,
        start=node.start - 1,
        head=node.head - 1,
        end=min(node.end - 1, last),
        body=None if node.body is None else (node.body[0] - 1, node.body[1] - 1),
        parent=None if node.parent is None else places.get(node.parent),
        children=tuple(places[child] for child in node.children),
    )
