"""In: a node of a tree that declares something. Out: its kind and its name, as people would say it."""

import re
from collections.abc import Callable
from typing import Any

Named = tuple[str, str] | None  # kind and name; None where the node declares nothing
Way = Callable[[Any, bytes], Named]  # of a node and the source
_NAME_LENGTH = 200
_KEYWORDS = re.compile(
    r"^(?:(?:import|use|using|package|open|include|global|static|export|from|no)\b\s*(?:type\s+)?)+", re.IGNORECASE
)
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`|:(\w+)")
_TEST = re.compile(
    r"(?:\w+\.)?(?:(?:f|x|p)?(?:describe|context|it|test|specify)|suite|feature|scenario|group|testset|test_that|"
    r"testWidgets|blocTest|should|given|when|then|TEST_CASE|SECTION|Deno\.test)"
    r"(?:[.!](?:each|only|skip|todo|concurrent|serial|describe|parallel|step|fails|failing))*",
    re.IGNORECASE,
)
_SUITES = re.compile(r"\b[fxp]?(?:describe|context|suite|feature|group|testset)\b", re.IGNORECASE)
_CALLEE = re.compile(r"(?:return\s+|await\s+|yield\s+|local\s+)?(@?[\w$.:]+[!?]?)(.*)", re.DOTALL)
_OPENS = re.compile(
    r"(?:\{|\bdo|\bdo\s*\|[^|]*\||\{\s*\|[^|]*\||\bfunction\s*\([^)]*\)|\bfn\s*\([^)]*\)|=>|->|\{[^{}]*(?:->|\bin))\s*$"
)
_REQUIRE = re.compile(r"(?:await\s+)?(?:require|import)\(([\"'`].*?[\"'`])")
_FUNCTIONS = {
    *("arrow_function", "function_expression", "function", "generator_function", "function_definition"),
    *("anonymous_function", "anonymous_function_creation_expression", "lambda_literal", "func_literal"),
}


def target_of(node: Any, way: str) -> Any:
    for step in way.split("."):
        if step[0] == "#":
            node = next((child for child in node.named_children if child.type == step[1:]), None)
        elif step[0] == "~":
            while inner := node.child_by_field_name(step[1:]):
                node = inner
        else:
            node = node.child_by_field_name(step)
        if node is None:
            return None
    return node


def text(node: Any, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode(errors="replace")


def clean(name: str) -> str:
    """A name on one line, without its quotes."""
    name = " ".join(name[: 4 * _NAME_LENGTH].split())[:_NAME_LENGTH].strip(" ;,")
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'`":
        name = name[1:-1]
    return name


def header(node: Any, source: bytes) -> str:
    """The first line of a node."""
    return text(node, source).split("\n", 1)[0].strip()


def first_line(kind: str, pattern: str) -> Way:
    """A way to read the first line of a node: the pattern finds the name in it."""

    def way(node: Any, source: bytes) -> Named:
        match = re.match(pattern, header(node, source))
        return (kind, match[1]) if match else None

    return way


def spans_lines(node: Any) -> bool:
    """Whether a node begins and ends on different lines."""
    return bool(node.start_point[0] != node.end_point[0])


def value_of(node: Any) -> Any:
    """What a variable, a field or a key holds, None where that is not plain."""
    for _ in range(4):
        value = next(filter(None, map(node.child_by_field_name, _VALUES)), None)
        held = next(reversed(node.named_children), None) if value is None else value
        if held is None or held.type not in _HOLDERS:
            return value
        node = held
    return None


def of_value(kind: str, node: Any) -> str:
    """The kind of what a variable, a field or a key holds, where that is a function."""
    value = value_of(node)
    return "function" if value is not None and value.type in _FUNCTIONS else kind


_VALUES = ("value", "right", "rhs", "default_value")
_HOLDERS = {
    *("variable_declarator", "assignment", "assignment_expression", "assignment_statement", "expression_list"),
    *("parenthesized_expression", "property_element"),
}


def child_of(node: Any, *types: str) -> Any:
    """The first child of one of these types."""
    return next((child for child in node.children if child.type in types), None)


def field_of(node: Any, field: str, source: bytes) -> str:
    """The text of a field, "" where there is none."""
    target = node.child_by_field_name(field)
    return clean(text(target, source)) if target is not None else ""


def by_text(node: Any, source: bytes) -> Named:
    for field in ("module_name", "source", "module", "name", "path", "uri"):
        if target := node.child_by_field_name(field):
            return "", clean(text(target, source))
    inside = _QUOTED.search(text(node, source)[:_NAME_LENGTH])
    return "", inside[1] or inside[2] or clean(inside[0]) if inside else clean(text(node, source))


def by_after_keyword(node: Any, source: bytes) -> Named:
    return "", clean(_KEYWORDS.sub("", clean(text(node, source))))


def by_header(node: Any, source: bytes) -> Named:
    return "", clean(re.split(r"\s*(?:\{|:?=|\bwith\b|\bwhere\b|:$)", header(node, source))[0])


def by_first_word(node: Any, source: bytes) -> Named:
    word = re.search(r"[\w@.\"-]+", re.sub(r"^(?:pub|comptime|export)\s+", "", header(node, source)))
    return ("", clean(word[0])) if word else None


def declarator(node: Any, source: bytes) -> str:
    """The name in a C declarator: through pointers, arrays and parameters."""
    while inner := node.child_by_field_name("declarator") or next(
        (child for child in node.named_children if child.type.endswith("_declarator")), None
    ):
        node = inner
    return clean(text(node, source))


def by_declarator(node: Any, source: bytes) -> Named:
    inner = node.child_by_field_name("declarator")
    if inner is None:
        return None
    name = declarator(node, source)
    if name in ("TEST", "TEST_F", "TEST_P", "BENCHMARK", "TYPED_TEST") and inner.child_by_field_name("parameters"):
        return "test", clean(text(inner.child_by_field_name("parameters"), source).strip("()"))
    holder = node.child_by_field_name("type")
    if node.type == "function_definition" and not _is_function(inner) and holder is not None:
        return _MISREAD.get(holder.type, ""), name  # `class EXPORT Name {`: a macro that the grammar takes for the name
    return "function" if node.type == "field_declaration" and _is_function(inner) else "", name


def by_declaration(node: Any, source: bytes) -> Named:
    inner = node.child_by_field_name("declarator")
    if inner is None:
        return None
    return "function" if _is_function(inner) else "variable", declarator(node, source)


def _is_function(node: Any) -> bool:
    while node is not None:
        if node.type == "function_declarator":
            return bool(node.child_by_field_name("declarator").type != "parenthesized_declarator")
        node = node.child_by_field_name("declarator")
    return False


def by_with_body(node: Any, source: bytes) -> Named:
    name = node.child_by_field_name("name")
    if node.child_by_field_name("body") is None:
        return None
    return "", clean(text(name, source)) if name else node.type.split("_")[0]


def by_typedef(node: Any, source: bytes) -> Named:
    inner = node.child_by_field_name("type")
    kind = "type" if inner is None or inner.child_by_field_name("body") is None else inner.type
    kinds = {"struct_specifier": "class*", "union_specifier": "class*", "enum_specifier": "enum*"}
    return kinds.get(kind, "type"), declarator(node, source)


def by_declarators(node: Any, source: bytes) -> Named:
    declared = [child for child in node.named_children if child.type == "variable_declarator"]
    names = [clean(text(name, source)) for child in declared if (name := child.child_by_field_name("name"))]
    if not names:
        return None
    value = declared[0].child_by_field_name("value")
    if value is not None and (module := _REQUIRE.match(text(value, source))):
        return "import", clean(module[1])
    return of_value("variable", declared[0]), ", ".join(names)


def by_expression(node: Any, source: bytes) -> Named:
    inner = node.named_children[0] if node.named_children else None
    if inner is None:
        return None
    if inner.type in ("await_expression", "yield_expression") and inner.named_children:
        inner = inner.named_children[0]
    if inner.type in ("assignment_expression", "assignment_statement"):
        left = inner.child_by_field_name("left")
        usual = "field" if left is not None and left.type == "identifier" else "variable"
        return (of_value(usual, inner), clean(text(left, source))) if left else None
    return by_call(node, source) if "call" in inner.type or inner.type == "identifier" else None


def by_export(node: Any, source: bytes) -> Named:
    if node.child_by_field_name("declaration") is not None:
        return None
    value = node.child_by_field_name("value")
    if value is not None:
        return "function" if value.type in _FUNCTIONS else "variable", "default"
    if module := node.child_by_field_name("source"):
        return "export", clean(text(module, source))
    return "export", clean(text(node, source).removeprefix("export"))


def by_call(node: Any, source: bytes) -> Named:
    """A call over several lines that ends in a function or a block: a test, a route, a task, a block of settings."""
    first = header(node, source)
    match = _CALLEE.match(first)
    if match is None or not spans_lines(node) or not _OPENS.search(first):
        return None
    callee, rest = match[1].rstrip("."), match[2]
    if callee in ("init", "deinit"):
        return "function", callee
    quoted = _QUOTED.search(rest)
    label = next(filter(None, quoted.groups()), "") if quoted else ""
    is_suite = _SUITES.search(callee) is not None
    if quoted and _TEST.fullmatch(callee):
        return "test*" if is_suite else "test", clean(label)
    constant = re.match(r"[\s(]*([A-Z][\w:.]*)", rest)
    if constant and callee in ("describe", "RSpec.describe", "context"):
        return "test*", constant[1]
    return "test*" if is_suite else "call", clean(f"{callee} {label}")


_MISREAD = {"class_specifier": "class*", "struct_specifier": "class*"}


by_bats = first_line("test", r"@test [\"'](.*)[\"']")
