"""In: a file of batch input lines with `expected`. Out: the cases to measure."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.data.languages import language
from redraft.edit import jsonl
from redraft.edit.request import Request
from redraft.errors import RedraftError


@dataclass(frozen=True)
class Checks:
    """What any file that is right passes.

    `holds` and `lacks` are patterns of the lines `within`, counted in the original, and all others are as they were;
    without it, of the whole file. `test` is Python that runs beside the new file.
    """

    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    within: tuple[int, int] | None = None
    test: str = ""


@dataclass(frozen=True)
class Case:
    """An edit and the file that it should give; `style` says how its sketch was written, "" where unknown.

    `accepted`: other files that are right, too. `as_data`: so is any that holds the same data, and one that passes the
    `checks`. `lines`: the first and last one that the instruction is about, counted from 1.
    `abilities`: what a reader needs for it. `tidy`: whether the answer was
    written carefully, None where that is not known.
    """

    id: str
    request: Request
    expected: str
    language: str
    style: str
    accepted: tuple[str, ...] = ()
    as_data: bool = False
    abilities: tuple[str, ...] = ()
    tidy: bool | None = None
    lines: tuple[int, int] | None = None
    checks: Checks | None = None


def read_cases(source: Path) -> list[Case]:
    """Raises RedraftError that names the line, or where there is none; a line without an id has its number."""
    cases = [_case(line, number, source) for number, line in jsonl.read_lines(source)]
    if not cases:
        raise RedraftError(f"{source} holds no cases")
    repeated = [name for name, count in Counter(case.id for case in cases).items() if count > 1]
    if repeated:
        raise RedraftError(f"{source}: the id {repeated[0]} is there more than once")
    return cases


def case_of(fields: dict[str, Any], number: int = 0) -> Case:
    """A case of its fields; raises RedraftError that names the one that is wrong."""
    if fields.get("expected") is None:
        raise RedraftError("`expected` is missing")
    request = jsonl.request(fields)
    known = jsonl.text(fields, "language") or language(request.path)
    expected, style = jsonl.text(fields, "expected"), jsonl.text(fields, "style")
    more = (_texts(fields, "accepted"), bool(fields.get("as_data")), _texts(fields, "abilities"), _tidy(fields))
    name = number if fields.get("id") is None else fields["id"]
    return Case(str(name), request, expected, known, style, *more, _lines(fields, "lines"), _checks(fields))


def _case(line: str, number: int, source: Path) -> Case:
    try:
        return case_of(jsonl.parse(line), number)
    except RedraftError as error:
        raise RedraftError(f"{source}:{number}: {error}") from error


def _checks(fields: dict[str, Any]) -> Checks | None:
    within = _lines(fields, "within") or _lines(fields, "lines")
    found = Checks(_texts(fields, "holds"), _texts(fields, "lacks"), within, jsonl.text(fields, "test"))
    return found if found.holds or found.lacks or found.test else None


def _lines(fields: dict[str, Any], key: str) -> tuple[int, int] | None:
    match fields.get(key):
        case None:
            return None
        case [int(first), int(last)]:
            return first, last
    raise RedraftError(f"`{key}` is not the first and the last line")


def _tidy(fields: dict[str, Any]) -> bool | None:
    tidy = fields.get("tidy")
    if tidy is not None and not isinstance(tidy, bool):
        raise RedraftError("`tidy` is neither true nor false")
    return tidy


def _texts(fields: dict[str, Any], key: str) -> tuple[str, ...]:
    texts = fields.get(key) or []
    if not isinstance(texts, list):
        raise RedraftError(f"`{key}` is not a list")
    return tuple(jsonl.text({key: text}, key) for text in texts)
