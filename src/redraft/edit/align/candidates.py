"""In: lines of the original and one line of a sketch. Out: which original lines it may stand for, and how surely."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from redraft.edit.align.likeness import (
    QUOTED,
    TELLING,
    WORD,
    Head,
    form,
    head,
    indent,
    version,
    weight,
    without_comment,
)
from redraft.edit.text.lines import places, without_numbers

_MANY = 400
_RARE = 8
_OTHER_INDENT = 30
_SLOPPY = 25
_ANCHOR = 60
_COMMON = 60
_ELSEWHERE = 15
_OTHER_NUMBERS = 70
_Key = TypeVar("_Key", bound=Hashable)


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
    texts = places(map(str.strip, lines))
    return Index(
        lines,
        tuple(map(indent, lines)),
        texts,
        _indexed(texts, lambda text: {form(text), form(without_comment(text))}),
        _indexed(texts, lambda text: {head(text)}),
        _indexed(texts, lambda text: set(WORD.findall(text))),
        inside or scopes(lines),
        _indexed(texts, lambda text: {without_numbers(text)}),
    )


def _indexed(texts: Mapping[str, Sequence[int]], keys: Callable[[str], Collection[_Key]]) -> dict[_Key, list[int]]:
    """Where the lines stand that have a key."""
    found: dict[_Key, list[int]] = defaultdict(list)
    for text in filter(None, texts):
        for key in keys(text):
            found[key] += texts[text]
    return {key: sorted(there) for key, there in found.items()}


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
    quoted = QUOTED.search(text) if about.kind == "call" else None
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
    same_head, masked = found.heads.get(head(stripped), []), without_numbers(stripped)
    near: set[int] = set(same_head) if len(same_head) <= _MANY else set()
    rare = (there for word in WORD.findall(stripped) if len(there := found.words.get(word, [])) <= _RARE)
    others = found.masked.get(masked, [])
    if len(others) == 1 and masked != stripped:
        gains[others[0]] = max(gains.get(others[0], 0), _OTHER_NUMBERS)
    for at in near.union(*rare):
        if (gain := version(stripped, found.lines[at].strip(), len(same_head) == 1)) > gains.get(at, 0):
            gains[at] = gain
    if 1 < len(others) <= _MANY and (most := max(gains.get(at, 0) for at in others)):
        gains.update(dict.fromkeys(others, most))  # that a digit is the same by chance tells nothing
