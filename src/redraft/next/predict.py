"""In: a file, the place of the cursor, and what was changed last. Out: the next edit: where, and what.

The window around the cursor is asked about first; where nothing changes there, windows around lines that still have
what the last changes took away. Without changes the lines around the cursor are mended. The embedded model has not been
trained for that: it fills the gap at the cursor.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from redraft.edit.prompts.regional import RegionTemplate
from redraft.edit.text.changes import line_changes
from redraft.engines import Chunk, Engine, Sampling
from redraft.errors import RedraftError
from redraft.next import fim, recognise, sweep
from redraft.next.recognise import asked, tokens_of
from redraft.next.recognised import need
from redraft.next.sweep import Change

ABOVE = BELOW = 10  # lines around the cursor, as Zed shows them
_OTHER_WINDOWS = 2
_BEFORE, _STEP = 150, 50  # lines above the window, from a multiple of the second on: what stands there is read once
_BEHIND = 50  # lines below the cursor that a model is shown which fills the gap there
_MOST = 64  # tokens of what it writes there
_WORD = re.compile(r"\w+")
Status = Literal["edit", "no_change", "cut_off"]
_NOTHING: Status = "no_change"


@dataclass(frozen=True)
class Situation:
    """A file as it is now, the cursor in it, counted from 1, and the last changes, oldest first.

    Raises RedraftError for a place that the file has not.
    """

    text: str
    line: int
    column: int = 1
    path: str = "file"
    changes: tuple[Change, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.line <= max(len(self.lines), 1) or self.column < 1:
            raise RedraftError(f"the cursor is at {self.line}:{self.column}, and the file has {len(self.lines)} lines")

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


@dataclass(frozen=True)
class NextEdit:
    """Lines `first` to `last`, counted from 1, become `text`; an insertion has `last` before `first`.

    `line` and `column` are the cursor's next place: the first character that changes. `output` is the new file.
    """

    status: Status
    path: str
    output: str
    first: int = 0
    last: int = 0
    text: str = ""
    line: int = 0
    column: int = 0
    tokens: int = 0
    forwards: int = 0
    drafted: int = 0
    accepted: int = 0

    def record(self) -> dict[str, Any]:
        """As `redraft next --json` and `/v1/next` tell it."""
        counts = {name: getattr(self, name) for name in ("tokens", "forwards", "drafted", "accepted")}
        record: dict[str, Any] = {"status": self.status, "path": self.path}
        if self.status == "edit":
            edit = {"first": self.first, "last": self.last, "text": self.text}
            record |= {"cursor": {"line": self.line, "column": self.column}, "edit": edit}
        return record | counts


def predict(engine: Engine, now: Situation, sampling: Sampling) -> NextEdit:
    """The first window in which something changes; raises TemplateError for a model without the tokens."""
    chunks, status = list[Chunk](), _NOTHING
    for start, end in islice(_windows(now), 1 if _fills(engine) else None):
        window = "\n".join(now.lines[start:end])
        written, new = anew(engine, now, start, end, sampling)
        chunks += written
        if new is None:
            status = "cut_off"
        elif not is_unfinished(window, new):
            return _edit(now, [*now.lines[:start], *new.split("\n"), *now.lines[end:]], chunks)
    return NextEdit(status, now.path, now.text, **_counts(chunks))


def anew(engine: Engine, now: Situation, start: int, end: int, sampling: Sampling) -> tuple[list[Chunk], str | None]:
    """What a model makes of lines `start:end`, counted from 0, among which the cursor is; None where it is cut off."""
    if _fills(engine):
        return _filled(engine, now, start, end, sampling)
    need((sweep.FILE,), "sweep", tokens_of(engine))
    chunks = list(generated(engine, now, start, end, sampling))
    return chunks, answer(chunks, "\n".join(now.lines[start:end]))


def _fills(engine: Engine) -> bool:
    """Whether a model fills gaps: the embedded one has not been trained for next edits."""
    return engine.template == RegionTemplate.name


def _filled(engine: Engine, now: Situation, start: int, end: int, sampling: Sampling) -> tuple[list[Chunk], str]:
    """The window with the statement that a model writes at the cursor."""
    at = now.line - 1
    above, below = shown_before(now.lines, at), now.lines[at + 1 : at + 1 + _BEHIND]
    left, right = now.lines[at][: now.column - 1], now.lines[at][now.column - 1 :]
    prefix = f"{above}\n{left}" if at else left
    found = fim.gap(prefix, "\n".join([right, *below]), path=now.path, has=tokens_of(engine))
    bounded = replace(sampling, max_tokens=min(sampling.max_tokens or _MOST, _MOST))
    chunks = list(recognise.generated(found, engine, bounded))
    text = "".join(chunk.text for chunk in chunks).rstrip("\n")
    line = f"{left}{text if text.strip() else ''}{right}"
    return chunks, "\n".join([*now.lines[start:at], line, *now.lines[at + 1 : end]])


def generated(engine: Engine, now: Situation, start: int, end: int, sampling: Sampling) -> Iterator[Chunk]:
    """What the model makes of lines `start:end`, counted from 0; it ends where a fence closes them."""
    window = "\n".join(now.lines[start:end])
    others = shown_before(now.lines, start)
    found = sweep.write(now.path, window, now.changes, before_last(window, now.changes), others)
    text = ""
    for chunk in engine.generate(*asked(found, engine, sampling)):
        text += chunk.text
        yield chunk
        if _is_fenced(text, window):
            return


def shown_before(lines: Sequence[str], start: int) -> str:
    """The lines above a window that a prompt shows; where they begin changes seldom, so that they are read once."""
    return "\n".join(lines[max(0, start - _BEFORE) // _STEP * _STEP : start])


def before_last(window: str, changes: Sequence[Change]) -> str:
    """The window before the last change, where that can be told."""
    if not changes or not changes[-1].after or window.count(changes[-1].after.removesuffix("\n")) != 1:
        return window
    return window.replace(changes[-1].after.removesuffix("\n"), changes[-1].before.removesuffix("\n"))


def answer(chunks: Sequence[Chunk], window: str) -> str | None:
    """The new window; None for one that was cut off, by its length or by a fence before its end."""
    text = "".join(chunk.text for chunk in chunks)
    new = cleaned(text, window)
    if _is_fenced(text, window):
        is_whole = new.count("\n") >= window.count("\n") or _last_line(new) == _last_line(window)
        return new if is_whole else None
    return new if chunks and chunks[-1].finish == "stop" else None


def _is_fenced(text: str, window: str) -> bool:
    """Whether a fence stands behind some text: models that chat close code so, and go on about it."""
    return "```" not in window and text.find("```", 3) > 0


def _last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def cleaned(text: str, window: str) -> str:
    """The window in an answer: without a fence around it, and ending as the window does."""
    if "```" not in window:
        text = re.sub(r"\A```[^\n]*\n", "", text).partition("```")[0]
    bare = window.rstrip("\n")
    return text.rstrip("\n") + window[len(bare) :]


def _windows(now: Situation) -> Iterator[tuple[int, int]]:
    """The lines around the cursor, then those around others that still have what was taken away; the nearest first."""
    at = now.line - 1
    seen = [around(at, len(now.lines))]
    yield seen[0]
    gone = gone_words(now.changes)
    places = (number for number, line in enumerate(now.lines) if gone.intersection(_WORD.findall(line)))
    for place in sorted(places, key=lambda place: abs(place - at)):
        if len(seen) <= _OTHER_WINDOWS and not any(start <= place < end for start, end in seen):
            seen.append(around(place, len(now.lines)))
            yield seen[-1]


def around(line: int, count: int) -> tuple[int, int]:
    """The window around a line, from 0, of a file of so many lines."""
    return max(0, line - ABOVE), min(count, line + BELOW + 1)


def gone_words(changes: Sequence[Change]) -> set[str]:
    """Words of the changes' lines before that none of them has after."""
    before, after = ({word for text in texts for word in _WORD.findall(text)} for texts in _both(changes))
    return {word for word in before - after if len(word) > 1}


def _both(changes: Sequence[Change]) -> tuple[list[str], list[str]]:
    return [change.before for change in changes], [change.after for change in changes]


def is_unfinished(window: str, new: str) -> bool:
    """Whether an answer is the window, or lacks only its end: the model stopped too early."""
    return window.rstrip("\n").startswith(new.rstrip("\n"))


def _edit(now: Situation, new: list[str], chunks: Sequence[Chunk]) -> NextEdit:
    """The first of the changes up to the last of them, as one edit."""
    found = line_changes(now.lines, new)
    start, end, after = found[0].start, found[-1].end, found[-1].after_end
    old, come = "\n".join(now.lines[start:end]), new[start:after]
    line, column = _first_difference(old, "\n".join(come)) if start < end and come else (0, 0)
    text = "".join(f"{each}\n" for each in come)
    place = {"first": start + 1, "last": end, "line": start + line + 1, "column": column + 1}
    return NextEdit("edit", now.path, "\n".join(new), text=text, **place, **_counts(chunks))


def _first_difference(old: str, new: str) -> tuple[int, int]:
    """The line and column, from 0, of the first character in which two texts differ."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return new.count("\n", 0, same), same - new.rfind("\n", 0, same) - 1


def _counts(chunks: Sequence[Chunk]) -> dict[str, Any]:
    tokens = sum(len(chunk.ids) if chunk.completion_tokens is None else chunk.completion_tokens for chunk in chunks)
    summed = {name: sum(getattr(chunk, name) for chunk in chunks) for name in ("forwards", "drafted", "accepted")}
    return {"tokens": tokens, **summed}
