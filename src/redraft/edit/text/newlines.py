"""In: a text whose lines end in any way. Out: the text with newlines alone."""

import re

_BREAK = re.compile(r"\r*\n|\r")


def with_newlines(text: str) -> str:
    """Carriage returns alone end lines where a text has nothing else that does."""
    return text.replace("\r\n", "\n") if "\n" in text else text.replace("\r", "\n")


def newlined(answer: str, file: str) -> str:
    """An answer about a file, which has newlines alone itself: each carriage return ends a line, unless the file has
    some within its lines. So none comes into a file that has none."""
    return answer.replace("\r\n", "\n") if "\r" in file else _BREAK.sub("\n", answer)
