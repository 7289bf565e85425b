"""In: a node of a tree and the rule for its type. Out: its kind and its name, as people would say it."""

from functools import cache
from typing import Any

from redraft.edit.outline import naming, naming_code, naming_data
from redraft.edit.outline.naming import Named, Way, clean, target_of, text
from redraft.edit.outline.rules import Rule


@cache
def _way(name: str) -> Way:
    """What `%name` stands for in a rule: the function `by_name` of the modules about naming."""
    modules = (naming, naming_code, naming_data)
    way: Way = next(getattr(module, f"by_{name}") for module in modules if hasattr(module, f"by_{name}"))
    return way


def named(node: Any, rule: Rule, source: bytes) -> Named:
    """The kind, with `*` for a container, and the name that a rule finds; None where it finds none."""
    for way in rule.names:
        if way[0] == "=":
            return rule.kind, way[1:].replace("_", " ")
        if way[0] == "%":
            if found := _way(way[1:])(node, source):
                return found[0] or rule.kind, found[1]
        elif target := target_of(node, way):
            name = clean(text(target, source))
            return rule.kind, name.lstrip(":") if rule.kind == "key" else name
    return None
