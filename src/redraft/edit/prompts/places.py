"""In: a file and its sketch. Out: the embedded model's own prompt: every line starts with the token of its place.

    <|start|> <|0|><|file|>  <|1|>first line  <|2|><|~2|>}  ...  <|n|><|end|>                               the file
    <|+0|><|update|>  <|+1|><|=1|>first line  <|+2|><|...|># ... existing code ...  <|+3|>new line ...    the sketch
    <|0|><|file|>                                         and here the output begins: <|1|>first line ...  <|n|><|end|>

A line of the output starts with the place of the line that it repeats. `<|=k|>` and `<|~k|>` say that a line's text
is that of line k of the file, which tells its place because it stands there once (=) or does not (~): equality of
text is stated, where a line belongs is for the model to find. What a line says once more is cut into numbered pieces,
`~<|:1|>~~~~<|:2|>~~~`: the last few tokens alone would not say how far the line is copied.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from redraft.edit.prompts.pointer import Pointer, bare
from redraft.edit.prompts.prompt import Format, Part, Prompt, Source
from redraft.edit.reading import SketchLine, read
from redraft.edit.request import Request
from redraft.edit.text.lines import is_telling
from redraft.errors import RedraftError, TooLongError

FILE_PLACES, SKETCH_PLACES = 1536, 768
COLUMNS = 64  # numbers of pieces, used over and over
REPEATED, PIECE = 6, 5  # characters that a line has to say twice to be cut there, and characters of a piece
WIDE = 2  # both for characters of several bytes
START, FILE, UPDATE, MARKER, NO_NEWLINE, END = (
    Part(f"<|{name}|>", special=True) for name in ("start", "file", "update", "...", "nonl", "end")
)


def file_place(number: int) -> Part:
    return Part(f"<|{number}|>", special=True)


def sketch_place(number: int) -> Part:
    return Part(f"<|+{number}|>", special=True)


def column(number: int) -> Part:
    return Part(f"<|:{number}|>", special=True)


def special_tokens() -> list[str]:
    """The spelling of every special token of the format."""
    kinds = ((FILE_PLACES, ""), (SKETCH_PLACES, "+"), (FILE_PLACES, "="), (FILE_PLACES, "~"))
    places = [f"<|{kind}{number}|>" for count, kind in kinds for number in range(count)]
    columns = [column(number).text for number in range(COLUMNS)]
    return [part.text for part in (END, START, FILE, UPDATE, MARKER, NO_NEWLINE)] + columns + places


class NumberedEdit:
    """A file and a sketch with a place for every line; `first` and `first_sketch` are the places of their beginnings.

    Raises RedraftError when there are more lines than places.
    """

    def __init__(self, original: str, update: str, path: str = "", first: int = 0, first_sketch: int = 0) -> None:
        self.original = _split(original)
        self.sketch = read([bare(line) for line in self.original], update, path)
        self.first, self.first_sketch = first, first_sketch
        _check_room("the file", len(self.original), FILE_PLACES - first)
        _check_room("the update", len(self.sketch), SKETCH_PLACES - first_sketch)
        self._count = Counter(bare(line) for line in self.original)
        self._seen = {bare(line): number for number, line in reversed(list(enumerate(self.original, 1)))}

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
        if self.sketch and (self.sketch[0].at_top or self._is_new(self.sketch[0])):
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
        count = self._count[bare(line)]
        is_unique = count == 1 and is_telling(line)
        if count and not (is_unique and in_file):
            yield Part(f"<|{'=' if is_unique else '~'}{self.first + self._seen[bare(line)]}|>", special=True)

    def _is_new(self, line: SketchLine) -> bool:
        return not line.marker and not self._count[bare(line.text)]

    def _is_marker(self, line: SketchLine) -> bool:
        return line.marker and not (line.text and self._count[bare(line.text)])

    def _sketched(self, line: SketchLine) -> Iterator[Part]:
        if self._is_marker(line):
            yield MARKER
        elif not line.text:
            yield Part(f"<|={self.first + len(self.original) + 1}|>", special=True)
        else:
            yield from self._equal(line.text)
        if line.text:
            yield from _pieces(line.text)
        else:
            yield UPDATE

    def output(self, text: str) -> tuple[Part, ...]:
        """The parts in which the model would spell `text`, the end included."""
        lines = _split(text)
        spelled = ((place, *_text(line)) for place, line in zip(self.places(lines), lines, strict=True))
        return tuple(part for parts in spelled for part in parts) + self.end()

    def places(self, lines: Sequence[str]) -> list[Part]:
        """For each output line the place of the line that it repeats, in the file or in the sketch."""
        return [
            file_place(self.first + place) if place > 0 else sketch_place(self.first_sketch - place)
            for place in self._pointer.labels(lines)
        ]

    def is_plain(self, text: str) -> bool:
        """Whether the rules alone, which the model is built with, write `text`."""
        pointer, place = self._pointer, 0
        for label in [*pointer.labels(_split(text)), len(self.original) + 1]:
            if pointer.next(place) != label:
                return False
            place = label
        return True

    @cached_property
    def _pointer(self) -> Pointer:
        texts, markers = [line.text for line in self.sketch], [self._is_marker(line) for line in self.sketch]
        return Pointer(self.original, texts, markers, any(line.at_top for line in self.sketch))


class LinesTemplate:
    """The embedded model's own template: file, sketch, output, each line with its place."""

    name = "redraft"
    output_format: Format = "whole"

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


def _split(text: str) -> list[str]:
    """Lines with their newlines; only a newline ends a line, so that the pieces are those of the file byte for byte."""
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])


def _text(line: str) -> tuple[Part, ...]:
    return _pieces(line) if line.endswith("\n") else (*_pieces(line), NO_NEWLINE)


def _pieces(line: str) -> tuple[Part, ...]:
    cuts = _cuts(line)
    pieces = [Part(line[start:stop]) for start, stop in pairwise([0, *cuts, len(line)])]
    marks = [column(number % COLUMNS) for number in range(1, len(pieces))]
    return (pieces[0], *(part for pair in zip(marks, pieces[1:], strict=True) for part in pair))


def _cuts(line: str) -> list[int]:
    """Where a line says what it has said before, behind its indentation: every PIECE characters."""
    cuts: list[int] = []
    said: set[str] = set()
    repeated = 0  # up to here
    for at in range(len(line) - len(line.lstrip()), len(line)):
        size = REPEATED if line[at : at + WIDE].isascii() else WIDE
        run = line[at : at + size]
        if run in said:
            repeated = at + size
        elif len(run) == size:
            said.add(run)
        piece = PIECE if line[at - WIDE : at].isascii() else WIDE
        if at < repeated and (not cuts or at >= cuts[-1] + piece):
            cuts.append(at)
    return cuts


def _check_room(what: str, lines: int, places: int) -> None:
    if lines + 2 > places:
        raise TooLongError(f"{what} has {lines:,} lines; the embedded model reads up to {places - 2:,}")
