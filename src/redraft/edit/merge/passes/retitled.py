"""In: a file of Markdown before and after a block. Out: the file without its first heading, where that has become new.

A release gives the section on top of a changelog its name: `# 1.2 (unreleased)` becomes `# 1.2 (2026-01-09)`.
"""

import re
from collections.abc import Collection, Sequence

_HEADING = re.compile(r"(#+) +\S")


def retitled(before: Sequence[str], after: Sequence[str], shown: Collection[str]) -> tuple[str, ...]:
    """The new lines without the heading that the file begins with, where a block has a new one of its level right below
    it, does not show the old one, and nothing but blank lines would be left between the two."""
    written = [at for at, line in enumerate(after) if line.strip()][:2]
    if len(written) < 2 or not before or after[0] != before[0] or before[0].strip() in shown:
        return tuple(after)
    old, new = (_HEADING.match(after[at]) for at in written)
    had_text = any(line.strip() for line in before[1:]) and after[written[1]] not in before
    return tuple(after[written[1] :] if old and new and old[1] == new[1] and had_text else after)
