"""In: where lines of a file are left out. Out: the lazy marker line that a chat model would write there."""

import re
from collections.abc import Sequence
from random import Random

from redraft.data.languages import SLASHES, TAGS, comment, extension, language

_USUAL = ("... existing code ...", "... rest of the code ...", "... existing code unchanged ...", "...")
_WORDINGS = (
    "... existing code ...",
    "... existing code...",
    "...existing code...",
    "... rest of the code ...",
    "... rest of code ...",
    "... rest of the code remains the same ...",
    "... rest of the file ...",
    "... keep existing code ...",
    "... unchanged ...",
    "... (unchanged) ...",
    "... unchanged code ...",
    "... other code ...",
    "... code above unchanged ...",
    "... same as before ...",
    "... no changes ...",
    "... previous code ...",
    "...",
    "…",
    "existing code",
    "existing code...",
    "rest of the code remains unchanged",
    "rest of the file unchanged",
    "(existing code)",
)
_FIRST = ("... imports ...", "... existing imports ...", "... existing code above ...")
_LAST = ("... rest of the file ...", "... existing code below ...", "... rest of the code remains the same ...")
_BARE = ("...", "…")
_TAG = re.compile(r"<(/?)(script|style|template)\b", re.IGNORECASE)


class Markers:
    """The manner of one sketch: one wording throughout or several, indented like the code or at column 0."""

    def __init__(self, rng: Random, path: str) -> None:
        self._rng, self._path = rng, path
        self._same = rng.random() < 0.7
        self._wording = rng.choice(_USUAL if rng.random() < 0.6 else _WORDINGS)
        self._indented = rng.random() < 0.8
        self._bare = rng.random() < (0.2 if language(path) in ("json", "markdown") else 0.02)

    def write(self, lines: Sequence[str], start: int, end: int) -> str:
        """The marker for the elided `lines[start:end]` of a file."""
        indent = _indent_at(lines, start, end) if self._indented else ""
        if self._bare:
            return indent + self._rng.choice(_BARE)
        opening, closing = self._dialect(lines, start, end)
        return f"{indent}{opening} {self._words(start == 0, end == len(lines))} {closing}".rstrip()

    def _words(self, first: bool, last: bool) -> str:
        if self._same:
            return self._wording
        if (first or last) and self._rng.random() < 0.4:
            return self._rng.choice(_FIRST if first else _LAST)
        return self._rng.choice(_WORDINGS)

    def _dialect(self, lines: Sequence[str], start: int, end: int) -> tuple[str, str]:
        near = lines[end] if end < len(lines) else lines[start - 1]
        if extension(self._path) in ("jsx", "tsx") and near.lstrip().startswith("<"):
            return ("{/*", "*/}")
        if language(self._path) in ("vue", "html"):
            return _inside_tags(lines[: end + 1])
        if language(self._path) == "scss" and self._rng.random() < 0.3:
            return ("/*", "*/")
        return comment(self._path)


def _inside_tags(lines: Sequence[str]) -> tuple[str, str]:
    for line in reversed(lines):
        if found := _TAG.search(line):
            inside = "" if found[1] else found[2].lower()
            return {"script": SLASHES, "style": ("/*", "*/")}.get(inside, TAGS)
    return TAGS


def _indent_at(lines: Sequence[str], start: int, end: int) -> str:
    kept = [*lines[end : end + 4], *reversed(lines[max(0, start - 4) : start])]
    near = next((line for line in kept if line.strip()), "")
    return near[: len(near) - len(near.lstrip())]
