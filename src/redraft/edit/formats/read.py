"""In: the lines of a chat answer, and of the file if it is known. Out: the answer with all edits as fenced diffs.

What agents have as formats of their own is read here once: all readers behind see fences with diffs or code.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from redraft.edit.formats.calls import calls
from redraft.edit.formats.conflicts import conflicts
from redraft.edit.formats.edit import Edit
from redraft.edit.formats.numbered import numbered
from redraft.edit.formats.tags import is_wrapper, path_in, tagged
from redraft.edit.formats.transcripts import transcripts

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})([^`]*)")
_THOUGHT = re.compile(r"\s*<(think(?:ing)?|thoughts?|reasoning|scratchpad|analysis|reflection)>.*", re.IGNORECASE)
_NAMED = re.compile(r"[\s#*`]*(?:(?://|--|/\*|<!--)\s*)?([\w@.+\-/\\\[\]()]*\w\.\w{1,10})[:*`]*(?:\s*(?:\*/|-->))?\s*")


def as_blocks(lines: Sequence[str], file: Sequence[str] = ()) -> list[str]:
    """The lines with each edit as a fence of its own; as they are where there is none in a format of its own."""
    known = {line.strip() for line in file}
    edits = _edits(lines, file, known)
    return list(_rewritten(lines, edits, known) if edits else lines)


def words_around(lines: Sequence[str]) -> list[str]:
    """The lines of an answer that stand in no fence, and in no edit of a format of its own."""
    inside = {at for edit in _edits(lines, (), set()) for at in range(edit.start, edit.end)}
    found: list[str] = []
    opening: re.Match[str] | None = None
    for line in (line for at, line in enumerate(lines) if at not in inside):
        if opening is not None:
            opening = None if _closes(line, opening) else opening
        elif (opening := _FENCE.fullmatch(line)) is None:
            found.append(line)
    return found


def without_thoughts(lines: Sequence[str], file: Sequence[str] = ()) -> list[str]:
    """The lines without what a model thinks aloud in tags before it answers."""
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    match = _THOUGHT.fullmatch(lines[first]) if first < len(lines) else None
    close = f"</{match[1]}>" if match else ""
    end = next((at for at in range(first, len(lines)) if match and close in lines[at]), None)
    if end is None or any(line.strip() == lines[first].strip() for line in file):
        return list(lines)
    return [lines[end].partition(close)[2], *lines[end + 1 :]]


def _edits(lines: Sequence[str], file: Sequence[str], known: Collection[str]) -> list[Edit]:
    """The edits of all formats, in order; one that begins in another is none."""
    found = [*conflicts(lines, known), *tagged(lines, known), *calls(lines, file), *numbered(lines)]
    if not found and not any(map(_FENCE.fullmatch, lines)):
        found = transcripts(lines)  # beside code they only tell of it
    ordered: list[Edit] = []
    for edit in sorted(found, key=lambda edit: edit.start):
        last = ordered[-1] if ordered else Edit(-1, 0)
        if edit.start >= last.end or (edit.start, edit.end) == (last.start, last.end):
            ordered.append(edit)
    return ordered


def _rewritten(lines: Sequence[str], edits: Sequence[Edit], known: Collection[str]) -> Iterator[str]:
    """The answer with fences for edits; fences and tags around them go, and words where all code is in edits.

    Code around edits in one fence is context of theirs.
    """
    inside = {at for edit in edits for at in range(edit.start, edit.end)}
    fenced = _fenced(lines, inside)
    sketches = [span for span in fenced if _is_sketch(lines, span, inside, known)]
    context = {at for span in sketches for at in span[1:-1]}
    ours = {span.start for span in sketches}
    frames = {at for span in fenced if span.start not in ours for at in (span.start, span.stop - 1)}
    others = (at for at, line in enumerate(lines) if at not in inside and at not in frames and _FENCE.fullmatch(line))
    has_code = any(others)
    path = ""
    begun: dict[int, list[Edit]] = defaultdict(list)
    for edit in edits:
        begun[edit.start].append(edit)
    below = _next(lines, known)
    for at, line in enumerate(lines):
        for edit in begun.get(at, ()):
            yield from edit.signed() if at in context else edit.of(path).lines()
        if at in inside or at in frames:
            continue
        is_frame = not line.strip() or _is_frame(line, known)
        path = path_in(line) or _name(line) or (path if is_frame else "")
        is_title = _name(line) and below[at] in inside
        if at in ours:
            yield _FENCE.sub(r"\1\2diff", line)
        elif at in context:
            yield f" {line}" if line.strip() else line
        elif has_code and not is_title and (not is_frame or not line.strip() or _FENCE.fullmatch(line)):
            yield line


def _next(lines: Sequence[str], known: Collection[str]) -> list[int]:
    """For each line the next one that says something and is no frame of an edit."""
    found, below = len(lines), list[int]()
    for at in reversed(range(len(lines))):
        below.append(found)
        if lines[at].strip() and not _is_frame(lines[at], known):
            found = at
    return below[::-1]


def _fenced(lines: Sequence[str], inside: Collection[int]) -> list[range]:
    """The fences around edits, both bounds included."""
    found: list[range] = []
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at]) if at not in inside else None
        end = at
        if opening is not None:
            below = (here for here in range(at + 1, len(lines)) if here not in inside)
            end = next((here for here in below if _closes(lines[here], opening)), len(lines))
        if any(here in inside for here in range(at + 1, end)):
            found.append(range(at, end + 1))
        at = end + 1
    return found


def _closes(line: str, opening: re.Match[str]) -> bool:
    match = _FENCE.fullmatch(line)
    return match is not None and match[2].startswith(opening[2]) and not match[3].strip()


def _is_sketch(lines: Sequence[str], span: range, inside: Collection[int], known: Collection[str]) -> bool:
    """Whether a fence has code besides its edits."""
    others = (lines[at] for at in span[1:-1] if at not in inside)
    return any(line.strip() and not _is_frame(line, known) and not _name(line) for line in others)


def _is_frame(line: str, known: Collection[str]) -> bool:
    return is_wrapper(line, known) or bool(path_in(line)) or _FENCE.fullmatch(line) is not None


def _name(line: str) -> str:
    """The file whose name is all that a line holds, "" where it holds more."""
    match = _NAMED.fullmatch(line)
    return match[1] if match else ""
