"""In: nothing. Out: `Gap`, what lies between two places that a file and an answer have in common, and its brackets."""

import re
from collections.abc import Sequence

from msgspec import Struct

from redraft.edit.sketch.items import Item

_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?:^|\s)(?://|#).*$")


class Gap(Struct, frozen=True):
    """What lies between two items that are the same on both sides; None at an end of the stretch, which may be open.

    `blanks` is how many blank lines the answer shows above `below`.
    """

    shown: Sequence[Item]
    held: Sequence[Item]
    above: Item | None
    below: Item | None
    is_open: bool
    blanks: int

    @property
    def is_open_above(self) -> bool:
        return self.is_open and self.above is None

    @property
    def is_open_below(self) -> bool:
        return self.is_open and self.below is None


def balance(lines: Sequence[str]) -> tuple[int, int, int]:
    """How many more brackets of each kind are opened than closed, strings and comments left out."""
    text = "\n".join(_QUOTED.sub("", line) for line in lines)
    return text.count("(") - text.count(")"), text.count("[") - text.count("]"), text.count("{") - text.count("}")
