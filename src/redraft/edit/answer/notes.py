"""In: the lines of a block, and the file. Out: how likely each comment is a word to the reader and no code.

People mark what they leave out in any words, and write into the code what goes where, what was there before, and which
section it is. A logistic regression on a comment's words and on the lines beside it tells such notes from comments that
belong to the code. Its weights are fitted on answers by `recipes/notes.py`.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise, takewhile
from math import exp
from pathlib import Path

from redraft.edit.answer.block import Line
from redraft.edit.text.lines import are_followed, is_comment, is_telling, is_title, places, width_of
from redraft.edit.words import Known, comment_body, directives
from redraft.edit.words.comments import is_code, is_inside

_TOKEN = re.compile(r"\w+|[^\w\s]")
_NAME = re.compile(r"[A-Za-z_]\w+")
_DIRECTIVE = re.compile(r"#\s*(?:define|undef|ifn?def)\s+\w(?!.*/[*/])|#!|['\"]\w|(['\"])\S.*\1[\s,;)\]}]*$")
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
_OUT = re.compile(r"(?://|#|--|;)(?:\t|\s{4,})\S")  # the sign at the margin, code behind it where it stood
_SIGNED = re.compile(r"(\s*(?:/[/*]+!?|#+|--+|;+|\*+|%+|<!--)?)(\s*)(.*)")
_AT_END = re.compile(r"(?:^|\s)((?:#|//|--|;|/\*)\s*\w.*)")
_SIGNS = ("#", "//", "--", "<!--", "/*", ";")
_QUOTES = ("`", "'", '"', "(")
_NEAR = 3  # lines below a comment among which the file's next one may be shown
_FAR, _MANY = 6, 9  # lines, and words, as good as any greater number
_CHINESE = "\u2e80"  # from here on words are not divided by spaces
_FREQUENT = 5  # lines of the file with the same text, above which it is no place


def chances(lines: Sequence[Line], file: Sequence[str], known: Known) -> dict[int, float]:
    """For each comment of a block that the file does not have, by its place: the chance that it is a note."""
    seen = Beside(lines, file, known)
    return {at: chance(features(seen, at)) for at in range(len(lines)) if seen.is_unknown_comment(at)}


def with_run(lines: Sequence[Line], found: Mapping[int, float]) -> dict[int, float]:
    """The chances, of which lines that go on with one comment, or one with the documentation above, have the least of
    these; code that an editor commented out, comments that begin like one beside them of the file, that go on with one,
    or that open one, and sentences in the midst of a documentation of the file have none."""
    out: dict[int, float] = {}
    own = {at for at, line in enumerate(lines) if at not in found and line.kind == "code"}
    beginnings = {_begun(lines[at].text) for at in own}
    for at, value in found.items():
        text = lines[at].text
        above = {*_documentation(lines, at)}
        if at - 1 in out and _goes_on(lines[at - 1].text, text):
            above.add(at - 1)
        is_like_own = is_comment(text) and _begun(text) in beginnings
        is_code = is_like_own or _is_switched_off(text) or _belongs_to_own(lines, own, at)
        out[at] = 0.0 if is_code else min((value, *(out[n] for n in above & out.keys())))
    for at in reversed(out):
        if at + 1 in out and _goes_on(lines[at].text, lines[at + 1].text):
            out[at] = min(out[at], out[at + 1])
    return out


def _is_switched_off(text: str) -> bool:
    """Whether a comment is code behind a sign at the margin."""
    return _OUT.match(text) is not None and _CODE.search(text) is not None


def _belongs_to_own(lines: Sequence[Line], own: Collection[int], at: int) -> bool:
    """Whether a line is of one comment with lines of the file: goes on with a documentation, or with a sentence right
    above, or opens a comment."""
    is_documented = any(n in own and is_telling(lines[n].text) for n in _documentation(lines, at))
    is_below = at - 1 in own and is_comment(lines[at - 1].text)
    return is_documented or _opens(lines, own, at) or (is_below and _goes_on(lines[at - 1].text, lines[at].text))


def _documentation(lines: Sequence[Line], at: int) -> Iterator[int]:
    """A line and those above it in one documentation."""
    return takewhile(lambda n: is_inside(lines[n].text.strip()), range(at, -1, -1))


def _opens(lines: Sequence[Line], own: Collection[int], at: int) -> bool:
    """Whether a line opens a comment that goes on in lines of the file, or in lines without a sign in front."""
    text = lines[at].text.strip()
    if not text.startswith("/*") or "*/" in text:
        return False
    below = [*takewhile(lambda n: is_inside(lines[n].text.strip()), range(at + 1, len(lines)))]
    return any(n in own for n in below) if below else any("*/" in line.text for line in lines[at + 1 :])


def _begun(text: str) -> tuple[str, ...]:
    """The indentation, sign, and first word of a comment."""
    match = _SIGNED.fullmatch(text)
    return (match[1], *match[3].split(maxsplit=1)[:1]) if match else ()


def _goes_on(above: str, text: str) -> bool:
    """Whether a comment goes on with a sentence or an item of the comment above: deeper, or not with a capital."""
    (sign, space, body), (own, more, rest) = (_SIGNED.fullmatch(line).groups() for line in (above, text))  # type: ignore[union-attr]
    is_sentence = (rest[:1].islower() or rest.startswith(_QUOTES)) and body.rstrip()[-1:] not in (".", ":", "!", "?")
    return own == sign and (len(more) > len(space) or (more == space and is_sentence))


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

    @cached_property
    def _shapes(self) -> frozenset[str]:
        found = (_AT_END.search(line) for line in self.known.lines)
        return frozenset(_NAME.sub("x", comment[1]) for comment in found if comment)

    def _is_code_beside(self, text: str) -> bool:
        """Whether a comment is code that is switched off: as one of the file is but for its names, or one statement,
        new to the file; or one for linters and formatters."""
        body = comment_body(text) or ""
        if _FOR_TOOLS.match(body):
            return True
        is_statement = _STATEMENT.fullmatch(body) is not None and not _DOTS.search(body)
        is_new = is_statement and not self.known.has_version(body)
        return is_new or (_CODE.search(text) is not None and _NAME.sub("x", text) in self._shapes)

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
        below = {line.text.strip() for line in self.lines[behind : behind + _NEAR]}
        if are_followed(first, self._file, below):
            return "0"
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
    yield from _of_shape(text, body, seen.known.is_plain)
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


def _of_shape(text: str, body: str, is_plain: bool) -> Iterator[str]:
    if not body.isascii():
        yield from ("foreign", f"foreign in plain {is_plain}")
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
