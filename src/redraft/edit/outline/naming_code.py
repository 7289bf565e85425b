"""In: a node of a tree of a programming language. Out: its kind and its name, where that needs more than a field."""

import re
from typing import Any

from redraft.edit.outline.naming import (
    Named,
    by_call,
    child_of,
    clean,
    field_of,
    first_line,
    header,
    of_value,
    spans_lines,
    text,
)

_DEFINES = {
    **dict.fromkeys(("def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate"), "function"),
    **dict.fromkeys(("use", "import", "alias", "require"), "import"),
    **dict.fromkeys(("defmodule", "defimpl", "defprotocol"), "class*"),
    **dict.fromkeys(("test", "property"), "test"),
    **dict.fromkeys(("defstruct", "defexception"), "type"),
    "describe": "test*",
}
_CLOJURE = {"def": "variable", "ns": "namespace", "deftest": "test", "defonce": "variable", "defmacro": "macro"}


def by_python_main(node: Any, source: bytes) -> Named:
    first = header(node, source)
    return ("section", "__main__") if re.match(r"if\s+__name__\s*==", first) else None


def by_go_import(node: Any, source: bytes) -> Named:
    if child_of(node, "import_spec_list"):
        return "import*", "import"
    spec = child_of(node, "import_spec")
    return ("import", field_of(spec, "path", source)) if spec else None


def by_go_type(node: Any, source: bytes) -> Named:
    spec = child_of(node, "type_spec", "type_alias")
    if child_of(node, "(") or spec is None:
        return None
    inner = spec.child_by_field_name("type")
    kinds = {"struct_type": "class*", "interface_type": "interface*"}
    return kinds.get(inner.type if inner else "", "type"), field_of(spec, "name", source)


def by_go_specs(node: Any, source: bytes) -> Named:
    if child_of(node, "(", "var_spec_list"):
        return "section*", node.type.split("_")[0]
    spec = child_of(node, "const_spec", "var_spec")
    return ("variable", field_of(spec, "name", source)) if spec else None


def by_go_key(node: Any, source: bytes) -> Named:
    return ("key", clean(text(node.named_children[0], source))) if len(node.named_children) > 1 else None


def by_rust_impl(node: Any, source: bytes) -> Named:
    kind = _without_arguments(field_of(node, "type", source))
    trait = _without_arguments(field_of(node, "trait", source))
    return "impl*", f"impl {trait} for {kind}" if trait else f"impl {kind}"


def _without_arguments(name: str) -> str:
    return re.sub(r"<.*>$", "", name)


def by_rust_mod(node: Any, source: bytes) -> Named:
    kind = "namespace*" if node.child_by_field_name("body") else "import"
    return kind, field_of(node, "name", source)


def by_kotlin_class(node: Any, source: bytes) -> Named:
    name, kind = child_of(node, "type_identifier"), "class*"
    if child_of(node, "interface"):
        kind = "interface*"
    elif child_of(node, "enum", "enum_class_body"):
        kind = "enum*"
    return (kind, clean(text(name, source))) if name else None


def by_swift_class(node: Any, source: bytes) -> Named:
    word = field_of(node, "declaration_kind", source)
    name = field_of(node, "name", source)
    if word == "extension":
        kinds = [clean(text(child, source)) for child in node.named_children if child.type == "inheritance_specifier"]
        return "impl*", f"extension {name}" + (": " + ", ".join(kinds) if kinds else "")
    return "enum*" if word == "enum" else "class*", name


def by_tilde(node: Any, source: bytes) -> Named:
    return "function", "~" + field_of(node, "name", source)


def by_operator(node: Any, source: bytes) -> Named:
    match = re.search(r"\boperator\b\s*([^(]*)", header(node, source))
    return ("function", clean(f"operator {match[1]}")) if match else None


def by_field_names(node: Any, source: bytes) -> Named:
    holder = child_of(node, "variable_declaration") or node
    declared = [child for child in holder.named_children if child.type == "variable_declarator"]
    names = [field_of(child, "name", source) for child in declared]
    return ("", ", ".join(names)) if names else None


def by_dart(node: Any, source: bytes) -> Named:
    inner = node.named_children[0] if node.type == "method_signature" and node.named_children else node
    if inner.type == "static" and len(node.named_children) > 1:
        inner = node.named_children[1]
    if inner.type == "operator_signature":
        return by_operator(inner, source)
    if "constructor" in inner.type:
        names = [text(child, source) for child in inner.named_children if child.type == "identifier"]
        return "function", ".".join(names)
    return "function", field_of(inner, "name", source)


def by_php_key(node: Any, source: bytes) -> Named:
    if len(node.named_children) < 2:
        return None
    kind = "function" if node.named_children[1].type in ("anonymous_function", "arrow_function") else "key"
    return kind, clean(text(node.named_children[0], source))


def by_lua_names(node: Any, source: bytes) -> Named:
    inner = child_of(node, "assignment_statement") or node
    names = child_of(inner, "variable_list")
    values = child_of(inner, "expression_list")
    if names is None:
        return ("variable", clean(text(node, source).removeprefix("local"))) if node.type[0] == "v" else None
    name = clean(text(names, source))
    value = values.named_children[0] if values and values.named_children else None
    if value is not None and (module := re.match(r"require\b[\s(]*([\"'].*?[\"'])", text(value, source))):
        return "import", clean(module[1])
    return "function" if value is not None and value.type == "function_definition" else "variable", name


def by_r_assignment(node: Any, source: bytes) -> Named:
    if child_of(node, "<-", "=", "<<-", ":=") is None:
        return None
    return of_value("variable", node), field_of(node, "lhs", source)


def by_objc_property(node: Any, source: bytes) -> Named:
    match = re.search(r"(\w+)\s*;?\s*$", clean(text(node, source)))
    return ("field", match[1]) if match else None


def by_ocaml(node: Any, source: bytes) -> Named:
    binding = child_of(node, "let_binding")
    if binding is None:
        return None
    kind = "function" if child_of(binding, "parameter") else "variable"
    return kind, field_of(binding, "pattern", source)


def by_julia_name(node: Any, source: bytes) -> Named:
    match = re.match(r"(?:function|macro)\s+((?:\w+\.)*[\w!]+)", header(node, source))
    return ("macro" if node.type[0] == "m" else "function", match[1]) if match else None


def by_julia_assignment(node: Any, source: bytes) -> Named:
    first = re.sub(r"^const\s+", "", header(node, source))
    if match := re.match(r"((?:\w+\.)*[\w!]+)\(.*\)\s*(?:where\b.*)?=", first):
        return "function", match[1]
    match = re.match(r"([\w!.]+)\s*(?:::[^=]*)?=", first)
    return ("variable", match[1]) if match else None


def by_elixir(node: Any, source: bytes) -> Named:
    word = field_of(node, "target", source)
    arguments = child_of(node, "arguments")
    first = arguments.named_children[0] if arguments and arguments.named_children else None
    kind = _DEFINES.get(word)
    if kind is None or first is None:
        is_config = word == "config" and spans_lines(node)
        return by_call(node, source) or (("call", clean(header(node, source).rstrip(","))) if is_config else None)
    if kind == "function":
        if first.type == "binary_operator":
            first = first.child_by_field_name("left") or first
        return kind, clean(text(first.child_by_field_name("target") or first, source))
    name = clean(text(arguments, source)) if kind in ("import", "type") else clean(text(first, source))
    return kind, word if kind == "type" else name


def by_clojure(node: Any, source: bytes) -> Named:
    symbols = [child for child in node.named_children[:3] if child.type == "sym_lit"]
    if len(symbols) < 2 or symbols[0] != node.named_children[0]:
        return None
    word = text(symbols[0], source)
    if not (word.startswith("def") or word == "ns"):
        return None
    name = symbols[1].child_by_field_name("name")
    return _CLOJURE.get(word, "function"), clean(text(name or symbols[1], source))


def by_zig(node: Any, source: bytes) -> Named:
    proto, variable = child_of(node, "FnProto"), child_of(node, "VarDecl")
    if proto is not None:
        return "function", field_of(proto, "function", source)
    if variable is None:
        return None
    name = field_of(variable, "variable_type_function", source)
    value = re.search(r"=\s*(?:extern |packed )?(struct|enum|union|opaque|error|@import)\b", header(node, source))
    kinds = {"enum": "enum*", "@import": "import", None: "variable"}
    return kinds.get(value[1] if value else None, "class*"), name


def by_implementation(node: Any, source: bytes) -> Named:
    match = re.match(r"@implementation\s+(\w+)(?:\s*\((\w*)\))?", header(node, source))
    return ("impl*", f"implementation {match[1]}" + (f" ({match[2]})" if match[2] else "")) if match else None


def by_selector_name(node: Any, source: bytes) -> Named:
    parts = re.split(r"[{;]", text(node, source))[0]
    parts = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", parts).lstrip("+- \t\n")
    labels = re.findall(r"(\w+)\s*:", parts)
    name = "".join(label + ":" for label in labels) or re.match(r"\w*", parts)[0]  # type: ignore[index]
    return "function", name


def by_infix(node: Any, source: bytes) -> Named:
    match = re.match(r"\"([^\"]*)\"\s+(should|in|when|must|can|-)\b", header(node, source))
    return ("test*" if match[2] != "in" else "test", match[1]) if match else None


by_julia_macro = first_line("test*", r"@testset\s+\"([^\"]*)\"")
by_fish = first_line("variable", r"set\s+(?:-\w+\s+)*(\w+)")
by_vim_let = first_line("variable", r"let\s+([\w:#.]+)\s*=")
by_fsharp = first_line("function", r"let\s+(?:rec\s+|inline\s+|private\s+|mutable\s+)*([\w`']+)")
by_fsharp_type = first_line("type*", r"(?:type|and)\s+(?:private\s+|internal\s+)*([\w`']+)")
