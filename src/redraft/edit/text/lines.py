"""In: a line. Out: what it is made of."""

import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

# Dots that stand for code within a line: no spread, no rest of arguments, no part of a name.
DOTS_WITHIN = re.compile(r"(?<![\w.])(?:\.{3}|\u2026)(?![\w.(\[{$@'\"`])")
_COMMENT = re.compile(r"//|/\*|\*(?:\s|/|$)|<!--|\{/\*|--(?:\s|\[|$)|;;|\{#|\(\*|%\s|#")
_TITLE = re.compile(r"#{1,6} ")
# What begins with # and is code: directives of a preprocessor, attributes, a shebang, selectors, colours.
_DIRECTIVE = re.compile(
    r"#(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|error|warning|line|region|endregion|import)\b"
    r"|#\s+(?:include\s*[<\"]|define\s+\w|undef\s|ifdef\s|ifndef\s|if\s+(?:!?defined\b|[(!\d]|[A-Z_0-9]+\b)|else\s*$|endif\b|pragma\b)"
    r"|#[\[!{]|#[\w-]+\s*[,{]"
)

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_WORD = re.compile(r"[A-Za-z_]\w+")
_LONGEST = 1000  # characters of a line whose numbers are looked at
_Key = TypeVar("_Key", bound=Hashable)


def written(lines: Iterable[str]) -> list[str]:
    """The lines that are not blank."""
    return [*filter(str.strip, lines)]


def stripped(lines: Iterable[str]) -> list[str]:
    """The lines that are not blank, without the white space around them."""
    return [line.strip() for line in lines if line.strip()]


def without_blank_ends(lines: Sequence[str]) -> list[str]:
    """The lines from the first to the last that is not blank."""
    solid = [at for at, line in enumerate(lines) if line.strip()]
    return [*lines[solid[0] : solid[-1] + 1]] if solid else []


def places(keys: Iterable[_Key]) -> dict[_Key, list[int]]:
    """Where each of them stands, counted from 0."""
    found: dict[_Key, list[int]] = {}
    for at, key in enumerate(keys):
        found.setdefault(key, []).append(at)
    return found


@lru_cache(maxsize=4096)
def is_comment(text: str) -> bool:
    """Whether a line is a comment in one of the usual spellings; a directive of a preprocessor is none."""
    bare = text.strip()
    return _COMMENT.match(bare) is not None and _DIRECTIVE.match(bare) is None


def is_title(text: str, path: str) -> bool:
    """Whether a line is a title of a text in Markdown: in other languages it would be a comment."""
    return path.lower().endswith((".md", ".markdown", ".mdx")) and _TITLE.match(text) is not None


@lru_cache(maxsize=4096)
def words_in(line: str) -> tuple[str, ...]:
    """The names and words of a line."""
    return tuple(_WORD.findall(line))


def is_telling(text: str) -> bool:
    """Whether a line holds more than brackets and signs."""
    return any(map(str.isalnum, text))


def without_numbers(text: str) -> str:
    """The line with one number for all numbers and versions."""
    return _NUMBER.sub("0", text) if len(text) <= _LONGEST else text


def bare(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


def is_separated_otherwise(one: str, other: str) -> bool:
    """Whether lines differ at most in the separator at the end."""
    return one.rstrip().rstrip(",;") == other.rstrip().rstrip(",;")


def lead_of(line: str) -> str:
    """The indentation of a line."""
    return line[: width_of(line)]


def are_followed(places: Sequence[int], lines: Sequence[str], shown: Collection[str]) -> bool:
    """Whether there are places, and the next written line behind each is among those shown, stripped."""
    after = (next(filter(str.strip, lines[at + 1 :]), "").strip() for at in places)
    return bool(places) and all(text in shown for text in after)


def width_of(line: str) -> int:
    """How many signs a line is indented with."""
    return len(line) - len(line.lstrip())


def ratio(one: str, other: str) -> float:
    """How alike two texts are, sign by sign."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def ratio_from(least: float, one: str, other: str) -> float:
    """The same; 0 where it is less than `least`, which is seen of most texts at once."""
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    may_be = matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least
    return found if may_be and (found := matcher.ratio()) >= least else 0.0
