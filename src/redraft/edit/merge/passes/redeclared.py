"""In: a file before and after a block. Out: the new lines without declarations of names that new ones beside declare.

No scope declares a name twice: what stands right above or below a new declaration of its name is the old one.
"""

import re
from collections.abc import Collection, Sequence

from redraft.edit.align.likeness import indent
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.words.known import whole_piece

_DECLARED = re.compile(
    r"\s*(?!(?:if|elif|elseif|unless|while|until|for|foreach|with|guard|when|case|else|return|yield|export|set|alias|type"
    r"|ENV|ARG|RUN|UPDATE|SET|WHERE|AND|OR|make|sudo|env)\b)"
    r"(?:(?:\w[\w<>,.?*&\[\]]*\s+){1,4}(?P<name>(?!_\b)[A-Za-z_$][\w$]*)\s*(?::[^=]{1,60})?=(?![=>~])"
    r"|(?P<short>[A-Za-z_]\w*)\s*:=)(?P<value>.*)"
)
_CLOSES = re.compile(r"\s*(?:[)\]}]|(?:end|fi|done|esac)\b)")
_LONGEST = 40  # lines of a declaration


def without_redeclared(before: Sequence[str], after: tuple[str, ...], shown: Collection[str]) -> tuple[str, ...]:
    """The new lines without those of the file that are not `shown`."""
    out = [*after]
    for change in reversed(line_changes(before, after)):
        for start, end in _old(after, change):
            if after[start].strip() not in shown:
                del out[start:end]
                break
    return tuple(out)


def _old(lines: Sequence[str], change: LineChange) -> list[tuple[int, int]]:
    """The declarations below and above a change that declare what it does."""
    first, last = change.after_start, change.after_end
    new = {name: at for at in range(first, last) if (name := _name(lines, at))}
    below = _name(lines, last)
    found = [(last, _end(lines, last))] if _is_again(lines, last, new.get(below)) else []
    for start in range(first - 1, max(-1, first - 1 - _LONGEST), -1):
        if (name := _name(lines, start)) and _end(lines, start) == first:
            used = any(whole_piece(name).search(line) for line in lines[first : new.get(name, first)])
            return [*found, (start, first)] if not used and _is_again(lines, new.get(name), start) else found
    return found


def _is_again(lines: Sequence[str], second: int | None, first: int | None) -> bool:
    """Whether there are two declarations of one name at one level, and the second does not use the first."""
    if first is None or second is None or indent(lines[first]) != indent(lines[second]):
        return False
    name = whole_piece(_name(lines, first))
    head, *more = lines[second : _end(lines, second)]
    found = _DECLARED.match(head)
    return found is not None and not any(name.search(text) for text in (found["value"], *more))


def _name(lines: Sequence[str], at: int) -> str:
    found = _DECLARED.match(lines[at]) if at < len(lines) else None
    return (found["name"] or found["short"]) if found else ""


def _end(lines: Sequence[str], at: int) -> int:
    """The line behind a declaration: behind what stands deeper, and what closes it."""
    width, end = indent(lines[at]) or 0, at + 1
    for below in range(at + 1, len(lines)):
        depth = indent(lines[below])
        if depth is None:
            continue
        closes = depth == width and end > at + 1 and _CLOSES.match(lines[below])
        if depth <= width and not closes:
            break
        end = below + 1
    return end
