"""In: a file and its sketch. Out: the embedded model's own prompt: every line starts with the token of its place.

    <|start|> <|0|><|file|>  <|1|>first line  <|2|><|~2|>}  ...  <|n|><|end|>                               the file
    <|+0|><|update|>  <|+1|><|=1|>first line  <|+2|><|...|># ... existing code ...  <|+3|>new line ...    the sketch
    <|0|><|file|>                                         and here the output begins: <|1|>first line ...  <|n|><|end|>

A line of the output starts with the place of the line that it repeats. `<|=k|>` and `<|~k|>` say that a line's text
is that of line k of the file, which stands there once (=) or several times (~): equality of text is stated, where a
line belongs is for the model to find.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from redraft.edit.prompt import Part, Prompt, Source
from redraft.edit.request import Request
from redraft.edit.sketch import blocks
from redraft.errors import RedraftError

FILE_PLACES, SKETCH_PLACES = 1536, 768
START, FILE, UPDATE, MARKER, NO_NEWLINE, END = (
    Part(f"<|{name}|>", special=True) for name in ("start", "file", "update", "...", "nonl", "end")
)


def file_place(number: int) -> Part:
    return Part(f"<|{number}|>", special=True)


def sketch_place(number: int) -> Part:
    return Part(f"<|+{number}|>", special=True)


def special_tokens() -> list[str]:
    """The spelling of every special token of the format."""
    kinds = ((FILE_PLACES, ""), (SKETCH_PLACES, "+"), (FILE_PLACES, "="), (FILE_PLACES, "~"))
    places = [f"<|{kind}{number}|>" for count, kind in kinds for number in range(count)]
    return [part.text for part in (END, START, FILE, UPDATE, MARKER, NO_NEWLINE)] + places


@dataclass(frozen=True)
class SketchLine:
    """A line of the sketch as the model reads it; a cut between two snippets is a marker without text."""

    text: str
    marker: bool


def sketch_lines(update: str, path: str = "") -> list[SketchLine]:
    """The lines of all blocks of an update, with a cut after each block; lines that a diff removes are left out."""
    lines = []
    for block in blocks(update, path):
        for line in block.lines:
            if line.kind != "removed":
                lines.append(SketchLine(line.text + "\n", line.kind == "marker"))
        lines.append(SketchLine("", True))
    return lines


class NumberedEdit:
    """A file and a sketch with a place for every line; `first` and `first_sketch` are the places of their beginnings.

    Raises RedraftError when there are more lines than places.
    """

    def __init__(self, original: str, update: str, path: str = "", first: int = 0, first_sketch: int = 0) -> None:
        self.original = _split(original)
        self.sketch = sketch_lines(update, path)
        self.first, self.first_sketch = first, first_sketch
        _check_room("the file", len(self.original), FILE_PLACES - first)
        _check_room("the update", len(self.sketch), SKETCH_PLACES - first_sketch)
        self._count = Counter(_bare(line) for line in self.original)
        self._seen = {_bare(line): number for number, line in reversed(list(enumerate(self.original, 1)))}

    def prompt(self) -> Iterator[Part]:
        """The whole prompt, up to where the output begins."""
        yield START
        yield from self._beginning()
        for number, line in enumerate(self.original, 1):
            yield file_place(self.first + number)
            yield from self._equal(line, in_file=True)
            yield from _text(line)
        yield from self.end()
        yield sketch_place(self.first_sketch)
        if self.sketch and self._is_new(self.sketch[0]):
            yield Part(f"<|={self.first}|>", special=True)
        yield UPDATE
        for number, sketched in enumerate(self.sketch, 1):
            yield sketch_place(self.first_sketch + number)
            yield from self._sketched(sketched)
        yield from self._beginning()

    def _beginning(self) -> Iterator[Part]:
        yield file_place(self.first)
        yield FILE

    def end(self) -> tuple[Part, Part]:
        """What ends the output."""
        return file_place(self.first + len(self.original) + 1), END

    def _equal(self, line: str, in_file: bool = False) -> Iterator[Part]:
        count = self._count[_bare(line)]
        if count > 1 or (count == 1 and not in_file):
            yield Part(f"<|{'=' if count == 1 else '~'}{self.first + self._seen[_bare(line)]}|>", special=True)

    def _is_new(self, line: SketchLine) -> bool:
        return not line.marker and not self._count[_bare(line.text)]

    def _sketched(self, line: SketchLine) -> Iterator[Part]:
        if line.marker and not (line.text and self._count[_bare(line.text)]):
            yield MARKER
        else:
            yield from self._equal(line.text)
        if line.text:
            yield Part(line.text)
        else:
            yield UPDATE

    def output(self, text: str) -> tuple[Part, ...]:
        """The parts in which the model would spell `text`, the end included."""
        lines = _split(text)
        spelled = ((place, *_text(line)) for place, line in zip(self.places(lines), lines, strict=True))
        return tuple(part for parts in spelled for part in parts) + self.end()

    def places(self, lines: Sequence[str]) -> list[Part]:
        """For each output line the place of the line that it repeats, in the file or in the sketch."""
        shown = _matches([line.text if not line.marker else "" for line in self.sketch], lines)
        known = self._without_chance(lines, _aligned(self.original, lines), shown)
        found, last = [], 0
        for at, line in enumerate(lines):
            number = known[at]
            if number is not None:
                found.append(file_place(self.first + number + 1))
                continue
            last = shown[at] + 1 if at in shown else self._in_sketch(line, last)
            found.append(sketch_place(self.first_sketch + last))
        return found

    def _without_chance(self, lines: Sequence[str], known: list[int | None], shown: Container[int]) -> list[int | None]:
        """Lines that the file holds several times (braces, blanks) say nothing where new lines end.

        The first one after new lines is new like them if the sketch shows it; so is a run of them between new lines.
        """
        kept = list(known)
        common = [self._count[_bare(line)] > 1 for line in lines]
        for start, stop in _runs(known):
            if start > 0 and known[start - 1] is None:
                if common[start] and start in shown:
                    kept[start] = None
                if stop < len(lines) and known[stop] is None and all(common[start:stop]):
                    kept[start:stop] = [None] * (stop - start)
        return kept

    def _in_sketch(self, line: str, last: int) -> int:
        """The number of the next sketch line after `last` with this text, else of the first, else of the next."""
        numbers = [n for n, sketched in enumerate(self.sketch, 1) if _bare(sketched.text) == _bare(line)]
        return next((n for n in numbers if n > last), numbers[0] if numbers else min(last + 1, len(self.sketch)))


class LinesTemplate:
    """The embedded model's own template: file, sketch, output, each line with its place."""

    name = "redraft"

    def prompt(self, request: Request, prediction: str | None) -> Prompt:
        """Raises RedraftError for a request without an update, or with more lines than places."""
        if not request.update.strip():
            raise RedraftError("the embedded model needs an update: it does not follow instructions alone")
        edit = NumberedEdit(request.original, request.update, request.path)
        sources = [] if prediction is None else [Source("prediction", edit.output(prediction))]
        sources.append(Source("original", edit.output(request.original)))
        numbered = [(sketch_place(n), *_text(line.text)) for n, line in enumerate(edit.sketch, 1) if line.text]
        sources.append(Source("update", tuple(part for parts in numbered for part in parts)))
        return Prompt(tuple(edit.prompt()), tuple(sources))


def _matches(source: Sequence[str], lines: Sequence[str]) -> dict[int, int]:
    """For the lines that also stand in the source, in order: their index there."""
    blocks = SequenceMatcher(None, source, lines, autojunk=False).get_matching_blocks()
    return {at + step: start + step for start, at, size in blocks for step in range(size)}


def _aligned(original: Sequence[str], lines: Sequence[str]) -> list[int | None]:
    """The index of the original line that each output line repeats; new lines stand as late as their text allows."""
    matches = _matches(original, lines)
    known = [matches.get(at) for at in range(len(lines))]
    for at in range(len(lines)):
        if known[at] is None:
            after = next((k for k in range(at + 1, len(lines)) if known[k] is not None), None)
            if after is not None and lines[at] == lines[after]:
                known[at], known[after] = known[after], None
    return known


def _runs(known: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """Where stretches of consecutive numbers start and stop."""
    start = 0
    for at in range(1, len(known) + 1):
        before, here = known[at - 1], known[at] if at < len(known) else None
        if before is None or here != before + 1:
            if before is not None:
                yield start, at
            start = at


def _split(text: str) -> list[str]:
    """Lines with their newlines; only a newline ends a line, so that the pieces are those of the file byte for byte."""
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])


def _text(line: str) -> tuple[Part, ...]:
    return (Part(line),) if line.endswith("\n") else (Part(line), NO_NEWLINE)


def _bare(line: str) -> str:
    return line.removesuffix("\n")


def _check_room(what: str, lines: int, places: int) -> None:
    if lines + 2 > places:
        raise RedraftError(f"{what} has {lines:,} lines; the embedded model reads up to {places - 2:,}")
