"""In: lines of the file, and what a block has in their place. Out: whether that is the head of a type without some of
what it is, extends or implements, of which nobody speaks."""

from collections.abc import Collection, Sequence

_TYPES = frozenset(
    ("class", "struct", "interface", "trait", "enum", "object", "record", "protocol", "extension", "impl", "mixin")
)
_OPENING = ("{", ":")


def is_shortened(old: Sequence[str], new: Sequence[str], told: Collection[str]) -> bool:
    """Whether the tokens of a head are those of the file's, which say more before they open its body."""
    if not new or new[-1] not in _OPENING or old[-1:] != new[-1:] or _TYPES.isdisjoint(new):
        return False
    rest, words = iter(old), [token for token in old if token not in new and token.isidentifier()]
    return len(new) < len(old) and all(token in rest for token in new) and bool(words) and {*told}.isdisjoint(words)
