"""In: two lines. Out: whether one is the other in other quotes, alone or without the comment at its end."""

import re

from redraft.edit.align.likeness import without_comment

PLAIN_STRING = re.compile(r"""(?<![\w"'])(["'])([^"'\\`$]*)\1(?![\w"'])""")

_QUOTES = str.maketrans("'`", '""')


def differ_in_quotes(one: str, other: str) -> bool:
    """Whether lines differ in quotes of another kind, and in nothing else."""
    return one != other and one.rstrip().translate(_QUOTES) == other.rstrip().translate(_QUOTES)


def is_quoted_otherwise(new: str, old: str) -> bool:
    """Whether a line is one of the file in other quotes, or without the comment at its end."""
    return in_one_quote(new) in (in_one_quote(old), in_one_quote(without_comment(old)))


def in_one_quote(text: str) -> str:
    """A line with one kind of quotes around plain strings."""
    return PLAIN_STRING.sub(r'"\2"', text)
