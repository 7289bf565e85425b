"""In: lines that a reading leaves out. Out: whether they document a declaration."""

import re
from collections.abc import Sequence

_OPENED = re.compile(r"\s*[rRuU]?(\"\"\"|''')")


def is_documentation(gone: Sequence[str]) -> bool:
    """Whether lines are one whole comment or string that documents a declaration."""
    texts = [line.strip() for line in gone if line.strip()] or [""]
    is_string = _OPENED.match(texts[0]) is not None and texts[-1].endswith(texts[0].lstrip("rRuUbB")[:3])
    is_comment = texts[0].startswith("/**") and all(text.startswith("*") for text in texts[1:])
    return is_string or is_comment or all(text.startswith("///") for text in texts)
