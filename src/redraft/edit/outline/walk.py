"""In: a source and its grammar. Out: the declarations in its tree, before their lines are settled."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from redraft.edit.outline import naming_by_language  # noqa: F401  (its ways of naming)
from redraft.edit.outline.embedded import embedded
from redraft.edit.outline.grammars import parse
from redraft.edit.outline.naming import named, of_value, text
from redraft.edit.outline.rules import Rules, rules

_LEADS = {"attribute_item", "decorator", "annotation", "marker_annotation", "attribute_list", "spec", "attribute"}
_DECORS = {*_LEADS, "attributes", "annotations"}
_OBJECTS = {
    *("object", "dictionary", "table_constructor", "array_creation_expression", "hash", "object_type", "literal_value"),
    *("attrset_expression", "class_body", "ContainerDecl", "array", "initializer_list", "hash_literal_expression"),
}
_ARRAYS = {"array", "list"}
_LOCAL = {"variable", "import", "type"}
_HOLDING = {"variable", "key", "call", "field"}
_VALUED = {"variable", "field", "key"}
_SEPARATE = re.compile(r"[\s,;]*(?://.*|#.*|/\*.*|--.*|<!--.*|;.*|%.*|\\)?\s*$")
_LISP_END = re.compile(r"[\s)\]}]*(?:;.*)?$")
_PREFIX = {"dart": r"[\w\s<>?.,]*", "yaml": r"\s*", "c": r"", "kotlin": r""}


@dataclass
class Found:
    """A declaration: its kind and name, its nodes of the tree, and the declaration it lies in."""

    kind: str
    name: str
    is_container: bool
    outer: Any
    inner: Any
    parent: int | None
    end: int
    grammar: str


@dataclass
class Walked:
    """What a walk finds: declarations in order, comments and attributes by their last line, faults."""

    found: list[Found] = field(default_factory=list)
    leads: dict[int, int] = field(default_factory=dict)
    faults: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class _Step:
    node: Any
    parent: int | None
    outer: Any
    above: str
    grammar: str


def walk(source: bytes, lines: Sequence[str], grammar: str) -> Walked | None:
    """All declarations that own whole lines; None without a grammar."""
    root = parse(source, grammar)
    if root is None:
        return None
    walked = Walked()
    stack = [_Step(root, None, None, "", grammar)]
    while stack:
        step = stack.pop()
        stack += reversed(list(_descend(step, walked, source, lines)))
    return walked


def _descend(step: _Step, walked: Walked, source: bytes, lines: Sequence[str]) -> Iterator[_Step]:
    """The children to look at; what the node declares is added."""
    node, parent = step.node, step.parent
    own = rules(step.grammar)
    rule = own.of.get(node.type)
    outer = None
    if rule is not None and (rule.kind != "item" or step.above in _ARRAYS or node.type != "object"):
        if (at := _declare(step, walked, source, lines)) is not None:
            parent = at
        elif node.type in ("export_statement", "expression_statement"):
            outer = step.outer or node
    elif (
        node.type in own.wraps and sum(child.type in own.of or child.type in own.wraps for child in node.children) == 1
    ):
        outer = step.outer or node
    if node.type in _OBJECTS and parent is not None and walked.found[parent].kind in _HOLDING:
        walked.found[parent].is_container = True
    inside = embedded(node, source, step.grammar)
    if inside is not None:
        name, ranges = inside
        if (root := parse(source, name, ranges)) is not None:
            yield _Step(root, parent, None, "", name)
        return
    yield from _children(node, parent, outer, step.grammar, own, walked, source, lines)


def _children(
    node: Any,
    parent: int | None,
    outer: Any,
    grammar: str,
    own: Rules,
    walked: Walked,
    source: bytes,
    lines: Sequence[str],
) -> Iterator[_Step]:
    for child in node.children:
        kind = child.type
        (first, column), (last, width) = child.start_point, child.end_point
        if child.is_error or child.is_missing:
            walked.faults.add(first)
        if "omment" in kind or kind in _LEADS or (kind == "unary_operator" and _is_documentation(child, source)):
            if not lines[first][:column].strip():
                walked.leads[last - (width == 0 and last > first)] = first
            continue
        if last > first or kind in own.of or kind in own.wraps or (child.has_error and child.child_count):
            yield _Step(child, parent, outer, node.type, grammar)


def _is_documentation(node: Any, source: bytes) -> bool:
    return bool(re.match(rb"@(?:doc|spec|impl|tag|deprecated|typedoc|since)\b", source[node.start_byte :][:16]))


def _declare(step: _Step, walked: Walked, source: bytes, lines: Sequence[str]) -> int | None:
    node = step.node
    rule = rules(step.grammar).of[node.type]
    outer = step.outer if step.outer is not None else node
    if not _starts_line(outer, lines, step.grammar):
        return None
    declared = named(node, rule, source)
    if declared is None or not declared[1]:
        return None
    kind, name = declared
    is_container = rule.is_container or kind.endswith("*")
    kind = kind.rstrip("*")
    if kind in _VALUED:
        kind = of_value(kind, node)
    last = _last(outer, node)
    is_local = kind in _LOCAL and outer.start_point[0] == last.end_point[0]
    if is_local and step.parent is not None and _holds_statements(walked.found[step.parent]):
        return None
    if not _ends_line(last, lines, step.grammar):
        return None
    walked.found.append(Found(kind, name, is_container, outer, node, step.parent, _end(last), step.grammar))
    return len(walked.found) - 1


def _holds_statements(found: Found) -> bool:
    return found.kind == "function" or (found.kind in ("test", "call") and not found.is_container)


def _starts_line(node: Any, lines: Sequence[str], grammar: str) -> bool:
    row, column = node.start_point
    before = lines[row].encode(errors="replace")[:column].decode(errors="replace") if row < len(lines) else ""
    return not before.strip() or (grammar == "dart" and re.fullmatch(_PREFIX["dart"], before) is not None)


def _ends_line(node: Any, lines: Sequence[str], grammar: str) -> bool:
    row, column = node.end_point
    if column == 0 or row >= len(lines):
        return True
    after = lines[row].encode(errors="replace")[column:].decode(errors="replace")
    return (_LISP_END if grammar == "clojure" else _SEPARATE).match(after) is not None


def _last(outer: Any, node: Any) -> Any:
    """The node with which a declaration ends: Dart has bodies beside signatures."""
    if node.type.endswith("_signature"):
        after = node.next_sibling
        if after is not None and after.type == "function_body":
            return after
    return outer


def _end(node: Any) -> int:
    row, column = node.end_point
    return int(row) + int(column > 0)


def head_of(node: Any) -> int:
    """The line on which a declaration itself begins, behind its decorators and attributes."""
    for _ in range(6):
        own = [child for child in node.children if not _is_lead(child)]
        first = own[0] if own else None
        if first is None:
            break
        if first.type == "modifiers" and any(map(_is_lead, first.children)):
            plain = next((child for child in first.children if not _is_lead(child)), None)
            first = plain or (own[1] if len(own) > 1 else first)
            return int(first.start_point[0])
        if first.start_point[0] != node.start_point[0] or first.child_count == 0:
            return int(first.start_point[0])
        node = first
    return int(node.start_point[0])


def _is_lead(node: Any) -> bool:
    return "nnotation" in node.type or node.type in _DECORS or "omment" in node.type


__all__ = ["Found", "Walked", "head_of", "text", "walk"]
