"""In: a file before and after a block, and the words of an answer. Out: the names of locals that are only retold.

A name that the file has nowhere, of which no word is spoken, and that stands for one of the file's wherever it stands,
is a slip of memory.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from redraft.edit.merge.context.asides import words_of

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans("'`", '""')
_BINDING = (
    r"\blambda {0}\b",
    r"\b{0}\s*=>",
    r"\(\s*{0}\s*\)\s*(?:=>|->)",
    r"\|\s*{0}\s*\|",
    r"\bfn\s+{0}\b",
    r"\bfor\s+{0}\b",
)
_SETTING = r"^\s*(?:(?:local|let|var|val|const|my|auto)\s+)?{0}\s*(?::?=|<-)(?!=)"
_LEAST = 2  # places of a name that is retold, where no line says that it is bound there
_SHORTEST_NAME = 6  # letters of a name that may be misspelled
_SHORTEST_SHORT = 3  # letters of a name that may be short for another
_TOGETHER = 2  # names of locals that are retold in one line, at most
_MOST = 3  # lines of the file that a line with a strange name may retell


@lru_cache(maxsize=64)
def retold_names(before: tuple[str, ...], after: tuple[str, ...], told: frozenset[str]) -> Mapping[str, str]:
    """New names, each with the file's own that it stands for on all lines."""
    had = set(before)
    come = [line for line in after if line not in had]
    strange = {word for line in come for word in _NAME.findall(line)} - {*told}
    if not strange or not (strange := strange - _names_in(before)):
        return {}
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for line in dict.fromkeys(before):
        places[_skeleton(line)].append(line)
    found = [(new, old) for line in come for new, old in _pairs(line, places, strange)]
    names: dict[str, str] = {}
    for new, group in groupby(sorted(found, key=lambda pair: (pair[0], str(pair[1]))), key=lambda pair: pair[0]):
        olds = [old for _, old in group]
        is_one = len(set(olds)) == 1 and olds[0] is not None
        is_slip = len(olds) >= _LEAST or _is_bound(new, come) or (is_one and is_short_for(new, str(olds[0])))
        is_slip = is_slip or (is_one and _is_unknown(new, str(olds[0]), before, come))
        if is_one and olds[0] not in names.values() and is_slip:
            names[new] = str(olds[0])
    return names


def as_in_file(text: str, names: Mapping[str, str]) -> str:
    """A line with the file's names for retold ones."""
    return _NAME.sub(lambda match: names.get(match[0], match[0]), text) if names else text


@lru_cache(maxsize=16)
def _names_in(lines: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for line in lines for word in _NAME.findall(line))


@lru_cache(maxsize=4096)
def _skeleton(line: str) -> tuple[str, ...]:
    return tuple(_SPACES.sub("", part) for part in _NAME.split(line.translate(_QUOTES).rstrip(" ;,")))


def _pairs(
    line: str, places: Mapping[tuple[str, ...], Sequence[str]], strange: Collection[str]
) -> Iterator[tuple[str, str | None]]:
    """Each strange name of a line with the one that the line of the file has in its place; None where none is so."""
    mine = _NAME.findall(line)
    others = {tuple(_NAME.findall(other)) for other in places.get(_skeleton(line), ())[:_MOST]}
    matching = [yours for yours in others if all(a == b or a in strange for a, b in zip(mine, yours, strict=True))]
    for at, name in enumerate(mine):
        if name in strange:
            yield name, matching[0][at] if len(matching) == 1 else None


def _is_bound(name: str, lines: Sequence[str]) -> bool:
    patterns = [re.compile(pattern.format(re.escape(name))) for pattern in _BINDING]
    return any(pattern.search(line) for line in lines for pattern in patterns)


def _is_unknown(name: str, old: str, before: Sequence[str], come: Sequence[str]) -> bool:
    """Whether a name that nothing binds stands for a variable that the file sets, of whose name it is more or less."""
    short, long = sorted((name.lower(), old.lower()), key=len)
    if short not in long or not any(re.search(_SETTING.format(re.escape(old)), line) for line in before):
        return False
    used = re.compile(rf"(?<![\w.$@>:]){re.escape(name)}(?!\w|\s*[(:=])")
    return all(used.search(line) for line in come if name in line)


def is_almost(name: str, other: str) -> bool:
    """Whether two names differ in the case of inner letters, or in one inner letter more or less."""
    short, long = sorted((name.lower(), other.lower()), key=len)
    if len(short) < _SHORTEST_NAME or len(long) > len(short) + 1 or name[0] != other[0]:
        return False
    return short == long or any(long[:at] + long[at + 1 :] == short for at in range(1, len(long) - 1))


def is_short_for(name: str, other: str) -> bool:
    """Whether a name is another with letters left out, not the first ones: `req` for `request`."""
    short, long = name.lower(), iter(other.lower())
    is_begun = name[:1].lower() == other[:1].lower() and sum(map(str.isalpha, name)) >= _SHORTEST_SHORT
    return is_begun and len(name) < len(other) and all(letter in long for letter in short)


def is_renamed(old: Sequence[str], new: Sequence[str], told: Collection[str]) -> bool:
    """Whether lines differ in one or two names alone, each for one of the file's all along, and no word is spoken of
    them: locals retold."""
    if len(old) != len(new):
        return False
    pairs = {(a, b) for a, b in zip(old, new, strict=True) if a != b}
    one_to_one = len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    is_all = all(a not in new and b not in old and a.isidentifier() and b.isidentifier() for a, b in pairs)
    is_told = any(name in told for pair in pairs for name in pair)
    is_local = one_to_one and is_all and any(old.count(a) > 1 for a, _ in pairs)
    return 0 < len(pairs) <= _TOGETHER and is_local and not is_told


@lru_cache(maxsize=64)
def misspelled(before: tuple[str, ...], after: tuple[str, ...], told: frozenset[str]) -> Mapping[str, str]:
    """Names that only the new lines have, and nobody speaks of, and the one name of the file that each is almost."""
    has, had = words_of(after), words_of(before)
    found: dict[str, str] = {}
    for name in has - had - told:
        meant = [other for other in had if is_almost(name, other)]
        if len(meant) == 1:
            found[name] = meant[0]
    return found
