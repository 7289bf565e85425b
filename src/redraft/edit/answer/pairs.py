"""In: the lines of a chat answer, and of the file. Out: the same with pairs of texts, old and new, as SEARCH/REPLACE.

Tools take such pairs in JSON, `{"old_string": ..., "new_string": ...}`, or in tags, `<old_text>...</old_text>`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_OLD = ("oldstring", "oldstr", "oldtext", "oldcode", "old", "search", "find", "original", "before")
_NEW = ("newstring", "newstr", "newtext", "newcode", "new", "replace", "replacement", "replacewith", "updated", "after")
_SURE = 4  # of the first names: what has such a name is nothing else
_PATHS = ("path", "filepath", "file", "filename", "targetfile")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(\w*)\s*")
_NO_NAME = re.compile(r"[^a-z]")
_TAGS = "|".join("_?".join(re.findall("old|new|str(?:ing)?|text|code|.+", name)) for name in _OLD)
_TAGGED = re.compile(
    rf"^[ \t]*<(?P<old>{_TAGS})>(?P<was>.*?)</(?P=old)>\s*<(?P<new>\w+)>(?P<now>.*?)</(?P=new)>[ \t]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_SHARE = 0.6  # of the old lines stand in the file, where names alone do not tell


@dataclass(frozen=True)
class _Pair:
    old: str
    new: str
    path: str = ""
    is_sure: bool = True


def as_pairs(lines: list[str], file: Sequence[str]) -> list[str]:
    """The answer with a SEARCH/REPLACE block for each pair; as it is where there are none about the file."""
    text = "\n".join(file)
    out, at = [], 0
    while at < len(lines):
        fence = _FENCE.fullmatch(lines[at])
        end = _closing(lines, at, fence[1]) if fence else len(lines)
        is_json = fence is not None or (at == 0 and lines[0].lstrip().startswith(("{", "[")))
        found = _in_json("\n".join(lines[at + bool(fence) : end])) if is_json else []
        if found and _are_meant(found, file):
            out += [line for pair in found for line in _block(pair, text)]
            at = end + 1
        elif fence:
            out += lines[at : end + 1]
            at = end + 1
        else:
            out.append(lines[at])
            at += 1
    return _untagged(out, file, text)


def _closing(lines: Sequence[str], start: int, ticks: str) -> int:
    return next((at for at in range(start + 1, len(lines)) if lines[at].strip() == ticks), len(lines))


def _in_json(text: str) -> list[_Pair]:
    if not text.lstrip().startswith(("{", "[")):
        return []
    try:
        return list(_pairs(json.loads(text)))
    except (ValueError, RecursionError):
        return []


def _pairs(value: object, path: str = "") -> Iterator[_Pair]:
    """The pairs anywhere in a value, each with the file that is named beside or above it."""
    if isinstance(value, list):
        for each in value:
            yield from _pairs(each, path)
    elif isinstance(value, dict):
        named = {_NO_NAME.sub("", str(key).lower()): each for key, each in value.items()}
        path = next((each for name in _PATHS if isinstance(each := named.get(name), str)), path)
        if pair := _pair(named, path):
            yield pair
        else:
            for each in value.values():
                yield from _pairs(each, path)


def _pair(named: Mapping[str, object], path: str) -> _Pair | None:
    old, new = ([name for name in names if name in named] for names in (_OLD, _NEW))
    if len(old) != 1 or len(new) != 1:
        return None
    was, now = named[old[0]], named[new[0]]
    is_sure = old[0] in _OLD[:_SURE] and new[0] in _NEW[:_SURE]
    return _Pair(was, now, path, is_sure) if isinstance(was, str) and isinstance(now, str) and was.strip() else None


def _are_meant(pairs: Sequence[_Pair], file: Sequence[str]) -> bool:
    known = {line.strip() for line in file}
    old = [line.strip() for pair in pairs for line in pair.old.split("\n") if line.strip()]
    return all(pair.is_sure for pair in pairs) or sum(line in known for line in old) >= _SHARE * len(old)


def _untagged(lines: list[str], file: Sequence[str], text: str) -> list[str]:
    """Pairs in tags; the fences around them go, too."""
    answer = "\n".join(lines)
    found = [_Pair(match["was"].strip("\n"), match["now"].strip("\n")) for match in _TAGGED.finditer(answer)]
    names = {_NO_NAME.sub("", match["new"].lower()) for match in _TAGGED.finditer(answer)}
    if not found or not names <= {*_NEW} or not all(pair.old.strip() for pair in found):
        return lines
    if not _are_meant([_Pair(pair.old, pair.new, is_sure=False) for pair in found], file):
        return lines
    blocks = iter(found)
    return _TAGGED.sub(lambda _: "\n".join(_block(next(blocks), text)), answer).split("\n")


def _block(pair: _Pair, text: str) -> list[str]:
    old, new = _whole_lines(pair.old, pair.new, text)
    return [pair.path, "<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE", ""]


def _whole_lines(old: str, new: str, text: str) -> tuple[list[str], list[str]]:
    """Both texts with the rest of the lines of the file that the old one begins and ends in."""
    start, end = text.find(old), text.find(old) + len(old)
    if start < 0 or text.find(old, start + 1) >= 0:
        return _lines(old), _lines(new)
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if old.endswith("\n") and (not new or new.endswith("\n")):
        return _lines(text[first:end]), _lines(text[first:start] + new)
    last = len(text) if last < 0 else last
    return _lines(text[first:last]), _lines(text[first:start] + new + text[end:last])


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
