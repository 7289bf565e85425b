"""In: a text with any line endings. Out: the text with newlines alone, and the endings for a new version of it."""

import re
from collections import Counter

from msgspec import Struct

from redraft.edit.text.changes import line_changes
from redraft.edit.text.newlines import with_newlines

_ENDING = re.compile(r"\r\n|\n")


class Endings(Struct, frozen=True):
    """How each line of a text ends; a text whose only endings are carriage returns has these."""

    text: str
    endings: tuple[str, ...]

    @staticmethod
    def of(text: str) -> "Endings":
        if "\n" not in text and "\r" in text:
            return Endings(with_newlines(text), ("\r",) * text.count("\r"))
        return Endings(with_newlines(text), tuple(_ENDING.findall(text)))

    @property
    def usual(self) -> str:
        """What most lines end in."""
        kinds = Counter(self.endings)
        return max(kinds, key=kinds.__getitem__, default="\n")

    def restored(self, text: str) -> str:
        """A new version: lines, changed or not, end as they did, new lines as the line before or most lines do."""
        usual = self.usual
        if len(set(self.endings)) < 2:
            return text.replace("\n", usual)
        old, new = self.text.split("\n"), text.split("\n")
        ends: list[str] = []
        at = 0
        for change in line_changes(old, new):
            ends += self.endings[at : change.start]
            count, replaced = change.after_end - change.after_start, self.endings[change.start : change.end]
            ends += replaced[:count]
            ends += [ends[-1] if ends else usual] * (count - len(replaced))
            at = change.end
        ends += self.endings[at:]
        ends += [usual] * (len(new) - len(ends))
        return "".join(line + end for line, end in zip(new[:-1], ends, strict=False)) + new[-1]
