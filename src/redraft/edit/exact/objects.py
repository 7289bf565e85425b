"""In: the lines of an answer at an object in JSON. Out: the edits that it holds as calls of tools.

{"path": "a.py", "old_string": "old", "new_string": "new"}
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from redraft.edit.exact.calls import KNOWN, NEW, OLD, is_call, plain, steps
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, RefusedError

_OPENING = re.compile(r"\s*(?:<[\w:|-]+>\s*|[\w.]+\s*[(:=]\s*)?(?=[\[{])")
_KEY = re.compile(r"\"([A-Za-z][\w-]{1,30})\"\s*:")
_TEXTS = ("*** Begin Patch", "<<<<<<< SEARCH", "------- SEARCH", "\n@@ ", "\n--- ")
_MOST = 20_000_000  # characters


def objects(lines: Sequence[str], at: int, page: Page) -> tuple[Found, list[tuple[int, str]]] | None:
    """The edits, and the texts in which other formats stand; raises RefusedError for an object that cannot be read."""
    match = _OPENING.match(lines[at])
    if match is None or lines[at].strip() in page.bare:
        return None
    rest = "\n".join([lines[at][match.end() :], *lines[at + 1 :]])
    if rest[1:].lstrip()[:1] not in ('"', "{", "[", ""):
        return None
    try:
        value, length = json.JSONDecoder(strict=False).raw_decode(rest)
    except ValueError as error:
        _unread(rest, at, error, lines)
        return None
    except RecursionError:
        return None
    value = _opened(value)
    end = at + 1 + rest.count("\n", 0, length)
    texts = [(at, text) for text in _texts(value)]
    if not is_call(value) and not texts:
        return None
    return Found(end, tuple(steps(value, at + 1, page)) if not texts else ()), texts


def _unread(rest: str, at: int, error: ValueError, lines: Sequence[str]) -> None:
    """Raises RefusedError where the object is the beginning of a call."""
    named = {plain(name) for name in _KEY.findall(rest[:2000])}
    if not (named & OLD and named & KNOWN) and not named & (NEW - {"new", "replace", "updated"}):
        return
    place = getattr(error, "pos", 0)
    message = str(getattr(error, "msg", ""))
    tail = rest[place:]
    is_cut = message.startswith("Unterminated") or not tail.strip() or not tail.strip("` \n")
    if is_cut:
        raise RefusedError(f"the answer is cut off: the call at its line {at + 1} has no end", is_cut=True)
    line = at + 1 + rest.count("\n", 0, place)
    raise RefusedError(
        f"the call at line {at + 1} of the answer is no JSON: line {line} {message[:1].lower()}{message[1:]}"
    )


def _opened(value: Any) -> Any:
    """Arguments that are a text of JSON themselves, opened."""
    if isinstance(value, list):
        return [_opened(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, each in value.items():
        if isinstance(each, str) and plain(key) in ("arguments", "input", "parameters") and each.lstrip()[:1] == "{":
            with suppress(ValueError, RecursionError):
                each = json.loads(each, strict=False)
        found[key] = _opened(each)
    return found


def _texts(value: Any) -> Iterator[str]:
    """Texts in which a patch or blocks stand."""
    if isinstance(value, str):
        if any(mark in f"\n{value}" for mark in _TEXTS) and "\n" in value:
            yield value
    elif isinstance(value, dict):
        if not {plain(str(key)) for key in value} & OLD:
            for each in value.values():
                yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
