"""In: the steps of a call. Out: `Named`: the same numbered anew, so that a message says which text of which edit."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from redraft.edit.exact.steps import Replacement, Step
from redraft.edit.text.changes import split_lines

_OLD_AT = re.compile(r"the old text at line (\d+) of the answer")
_LINE = re.compile(r"(?:new text of )?line (\d+) of the answer")


@dataclass(frozen=True)
class Named:
    """Steps whose texts stand one below the other in `lines`; `starts` says where each begins."""

    steps: tuple[Step, ...]
    lines: tuple[str, ...]
    starts: tuple[int, ...]

    @staticmethod
    def of(steps: Sequence[Step]) -> "Named":
        found: list[Step] = []
        lines: list[str] = []
        starts: list[int] = []
        for step in steps:
            starts.append(len(lines))
            found.append(replace(step, line=len(lines) + 1))
            texts = (step.old, step.new) if isinstance(step, Replacement) else (step.text or "",)
            lines += [line for text in texts for line in split_lines(text)]
        return Named(tuple(found), tuple(lines), tuple(starts))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def said(self, message: str) -> str:
        """A message about the lines of an answer, in the words of calls."""
        message = _OLD_AT.sub(lambda found: f"the old text{self._of(int(found[1]))}", message)
        return _LINE.sub(lambda found: self._line(int(found[1])), message).replace("the answer", "the call")

    def _of(self, line: int) -> str:
        return f" of edit {self._edit(line) + 1}" if len(self.steps) > 1 else ""

    def _edit(self, line: int) -> int:
        return max(bisect_right(self.starts, line - 1) - 1, 0)

    def _line(self, line: int) -> str:
        step, at = self.steps[self._edit(line)], line - self.starts[self._edit(line)]
        old = len(split_lines(step.old)) if isinstance(step, Replacement) else 0
        text, at = ("old", at) if at <= old else ("new", at - old)
        return f"line {at} of the {text} text{self._of(line)}"
