"""In: a text, and which of its lines are selected. Out: what stands before, in and behind them, and new versions."""

from msgspec import Struct

from redraft.edit.text.changes import ended_lines
from redraft.edit.text.endings import Endings
from redraft.errors import RedraftError

_BYTE_ORDER_MARK = "\ufeff"


class Selection(Struct, frozen=True):
    """`before`, `selected` and `after` make up the text, byte for byte; `ending` is how most of its lines end."""

    before: str
    selected: str
    after: str
    ending: str

    @staticmethod
    def of(text: str, first: int, last: int) -> "Selection":
        """Lines `first` to `last`, counted from 1; raises RedraftError where the text has no such lines."""
        mark = _BYTE_ORDER_MARK * text.startswith(_BYTE_ORDER_MARK)
        ending = Endings.of(text).usual
        lines = ended_lines(text.removeprefix(mark), ending[-1])
        if last < first:
            raise RedraftError(f"the lines {first}-{last} end before they begin: did you mean {last}-{first}?")
        if first < 1:
            raise RedraftError(f"there is no line {first}: lines are counted from 1")
        if last > len(lines):
            there = f"its last line is {len(lines):,}" if lines else "it is empty"
            raise RedraftError(f"the file has no lines {first}-{last}: {there}")
        before, after = "".join(lines[: first - 1]), "".join(lines[last:])
        return Selection(mark + before, "".join(lines[first - 1 : last]), after, ending)

    @property
    def text(self) -> str:
        """The selected lines with newlines alone; the last one ends in nothing where the file ends so."""
        return self._endings().text

    @property
    def surroundings(self) -> tuple[str, str]:
        """What stands before and behind, with newlines alone."""
        return self._plain(self.before.removeprefix(_BYTE_ORDER_MARK)), self._plain(self.after)

    def plain(self, new: str) -> str:
        """The whole text with these lines in place of the selected ones, with newlines alone."""
        before, after = self.surroundings
        return before + self._ending_as_before(new) + after

    def replaced(self, new: str) -> str:
        """The whole text with these lines in place of the selected ones: all else is as it was, byte for byte.

        They end as the selected ones do, the last one as the last one.
        """
        endings = self._endings()
        text = endings.restored(self._ending_as_before(new))
        return self.before + (text if endings.endings else text.replace("\n", self.ending)) + self.after

    def _ending_as_before(self, new: str) -> str:
        return new and new.removesuffix("\n") + "\n" * self.text.endswith("\n")

    def _endings(self) -> Endings:
        """Of a last line that ends in nothing carriage returns are no endings, unless they are all over the file."""
        is_ended = "\n" in self.selected or self.ending == "\r"
        return Endings.of(self.selected) if is_ended else Endings(self.selected, ())

    def _plain(self, text: str) -> str:
        return text.replace("\r" if self.ending == "\r" else "\r\n", "\n")
