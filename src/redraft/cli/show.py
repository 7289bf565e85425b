"""In: changes, and what was done with them. Out: diffs and records on standard output, a line a file on the other."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.changes.answer import AnswerResult
from redraft.changes.change import Change
from redraft.cli import streams
from redraft.edit.align.likeness import quoted
from redraft.edit.text.changes import text_changes
from redraft.errors import RedraftError
from redraft.files.read import encode

_COLOURS = {"+": "32", "-": "31", "@": "36"}
_VERBS = {"edit": "written", "create": "created", "delete": "deleted", "rename": "renamed"}
_WOULD = {"edit": "would apply", "create": "would create", "delete": "would delete", "rename": "would rename"}


_MOST = 8  # warnings about a file
_IN_PART = ("truncated", "runaway")  # texts that nobody meant
_LIKELIEST = "the likeliest meaning of what is refused below; nothing is written, and --best would write it:"


@dataclass(frozen=True)
class Wanted:
    """What is printed: the diff, the new text, records, or what to ask for; `is_dry` says that nothing is written,
    `has_ways` that options of the call are ways on from a refusal."""

    diff: bool
    text: bool
    records: bool
    check: bool
    is_dry: bool
    ask_again: bool = False
    has_ways: bool = True


def report(done: AnswerResult, wanted: Wanted, force: bool, others: Sequence[str] = ()) -> int:
    """Prints what was done, or would be, and which other files the answer names; returns the exit code."""
    taken = all(change.is_possible and (change.is_accepted or force) for change in done.changes)
    try:
        _print(done, wanted, taken)
    except streams.OutputError as error:
        if done.written and not error.is_pipe:
            raise RedraftError(f"{error}; the files are written") from error
        raise
    for change in done.changes:
        write = streams.say if taken and change.is_accepted else streams.tell
        write(_line(change, taken, wanted))
        for warning in warnings(change):
            streams.tell(warning)
    _tell_notes(done, others)
    if not taken:
        _tell_ways(done, wanted)
        return 3
    return int(wanted.check and any(change.changes_anything for change in done.changes))


def _tell_notes(done: AnswerResult, others: Sequence[str]) -> None:
    if done.written and not done.is_accepted:
        streams.tell("warning: the guards refused this; look at it, and redraft undo takes it back")
    if done.commit:
        streams.say(f"committed as {done.commit}")
    if done.note:
        streams.tell(f"note: {done.note}")
    if others:
        streams.tell(f"note: the answer is also about {', '.join(others)}; --root . in place of FILE applies all of it")


def doubts(change: Change) -> list[str]:
    """Why a change is refused, and the lines that would vanish."""
    name = change.path or "standard input"
    return [f"{name}: in doubt ({change.result.status}): {change.result.message}", *warnings(change)]


def warnings(change: Change) -> list[str]:
    """The lines that go though the answer does not show them; none where the file goes as a whole or nothing came."""
    gone = change.result.vanished if change.operation in ("edit", "rename") else ()
    name = change.path or "standard input"
    lines = [
        f"{name}: warning: line {each.line} goes, and the answer does not show it: {quoted(each.text)}" for each in gone
    ]
    shows = "; --diff shows them" if change.is_accepted else "; --diff --best shows them"
    more = [f"{name}: warning: {len(lines) - _MOST} more such lines{shows}"] if len(lines) > _MOST else []
    return [*lines[:_MOST], *more]


def _print(done: AnswerResult, wanted: Wanted, taken: bool) -> None:
    if wanted.diff:
        _print_diff(done.diff(), taken)
    elif wanted.ask_again:
        streams.write("\n".join(change.result.ask_again for change in done.changes if change.result.ask_again))
    elif wanted.records:
        for change in done.changes:
            streams.write(json.dumps(change.record(done.written and change.changes_anything)) + "\n")
    elif wanted.text and taken:
        streams.write(encode(done.changes[0].file, done.changes[0].after or ""))


def _print_diff(text: str, taken: bool) -> None:
    """On standard output, where others apply it, only what would be written."""
    if taken:
        streams.write(coloured(text) if has_colours() else text)
    elif text and sys.stderr.isatty():
        streams.tell(_LIKELIEST)
        streams.tell(coloured(text) if has_colours() else text)


def _tell_ways(done: AnswerResult, wanted: Wanted) -> None:
    """What somebody may do about a refusal: who reads it did not write the answer."""
    if not wanted.records:
        streams.note(dict.fromkeys(each.result.way_on for each in done.changes if each.result.way_on))
    asks = any(change.result.ask_again for change in done.changes)
    has_text = all(each.is_possible and each.result.status not in _IN_PART for each in done.changes)
    ways = [
        *(["--ask-again prints a message for the chat model"] if asks else []),
        *(["--best writes the likeliest text"] if has_text else []),
    ]
    if ways and wanted.has_ways and not (wanted.records or wanted.ask_again):
        streams.say(f"note: to go on, add an option to this call: {', '.join(ways)}")


def coloured(text: str) -> str:
    """A diff with the colours that git uses."""
    shown = []
    for line in text.split("\n"):
        bold = line.startswith(("diff ", "--- ", "+++ ", "new file ", "deleted file ", "rename "))
        colour = "1" if bold else _COLOURS.get(line[:1])
        shown.append(f"\x1b[{colour}m{line}\x1b[m" if colour and line else line)
    return "\n".join(shown)


def has_colours() -> bool:
    """On a terminal, unless NO_COLOR is set; elsewhere only where FORCE_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")


def _line(change: Change, is_taken: bool, wanted: Wanted) -> str:
    result, name = change.result, change.path or "standard input"
    if not change.is_accepted and not is_taken:
        return f"{name}: not written ({result.status}): {result.message}"
    if not change.changes_anything:
        return f"{name}: no change{f': {result.message}' if result.message else ''}"
    if not is_taken:
        return f"{name}: not written, since another file was refused"
    done = "printed" if wanted.text else (_WOULD if wanted.is_dry else _VERBS)[change.operation]
    done += f" to {change.to}" if change.to else ""
    done += "" if change.is_accepted else f" all the same ({result.status}){_where(change)}"
    doubts = f"; {result.message}" if result.message else ""
    mended = f"; mended: {', '.join(result.healed)}" if result.healed else ""
    return f"{name}: {done}{_counted(change)}{_sure(change)}{doubts}{mended}"


def _where(change: Change) -> str:
    """Which lines of the file the likeliest text changes."""
    if change.operation != "edit" or change.after is None:
        return ""
    found = text_changes(change.file.text, change.after)
    spans = [(each.start + 1, each.end) if each.start < each.end else (max(each.start, 1), 0) for each in found]
    named = [str(start) if end <= start else f"{start}-{end}" for start, end in spans[:_MOST]]
    more = f" and {len(spans) - _MOST} more places" if len(spans) > _MOST else ""
    return f" at line{'s' if len(named) > 1 or '-' in named[0] else ''} {', '.join(named)}{more}" if named else ""


def _counted(change: Change) -> str:
    added, removed = change.counts()
    return "".join(_lines(count, what) for count, what in ((added, "added"), (removed, "removed")) if count)


def _lines(count: int, what: str) -> str:
    return f", {count:,} line{'' if count == 1 else 's'} {what}"


def _sure(change: Change) -> str:
    """How sure the edit is, and what the model took for it."""
    result = change.result
    if change.operation != "edit" or result.confidence == 0:
        return ""
    if result.confidence is None:
        return " (confidence unknown)"
    took = f", {result.seconds:.1f} s" if result.forwards else ""
    return f" (confidence {result.confidence:.2f}{took})"
