"""In: a node of a tree of a data or markup language. Out: its kind and its name."""

import re
from typing import Any

from redraft.edit.outline.naming import Named, child_of, clean, field_of, header, spans_lines, text

_TELLING = ("name", "id", "key", "path", "title", "label", "uses", "type", "value")


def by_item(node: Any, source: bytes) -> Named:
    """An object in a list."""
    pairs = [child for child in node.named_children if child.type == "pair"]
    name = _telling({field_of(pair, "key", source): field_of(pair, "value", source) for pair in pairs[:20]})
    return ("item*", name) if name and spans_lines(node) else None


def _telling(found: dict[str, str]) -> str:
    """The value of the key that names an object, else its first key."""
    return next(filter(None, map(found.get, _TELLING)), "") or next(iter(found), "")


def by_selector(node: Any, source: bytes) -> Named:
    selectors = child_of(node, "selectors")
    return ("rule*", _normal(text(selectors, source))) if selectors else None


def by_prelude(node: Any, source: bytes) -> Named:
    if child_of(node, "block", "keyframe_block_list") is None:
        return None
    return "rule*", _normal(text(node, source).split("{", 1)[0])


def _normal(selector: str) -> str:
    return re.sub(r"\s*([>+~,])\s*(?![^(\[]*[)\]])", r" \1 ", clean(selector)).replace(" , ", ", ").strip()


def _opening_tag(node: Any, source: bytes) -> tuple[str, re.Match[str] | None]:
    """The opening tag of an element, and its name as the first group."""
    first = text(node.named_children[0], source) if node.named_children else ""
    return first, re.match(r"<\s*([\w:.-]+)", first)


def by_element(node: Any, source: bytes) -> Named:
    first, tag = _opening_tag(node, source)
    if tag is None or not spans_lines(node):
        return None
    name = re.search(r"\s(id|class)\s*=\s*[\"']?([\w-]+)", first)
    return "", tag[1] + (("#" if name[1] == "id" else ".") + name[2] if name else "")


def by_xml(node: Any, source: bytes) -> Named:
    first, tag = _opening_tag(node, source)
    if tag is None:
        return None
    name = re.search(r"\s(?:\w+:)?(?:id|name|key|Include|Name|Key|Id)\s*=\s*[\"']([^\"']+)", first)
    inside = text(node, source)[len(first) : 2000]
    name = name or re.match(r"(?:\s*<\w+Id>[^<]*</\w+Id>)*?\s*<(?:artifactId|id|name)>([^<]+)<", inside)
    return "element*", f"{tag[1]} {clean(name[1])}" if name else tag[1]


def by_yaml_item(node: Any, source: bytes) -> Named:
    if not spans_lines(node):
        return None
    lines = text(node, source).split("\n")
    column = node.start_point[1]
    inner = " " * (column + len(lines[0]) - len(lines[0][1:].lstrip()))
    own = [lines[0][1:].lstrip(), *(line[len(inner) :] for line in lines[1:] if line.startswith(inner))]
    found = {m[1]: m[2] for line in own[:60] if (m := re.match(r"[\"']?([\w.-]+)[\"']?\s*:\s*(.*)", line))}
    name = _telling(found)
    return ("item*", clean(name)) if name else None


def by_toml(node: Any, source: bytes) -> Named:
    match = re.match(r"\[+\s*(.*?)\s*\]+", header(node, source))
    return ("section*", match[1].replace('"', "")) if match else None


def by_hcl(node: Any, source: bytes) -> Named:
    words = [clean(text(child, source)) for child in node.named_children if child.type in ("identifier", "string_lit")]
    return "section*", ".".join(words[1:] if words[0] == "resource" and len(words) > 1 else words)


def by_heading(node: Any, source: bytes) -> Named:
    first = node.named_children[0] if node.named_children else None
    if first is None or "heading" not in first.type:
        return None
    return "section*", re.sub(r"\s+#+$", "", field_of(first, "heading_content", source)) or header(first, source)
