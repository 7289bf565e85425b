"""In: lines of an answer. Out: `Line` and `Block`, the values that a reading of them travels in."""

from typing import Literal

from msgspec import Struct

Kind = Literal["code", "marker", "removed"]


class Line(Struct, frozen=True):
    """One line of an answer without its newline; `added` says that a diff marks it as new."""

    text: str
    kind: Kind
    added: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether it is a blank line that no diff adds or takes away."""
        return self.kind == "code" and not self.added and not self.text.strip()


class Block(Struct, frozen=True):
    """Consecutive lines of code, `blanks` of them at the end left out.

    `info` is the language that its fence names, `title` the file, `prose` what the answer says right before it.
    `doubt` is the greatest chance that a comment that is taken for code is a note to the reader. `old` are lines of the
    file, stripped, that the block had as comments to show what is gone.
    `is_faithful`: the answer says nothing beside its code: what it shows is what is meant, spaces and comments too.
    `is_separated`: the words speak of commas or semicolons, so that those shown are meant; `is_quoted`: of quotes.
    """

    lines: tuple[Line, ...]
    blanks: int = 0
    info: str = ""
    title: str = ""
    prose: str = ""
    doubt: float = 0.0
    old: frozenset[str] = frozenset()
    is_faithful: bool = False
    is_separated: bool = False
    is_quoted: bool = False

    @staticmethod
    def plain(text: str) -> "Block":
        """A block that shows a text."""
        return Block(tuple(Line(line, "code") for line in text.splitlines()))

    @property
    def explicit(self) -> bool:
        """Whether a diff names what goes and what comes."""
        return any(line.added or line.kind == "removed" for line in self.lines)

    @property
    def texts(self) -> list[str]:
        return [line.text for line in self.lines]

    @property
    def code(self) -> list[str]:
        """What it shows of the file: no markers, and nothing that a diff takes away."""
        return [line.text for line in self.lines if line.kind == "code"]

    @property
    def markers(self) -> list[int]:
        """Which of its lines are markers."""
        return [at for at, line in enumerate(self.lines) if line.kind == "marker"]

    @property
    def has_markers(self) -> bool:
        return any(line.kind == "marker" for line in self.lines)
