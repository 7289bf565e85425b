"""In: a node of a page or of a script with a page around it. Out: the grammar and the ranges of what is inside."""

import re
from typing import Any

from redraft.edit.outline.naming import child_of

_LANGUAGES = {
    "ts": "typescript",
    "typescript": "typescript",
    "tsx": "tsx",
    "jsx": "javascript",
    "scss": "scss",
    "sass": "",
    "less": "scss",
    "stylus": "",
    "coffee": "",
    "pug": "",
}
_ELEMENTS = {"script_element": "javascript", "style_element": "css"}


def embedded(node: Any, source: bytes, grammar: str) -> tuple[str, tuple[Any, ...]] | None:
    """What a script or a style of a page is to be read by; None for other nodes."""
    if node.type == "frontmatter" and grammar == "astro":
        block = child_of(node, "frontmatter_js_block")
        return ("typescript", (block.range,)) if block else None
    usual = _ELEMENTS.get(node.type)
    inside = child_of(node, "raw_text") if usual else None
    if usual is None or inside is None:
        return None
    opening = source[node.start_byte : inside.start_byte].decode(errors="replace")
    name = _language(opening, "typescript" if grammar == "astro" and usual == "javascript" else usual)
    return (name, (inside.range,))


def _language(opening: str, usual: str) -> str:
    if match := re.search(r"\blang\s*=\s*[\"']?(\w+)", opening):
        return _LANGUAGES.get(match[1], usual)
    if match := re.search(r"\btype\s*=\s*[\"']([^\"']+)", opening):
        kind = match[1].lower()
        return "json" if "json" in kind or "importmap" in kind else usual if kind in _SCRIPTS or "css" in kind else ""
    return usual


_SCRIPTS = {"module", "text/javascript", "application/javascript", "text/babel", "text/jsx", "text/ecmascript"}
