"""In: lines of the file, and what a block has in their place. Out: whether that is the head of a type without what the
type extends or implements, of which nobody speaks."""

from collections.abc import Collection, Sequence

_TYPES = frozenset(
    ("class", "struct", "interface", "trait", "enum", "object", "record", "protocol", "extension", "impl", "mixin")
)
_MORE = frozenset(("extends", "implements", "with", "where", "permits", "on", "for", ":"))
_OPENING = ("{", ":")


def is_shortened(old: Sequence[str], new: Sequence[str], told: Collection[str]) -> bool:
    """Whether the tokens of a head are those of the file's, which say more before they open its body."""
    if not new or new[-1] not in _OPENING or old[-1:] != new[-1:] or _TYPES.isdisjoint(new):
        return False
    shared, rest = len(new) - 1, old[len(new) - 1 : -1]
    is_same = list(old[:shared]) == list(new[:shared])
    return is_same and bool(rest) and rest[0] in _MORE and not any(token in told for token in rest[1:])
