"""In: texts. Out: a code fence that none of them can close, and a block in fences."""

import re
from pathlib import PurePosixPath

_RUN_OF_TICKS = re.compile("`{3,}")


def fence(*texts: str) -> str:
    """A code fence longer than any run of backticks in the texts, so that none of them can close it."""
    longest = max(map(len, _RUN_OF_TICKS.findall("\n".join(texts))), default=2)
    return "`" * (longest + 1)


def language(path: str) -> str:
    """What stands behind the fence of a file."""
    return PurePosixPath(path).suffix.removeprefix(".").lower()


def block(ticks: str, info: str, text: str) -> str:
    return f"{ticks}{info}\n{with_final_newline(text)}{ticks}\n"


def with_final_newline(text: str) -> str:
    """The text as whole lines: what closes it stands on a line of its own."""
    return text if not text or text.endswith("\n") else text + "\n"
