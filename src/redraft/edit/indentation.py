"""In: the lines of a sketch and the index of the original. Out: the same lines in the original's indentation."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from redraft.edit.likeness import TELLING, Index, head, indent, weight
from redraft.edit.sketch import Line


def reindent(lines: Sequence[Line], found: Index) -> tuple[Line, ...]:
    """The sketch in the original's tabs or spaces, and moved right or left where the whole of it was."""
    lines = _with_same_character(lines, found)
    shift = _shift(lines, found)
    if not shift:
        return tuple(lines)
    filler = "\t" if _uses_tabs(found.lines) else " "
    return tuple(replace(line, text=_moved(line.text, shift, filler)) for line in lines)


def _moved(text: str, shift: int, filler: str) -> str:
    if not text.strip():
        return text
    return filler * shift + text if shift > 0 else text[min(-shift, indent(text) or 0) :]


def _shift(lines: Sequence[Line], found: Index) -> int:
    votes: Counter[int] = Counter()
    known: list[int] = []
    for line in lines:
        text, width = line.text.strip(), indent(line.text)
        if width is None or line.kind == "marker" or weight(text) < TELLING or text not in found.texts:
            continue
        known.append(width)
        votes.update({(found.indents[at] or 0) - width for at in found.texts[text]})
    if not votes:
        return _shift_of_definitions(lines, found)
    if votes[0]:
        return 0
    shift, count = votes.most_common(1)[0]
    if count < 0.6 * len(known) or (shift < 0 and _is_wrapped(lines, known, found)):
        return 0
    return shift


def _shift_of_definitions(lines: Sequence[Line], found: Index) -> int:
    """What moves the first definition with a name that the original defines once to where it is defined there."""
    for line in lines:
        name, width = head(line.text.strip()), indent(line.text)
        places = found.heads.get(name, [])
        if name.kind == "definition" and width is not None and len(places) == 1:
            return (found.indents[places[0]] or 0) - width
    return 0


def _is_wrapped(lines: Sequence[Line], known: list[int], found: Index) -> bool:
    """Code moved under a new header is deeper than in the original, and the header is not in the original."""
    return any(
        width < min(known) and weight(line.text.strip()) >= TELLING and line.text.strip() not in found.texts
        for line in lines
        if line.kind == "code" and (width := indent(line.text)) is not None
    )


def _uses_tabs(lines: Sequence[str]) -> bool:
    tabs = sum(line.startswith("\t") for line in lines)
    return tabs > sum(line.startswith("  ") for line in lines)


def _with_same_character(lines: Sequence[Line], found: Index) -> Sequence[Line]:
    if not any(found.indents) or not any(indent(line.text) for line in lines):
        return lines
    ours, theirs = _uses_tabs(found.lines), _uses_tabs([line.text for line in lines])
    if ours == theirs:
        return lines
    if ours:
        unit = min((width for line in lines if (width := indent(line.text)) and width > 1), default=4)
        return [replace(line, text=_to_tabs(line.text, unit)) for line in lines]
    unit = min((width for width in found.indents if width and width > 1), default=4)
    return [replace(line, text=_to_spaces(line.text, unit)) for line in lines]


def _to_tabs(text: str, unit: int) -> str:
    width = len(text) - len(text.lstrip(" "))
    return "\t" * (width // unit) + " " * (width % unit) + text[width:]


def _to_spaces(text: str, unit: int) -> str:
    width = len(text) - len(text.lstrip("\t"))
    return " " * (width * unit) + text[width:]
