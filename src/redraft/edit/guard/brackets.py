"""In: the outlines of a file before and after an edit. Out: the line at which its brackets came out of balance."""

import re
from collections.abc import Sequence
from functools import cache

from redraft.edit.outline import Outline

_PAIRS = {")": "(", "]": "[", "}": "{"}
_PROSE = {"markdown", "ini", "properties", "make", "dockerfile", "vim"}  # brackets need no partner
_HASH = {
    *("bash", "cmake", "dockerfile", "elixir", "fish", "gdscript", "graphql", "hcl", "julia", "nim", "nix", "perl"),
    *("powershell", "python", "r", "ruby", "starlark", "toml", "yaml", "php"),
}
_DASHES = {"lua", "luau", "sql", "haskell", "elm"}
PAGES = {"html", "vue", "svelte", "xml", "astro"}
_TRIPLED = {"python", "starlark", "kotlin", "scala", "swift", "java", "julia", "elixir", "groovy", "csharp", "dart", ""}
_TICKED = {"javascript", "typescript", "tsx", "go", "vue", "svelte", "astro", "html", ""}
_SCRIPTS = {"javascript", "typescript", "tsx", "vue", "svelte", "astro", "html"}
_PLAIN_QUOTE = {"rust", "haskell", "ocaml", "clojure", "elm", "fsharp", "erlang", "zig", "nim", *PAGES, "yaml"}


_NO_SLASHES = (_HASH | _DASHES | {"clojure", "xml"}) - {"php"}
_HIDING: tuple[tuple[set[str], bool, str], ...] = (  # languages, whether they or all others have it, and its pattern
    (_TRIPLED, True, r'"""(?:[^\\]|\\.)*?"""'),
    (_TRIPLED, True, r"'''(?:[^\\]|\\.)*?'''"),
    (_DASHES, True, r"--\[\[.*?\]\]|--[^\n]*"),
    (PAGES, True, r"<!--.*?(?:-->|\Z)"),
    ({"clojure"}, True, r";[^\n]*"),
    (_HASH, True, r"(?<![\w$&{])#[^\n]*"),
    (_NO_SLASHES, False, r"/\*.*?(?:\*/|\Z)|(?<!:)//[^\n]*"),
    (_SCRIPTS, True, r"(?<=[=(,:\[!&|?]) ?/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"),
    (set(), False, r'"(?:[^"\\\n]|\\.)*"'),
    (set(), False, r"'\\?.'"),
    (_PLAIN_QUOTE, False, r"'(?:[^'\\\n]|\\.)*'"),
    (_TICKED, True, r"`(?:[^`\\]|\\.)*`"),
)


@cache
def _tokens(language: str) -> re.Pattern[str]:
    """Brackets, and what hides them: strings and comments of a language; a string that is left open hides nothing."""
    hidden = "|".join(pattern for languages, has_it, pattern in _HIDING if (language in languages) is has_it)
    return re.compile(f"({hidden})|([()\\[\\]{{}}])", re.DOTALL)


def imbalance(before: Outline, after: Outline) -> int | None:
    """The line of the output, from 0, whose bracket has no partner; None where the balance is the file's, or better."""
    if after.language in _PROSE or (not after.language and _alone(before)):
        return None
    old, new = _alone(before), _alone(after)
    if len(new) <= len(old):
        return _tags_alone(before, after) if after.language in PAGES else None
    known = {before.lines[line].strip() for line in old}
    return next((line for line in new if after.lines[line].strip() not in known), new[0])


def _tags_alone(before: Outline, after: Outline) -> int | None:
    """The last line with a tag that is opened or closed too often, where it was not before."""
    old = _tags(before)
    for tag, new in _tags(after).items():
        count = _sum(new)
        if abs(count) > abs(_sum(old.get(tag, []))):
            return max(line for line, way in new if way * count > 0)
    return None


def _sum(tags: list[tuple[int, int]]) -> int:
    return sum(way for _, way in tags)


def _tags(outline: Outline) -> dict[str, list[tuple[int, int]]]:
    """For each name of tags their lines, and 1 where one opens, -1 where one closes."""
    found: dict[str, list[tuple[int, int]]] = {}
    line, at = 0, 0
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), "\n".join(outline.lines))
    for match in _TAG.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if match[2].lower() not in _VOID and not match[0].endswith("/>"):
            found.setdefault(match[2], []).append((line, -1 if match[1] else 1))
    return found


_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)(?:[^<>\"'{}]|\"[^\"]*\"|'[^']*'|\{[^{}]*\})*/?>")
_VOID = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track"),
        *("wbr", "p", "li", "dd", "dt", "td", "th", "tr"),  # the last may be left open
    )
)


def partners(lines: Sequence[str], language: str) -> dict[int, int]:
    """For each line that begins with a closing bracket, the line on which that bracket is opened; both from 0."""
    pairs, _ = _paired(lines, language)
    found: dict[int, int] = {}
    for opening, closing in pairs:
        if lines[closing].lstrip().startswith(tuple(_PAIRS)):
            found.setdefault(closing, opening)
    return found


def _alone(outline: Outline) -> list[int]:
    """The lines of the brackets without a partner."""
    return _paired(outline.lines, outline.language)[1]


def _paired(lines: Sequence[str], language: str) -> tuple[list[tuple[int, int]], list[int]]:
    """The lines on which brackets open and close, in the order in which they close, and those of the others."""
    ignored = "()" if language == "bash" else ""  # `case` closes what nothing opens
    around: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    alone: list[int] = []
    line, at = 0, 0
    text = "\n".join(lines)
    for match in _tokens(language).finditer(text):
        bracket = match[2]
        if not bracket or bracket in ignored:
            continue
        line += text.count("\n", at, match.start())
        at = match.start()
        if bracket not in _PAIRS:
            around.append((bracket, line))
        elif around and around[-1][0] == _PAIRS[bracket]:
            pairs.append((around.pop()[1], line))
        else:
            alone += _close(around, _PAIRS[bracket], line)
    return pairs, sorted([*alone, *(line for _, line in around)])


def _close(around: list[tuple[str, int]], opening: str, line: int) -> list[int]:
    """What has no partner where a bracket closes another than the last: those in between, or itself."""
    place = next((n for n in range(1, min(4, len(around)) + 1) if around[-n][0] == opening), None)
    if place is None:
        return [line]
    lost = [line for _, line in around[len(around) - place + 1 :]]
    del around[len(around) - place :]
    return lost
