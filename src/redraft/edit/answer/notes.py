"""In: the lines of a block, and the file. Out: how likely each comment is a word to the reader and no code.

People mark what they leave out in any words, and write into the code what goes where, what was there before, and which
section it is. A logistic regression on a comment's words and on the lines beside it tells such notes from comments that
belong to the code. Its weights are fitted on answers by `recipes/notes.py`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from math import exp
from pathlib import Path

from redraft.edit.answer.block import Line
from redraft.edit.text.lines import is_comment, is_telling, is_title, places, width_of
from redraft.edit.words import Known, comment_body, directives
from redraft.edit.words.comments import is_code

_TOKEN = re.compile(r"\w+|[^\w\s]")
_NAME = re.compile(r"[A-Za-z_]\w+")
_DIRECTIVE = re.compile(r"#\s*(?:define|undef|ifn?def)\s+\w(?!.*/[*/])|#!|['\"]\S")
_CODE = re.compile(r"[=;{}]|\w\(")
_STATEMENT = re.compile(  # code that is switched off
    r"[\w$-][\w$.>-]*(?:\s*(?:[-+*/|&]?=|:)\s*[^\s=].*|\s*\(.*\)\s*);|[\w-]+(?:\.[\w-]+)+/[\w.-]+: +\S+"
    r"|(?:(?:const|let|var|val|auto|local|my)\s+)?[\w$.]+\s*[-+*/|&:]?=\s*[^\s=>].*|,.*"
)
_BEHIND_CODE = re.compile(r"/[*/]")
_FOR_TOOLS = re.compile(
    r"@?[a-z]\w*(?:-\w+)?(?:-|:\s?)(?:disable|enable|ignore|off|on|no-?check|expect-error|no cover)\b"
    r"|no(?:qa|lint|sec)\b|[a-z]+-[a-z]+ o(?:n|ff)\b|(?:istanbul|c8|v8) ignore\b|shellcheck disable="
)
_DOTS = re.compile(r"(?<![\w\])])\.{3}|\.{3}(?![,)])|\u2026")  # not those that spread arguments: `f(list...)`
_SIGNS = ("#", "//", "--", "<!--", "/*", ";")
_FAR, _MANY = 6, 9  # lines, and words, as good as any greater number
_CHINESE = "\u2e80"  # from here on words are not divided by spaces
_FREQUENT = 5  # lines of the file with the same text, above which it is no place


def chances(lines: Sequence[Line], file: Sequence[str], known: Known) -> dict[int, float]:
    """For each comment of a block that the file does not have, by its place: the chance that it is a note."""
    seen = Beside(lines, file, known)
    return {at: chance(features(seen, at)) for at in range(len(lines)) if seen.is_unknown_comment(at)}


def chance(names: Iterator[str]) -> float:
    weights = _weights()
    return 1 / (1 + exp(-sum(weights.get(name, 0.0) for name in dict.fromkeys(names))))


@cache
def _weights() -> Mapping[str, float]:
    found: dict[str, float] = json.loads(Path(__file__).with_name("notes.json").read_text("utf-8"))
    return found


class Beside:
    """The lines of a block and what stands beside each, in the block and in the file."""

    def __init__(self, lines: Sequence[Line], file: Sequence[str], known: Known) -> None:
        self.lines, self.known, self._file = lines, known, file

    # Made where a block has an unknown comment: most have none, and a file may be long.
    @cached_property
    def _places(self) -> dict[str, list[int]]:
        return places(map(str.strip, self._file))

    @cached_property
    def _comments(self) -> list[frozenset[str]]:
        found = (_words(line) for line in self.known.lines if comment_body(line) is not None)
        return [words for words in found if words]

    def is_unknown_comment(self, at: int) -> bool:
        line, text = self.lines[at], self.lines[at].text.strip()
        if is_title(text, self.known.path):
            return False
        is_new = line.kind == "code" and not line.added and not self.known.has_version(text)
        is_sign = is_code(text) and not (_BEHIND_CODE.search(text) or _DOTS.search(text))
        is_words = (comment_body(text) is not None and not (is_sign or _DIRECTIVE.match(text))) or is_comment(text)
        return is_new and is_telling(text) and is_words and not self._is_code_beside(text)

    def _is_code_beside(self, text: str) -> bool:
        """Whether a comment is code that is switched off, one statement, new to the file; or one for linters and
        formatters."""
        body = comment_body(text) or ""
        if _FOR_TOOLS.match(body):
            return True
        is_statement = _STATEMENT.fullmatch(body) is not None and not _DOTS.search(body)
        return is_statement and not self.known.has_version(body)

    def next_to(self, at: int, step: int) -> int | None:
        """The written line before or behind one."""
        others = range(at + step, len(self.lines) if step > 0 else -1, step)
        return next((other for other in others if self.lines[other].text.strip()), None)

    def kind(self, at: int | None) -> str:
        if at is None:
            return "end"
        text = self.lines[at].text.strip()
        if self.lines[at].kind == "marker":
            return "marker"
        if text in self.known.lines:
            return "known"
        return "comment" if comment_body(text) is not None else "new"

    def gap(self, before: int | None, behind: int | None) -> str:
        """How many lines of the file stand between those that a block shows before and behind a comment."""
        if before is None or behind is None:
            return "none"
        there = (self._places.get(self.lines[at].text.strip(), []) for at in (before, behind))
        first, second = (found if len(found) <= _FREQUENT else [] for found in there)
        gaps = [b - a - 1 for a in first for b in second if b > a]
        return str(min(_FAR, *gaps, _FAR)) if gaps else "none"

    def likeness(self, text: str) -> float:
        """The share of words that a comment has in common with the file's nearest."""
        mine = _words(text)
        return max((len(mine & other) / len(mine | other) for other in self._comments), default=0.0) if mine else 0.0


def features(seen: Beside, at: int) -> Iterator[str]:
    """Names of what is true of a comment; each has a weight, those without one weigh nothing."""
    text = seen.lines[at].text.strip()
    body = comment_body(text) or text
    before, behind = seen.next_to(at, -1), seen.next_to(at, 1)
    yield "always"
    yield from _of_words(body, seen.known)
    yield from _of_shape(text, body)
    top, end, gap = seen.kind(before), seen.kind(behind), seen.gap(before, behind)
    names = _NAME.findall(body)
    known = 4 * sum(name.lower() in seen.known.parts for name in names) // max(1, len(names))
    yield from (f"before {top}", f"behind {end}", f"between {top} {end}", f"gap {gap}", f"gap {gap} {top} {end}")
    likeness = int(4 * seen.likeness(body))
    yield from (f"known {known}", f"known {known} {end}", f"likeness {likeness}")
    yield from (f"words {min(_MANY, len(names))}", f"words {min(4, len(names))} {end}")
    if any(place.names for directive in directives(body, seen.known) for place in directive.places):
        yield "place"
    if _CODE.search(body):
        yield from ("code", f"code {end}", f"code likeness {likeness}")
    if behind is not None:
        deeper = width_of(seen.lines[at].text) - width_of(seen.lines[behind].text)
        yield f"indent {(deeper > 0) - (deeper < 0)}"
    yield f"markers {any(line.kind == 'marker' for line in seen.lines)}"


def _of_words(body: str, known: Known) -> Iterator[str]:
    found = _TOKEN.findall(body)
    tokens = ["0" if each.isdigit() else "NAME" if _is_name(each, known) else each.lower() for each in found]
    yield from (f"has {token}" for token in tokens)
    yield from (f"pair {one} {other}" for one, other in pairwise(("", *tokens, "")))
    joined = " ".join(tokens)
    if any(sign > _CHINESE for sign in joined):
        yield from (f"signs {one}{other}" for one, other in pairwise(joined))


def _of_shape(text: str, body: str) -> Iterator[str]:
    if not body.isascii():
        yield from ("foreign", "foreign in plain True")
    if "..." in body or "\u2026" in body:
        yield "dots"
    if "/" in body and "." in body:
        yield "path"
    if any(sign in body for sign in ">\u00bb\u203a"):
        yield "crumbs"
    yield f"signed {text.startswith(_SIGNS)}"
    yield f"capital {body[:1].isupper()}"
    yield f"ends {body[-1:] if not body[-1:].isalnum() else 'word'}"
    yield f"begins {body[:1] if not body[:1].isalnum() else 'word'}"


def _is_name(token: str, known: Known) -> bool:
    return token in known.words and not (token.islower() and token.isalpha())


def _words(text: str) -> frozenset[str]:
    return frozenset(map(str.lower, _NAME.findall(text)))
