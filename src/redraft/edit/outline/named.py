"""In: a node of a tree and the rule for its type. Out: its kind and its name, as people would say it."""

from typing import Any

from redraft.edit.outline.naming import GENERAL, Named, clean, target_of, text
from redraft.edit.outline.naming_code import CODE
from redraft.edit.outline.naming_data import DATA
from redraft.edit.outline.rules import Rule

_WAYS = {**GENERAL, **CODE, **DATA}


def named(node: Any, rule: Rule, source: bytes) -> Named:
    """The kind, with `*` for a container, and the name that a rule finds; None where it finds none."""
    for way in rule.names:
        if way[0] == "=":
            return rule.kind, way[1:].replace("_", " ")
        if way[0] == "%":
            if found := _WAYS[way[1:]](node, source):
                return found[0] or rule.kind, found[1]
        elif target := target_of(node, way):
            name = clean(text(target, source))
            return rule.kind, name.lstrip(":") if rule.kind == "key" else name
    return None
