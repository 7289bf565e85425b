"""In: the lines of an answer at an object in JSON. Out: the edits that it holds as calls of tools.

{"path": "a.py", "old_string": "old", "new_string": "new"}
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from redraft.edit.exact.calls import COMMON, KNOWN, NEW, OLD, PATH, TOOL, WHOLE, is_call, plain, steps
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, cut_off, refused
from redraft.edit.text.newlines import newlined

_OPENING = re.compile(r"\s*(?:<[\w:|-]+>\s*|[\w.]+\s*[(:=]\s*)?(?=[\[{]\s*(?:[\"{\[]|$))")
_KEY = re.compile(r"\"([A-Za-z][\w-]{1,30})\"\s*:")
_DECODER = json.JSONDecoder(strict=False)
_PATCHES = ("*** Begin Patch", "SEARCH\\n")
_TEXTS = ("*** Begin Patch", "<<<<<<< SEARCH", "------- SEARCH", "\n@@ ", "\n--- ")
_HEAD = 2000  # characters in which a call names what it holds


class Objects:
    """The objects of an answer; one that is no call is looked at once."""

    def __init__(self, lines: Sequence[str], page: Page) -> None:
        self._lines, self._page = lines, page
        text = "\n".join(lines)
        named = {plain(name) for name in {*_KEY.findall(text)} if f'"{name}"' not in page.text}
        self._has_any = bool(named & KNOWN) or any(mark in text for mark in _PATCHES)
        self._text = text if self._has_any else ""
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self._behind = 0

    def read(self, at: int) -> tuple[Found, tuple[tuple[str, str], ...]] | None:
        """The edits, and the texts in which other formats stand; raises RefusedError for a call that cannot be read."""
        match = _OPENING.match(self._lines[at]) if self._has_any and at >= self._behind else None
        if match is None or self._lines[at].strip() in self._page.bare:
            return None
        start = self._starts[at] + match.end()
        try:
            value, end = decoded(self._text, start)
        except ValueError as error:
            self._check(at, start, error)
            return None
        except RecursionError:
            return None
        value, self._behind = _opened(value), at + 1 + self._text.count("\n", start, end)
        texts = tuple(_texts(value, self._page))
        if not texts and (not is_call(value) or _is_content(value, self._page)):
            return None
        return Found(self._behind, () if texts else tuple(steps(value, at + 1, self._page))), texts

    def _check(self, at: int, start: int, error: ValueError) -> None:
        """Raises RefusedError where the object is the beginning of a call."""
        named = {*map(plain, _KEY.findall(self._text[start : start + _HEAD]))}
        if not named & (OLD | NEW - {"new", "replace", "updated"}):
            return
        place, message = getattr(error, "pos", start), str(getattr(error, "msg", ""))
        if message.startswith("Unterminated") or not self._text[place:].strip("` \n"):
            raise cut_off("call", at + 1, "has no end")
        why = f"line {bisect_right(self._starts, place)} {message[:1].lower()}{message[1:]}"
        raise refused("call", at + 1, f"is no JSON: {why}; write it again as valid JSON")


def _is_content(value: Any, page: Page) -> bool:
    """Whether the file itself is of such objects."""
    if isinstance(value, list):
        return any(_is_content(each, page) for each in value)
    if not isinstance(value, dict):
        return False
    plainly = {key: plain(key) for key in value}
    names = {key: name for key, name in plainly.items() if name in OLD | NEW | WHOLE}
    is_data = bool(names) and page.text.lstrip().startswith(("{", "["))
    if is_data and COMMON.issuperset(names.values()) and not {*plainly.values()} & (PATH | TOOL):
        return True
    return any(f'"{name}"' in page.text for name in names)


def _opened(value: Any) -> Any:
    """Arguments that are a text of JSON themselves, opened."""
    if isinstance(value, list):
        return [_opened(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _opened(_decoded_whole(each) if plain(key) in ("arguments", "input", "parameters") else each)
        for key, each in value.items()
    }


def _decoded_whole(value: Any) -> Any:
    """What a text holds that is an object of JSON, any other value as it is."""
    text = value.strip() if isinstance(value, str) else ""
    if text.startswith("{"):
        with suppress(ValueError, RecursionError):
            opened, end = decoded(text)
            return opened if end == len(text) else value
    return value


def _texts(value: Any, page: Page, path: str = "") -> Iterator[tuple[str, str]]:
    """The texts in which a patch or blocks stand, each behind the file that the call names."""
    inner = value if isinstance(value, list) else []
    text = newlined(value, page.text) if isinstance(value, str) else ""
    if "\n" in text and any(mark in f"\n{text}" for mark in _TEXTS):
        yield path, text
    elif isinstance(value, dict):
        path = next((each for key, each in value.items() if plain(key) in PATH and isinstance(each, str)), path)
        inner = [] if {*map(plain, value)} & (OLD | NEW | WHOLE) else [*value.values()]
    for each in inner:
        yield from _texts(each, page, path)


def decoded(text: str, start: int = 0) -> tuple[Any, int]:
    """Raises ValueError where there is no JSON, or half a sign, which no file can hold; RecursionError where it is
    nested too deep."""
    value, end = _DECODER.raw_decode(text, start)
    if "\\ud" in text[start:end].lower():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            message = f"has half of a sign, {error.object[error.start]!a}"
            raise json.JSONDecodeError(message, text, start) from None
    return value, end
