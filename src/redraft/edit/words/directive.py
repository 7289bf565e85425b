"""In: nothing. Out: `Place` and `Directive`, the values that what sentences say travels in."""

from typing import Literal

from msgspec import Struct

Verb = Literal[
    "add", "replace", "remove", "rename", "move", "keep", "change", "whole", "example", "run", "before", "after", ""
]
Relation = Literal[
    "before",
    "after",
    "start",
    "end",
    "inside",
    "between",
    "instead",
    "through",
    "above",
    "below",
    "comment",
    "comment of",
]

END_OF_FILE = "end of file"


class Place(Struct, frozen=True):
    """A place that a sentence names, by declared names or lines, or by one of: imports, file, class, tests, line N.

    `through` lies from the first thing to the second, or to the end of the file, `above` and `below` all that does so
    in a file or declaration; `comment` is one in which a text stands, `comment of` that of a declaration.
    """

    relation: Relation
    names: tuple[str, ...]


class Directive(Struct, frozen=True):
    """What one clause says: an operation on names of the file, and where; see `directives`.

    `new` is quoted code that the file does not have, where the operation is to add it. `everywhere`: all so named.
    """

    verb: Verb
    names: tuple[str, ...]
    to: str
    places: tuple[Place, ...]
    everywhere: bool
    text: str
    new: tuple[str, ...] = ()
