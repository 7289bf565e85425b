"""In: a source and its grammar. Out: the declarations in its tree, before their lines are settled."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import Any, NamedTuple

from msgspec import Struct, field

from redraft.edit.outline.embedded import embedded
from redraft.edit.outline.grammars import parse
from redraft.edit.outline.named import named
from redraft.edit.outline.naming import of_value, spans_lines, value_of
from redraft.edit.outline.plain import is_whole
from redraft.edit.outline.rules import Rule, Rules, rules

DECORATIONS = frozenset(
    (
        *("attribute_item", "decorator", "annotation", "marker_annotation", "attribute_list", "spec"),
        *("attributes", "annotations"),
    )
)
_OBJECTS = {
    *("object", "dictionary", "table_constructor", "array_creation_expression", "hash", "object_type", "literal_value"),
    *("attrset_expression", "class_body", "ContainerDecl", "array", "initializer_list", "hash_literal_expression"),
    *("class", "rec_attrset_expression", "struct_expression", "field_initializer_list"),
}
_ARRAYS = {"array", "list"}
_LOCAL = {"variable", "import", "type", "field"}
_VALUED = {"variable", "field", "key"}
_HOLDING = {"variable", "key", "call", "field"}
_SPANS = {"export_statement", "expression_statement"}  # where they declare nothing, they may belong to what does
_CLAUSES = {"haskell", "erlang", "elm"}  # one function is written as several declarations of its name
_BODY = "function_body"  # may stand beside the signature
_SEPARATE = re.compile(r"[\s,;]*(?://.*|#.*|/\*.*|--.*|<!--.*|;.*|%.*|\\)?\s*$")
_LISP_END = re.compile(r"[\s)\]}]*(?:;.*)?$")
_PREFIXES = {  # words that stand beside the declaration in the tree
    "dart": re.compile(r"[\w\s<>?.,]*"),
    "zig": re.compile(r"\s*(?:(?:pub|export|extern|inline|noinline|threadlocal)\s+)*"),
}
_LONG = 2000  # bytes of a line beside a node that are looked at


class Found(Struct):
    """A declaration: its kind and name, its nodes of the tree, and the declaration it lies in."""

    kind: str
    name: str
    is_container: bool
    outer: Any
    inner: Any
    parent: int | None
    end: int
    grammar: str

    @property
    def about(self) -> tuple[str, str, int | None]:
        return self.kind, self.name, self.parent


class Walked(Struct):
    """What a walk finds: declarations in order, comments and attributes by their last line, and faults."""

    found: list[Found] = field(default_factory=list)
    leads: dict[int, int] = field(default_factory=dict)
    faults: set[int] = field(default_factory=set)


class _Step(NamedTuple):
    node: Any
    parent: int | None
    outer: Any
    above: str
    grammar: str
    after: Any = None


def walk(source: bytes, lines: Sequence[str], grammar: str) -> Walked | None:
    """All declarations that own whole lines; None without a grammar."""
    root = parse(source, grammar)
    if root is None:
        return None
    walker = _Walker(source, lines)
    walker.faults(root)
    stack = [_Step(root, None, None, "", grammar)]
    while stack:
        stack += reversed(list(walker.descend(stack.pop())))
    return walker.walked


class _Walker:
    def __init__(self, source: bytes, lines: Sequence[str]) -> None:
        self.walked = Walked()
        self._source = source
        self._lines = lines
        self._beside: dict[int, int] = {}  # bodies that stand beside their signatures, by their first byte
        self._offsets = [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]

    def faults(self, root: Any) -> None:
        nodes = [root] if root.has_error else []
        while nodes:
            node = nodes.pop()
            if node.is_error or node.is_missing:
                self.walked.faults.add(node.start_point[0])
            nodes += [child for child in node.children if child.has_error or child.is_missing]

    def descend(self, step: _Step) -> Iterator[_Step]:
        """The children to look at; what the node declares is added."""
        node, parent, spans = step.node, step.parent, False
        own = rules(step.grammar)
        parent = self._beside.get(node.start_byte, parent) if node.type == _BODY else parent
        if rule := _rule(step, own):
            at = self._declare(step, rule)
            parent = parent if at is None else at
            spans = at is None and node.type in _SPANS
        elif node.type in own.wraps:
            spans = sum(child.type in own.of or child.type in own.wraps for child in node.children) == 1
        outer = (step.outer or node) if spans else None
        if node.type in _OBJECTS and parent is not None and self.walked.found[parent].kind in _HOLDING:
            self.walked.found[parent].is_container = True
        if (inside := embedded(node, self._source, step.grammar)) is None:
            yield from self._children(step, parent, outer)
        elif (root := parse(self._source, *inside)) is not None:
            self.faults(root)
            yield _Step(root, parent, None, "", inside[0])

    def _children(self, step: _Step, parent: int | None, outer: Any) -> Iterator[_Step]:
        own = rules(step.grammar)
        children = step.node.children
        for child, after in zip_longest(children, children[1:]):
            kind = child.type
            (first, column), (last, width) = child.start_point, child.end_point
            if self._is_lead(child, kind):
                end = last - (width == 0 and last > first)
                is_alone = not self._after(last, width).strip() or (after and self._is_lead(after, after.type))
                if is_alone and not self._before(first, column).strip():
                    self.walked.leads[end] = first
            elif last > first or kind in own.of or kind in own.wraps or kind in own.passes:
                yield _Step(child, parent, outer, step.node.type, step.grammar, after)

    def _is_lead(self, node: Any, kind: str) -> bool:
        if kind == "unary_operator":
            beginning = self._source[node.start_byte : node.start_byte + 16]
            return re.match(rb"@(?:doc|spec|impl|tag|deprecated|typedoc|since)\b", beginning) is not None
        return "omment" in kind or kind in DECORATIONS or kind == "haddock"

    def _declare(self, step: _Step, rule: Rule) -> int | None:
        node = step.node
        outer = step.outer if step.outer is not None else node
        if not self._starts_line(outer, step.grammar):
            return None
        declared = named(node, rule, self._source)
        if declared is None or not declared[1]:
            return None
        kind, name = declared[0].rstrip("*"), declared[1]
        kind = of_value(kind, node) if kind in _VALUED else kind
        last = step.after if _has_body_beside(node, step.after) else _last_accessor(outer)
        if self._is_local(kind, node, step.parent) or not self._ends_line(last, step.grammar):
            return None
        if node.has_error and not is_whole(self._lines, outer.start_point[0], _end(last), step.grammar):
            return None
        is_container = declared[0].endswith("*")
        end = self._without_comments(outer, _end(last)) if step.grammar == "yaml" else _end(last)
        at = self._add(Found(kind, name, is_container, outer, node, step.parent, end, step.grammar))
        if last is not outer:
            self._beside[last.start_byte] = at
        return at

    def _without_comments(self, node: Any, end: int) -> int:
        """The end without comments below that are no deeper than what is declared: they belong to what follows."""
        first, column = node.start_point
        while end > first + 1:
            text = self._lines[end - 1].lstrip()
            if text and not (text.startswith("#") and len(self._lines[end - 1]) - len(text) <= column):
                break
            end -= 1
        return end

    def _add(self, found: Found) -> int:
        before = next(reversed(self.walked.found), None)
        if before and found.grammar in _CLAUSES and found.about == before.about:
            before.end = found.end
        else:
            self.walked.found.append(found)
        return len(self.walked.found) - 1

    def _is_local(self, kind: str, node: Any, parent: int | None) -> bool:
        """Variables in functions are no declarations of the file, unless they hold some."""
        if kind not in _LOCAL or parent is None:
            return False
        around = self.walked.found[parent]
        if around.kind != "function" and (around.kind not in ("test", "call") or around.is_container):
            return False
        value = value_of(node)
        return value is None or value.type not in _OBJECTS or not spans_lines(node)

    def _before(self, row: int, column: int) -> str:
        start = self._offsets[row]
        return self._source[start : start + column].decode(errors="replace") if column < _LONG else "x"

    def _starts_line(self, node: Any, grammar: str) -> bool:
        """Whether nothing stands before a node on its line but attributes and such words as belong to it."""
        while (above := node.prev_sibling) is not None and above.type in DECORATIONS:
            if above.end_point[0] < node.start_point[0]:
                break
            node = above
        before = self._before(*node.start_point)
        return not before.strip("\ufeff \t\r\f\v") or (
            grammar in _PREFIXES and _PREFIXES[grammar].fullmatch(before) is not None
        )

    def _ends_line(self, node: Any, grammar: str) -> bool:
        row, column = node.end_point
        if column == 0 or row + 1 >= len(self._offsets):
            return True
        return (_LISP_END if grammar == "clojure" else _SEPARATE).match(self._after(row, column)) is not None

    def _after(self, row: int, column: int) -> str:
        """What stands behind a place on its line."""
        if column == 0 or row + 1 >= len(self._offsets):
            return ""
        start, end = self._offsets[row] + column, self._offsets[row + 1] - 1
        return self._source[start : min(end, start + _LONG)].decode(errors="replace")


def _rule(step: _Step, own: Rules) -> Rule | None:
    """What a node declares where it stands."""
    rule = own.of.get(step.node.type)
    if rule is None or rule.above not in ("", step.above):
        return None
    is_item = step.above in _ARRAYS or step.node.type == "block_sequence_item"
    return rule if is_item or rule.kind != "item" else None


def _has_body_beside(node: Any, after: Any) -> bool:
    """Dart has bodies beside signatures."""
    return after is not None and after.type == _BODY and bool(node.type.endswith("_signature"))


def _last_accessor(node: Any) -> Any:
    """The last accessor of a property, which Kotlin has beside it in the tree, or the node itself."""
    while (below := node.next_sibling) is not None and below.type in ("getter", "setter"):
        node = below
    return node


def _end(node: Any) -> int:
    row, column = node.end_point
    return int(row) + int(column > 0)
