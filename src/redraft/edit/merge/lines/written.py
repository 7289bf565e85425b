"""In: lines. Out: where the next one that is not blank is, and what they are made of."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from redraft.edit.text.lines import width_of, words_in


def first_written(lines: Iterable[str]) -> str:
    return next(filter(str.strip, lines), "")


def written_places(lines: Sequence[str]) -> list[int]:
    """Where lines that are not blank stand."""
    return [at for at, line in enumerate(lines) if line.strip()]


def last_above(lines: Sequence[str], at: int) -> int:
    """Where the nearest written line above a place stands; -1 where there is none."""
    return next((n for n in range(at - 1, -1, -1) if lines[n].strip()), -1)


def first_below(lines: Sequence[str], at: int) -> int:
    """Where the next written line from a place on stands; the end where there is none."""
    return next((n for n in range(at, len(lines)) if lines[n].strip()), len(lines))


def depth(line: str) -> int:
    """How far a line is indented; 0 for a blank one."""
    return width_of(line.rstrip())


def all_words(lines: Iterable[str]) -> set[str]:
    """The names and words of lines."""
    return set[str]().union(*map(words_in, lines))


def lines_with(lines: Iterable[str], pieces: Callable[[str], Iterable[str]]) -> Counter[str]:
    """In how many lines each piece stands."""
    return Counter(piece for line in lines for piece in {*pieces(line)})
