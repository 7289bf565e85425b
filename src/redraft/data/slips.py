"""In: the pieces of a sketch. Out: the same pieces with context lines slightly off, as chat models copy them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from redraft.data.anchors import Places
from redraft.data.languages import comment
from redraft.data.pieces import Elided, Shown
from redraft.edit.align.quotes import PLAIN_STRING
from redraft.edit.align.spelling import lead_of

Pieces = Sequence[Elided | Shown]
Slip = Callable[[str], str]
# Without a type or a grammar, quotes of these mean the same.
_EITHER_QUOTE = frozenset(("py", "js", "jsx", "ts", "tsx", "rb", "php", "css", "scss", "html", "vue"))
MOST_SLIPS = 2


def other_quotes(line: str) -> str:
    """The line with plain strings in the other quotes; itself where it has none, or where they are mixed."""
    quotes = {str(found[1]) for found in PLAIN_STRING.finditer(line)}
    if len(quotes) != 1 or "\\" in line:
        return line
    new = "'" if quotes == {'"'} else '"'
    return line if new in line else PLAIN_STRING.sub(rf"{new}\2{new}", line)


def without_comment(line: str, path: str) -> str:
    """The line without the comment at its end; itself where it has none, or is nothing but a comment.

    A comment line of its own is never dropped: between context lines that says that it is to be deleted.
    """
    opening, closing = comment(path)
    code, found, text = line.partition(f" {opening} ")
    alone = not code.strip() or not text.endswith(closing) or any(quote in line for quote in "\"'`")
    return line if not found or alone else code.rstrip()


def slipped(lines: Sequence[str], found: Pieces, path: str, rng: Random) -> list[Elided | Shown] | None:
    """The pieces with one or two context lines off; None where no line can be.

    The lines next to a change stay, and what is left of each run of context still has one place in `lines`.
    """
    extension = path.rpartition(".")[2].lower()
    slips: list[Slip] = [lambda line: without_comment(line, path)]
    slips += [other_quotes] if extension in _EITHER_QUOTE else []
    places, changed = Places(lines), list(found)
    spots = [spot for at, piece in enumerate(found) if isinstance(piece, Shown) for spot in _spots(at, piece, places)]
    rng.shuffle(spots)
    wanted = rng.randint(1, MOST_SLIPS)
    for at, number in spots:
        piece = changed[at]
        assert isinstance(piece, Shown)
        sign, line = piece.signed[number]
        others = [new for slip in slips if (new := slip(line)) != line]
        if others and wanted:
            signed = [*piece.signed[:number], (sign, rng.choice(others)), *piece.signed[number + 1 :]]
            changed[at] = replace(piece, signed=tuple(signed))
            wanted -= 1
    return changed if changed != list(found) else None


def _spots(at: int, piece: Shown, places: Places) -> list[tuple[int, int]]:
    """At most one line for each run of context, such that the longer part beside it has one place in the file."""
    spots, line, run = list[tuple[int, int]](), piece.start, list[tuple[int, int]]()
    for number, (sign, _) in enumerate([*piece.signed, ("+", "")]):
        if sign == " ":
            run.append((number, line))
        elif run:
            spots += [(at, run[i][0]) for i in _free(run, places, number == len(piece.signed), run[0][0] == 0)][:1]
            run = []
        line += sign != "+"
    return spots


def _free(run: Sequence[tuple[int, int]], places: Places, last: bool, first: bool) -> list[int]:
    """Indices in a run that may slip: never beside a change, and the other lines of the run have one place."""
    start, end = run[0][1], run[-1][1] + 1
    inner = range(0 if first else 1, len(run) if last else len(run) - 1)
    return [i for i in inner if places.is_unique(start, start + i) or places.is_unique(start + i + 1, end)]


def other_indentation(found: Pieces, rng: Random) -> tuple[str, str] | None:
    """The unit of indentation of all shown lines and another one; None where context lines do not tell it."""
    signed = [pair for piece in found if isinstance(piece, Shown) for pair in piece.signed if pair[1].strip()]
    leads = {lead_of(line) for sign, line in signed if sign != "-"} - {""}
    if not any(sign == " " and line[:1].isspace() for sign, line in signed):
        return None
    if all(set(lead) == {"\t"} for lead in leads):
        return "\t", rng.choice(("    ", "  "))
    if any(set(lead) != {" "} for lead in leads):
        return None
    unit = min(map(len, leads))
    if unit not in (2, 4) or any(len(lead) % unit for lead in leads):
        return None
    return " " * unit, rng.choice(("\t", " " * (6 - unit)))


def indented(lines: Sequence[str], unit: str, other: str) -> list[str]:
    """The lines with every `unit` of their indentation turned into the other one."""
    found = []
    for line in lines:
        text = line.lstrip(unit[0])
        found.append(other * ((len(line) - len(text)) // len(unit)) + text)
    return found
