"""In: texts that might follow a prompt, as ids. Out: where they begin to differ, and what of each has to be read."""

from collections.abc import Collection, Sequence

AFTER = 64  # ids behind the last difference that still tell the texts apart

Ids = tuple[int, ...]


def stretches(texts: Collection[Ids]) -> tuple[int, dict[Ids, Ids]]:
    """How many ids all texts begin with together, and of each text what comes then, less what all end with together."""
    start = shared(list(texts))
    tail = shared([ids[::-1] for ids in texts])
    return start, {ids: ids[start : max(start, len(ids) - tail + AFTER)] for ids in texts}


def shared(texts: Sequence[Sequence[int]]) -> int:
    """How many ids all texts begin with together."""
    return next((n for n, ids in enumerate(zip(*texts, strict=False)) if len(set(ids)) > 1), min(map(len, texts)))
