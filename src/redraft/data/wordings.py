"""In: where lines of a file are left out. Out: a lazy marker in the rarer wordings: what is elided named or counted."""

import re
from collections.abc import Sequence
from random import Random

from redraft.data.enclosing import is_header
from redraft.data.lazy import is_marker
from redraft.data.markers import Markers

_NAME = re.compile(r"\b(?:class|def|func|fn|fun|function|interface|struct|trait|enum|impl|module)\*?\s+(\w{3,})")
_IMPORT = re.compile(r"\s*(?:import|from|use|using|#include|require|package)\b")
_NAMED = (
    "... {name} stays the same ...",
    "... {name} (unchanged) ...",
    "... existing {name} ...",
    "... keep {name} as is ...",
    "... {name} and the rest unchanged ...",
)
_IMPORTS = ("... imports unchanged ...", "... existing imports ...", "existing imports ...", "... other imports ...")
_COUNTED = (
    "... {count} unchanged lines ...",
    "... lines {first}-{last} unchanged ...",
    "... {count} lines omitted ...",
)
_RARE = (
    "--- existing code ---",
    "=== unchanged ===",
    "[... existing code ...]",
    "<existing code>",
    "[unchanged]",
    "(snip)",
    "... (rest of implementation) ...",
    "... existing imports and setup ...",
    "omitted for brevity",
    "unchanged",
    "no changes here",
    "same as before",
    "Keep the rest of the file as is",
    "the rest of the code stays the same",
    "remaining code unchanged",
    ". . .",
)


class RareMarkers(Markers):
    """The manner of one sketch whose markers speak freely; every one is still a marker to `edit.marker`."""

    def __init__(self, rng: Random, path: str) -> None:
        super().__init__(rng, path)
        self._free = rng

    def write(self, lines: Sequence[str], start: int, end: int) -> str:
        """The marker for the elided `lines[start:end]` of a file; a usual one where a rare one would not be clear."""
        opening, closing = self._dialect(lines, start, end)
        if opening in ("//", "--") and self._free.random() < 0.25:
            opening, closing = "/*", "*/"
        usual = super().write(lines, start, end)
        indent = usual[: len(usual) - len(usual.lstrip())]
        rare = f"{indent}{opening} {self._rare(lines, start, end)} {closing}".rstrip()
        return rare if is_marker(rare) else usual

    def _rare(self, lines: Sequence[str], start: int, end: int) -> str:
        elided, kind = lines[start:end], self._free.random()
        if kind < 0.2:
            return self._free.choice(_COUNTED).format(count=end - start, first=start + 1, last=end)
        names = [name for line in elided if is_header(line) for name in _NAME.findall(line)]
        if names and kind < 0.6:
            shown = ", ".join(names[:3]) if self._free.random() < 0.3 else self._free.choice(names)
            return self._free.choice(_NAMED).format(name=shown)
        if start == 0 and any(map(_IMPORT.match, elided)) and kind < 0.8:
            return self._free.choice(_IMPORTS)
        return self._free.choice(_RARE)
