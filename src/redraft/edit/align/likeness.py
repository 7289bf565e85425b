"""In: lines of the original and one line of a sketch. Out: which original lines it may stand for, and how surely."""

import re
from collections import defaultdict
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache

from msgspec import Struct

from redraft.edit.text.lines import without_numbers

TELLING = 80
LONG_LINE = 1000  # characters, above which a line is not looked at for careless spelling

_MANY = 400
_COMPARED = 40
_LONG = 60
_RARE = 8
_OTHER_INDENT = 30
_SLOPPY = 25
_ANCHOR = 60
_COMMON = 60
_ELSEWHERE = 15
_OTHER_NUMBERS = 70
_OTHER_COMMENT = 90

_TOKEN = re.compile(r"\w+|[^\w\s]")
_QUOTED = re.compile(r"[\"'`][^\"'`]*[\"'`]")
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
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


class Index(Struct, frozen=True):
    """The original's lines and where to find them again."""

    lines: tuple[str, ...]
    indents: tuple[int | None, ...]
    texts: dict[str, list[int]]
    forms: dict[str, list[int]]
    heads: dict[Head, list[int]]
    words: dict[str, list[int]]
    scopes: tuple[str, ...]
    masked: dict[str, list[int]]


def index(lines: tuple[str, ...], inside: tuple[str, ...] | None = None) -> Index:
    """Everything that later look-ups need, in one pass; `inside` says what each line lies in, else indentation does."""
    texts: dict[str, list[int]] = defaultdict(list)
    forms: dict[str, list[int]] = defaultdict(list)
    heads: dict[Head, list[int]] = defaultdict(list)
    words: dict[str, list[int]] = defaultdict(list)
    masked: dict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        text = line.strip()
        texts[text].append(at)
        if text:
            for spelling in {form(text), form(without_comment(text))}:
                forms[spelling].append(at)
            heads[head(text)].append(at)
            masked[without_numbers(text)].append(at)
            for word in set(_WORD.findall(text)):
                words[word].append(at)
    shape = tuple(map(indent, lines)), dict(texts), dict(forms), dict(heads), dict(words)
    return Index(lines, *shape, inside or scopes(lines), dict(masked))


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
    return spelled and all(text[1:-1] in old for text in _QUOTED.findall(new))


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
    if "=" in text and (match := _ASSIGNMENT.match(text)) and not _SETS_NONE.match(text):
        return Head("name", match[1])
    if (match := _KEY.match(text)) and not _CONTROL.fullmatch(match[1]):
        return Head("name", match[1])
    if (match := _ARM.fullmatch(text)) and _is_closed(label := match[1] or match[2]):
        return Head("name", label)
    if "(" in text and (match := _CALL.match(text)) and not _CONTROL.fullmatch(match[1]):
        defines = text.endswith(("{", "{}")) and "=>" not in text and match[2] not in "\"'`" and "." not in match[1]
        if not (defines and any(map(_CONTROL.fullmatch, _TOKEN.findall(text[: match.start(1)])))):
            return Head("definition" if defines else "call", match[1])
    first = _TOKEN.findall(text)
    return Head("word", "".join(first[:2]) if first and not first[0][0].isalnum() else first[0] if first else "")


def _is_closed(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}"))


def scopes(lines: Sequence[str]) -> tuple[str, ...]:
    """For each line the function, class, key or test case that it lies in, as its indentation shows; "" for none."""
    found: list[str] = []
    around: list[tuple[int, str]] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=False):
        width, text = indent(line), line.strip()
        text += " {" * (below.strip() == "{")
        closes = text[:1] in ("{", "}", ")", "]")
        while width is not None and around and around[-1][0] >= width + closes:
            around.pop()
        found.append(around[-1][1] if around else "")
        if width is not None and not closes and (name := _scope(text)):
            around.append((width, name))
    return tuple(found)


def _scope(text: str) -> str:
    about = head(text)
    quoted = _QUOTED.search(text) if about.kind == "call" else None
    return about.name if about.kind in ("definition", "name") else quoted[0] if quoted else ""


def in_scope(matches: Sequence[tuple[int, int]], scope: str, found: Index) -> Sequence[tuple[int, int]]:
    """Matches in another function than the sketch's line are hardly worth anything: the line is likely a copy."""
    if not scope or len(matches) > _MANY:
        return matches
    return [(at, gain if _is_same(found.scopes[at], scope) else min(gain, _ELSEWHERE)) for at, gain in matches]


@lru_cache(maxsize=4096)
def _is_same(outlined: str, shown: str) -> bool:
    """Whether a header shows the name of a declaration: `self.flush` of `flush`, `Store` of `impl A for Store`."""
    bare = shown.strip("\"'`")
    return bare == outlined or _last(bare) == _last(outlined) or bare in outlined.split()


def _last(name: str) -> str:
    return name.replace("::", ".").rpartition(".")[2]


def candidates(text: str, found: Index, once: bool) -> list[tuple[int, int]]:
    """Pairs (original line, gain) for a sketch line; similar lines only where there is no equal one.

    `once`: the sketch has this line once, so that it is an anchor where the original has it once, too.
    """
    stripped = text.strip()
    gains: dict[int, int] = {}
    same = found.texts.get(stripped, [])
    width = indent(text)
    _add(gains, same, worth(stripped, len(same), once), width, found)
    if stripped:
        alike = found.forms.get(form(stripped)) or found.forms.get(form(without_comment(stripped)), [])
        _add(gains, alike, worth(stripped, len(alike), once) - _SLOPPY, width, found)
        if not same:
            _add_versions(gains, stripped, found)
    return sorted(gains.items())


def _add(gains: dict[int, int], places: Sequence[int], base: int, width: int | None, found: Index) -> None:
    for at in places:
        gains.setdefault(at, base if found.indents[at] == width else max(base - _OTHER_INDENT, 5))


def worth(stripped: str, count: int, once: bool) -> int:
    """The gain of an equal line: much for one that tells its place, little for one that stands in many places."""
    base = weight(stripped)
    if base < TELLING:
        return base
    if count == 1 and once:
        return base + _ANCHOR
    return max(40, base - _COMMON * (count - 1))


def _add_versions(gains: dict[int, int], stripped: str, found: Index) -> None:
    same_head = found.heads.get(head(stripped), [])
    near: set[int] = set(same_head) if len(same_head) <= _MANY else set()
    for word in _WORD.findall(stripped):
        places = found.words.get(word, [])
        if len(places) <= _RARE:
            near.update(places)
    alone = len(same_head) == 1
    if len(places := found.masked.get(without_numbers(stripped), [])) == 1 and without_numbers(stripped) != stripped:
        gains[places[0]] = max(gains.get(places[0], 0), _OTHER_NUMBERS)
    for at in near:
        if (gain := version(stripped, found.lines[at].strip(), alone)) > gains.get(at, 0):
            gains[at] = gain
    if 1 < len(places) <= _MANY and (most := max(gains.get(at, 0) for at in places)):
        gains.update(dict.fromkeys(places, most))  # that a digit is the same by chance tells nothing


def version(new: str, old: str, alone: bool) -> int:
    """The gain for taking `new` as a changed `old`, 0 where it is rather another line beside it."""
    a, b = tokens(new), tokens(old)
    if not a or not b:
        return 0
    if form(without_comment(new)) == form(without_comment(old)):
        return _OTHER_COMMENT
    likeness = overlap(a, b)
    grown = (a >= b or a <= b) and likeness >= 0.5
    mine, yours = head(new), head(old)
    if mine.kind == "definition" or yours.kind == "definition":
        return int(90 + 40 * likeness) if mine.name == yours.name else 0
    if mine == yours and mine.kind == "name" and not new.startswith("- "):
        return int((40 if alone else 25) + 40 * likeness) if likeness >= 0.3 else 0
    if _quotes(new).isdisjoint(_quotes(old)) and _quotes(new) and _quotes(old):
        return 0
    if mine == yours == Head("comment", mine.name):
        a, b = (frozenset(token.lower() for token in found) for found in (a, b))
    if mine == yours and (grown or overlap(words(a), words(b)) >= (0.6 if mine.kind == "comment" else 0.7)):
        return int(10 + 60 * likeness)
    return int(60 * likeness - 10) if grown and likeness >= 0.6 else 0


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """The share of tokens that two lines have in common, as Dice has it."""
    return 2 * len(a & b) / max(1, len(a) + len(b))


def words(found: frozenset[str]) -> frozenset[str]:
    return frozenset(token for token in found if token[0].isalnum() or token[0] == "_")


def _quotes(text: str) -> frozenset[str]:
    return frozenset(_QUOTED.findall(text))


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
