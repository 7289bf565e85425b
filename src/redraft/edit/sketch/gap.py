"""In: nothing. Out: `Gap`, what lies between two places that a file and an answer have in common, and its brackets."""

import re
from collections.abc import Sequence

from msgspec import Struct

from redraft.edit.sketch.items import Item

_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?:^|\s)(?://|#).*$")


class Gap(Struct, frozen=True):
    """What lies between two items that are the same on both sides; None where the stretch is open there.

    `after` is what the answer shows for `below`.
    """

    shown: Sequence[Item]
    held: Sequence[Item]
    above: Item | None
    below: Item | None
    is_open_above: bool = False
    is_open_below: bool = False
    after: Item | None = None


def balance(lines: Sequence[str]) -> tuple[int, int, int]:
    """How many more brackets of each kind are opened than closed, strings and comments left out."""
    text = "\n".join(_QUOTED.sub("", line) for line in lines)
    return text.count("(") - text.count(")"), text.count("[") - text.count("]"), text.count("{") - text.count("}")
