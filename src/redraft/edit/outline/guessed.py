"""In: a file whose path is not known, and what an answer calls its languages. Out: a path of a file of that kind."""

import re
from collections.abc import Sequence
from functools import lru_cache

from redraft.edit.outline.grammars import ending, grammar
from redraft.edit.outline.outline import read
from redraft.edit.text.kind import of_kind

# Of two that read a file equally well the first is meant: some read the files of others, too.
_CODE = ("py", "tsx", "ts", "go", "rs", "java", "cs", "kt", "rb", "swift", "c", "cc", "scala", "ex", "dart", "lua")
_DATA = ("sh", "css", "scss", "sql", "html", "yml", "toml", "hcl")
_BEGINNINGS = {
    "json": r"\s*[{\[]",
    "bash": r"#!.*sh\b",
    "python": r"#!.*python",
    "php": r"<\?php",
    "xml": r"<\?xml",
    "dockerfile": r"(?:#.*\n|ARG .*\n|\s)*FROM \S",
    "vue": r"<(?:template|script setup)",
}
_ENOUGH = 400  # lines that tell a language
_FAULT = 3  # declarations that a line with a fault is worth


@lru_cache(maxsize=8)
def guessed(original: str, names: tuple[str, ...] = ()) -> str:
    """The first language of an answer that reads a file without a fault, or what reads it best, as the path `*.py`; ""
    where nothing does."""
    lines = _beginning(original.removesuffix("\n").split("\n"))
    begun = [name for name, start in _BEGINNINGS.items() if re.match(start, original)]
    called = [name for name in map(ending, (*names, *begun)) if name]
    if not original.strip():
        return of_kind(called[0]) if called else ""
    clean = next((name for name in called if not _reads(lines, name)[0]), "") or _cleanest(lines)
    found = clean or _most_declared(lines, [*called, *_CODE]) or "md" * original.startswith("# ")
    return of_kind(found) if found else ""


def _beginning(lines: Sequence[str]) -> tuple[str, ...]:
    """So many lines as tell a language, up to where something of the outermost level begins."""
    starts = [at for at in range(1, min(len(lines), _ENOUGH)) if lines[at][:1].strip() and not lines[at - 1].strip()]
    return tuple(lines if len(lines) <= _ENOUGH else lines[: starts[-1] if starts else _ENOUGH])


def _cleanest(lines: tuple[str, ...]) -> str:
    """What reads all lines, and finds the most in them."""
    found = {name: _reads(lines, name) for name in (*_CODE, *_DATA)}
    clean = {name: declared for name, (faults, declared) in found.items() if declared and not faults}
    return max(clean, key=lambda name: clean[name], default="")


def _most_declared(lines: tuple[str, ...], names: Sequence[str]) -> str:
    """What finds the most in lines that nothing reads without a fault."""
    found = {name: declared - _FAULT * faults for name in names for faults, declared in [_reads(lines, name)]}
    best = max(found, key=lambda name: found[name])
    return best if found[best] > 0 else ""


def _reads(lines: tuple[str, ...], name: str) -> tuple[int, int]:
    """How many lines of a file a language does not read, and how much is declared in it."""
    found = read(lines, grammar(of_kind(name)))
    return len(found.faults), len(found.nodes)
