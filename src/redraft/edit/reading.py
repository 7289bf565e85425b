"""In: a file's lines and a chat answer. Out: the sketch as the embedded model reads it, in the file's own spelling.

What a chat model writes carelessly is put right where the file says how: another indentation, another quote, a comment
that is left out at the end of a line. Blocks in pairs, before and after, are read as diffs. Nothing here says where a
line goes, but for the hunks of a diff: what they remove stands in the file, and so its neighbours are known.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby

from redraft.edit.likeness import without_comment
from redraft.edit.marker import comment_body
from redraft.edit.sketch import Block, Line, blocks

CONTEXT = 3  # lines that a hunk of a diff is widened by, at most
_NOTE = re.compile(
    r"\(?(?:\d+ lines? (?:removed|deleted)(?: here)?|(?:removed|deleted)(?: \d+ lines?)?(?: here)?(?::? (?P<gone>.+))?)\)?",
    re.IGNORECASE,
)
_STRING = re.compile(r"""(?<![\w"'])(["'])([^"'\\`$]*)\1(?![\w"'])""")
_CUT = Line("", "marker")


@dataclass(frozen=True)
class SketchLine:
    """A line of the sketch as the model reads it, with its newline.

    A cut between two snippets is a marker without text; a line without text that is no marker is the file's end.
    """

    text: str
    marker: bool


def read(original: Sequence[str], update: str, path: str = "") -> list[SketchLine]:
    """The lines of all blocks of an update, with a cut after each block; lines that a diff removes are left out.

    The lines of `original` have no newlines.
    """
    known = _Known(original)
    lines: list[SketchLine] = []
    at_end = False
    for block in _without_pairs(blocks(update, path), known):
        for run in _runs((*block.lines, _CUT)):
            if run[0].kind == "marker":
                text = run[0].text + "\n" * (run[0] != _CUT)
                lines.append(SketchLine("" if at_end else text, not at_end))
            else:
                found, at_top, at_end = _corrected(run, known)
                if at_top and all(line.marker for line in lines):
                    lines = []
                lines += [SketchLine(line.text + "\n", False) for line in found]
    return lines


class _Known:
    """The lines of the file, looked up by text, by text without indentation, and by careless spelling."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.count = Counter(lines)
        self.leads: dict[str, set[str]] = defaultdict(set)
        self.spelled: dict[str, list[str]] = defaultdict(list)
        for line in self.count:
            self.leads[line.strip()].add(_lead(line))
            for spelling in {_form(line), _form(without_comment(line))}:
                self.spelled[spelling].append(line)
        self._places: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(lines):
            self._places[line].append(number)

    def find(self, run: Sequence[str]) -> list[int]:
        """Where these lines stand one after the other."""
        rarest = min(range(len(run)), key=lambda at: self.count[run[at]], default=None)
        if rarest is None:
            return []
        starts = (number - rarest for number in self._places.get(run[rarest], []))
        return [start for start in starts if start >= 0 and self.lines[start : start + len(run)] == list(run)]


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines between markers, and each marker alone."""
    for is_marker, run in groupby(lines, key=lambda line: line.kind == "marker"):
        if is_marker:
            yield from ([line] for line in run)
        else:
            yield list(run)


def _without_pairs(found: Sequence[Block], known: _Known) -> Iterator[Block]:
    """Blocks that come in pairs, the first of each standing in the file as it is, become one diff a pair."""
    texts = [[line.text for line in block.lines] for block in found]
    plain = all(line.kind == "code" and not line.added for block in found for line in block.lines)
    stands = [bool(known.find(_indented(text, known))) for text in texts] if plain else []
    if not stands or len(stands) % 2 or not all(stands[::2]) or any(stands[1::2]):
        yield from found
        return
    for before, after in zip(texts[::2], texts[1::2], strict=True):
        yield Block(tuple(_difference(before, after)))


def _difference(before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (Line(text, "code") for text in before[a:b])
        else:
            yield from (Line(text, "removed") for text in before[a:b])
            yield from (Line(text, "code", added=True) for text in after[c:d])


def _corrected(run: Sequence[Line], known: _Known) -> tuple[list[Line], bool, bool]:
    """The lines, and whether they are known to begin or to end the file."""
    texts = _indented([line.text for line in run], known)
    lines = [replace(line, text=text) for line, text in zip(run, texts, strict=True)]
    lines = [line for line in lines if not _is_note(line.text, known)]
    lines = _without_slips(lines, known)
    if any(line.added or line.kind == "removed" for line in lines):
        return _widened(lines, known)
    return lines, False, False


def _indented(texts: Sequence[str], known: _Known) -> list[str]:
    """The lines in the file's indentation: all that is shown is moved, or its unit is another."""
    written = {text for text in texts if text.strip()}
    as_is = written & known.count.keys()
    firm = [text for text in as_is if any(map(str.isalnum, text))]
    best, found = len(as_is), list(texts)
    for change in _changes(written, known):
        changed = set(map(change, written)) & known.count.keys()
        if len(changed) > best and all(change(text) in known.count for text in firm):
            best, found = len(changed), [change(text) if text.strip() else text for text in texts]
    return found


def _changes(written: Iterable[str], known: _Known) -> Iterator[Callable[[str], str]]:
    """Changes of indentation that put some line right."""
    pairs = {
        (_lead(text), lead)
        for text in written
        if text not in known.count and len(leads := known.leads.get(text.strip(), ())) == 1
        for lead in leads
    }
    for moved in sorted({lead.removesuffix(own) for own, lead in pairs if lead.endswith(own)}):
        yield lambda text, moved=moved: moved + text
    for unit, other in (("\t", "    "), ("\t", "  "), ("    ", "\t"), ("  ", "\t"), ("    ", "  "), ("  ", "    ")):
        if any(_in_units(own, unit, other) == lead != own for own, lead in pairs):
            yield lambda text, unit=unit, other=other: _in_units(_lead(text), unit, other) + text.lstrip()


def _in_units(lead: str, unit: str, other: str) -> str:
    if lead.strip(unit[0]):
        return lead
    return other * (len(lead) // len(unit)) + unit[0] * (len(lead) % len(unit))


def _lead(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _is_note(text: str, known: _Known) -> bool:
    """Whether a comment says that lines are gone, and is not in the file itself."""
    if text in known.count:
        return False
    note = _NOTE.fullmatch(comment_body(text.strip()) or "")
    return note is not None and (note["gone"] is None or note["gone"] in known.leads)


def _without_slips(lines: Sequence[Line], known: _Known) -> list[Line]:
    """Context that is spelled carelessly is that of the file: between lines of it, and where something else changes."""
    shown = {line.text for line in lines}
    changed = [line.text not in known.count or line.kind == "removed" for line in lines]
    found, slips = list(lines), 0
    for number, line in enumerate(lines):
        meant = known.spelled.get(_form(line.text), ())
        beside = changed[max(0, number - 1) : number] + changed[number + 1 : number + 2]
        if changed[number] and not line.added and len(meant) == 1 and not any(beside) and meant[0] not in shown:
            found[number], slips = replace(line, text=meant[0]), slips + 1
    return found if slips < sum(changed) or not known.find([line.text for line in found]) else list(lines)


def _form(text: str) -> str:
    """A line with one kind of quotes."""
    return _STRING.sub(r'"\2"', text)


def _widened(lines: Sequence[Line], known: _Known) -> tuple[list[Line], bool, bool]:
    """A hunk of a diff without what it removes, with context up to a line that stands once on both sides."""
    places = known.find([line.text for line in lines if not line.added])
    kept = [line for line in lines if line.kind != "removed"]
    if len(places) != 1:
        return kept, False, False
    start, end = places[0], places[0] + sum(not line.added for line in lines)
    above = _context(known, lines[0], range(start - 1, max(start - 1 - CONTEXT, -1), -1))
    below = _context(known, lines[-1], range(end, min(end + CONTEXT, len(known.lines))))
    return [*above[::-1], *kept, *below], start == len(above), end + len(below) == len(known.lines)


def _context(known: _Known, edge: Line, numbers: range) -> list[Line]:
    found: list[Line] = []
    if not edge.added and edge.kind == "code" and known.count[edge.text] == 1:
        return found
    for number in numbers:
        found.append(Line(known.lines[number], "code"))
        if known.count[known.lines[number]] == 1:
            break
    return found
