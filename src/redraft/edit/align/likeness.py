"""In: two lines. Out: what each is about, and how surely one is the other, changed or spelled otherwise."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache

from msgspec import Struct

TELLING = 80
LONG_LINE = 1000  # characters, above which a line is not looked at for careless spelling

_COMPARED = 40
_LONG = 60
_OTHER_COMMENT = 90

_TOKEN = re.compile(r"\w+|[^\w\s]")
QUOTED = re.compile(r"[\"'`][^\"'`]*[\"'`]")
WORD = re.compile(r"[A-Za-z_]\w{2,}")
_TRAILING_COMMENT = re.compile(r"(?<=\S)\s+(?:#+ ?|//+ ?|--+ |/\* ?)[A-Za-z@](?:[^\"'`]|(?<=\w)'(?=\w))*$")
_COMMENT = re.compile(r"(?:#+|//+|--|;+|/?\*+|%+|<!--)\s")
_SPACES_TO_DROP = re.compile(r"(?<!\w)\s+|\s+(?!\w)")
_DEFINITION = re.compile(
    r"(?:[\w@().<>,*&:]+\s+){0,5}?"
    r"(?:#\s*define|def|class|function\*?|func|fn|sub|struct|interface|enum|trait|impl|type|module|namespace|record|object|protocol)"
    r"\s+(?:\([^)]*\)\s*)?([\w$.?!]+)"
)
_ASSIGNMENT = re.compile(
    r"(?:[\w<>,.\[\]*&]+\s+){0,4}?(?:\*|&)?([\w$.\[\]'\"@-]+)\s*(?::[^=]{0,60})?(?::=|[-+|&*/]?=)(?![=>])"
)
_SETS_NONE = re.compile(r"(?:RUN|UPDATE|make|sudo|env)\b|(?:let|var|const|val)\s+_\b")  # an `=`, and no name of its own
_KEY = re.compile(r"[\"']?([\w.$@-]+)[\"']?\??\s*:(?!:)")
_CALL = re.compile(r"[^(]*?([\w$.:!]+)\s*(?:<[^>()]*>)?\((.?)")
_ARM = re.compile(r"(?:(?:case|when)\s+([^:]+?)\s*(?::(?!:).*)?|([^(\s=;][^=;]*?)\s*(?:=>|->)(?:\s.*)?)")
_CONTROL = re.compile(r"if|for|while|switch|catch|return|elif|else|with|match|when|unless|until")


class Head(Struct, frozen=True):
    """What a line is about: the name it defines, sets or calls."""

    kind: str
    name: str


def indent(line: str) -> int | None:
    """Characters of white space in front; None for a blank line."""
    text = line.lstrip()
    return len(line) - len(text) if text else None


@lru_cache(maxsize=65536)
def form(text: str) -> str:
    """The line without what sketches get wrong: spacing, quotes, a separator at the end."""
    bare = _SPACES_TO_DROP.sub("", text.strip()).replace("'", '"').replace("`", '"')
    return bare[:-1] if bare[-1:] in (",", ";") and len(bare) > 1 else bare


@lru_cache(maxsize=65536)
def without_comment(text: str) -> str:
    """The line without a comment at its end."""
    return _TRAILING_COMMENT.sub("", text) if len(text) <= LONG_LINE else text


def is_slip(new: str, old: str) -> bool:
    """Whether `new` differs from `old` only in what sketches get wrong, which is never the inside of a string."""
    spelled = form(new) in (form(old), form(without_comment(old.strip())))
    return spelled and all(text[1:-1] in old for text in QUOTED.findall(new))


def weight(text: str) -> int:
    """How much it says that a line is found again: little for blank lines and brackets."""
    if not text:
        return 10
    letters = sum(map(str.isalnum, text))
    if letters and head(text).kind == "definition":
        return 100
    return 40 if letters == 0 else 50 if letters < 4 and text[-1] != "{" else 80 if letters < 8 else 100


@lru_cache(maxsize=65536)
def tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(text))


@lru_cache(maxsize=65536)
def head(text: str) -> Head:
    """`def f(a):` -> definition f; `x.y = 1` -> name x.y; `"k": v` -> name k; `Some(x) => y` -> name Some(x); `f(1)` ->
    call f; else the first word."""
    text = text[:200]
    if match := _COMMENT.match(text):
        return Head("comment", match[0].strip())
    if match := _DEFINITION.match(text):
        return Head("definition", match[1])
    if name := _name_set(text):
        return Head("name", name)
    if found := _called(text):
        return found
    first = _TOKEN.findall(text)[:2]
    return Head("word", first[0] if first and first[0][0].isalnum() else "".join(first))


def _name_set(text: str) -> str:
    """The name that a line sets, as an assignment, a key or an arm of a choice, "" for none."""
    if "=" in text and (match := _ASSIGNMENT.match(text)) and not _SETS_NONE.match(text):
        return match[1]
    if (match := _KEY.match(text)) and not _CONTROL.fullmatch(match[1]):
        return match[1]
    if (match := _ARM.fullmatch(text)) and _is_closed(label := match[1] or match[2]):
        return label
    return ""


def _called(text: str) -> Head | None:
    """The function that a line calls, or defines where its body opens behind it."""
    match = _CALL.match(text) if "(" in text else None
    if match is None or _CONTROL.fullmatch(match[1]):
        return None
    defines = text.endswith(("{", "{}")) and "=>" not in text and match[2] not in "\"'`" and "." not in match[1]
    if defines and any(map(_CONTROL.fullmatch, _TOKEN.findall(text[: match.start(1)]))):
        return None
    return Head("definition" if defines else "call", match[1])


def _is_closed(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}"))


def version(new: str, old: str, alone: bool) -> int:
    """The gain for taking `new` as a changed `old`, 0 where it is rather another line beside it."""
    a, b = tokens(new), tokens(old)
    if not a or not b:
        return 0
    if form(without_comment(new)) == form(without_comment(old)):
        return _OTHER_COMMENT
    shared = overlap(a, b)
    mine, yours = head(new), head(old)
    if "definition" in (mine.kind, yours.kind):
        return int(90 + 40 * shared) if mine.name == yours.name else 0
    if mine == yours and mine.kind == "name" and not new.startswith("- "):
        return int((40 if alone else 25) + 40 * shared) if shared >= 0.3 else 0
    quotes, others = set(QUOTED.findall(new)), set(QUOTED.findall(old))
    if quotes and others and quotes.isdisjoint(others):
        return 0
    return _gain(a, b, mine.kind if mine == yours else "")


def _gain(a: frozenset[str], b: frozenset[str], kind: str) -> int:
    """The gain for tokens that others became; `kind` says what both lines are about, where that is the same."""
    shared = overlap(a, b)
    grown = (a >= b or a <= b) and shared >= 0.5
    if kind and (grown or _share_words(a, b, kind == "comment")):
        return int(10 + 60 * shared)
    return int(60 * shared - 10) if grown and shared >= 0.6 else 0


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """The share of tokens that two lines have in common, as Dice has it."""
    return 2 * len(a & b) / max(1, len(a) + len(b))


def _share_words(a: frozenset[str], b: frozenset[str], are_comments: bool) -> bool:
    """Whether two lines have most of their words in common, those of comments in whatever case."""
    if are_comments:
        return overlap(words(map(str.lower, a)), words(map(str.lower, b))) >= 0.6
    return overlap(words(a), words(b)) >= 0.7


def words(found: Iterable[str]) -> frozenset[str]:
    return frozenset(token for token in found if token[0].isalnum() or token[0] == "_")


def quoted(text: str) -> str:
    """A line in a message."""
    text = text.strip()
    return f"'{text if len(text) <= _LONG else text[: _LONG - 3] + '...'}'"


def nearest(text: str, lines: Sequence[str]) -> str:
    """For a refusal: `; nearest is line 7 'def total():'`, with a second candidate if there is one, or nothing."""
    numbers = {line.strip(): number for number, line in reversed(list(enumerate(lines, 1)))}
    about = tokens(text)
    shared = sorted(filter(None, numbers), key=lambda line: -overlap(about, tokens(line)))[:_COMPARED]
    close = get_close_matches(text.strip()[:_LONG], shared, n=2, cutoff=0.5)
    named = " or ".join(f"line {numbers[line]} {quoted(line)}" for line in close)
    return f"; nearest is {named}" if named else ""
