"""In: the name of a grammar. Out: which nodes of its trees are declarations, of what kind, and where their names are.

`declarations.toml` has one rule a line: the kind (with `*` for a container), the type of the node (`a/b`: a `b` right
below an `a`), and the places to look for a name, the first that is there: a field (`a.b` of a field, `~a` as often as
there is one), `#type` a child of that type, `%x` the function `by_x` of the modules about naming, `=text` the text
itself. A line `wrap` names types that only stand around one declaration and belong to it, `pass` those that have
declarations even where they are on one line, `like` another grammar whose rules hold, too.
"""

import tomllib
from functools import cache
from pathlib import Path

from msgspec import Struct


class Rule(Struct, frozen=True):
    """What a type of node declares; `above` is the type that it has to lie in, "" for any."""

    kind: str
    names: tuple[str, ...]
    above: str


class Rules(Struct, frozen=True):
    """The declarations of a grammar, and the types of node that only stand around one."""

    of: dict[str, Rule]
    wraps: frozenset[str]
    passes: frozenset[str]


@cache
def rules(grammar: str) -> Rules:
    """The rules of a grammar, none where it has none."""
    of: dict[str, Rule] = {}
    wraps: set[str] = set()
    passes: set[str] = set()
    for line in _tables().get(grammar, "").splitlines():
        kind, *rest = line.split() or [""]
        if kind == "wrap":
            wraps.update(rest)
        elif kind == "pass":
            passes.update(rest)
        elif kind == "like":
            of.update(rules(rest[0]).of)
            wraps.update(rules(rest[0]).wraps)
        elif kind:
            above, _, own = rest[0].rpartition("/")
            of[own] = Rule(kind, tuple(rest[1].split("|")), above)
    return Rules(of, frozenset(wraps), frozenset(passes))


@cache
def _tables() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("declarations.toml").read_text("utf-8"))
