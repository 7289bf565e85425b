"""In: a text as a model writes it, and what it may repeat. Out: why it has run away; "" as long as it has not."""

from collections.abc import Sequence

_STEP = 100  # characters between two looks at a line that does not end
_MARK = 32  # characters that find where a text was the same before
_LEAST = 400  # characters that say the same again and again; shorter runs are rules, tables and long literals
_TIMES = 4
_REACH = 20_000  # characters back in which a repetition is looked for
_LONGER = 1.5  # times what was expected, from where on new lines have to come
_SPARE = 400


class Runaway:
    """Says of a growing text when it says the same again and again, or is far too long and has nothing new.

    `expected` is what the text will probably be, "" where nobody knows; what repeats itself in one of `sources` may do
    so here. Where it stops depends on the text alone and not on how it is cut.
    """

    def __init__(self, expected: str, sources: Sequence[str]) -> None:
        self.expected = len(expected)
        self._sources = [text for text in (expected, *sources) if text]
        self._most = int(_LONGER * len(expected)) + _SPARE if expected else None
        self._text, self._seen, self._line = "", set[str](), 0
        self._new = 0  # where the last new line ends
        self.reason = ""

    def feed(self, text: str) -> bool:
        """Whether the text has run away with what is added to it; `reason` says how."""
        for piece in text.splitlines(keepends=True):
            for at in range(0, len(piece), _STEP):
                self._text += piece[at : at + _STEP]
                self.reason = self.reason or self._looked()
            if self.reason:
                return True
        return False

    def _looked(self) -> str:
        if self._text.endswith("\n"):
            self._take(self._text[self._line :].strip())
            self._line = len(self._text)
        if again := self._again():
            return f"it repeats {_shown(again)} again and again"
        if self._most is not None and len(self._text) > self._most and len(self._text) - self._new > self._most // 3:
            return f"it is far longer than the file should be, with nothing new in its last {self._old_lines()} lines"
        return ""

    def _take(self, line: str) -> None:
        if line and line not in self._seen:
            self._seen.add(line)
            self._new = len(self._text)

    def _old_lines(self) -> int:
        return self._text.count("\n", self._new)

    def _again(self) -> str:
        """What the end of the text says again and again, at least `_TIMES`; "" for what a source has, too."""
        text = self._text[-_REACH:]
        before = text.rfind(text[-_MARK:], 0, len(text) - 1) if len(text) > _LEAST else -1
        if before < 0:
            return ""
        period = len(text) - before - _MARK
        length = max(_LEAST, _TIMES * period)
        if length > len(text) or text[-length:-period] != text[period - length :]:
            return ""
        is_known = any(text[-length:] in source for source in self._sources)
        return "" if is_known else text[-period:]


def _shown(text: str) -> str:
    """A piece of text on one line, at most 60 characters of it."""
    line = next((line.strip() for line in text.split("\n") if line.strip()), text.strip() or "blank lines")
    return repr(line if len(line) <= 60 else f"{line[:57]}...") if line != "blank lines" else line
