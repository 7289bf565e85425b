"""In: lines of the file, and what a block has in their place. Out: whether that is the head of a type without some of
what it is, extends or implements, of which nobody speaks."""

import re
from collections.abc import Collection, Sequence

_TYPES = frozenset(
    ("class", "struct", "interface", "trait", "enum", "object", "record", "protocol", "extension", "impl", "mixin")
)
_OPENING = ("{", ":")
_MODIFIERS = frozenset(
    (
        "pub",
        "public",
        "export",
        "default",
        "sealed",
        "final",
        "abstract",
        "open",
        "static",
        "partial",
        "private",
        "protected",
        "internal",
    )
)
# Words of those who change who may see, extend or make a type: they hardly name the modifier.
_OF_MODIFIERS = re.compile(
    r"priv|publi|intern|hid|expos|visib|acces|detail|inherit|deriv|subclass|exten|overrid|mock|instan|seal|abstra"
    r"|final|stati|export|open|concrete|scope|encaps",
    re.IGNORECASE,
)


def is_shortened(old: Sequence[str], new: Sequence[str], told: Collection[str]) -> bool:
    """Whether the tokens of a head are those of the file's, which say more before they open its body."""
    if not new or new[-1] not in _OPENING or old[-1:] != new[-1:] or _TYPES.isdisjoint(new):
        return False
    rest, words = iter(old), [token for token in old if token not in new and token.isidentifier()]
    is_part = len(new) < len(old) and all(token in rest for token in new)
    return is_part and bool(words) and {*told}.isdisjoint(words) and not is_modified(words, told)


def is_modified(words: Collection[str], told: Collection[str]) -> bool:
    """Whether a modifier is among words that differ, and others speak of what such do."""
    return not _MODIFIERS.isdisjoint(words) and any(map(_OF_MODIFIERS.match, told))
