"""In: the lines of a Markdown file. Out: the same lines, underlined headings written with signs in front.

The grammar begins a section at `# Title` alone. Lines stay where they are: the underline is left blank.
"""

import re
from collections.abc import Sequence

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r" {0,3}(?P<first>=+|-{2,})\s*")
_TEXT = re.compile(r" {0,3}(?![-*+>#|=~`<]|\d+[.)]\s)\S.*")


def with_signs(lines: Sequence[str]) -> list[str]:
    """The lines with `# Title` for an underlined title of one line that stands alone."""
    out = [*lines]
    fence = ""
    for at, line in enumerate(lines):
        if (found := _FENCE.match(line)) and (not fence or found[1].startswith(fence)):
            fence = "" if fence else found[1]
        below = _UNDERLINE.fullmatch(lines[at + 1]) if at + 1 < len(lines) else None
        if below and not fence and _TEXT.fullmatch(line) and not (at and lines[at - 1].strip()):
            out[at : at + 2] = [f"{'#' if below['first'][0] == '=' else '##'} {line.strip()}", ""]
    return out
