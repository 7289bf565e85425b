"""In: the words before a block. Out: the numbers of the lines of the file that they say it is about."""

import re
from collections.abc import Iterator

_JOINT = r"\s*(?:[-\u2010-\u2014~]|\b(?:to|through)\b)\s*(?:\blines?\s*)?"
_AND = r"(?:\s*(?:,|&|\+|\b(?:and|plus)\b)\s*(?:\blines?\s+)?)"
_RANGE = rf"\d{{1,6}}(?:{_JOINT}\d{{1,6}})?"
_TOLD = re.compile(
    rf"\b(?:lines?|ll?\.|ln)\b\W{{0,3}}?[`*#]*(?P<named>{_RANGE}(?:{_AND}{_RANGE})*)(?![\w.%])"
    r"|(?<![\w#])L(?P<linked>\d{1,6}(?:\s*-\s*L?\d{1,6})?)(?!\w)|\.\w{1,10}(?::|#L)(?P<behind>\d{1,6}(?:-L?\d{1,6})?)\b",
    re.IGNORECASE,
)
_EACH = re.compile(rf"\d+\s*-\s*L?\d+|{_RANGE}", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def line_numbers(text: str) -> tuple[tuple[int, int], ...]:
    """The first and the last number of each stretch of lines that a text names: `lines 3-5 and 9`, `L12`, `a.py:7`."""
    return tuple(dict.fromkeys(pair for match in _TOLD.finditer(text) for pair in _pairs(match)))


def _pairs(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    told = next(filter(None, match.groups()))
    for each in _EACH.finditer(told):
        numbers = [int(number) for number in _NUMBER.findall(each[0])]
        if 0 < numbers[0] <= numbers[-1]:
            yield numbers[0], numbers[-1]
