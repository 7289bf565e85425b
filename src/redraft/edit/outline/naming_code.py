"""In: a node of a tree of a programming language. Out: its kind and its name, where that needs more than a field."""

import re
from typing import Any

from redraft.edit.outline.naming import Named, Way, call, child_of, clean, field_of, header, of_value, text

_DEFINES = {
    **dict.fromkeys(("def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate"), "function"),
    **dict.fromkeys(("use", "import", "alias", "require"), "import"),
    **dict.fromkeys(("defmodule", "defimpl", "defprotocol"), "class*"),
    **dict.fromkeys(("test", "property"), "test"),
    **dict.fromkeys(("defstruct", "defexception"), "type"),
    "describe": "test*",
}
_CLOJURE = {"def": "variable", "ns": "namespace", "deftest": "test", "defonce": "variable", "defmacro": "macro"}


def _python_main(node: Any, source: bytes) -> Named:
    first = header(node, source)
    return ("section", "__main__") if re.match(r"if\s+__name__\s*==", first) else None


def _go_import(node: Any, source: bytes) -> Named:
    if child_of(node, "import_spec_list"):
        return "import*", "import"
    spec = child_of(node, "import_spec")
    return ("import", field_of(spec, "path", source)) if spec else None


def _go_type(node: Any, source: bytes) -> Named:
    spec = child_of(node, "type_spec", "type_alias")
    if child_of(node, "(") or spec is None:
        return None
    inner = spec.child_by_field_name("type")
    kinds = {"struct_type": "class*", "interface_type": "interface*"}
    return kinds.get(inner.type if inner else "", "type"), field_of(spec, "name", source)


def _go_specs(node: Any, source: bytes) -> Named:
    if child_of(node, "(", "var_spec_list"):
        return "section*", node.type.split("_")[0]
    spec = child_of(node, "const_spec", "var_spec")
    return ("variable", field_of(spec, "name", source)) if spec else None


def _go_key(node: Any, source: bytes) -> Named:
    return ("key", clean(text(node.named_children[0], source))) if len(node.named_children) > 1 else None


def _rust_impl(node: Any, source: bytes) -> Named:
    kind = _without_arguments(field_of(node, "type", source))
    trait = _without_arguments(field_of(node, "trait", source))
    return "impl*", f"impl {trait} for {kind}" if trait else f"impl {kind}"


def _without_arguments(name: str) -> str:
    return re.sub(r"<.*>$", "", name)


def _rust_mod(node: Any, source: bytes) -> Named:
    kind = "namespace*" if node.child_by_field_name("body") else "import"
    return kind, field_of(node, "name", source)


def _rust_macro(node: Any, source: bytes) -> Named:
    if node.start_point[0] == node.end_point[0]:
        return None
    return "call", field_of(node, "macro", source) + "!"


def _kotlin_class(node: Any, source: bytes) -> Named:
    name = child_of(node, "type_identifier")
    is_enum = child_of(node, "enum", "enum_class_body")
    kind = "interface*" if child_of(node, "interface") else "enum*" if is_enum else "class*"
    return (kind, clean(text(name, source))) if name else None


def _swift_class(node: Any, source: bytes) -> Named:
    word = field_of(node, "declaration_kind", source)
    name = field_of(node, "name", source)
    if word == "extension":
        kinds = [clean(text(child, source)) for child in node.named_children if child.type == "inheritance_specifier"]
        return "impl*", f"extension {name}" + (": " + ", ".join(kinds) if kinds else "")
    return "enum*" if word == "enum" else "class*", name


def _tilde(node: Any, source: bytes) -> Named:
    return "function", "~" + field_of(node, "name", source)


def _operator(node: Any, source: bytes) -> Named:
    match = re.search(r"\boperator\b\s*([^(]*)", header(node, source))
    return ("function", clean(f"operator {match[1]}")) if match else None


def _field_names(node: Any, source: bytes) -> Named:
    holder = child_of(node, "variable_declaration") or node
    declared = [child for child in holder.named_children if child.type == "variable_declarator"]
    names = [field_of(child, "name", source) for child in declared]
    return ("", ", ".join(names)) if names else None


def _dart(node: Any, source: bytes) -> Named:
    inner = node.named_children[0] if node.type == "method_signature" and node.named_children else node
    if inner.type == "static" and len(node.named_children) > 1:
        inner = node.named_children[1]
    if inner.type == "operator_signature":
        return _operator(inner, source)
    if "constructor" in inner.type:
        names = [text(child, source) for child in inner.named_children if child.type == "identifier"]
        return "function", ".".join(names)
    return "function", field_of(inner, "name", source)


def _php_key(node: Any, source: bytes) -> Named:
    if len(node.named_children) < 2:
        return None
    kind = "function" if node.named_children[1].type in ("anonymous_function", "arrow_function") else "key"
    return kind, clean(text(node.named_children[0], source))


def _lua_names(node: Any, source: bytes) -> Named:
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


def _perl_statement(node: Any, source: bytes) -> Named:
    inner = child_of(node, "assignment_expression")
    left = inner and inner.child_by_field_name("left")
    if left is None or not re.match(r"(?:my|our|local|state)\b", text(left, source)):
        return None
    return "variable", clean(re.sub(r"^\w+\s+", "", text(left, source)))


def _r_assignment(node: Any, source: bytes) -> Named:
    if child_of(node, "<-", "=", "<<-", ":=") is None:
        return None
    return of_value("variable", node), field_of(node, "lhs", source)


def _r_call(node: Any, source: bytes) -> Named:
    match = re.match(r"(?:library|require|source)\(\s*[\"']?([\w./]+)", header(node, source))
    return ("import", match[1]) if match else call(node, source)


def _objc_property(node: Any, source: bytes) -> Named:
    match = re.search(r"(\w+)\s*;?\s*$", clean(text(node, source)))
    return ("field", match[1]) if match else None


def _ocaml(node: Any, source: bytes) -> Named:
    binding = child_of(node, "let_binding")
    if binding is None:
        return None
    kind = "function" if child_of(binding, "parameter") else "variable"
    return kind, field_of(binding, "pattern", source)


def _julia_name(node: Any, source: bytes) -> Named:
    match = re.match(r"(?:function|macro)\s+((?:\w+\.)*[\w!]+)", header(node, source))
    return ("macro" if node.type[0] == "m" else "function", match[1]) if match else None


def _julia_assignment(node: Any, source: bytes) -> Named:
    first = re.sub(r"^const\s+", "", header(node, source))
    if match := re.match(r"((?:\w+\.)*[\w!]+)\(.*\)\s*(?:where\b.*)?=", first):
        return "function", match[1]
    match = re.match(r"([\w!.]+)\s*(?:::[^=]*)?=", first)
    return ("variable", match[1]) if match else None


def _julia_macro(node: Any, source: bytes) -> Named:
    match = re.match(r"@testset\s+\"([^\"]*)\"", header(node, source))
    return ("test*", match[1]) if match else None


def _elixir(node: Any, source: bytes) -> Named:
    word = field_of(node, "target", source)
    arguments = child_of(node, "arguments")
    first = arguments.named_children[0] if arguments and arguments.named_children else None
    kind = _DEFINES.get(word)
    if kind is None or first is None:
        is_config = word == "config" and node.start_point[0] != node.end_point[0]
        found = call(node, source) or (("call", clean(header(node, source).rstrip(","))) if is_config else None)
        return found
    if kind == "function":
        if first.type == "binary_operator":
            first = first.child_by_field_name("left") or first
        return kind, clean(text(first.child_by_field_name("target") or first, source))
    name = clean(text(arguments, source)) if kind in ("import", "type") else clean(text(first, source))
    return kind, word if kind == "type" else name


def _clojure(node: Any, source: bytes) -> Named:
    symbols = [child for child in node.named_children[:3] if child.type == "sym_lit"]
    if len(symbols) < 2 or symbols[0] != node.named_children[0]:
        return None
    word = text(symbols[0], source)
    if not (word.startswith("def") or word == "ns"):
        return None
    name = symbols[1].child_by_field_name("name")
    return _CLOJURE.get(word, "function"), clean(text(name or symbols[1], source))


def _zig(node: Any, source: bytes) -> Named:
    proto, variable = child_of(node, "FnProto"), child_of(node, "VarDecl")
    if proto is not None:
        return "function", field_of(proto, "function", source)
    if variable is None:
        return None
    name = field_of(variable, "variable_type_function", source)
    value = re.search(r"=\s*(?:extern |packed )?(struct|enum|union|opaque|error|@import)\b", header(node, source))
    kinds = {"enum": "enum*", "@import": "import", None: "variable"}
    return kinds.get(value[1] if value else None, "class*"), name


def _fish(node: Any, source: bytes) -> Named:
    match = re.match(r"set\s+(?:-\w+\s+)*(\w+)", header(node, source))
    return ("variable", match[1]) if match else None


def _vim_let(node: Any, source: bytes) -> Named:
    match = re.match(r"let\s+([\w:#.]+)\s*=", header(node, source))
    return ("variable", match[1]) if match else None


def _fsharp(node: Any, source: bytes) -> Named:
    match = re.match(r"let\s+(?:rec\s+|inline\s+|private\s+|mutable\s+)*([\w`']+)", header(node, source))
    return ("function", match[1]) if match else None


def _fsharp_type(node: Any, source: bytes) -> Named:
    match = re.match(r"(?:type|and)\s+(?:private\s+|internal\s+)*([\w`']+)", header(node, source))
    return ("type*", match[1]) if match else None


def _implementation(node: Any, source: bytes) -> Named:
    match = re.match(r"@implementation\s+(\w+)(?:\s*\((\w*)\))?", header(node, source))
    return ("impl*", f"implementation {match[1]}" + (f" ({match[2]})" if match[2] else "")) if match else None


def _selector_name(node: Any, source: bytes) -> Named:
    parts = re.split(r"[{;]", text(node, source))[0]
    parts = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", parts).lstrip("+- \t\n")
    labels = re.findall(r"(\w+)\s*:", parts)
    name = "".join(label + ":" for label in labels) or re.match(r"\w*", parts)[0]  # type: ignore[index]
    return "function", name


def _infix(node: Any, source: bytes) -> Named:
    match = re.match(r"\"([^\"]*)\"\s+(should|in|when|must|can|-)\b", header(node, source))
    return ("test*" if match[2] != "in" else "test", match[1]) if match else None


CODE: dict[str, Way] = {
    "python_main": _python_main,
    "go_import": _go_import,
    "go_type": _go_type,
    "go_specs": _go_specs,
    "go_key": _go_key,
    "rust_impl": _rust_impl,
    "rust_mod": _rust_mod,
    "rust_macro": _rust_macro,
    "kotlin_class": _kotlin_class,
    "swift_class": _swift_class,
    "tilde": _tilde,
    "operator": _operator,
    "field_names": _field_names,
    "dart": _dart,
    "php_key": _php_key,
    "lua_names": _lua_names,
    "perl_statement": _perl_statement,
    "r_assignment": _r_assignment,
    "r_call": _r_call,
    "objc_property": _objc_property,
    "ocaml": _ocaml,
    "julia_name": _julia_name,
    "julia_assignment": _julia_assignment,
    "julia_macro": _julia_macro,
    "elixir": _elixir,
    "clojure": _clojure,
    "zig": _zig,
    "fish": _fish,
    "vim_let": _vim_let,
    "fsharp": _fsharp,
    "fsharp_type": _fsharp_type,
    "implementation": _implementation,
    "selector_name": _selector_name,
    "infix": _infix,
}
