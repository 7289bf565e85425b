"""In: changes, and someone at a terminal. Out: the changes with the hunks that they take."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TextIO

from redraft.changes.answer import AnswerResult
from redraft.changes.change import Change, lines_of
from redraft.cli import show, streams
from redraft.errors import RedraftError

_HELP = "y: take this hunk, n: leave it, a: take all that is left, q: leave all that is left"
_CONTEXT = 3
_Hunk = Sequence[tuple[str, int, int, int, int]]


class Questions:
    """Asks on the terminal, also where the answer was piped in; `a` and `q` answer all that follows."""

    def __init__(self, without: str = "--interactive needs a terminal") -> None:
        try:
            self._terminal: TextIO = sys.stdin if sys.stdin.isatty() else open(_terminal_name())  # noqa: SIM115
        except OSError as error:
            raise RedraftError(without) from error
        self._rest: bool | None = None

    def ask(self, what: str, keys: str) -> str:
        """The first letter of what is typed, in lower case; "" for an empty line, "q" at the end of the input."""
        sys.stderr.write(streams.visible(f"{what} [{','.join(keys)}] "))
        sys.stderr.flush()
        answer = self._terminal.readline()
        return answer.strip().lower()[:1] if answer else "q"

    def take(self, what: str) -> bool:
        while self._rest is None:
            key = self.ask(what, "ynaq?")
            if key in ("y", "n"):
                return key == "y"
            if key in ("a", "q"):
                self._rest = key == "a"
            else:
                streams.tell(_HELP)
        return self._rest


def chosen(changes: Sequence[Change], questions: Questions) -> Iterator[Change]:
    """The changes as far as they are taken."""
    for change in changes:
        if change.operation != "edit":
            streams.tell(show.coloured(change.diff()) if show.has_colours() else change.diff())
            if questions.take(f"{change.operation} {change.path}?"):
                yield change
        elif change.changes_anything:
            yield replace(change, result=replace(change.result, output=_picked(change, questions)))
        else:
            yield change


def is_offered(done: AnswerResult, wanted: show.Wanted) -> bool:
    """Whether a refused answer is shown and asked about: where there is a text, and somebody who sees it."""
    is_refused = not done.is_accepted and all(change.is_possible for change in done.changes)
    is_only_written = not (wanted.is_dry or wanted.records or wanted.ask_again)
    return is_refused and is_only_written and sys.stdout.isatty() and sys.stderr.isatty()


def wants_best(changes: Sequence[Change], questions: Questions) -> bool:
    """Shows what a refused answer most probably means, and what is in doubt, and asks whether to write it."""
    for change in changes:
        streams.tell(show.coloured(change.diff()) if show.has_colours() else change.diff())
        for line in show.doubts(change):
            streams.tell(line)
    while True:
        key = questions.ask("write this, though it may be wrong?", "ynm?")
        if key in ("y", "n", "q"):
            return key == "y"
        if key == "m":
            for change in changes:
                streams.tell(f"\n{change.result.ask_again}")
        else:
            streams.tell(
                "y: write it (redraft undo takes it back), n: leave the file, m: what to ask the chat model for"
            )


def _picked(change: Change, questions: Questions) -> str:
    old, new = lines_of(change.file.text), lines_of(change.after or "")
    hunks = list(SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_CONTEXT))
    text: list[str] = []
    at = 0
    for number, hunk in enumerate(hunks, 1):
        shown = "".join(_lines(hunk, old, new))
        streams.tell(show.coloured(shown) if show.has_colours() else shown)
        is_taken = questions.take(f"{change.path}, hunk {number} of {len(hunks)}: take it?")
        start, end, new_start, new_end = hunk[0][1], hunk[-1][2], hunk[0][3], hunk[-1][4]
        text += old[at:start]
        text += new[new_start:new_end] if is_taken else old[start:end]
        at = end
    return "".join([*text, *old[at:]])


def _lines(hunk: _Hunk, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    yield f"@@ -{hunk[0][1] + 1} +{hunk[0][3] + 1} @@\n"
    for kind, start, end, new_start, new_end in hunk:
        yield from (f"{' ' if kind == 'equal' else '-'}{line.rstrip(chr(10))}\n" for line in old[start:end])
        if kind != "equal":
            yield from (f"+{line.rstrip(chr(10))}\n" for line in new[new_start:new_end])


def _terminal_name() -> str:
    return "CON" if os.name == "nt" else "/dev/tty"
