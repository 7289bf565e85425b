"""In: texts. Out: a code fence that none of them can close."""

import re

_RUN_OF_TICKS = re.compile("`{3,}")


def fence(*texts: str) -> str:
    """A code fence longer than any run of backticks in the texts, so that none of them can close it."""
    longest = max((len(run) for text in texts for run in _RUN_OF_TICKS.findall(text)), default=2)
    return "`" * (longest + 1)
