"""In: a window of a file, and what was changed last. Out: the prompt of Sweep's models, written, or read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.next.recognised import Has, Recognised, TemplateError, joined, need

FILE, END, CURSOR = "<|file_sep|>", "<|endoftext|>", "<|cursor|>"
_NAME = "sweep"
_HEADER = re.compile(rf"^{re.escape(FILE)}(original|current|updated)/([^\n]+)\n", re.MULTILINE)
_FILE = re.compile(rf"^{re.escape(FILE)}(?=[^\n]*\n)", re.MULTILINE)
_LAST_CHANGES, _LONGEST_CHANGE = 3, 40
_UPDATED = re.compile(r"^updated:\n(.*)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Change:
    """Lines of a file before and after one of the last changes, in its order."""

    path: str
    before: str
    after: str


def write(
    path: str, window: str, changes: Sequence[Change] = (), original: str | None = None, others: str = ""
) -> Recognised:
    """The prompt for the new window, as Zed writes it; `original` is the window before the last change.

    `others` is text that stands before all else, such as the file around the window.
    """
    parts = [Part(FILE, True), Part(f"{path}\n{_closed(others)}")] if others else []
    for change in changes[-_LAST_CHANGES:]:
        said = f"original:\n{_closed(_short(change.before))}updated:\n{_closed(_short(change.after))}"
        parts += [Part(FILE, True), Part(f"{change.path}.diff\n{said}")]
    for name, text in (("original", window if original is None else original), ("current", window)):
        parts += [Part(FILE, True), Part(f"{name}/{path}\n{_closed(text)}")]
    parts += [Part(FILE, True), Part(f"updated/{path}\n")]
    return _recognised(parts, _closed(window), "", [change.after for change in changes], path)


def at_cursor(path: str, text: str, cursor: int, changes: Sequence[Change] = (), first: int = 1) -> Recognised:
    """The prompt for a text from the cursor's line on, as cursortab writes it: a whole short file, or its lines from
    `first` on; `cursor` is an offset in the text.
    """
    lines = f"{path}:{first}:{first + text.count(chr(10))}"
    parts = [Part(FILE, True), Part(f"{path}\n{text}\n")]
    for change in changes:
        said = f"original:\n{change.before}\nupdated:\n{change.after}\n"
        parts += [Part(FILE, True), Part(f"{change.path}.diff\n{said}")]
    marked = f"{text[:cursor]}{CURSOR}{text[cursor:]}"
    for name, window in (("original", text), ("current", marked)):
        parts += [Part(FILE, True), Part(f"{name}/{lines}\n{window}\n")]
    written = text[: text.rfind("\n", 0, cursor) + 1]
    parts += [Part(FILE, True), Part(f"updated/{lines}\n{written}")]
    return _recognised(parts, _closed(text), written, [change.after for change in changes], path)


def read(prompt: str, has: Has) -> Recognised | None:
    """None for what is no such prompt; raises TemplateError for one that is broken or that can be read twice."""
    if not prompt.startswith(FILE):
        return None
    headers = list(_HEADER.finditer(prompt))
    if not any(header[1] == "updated" for header in headers):
        return None
    need((FILE,), _NAME, has)
    original, current, updated = _sections(headers)
    before = prompt[: original.start()]
    parts = [part for text in _FILE.split(before)[1:] for part in (Part(FILE, True), Part(text))]
    parts += [Part(FILE, True), Part(prompt[original.start() + len(FILE) : current.start()]), Part(FILE, True)]
    window, marked = _window(prompt[original.end() : current.start()], prompt[current.end() : updated.start()], has)
    parts += [Part(prompt[current.start() + len(FILE) : current.end()]), *marked]
    parts += [Part(FILE, True), Part(prompt[updated.start() + len(FILE) :])]
    written = prompt[updated.end() :]
    changes = [found[1] for text in _FILE.split(before)[1:] if (found := _UPDATED.search(text))]
    return _recognised(parts, window, written, changes, updated[2])


def _recognised(parts: list[Part], window: str, written: str, changes: list[str], path: str) -> Recognised:
    """What was written already is not drafted again."""
    left = window.removeprefix(written) if window.startswith(written) else window
    sources = [Source("original", (Part(left), Part(FILE, True)))]
    if changes:
        sources.append(Source("update", (Part("\n".join(changes)),)))
    return Recognised(_NAME, Prompt(joined(parts), tuple(sources)), (FILE, END), window, path)


def _sections(headers: list[re.Match[str]]) -> tuple[re.Match[str], re.Match[str], re.Match[str]]:
    """The headers of the three windows, one file's; raises TemplateError where that is not clear."""
    path = next(header[2] for header in reversed(headers) if header[1] == "updated")
    same = [header for header in headers if header[2] == path]
    names = [header[1] for header in same]
    if names != ["original", "current", "updated"]:
        said = ", ".join(f"{name}/" for name in names)
        raise TemplateError(f"the prompt begins like the format sweep: of one file it has {said}, not each once")
    return same[0], same[1], same[2]


def _window(original: str, current: str, has: Has) -> tuple[str, tuple[Part, ...]]:
    """The current window without the mark of the cursor, and its parts; what else spells the mark is text."""
    spots = [spot.start() for spot in re.finditer(re.escape(CURSOR), current)]
    bare = [(spot, current[:spot] + current[spot + len(CURSOR) :]) for spot in spots]
    is_bare = current == original or not bare
    spot, window = (None, current) if is_bare else next((each for each in bare if each[1] == original), bare[0])
    if spot is None or not has(CURSOR):
        return window, (Part(current),)
    return window, (Part(current[:spot]), Part(CURSOR, True), Part(current[spot + len(CURSOR) :]))


def _closed(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _short(text: str) -> str:
    """A change of at most so many lines, the middle left out."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) <= _LONGEST_CHANGE:
        return text
    half = _LONGEST_CHANGE // 2
    return "\n".join([*lines[:half], "...", *lines[-(half - 1) :]])
