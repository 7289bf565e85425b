"""In: a file. Out: the size class in which its edits are reported."""

BUCKETS = ((100, "up to 100"), (400, "100-400"), (1000, "400-1,000"), (2500, "1,000-2,500"))
LARGER = "over 2,500"
NAMES = (*(name for _, name in BUCKETS), LARGER)


def line_count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def bucket(text: str) -> str:
    """The size class of a file, by its number of lines."""
    lines = line_count(text)
    return next((name for most, name in BUCKETS if lines <= most), LARGER)
