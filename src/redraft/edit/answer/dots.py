"""In: the lines of a block that may be markers, and the file. Out: those that are text: dots in new strings, new stubs.

Dots stand for lines of the file where what is shown around them is the file's. In a string or below a head that the
file does not have there is nothing to stand for.
"""

import re
from collections.abc import Collection, Sequence

from redraft.edit.outline.grammars import grammar
from redraft.edit.text.lines import width_of, written
from redraft.edit.text.strings import in_strings, stands_for_lines
from redraft.edit.words import Known

_BARE = ("...", "\u2026")
_HEAD = re.compile(r"\s*(?:async\s+)?(?:def|class)\s+(\w+)")


def literal(lines: Sequence[str], markers: Collection[int], file: Sequence[str], known: Known) -> set[int]:
    """Which of the lines that read as markers are text of the block."""
    if not markers:
        return set()
    inside = in_strings(lines, grammar(known.path))
    quoted = {at for at in markers if at in inside and not stands_for_lines(lines, at, file)}
    stubs = {at for at in markers if _is_new_stub(lines, at, known)}
    # In a class of the file, and with no other marker, dots may stand for the rest of it as well.
    is_clear = len(stubs) < len(markers) or not all(_is_in_old_class(lines[:at], known) for at in stubs)
    return quoted | stubs if is_clear else quoted


def _is_new_stub(lines: Sequence[str], at: int, known: Known) -> bool:
    """Whether dots alone are the body of a declaration, in Python, that the file does not have."""
    if lines[at].strip() not in _BARE:
        return False
    head = next(filter(str.strip, reversed(lines[:at])), "")
    return head.rstrip().endswith(":") and brings(head, lines[:at], known)


def brings(head: str, above: Sequence[str], known: Known) -> bool:
    """Whether a line is the head of a declaration, in Python, that the file does not have."""
    match = _HEAD.match(head)
    if match is None or head.strip() in known.lines:
        return False
    return match[1] not in known.declared or _is_in_new_class(above, width_of(head), known)


def _is_in_new_class(above: Sequence[str], depth: int, known: Known) -> bool:
    """Whether the block shows the class around a line, and the file does not declare it."""
    match = _HEAD.match(outer := _class_around(above, depth))
    return match is not None and outer.strip() not in known.lines and match[1] not in known.declared


def _is_in_old_class(above: Sequence[str], known: Known) -> bool:
    """Whether the block shows the class around the head above, and the file declares it."""
    depth = width_of(next(filter(str.strip, reversed(above)), ""))
    return bool(_class_around(above, depth)) and not _is_in_new_class(above, depth, known)


def _class_around(above: Sequence[str], depth: int) -> str:
    outer = next((line for line in written(reversed(above)) if width_of(line) < depth), "")
    return outer if "class" in outer else ""
