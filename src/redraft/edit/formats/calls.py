"""In: the lines of an answer. Out: the edits that it writes as calls of tools in JSON.

{"path": "a.py", "old_string": "old\\n", "new_string": "new\\n"}
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redraft.edit.formats.edit import Edit, Pair, Role, role_of
from redraft.edit.formats.objects import decoded
from redraft.edit.text.changes import split_lines

_OPENERS = ("{", "[")
_FENCES = ("```", "~~~")
_STARTS = ("start_line", "startLine", "line_start", "from_line", "start")
_ENDS = ("end_line", "endLine", "line_end", "to_line", "end")
_BELOW = ("insert_line", "insertLine", "insert_after_line", "after_line")
_MOST_TRIED = 200  # lines that may begin an object
_LONGEST = 400_000  # characters


def calls(lines: Sequence[str], file: Sequence[str]) -> list[Edit]:
    """The objects that stand on lines of their own, with the pairs that each of them holds."""
    found: list[Edit] = []
    at, tried = 0, 0
    while at < len(lines) and tried < _MOST_TRIED:
        is_start = lines[at].lstrip().startswith(_OPENERS)
        end, value = _value(lines, at) if is_start else (None, None)
        edits = list(_edits(value, "", file)) if end is not None else []
        found += [Edit(at, end, *edit) for edit in edits if end is not None]
        tried += is_start
        at = end if end is not None else at + 1
    return found


def _value(lines: Sequence[str], start: int) -> tuple[int | None, Any]:
    """The object that begins on a line, and the line behind it."""
    fence = next((at for at in range(start, len(lines)) if lines[at].lstrip().startswith(_FENCES)), len(lines))
    text = "\n".join(lines[start:fence])
    if len(text) > _LONGEST or '"' not in text:
        return None, None
    try:
        value, length = decoded(text.lstrip())
    except (ValueError, RecursionError):
        return None, None
    end = len(text) - len(text.lstrip()) + length
    return (None, None) if text[end:].partition("\n")[0].strip(" ,;") else (start + text[:end].count("\n") + 1, value)


_Found = tuple[tuple[Pair, ...], tuple[str, ...], str]


def _edits(value: Any, path: str, file: Sequence[str]) -> Iterator[_Found]:
    """The edits in a value and in what it holds; those of one list are one."""
    if isinstance(value, list):
        inside = [edit for each in value for edit in _edits(each, path, file)]
        paths = {name for _, code, name in inside if not code}
        for name in paths:
            yield tuple(pair for pairs, _, other in inside if other == name for pair in pairs), (), name
        yield from (edit for edit in inside if edit[1])
    if not isinstance(value, dict):
        return
    texts = {role_of(key): each for key, each in value.items() if isinstance(each, str)}
    path = texts.get("path", path)
    if (pair := _pair(value, texts, file)) is not None:
        yield (pair,), (), path
        return
    if path and "code" in texts and "\n" in texts["code"]:
        yield (), tuple(split_lines(texts["code"])), path
        return
    for each in value.values():
        yield from _edits(each, path, file)


def _pair(value: Mapping[str, Any], texts: Mapping[Role, str], file: Sequence[str]) -> Pair | None:
    if "old" in texts and "new" in texts:
        return Pair.of(texts["old"], texts["new"]) if texts["old"] else None
    new = texts.get("new", texts.get("code"))
    if new is None:
        return None
    lines = tuple(split_lines(new))
    below, start, end = (_number(value, keys) for keys in (_BELOW, _STARTS, _ENDS))
    if below is not None and below <= len(file):
        return Pair((), lines, below)
    if start is not None and end is not None and 1 <= start <= end <= len(file):
        return Pair(tuple(file[start - 1 : end]), lines, start - 1)
    return None


def _number(value: Mapping[str, Any], keys: Sequence[str]) -> int | None:
    return next((value[key] for key in keys if isinstance(value.get(key), int)), None)
