"""In: a block of an answer. Out: the blocks that its comments on places (`# below load:`) cut it into.

Such a comment becomes the words before the lines that follow it, and is none of them.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.answer.signs import Texts
from redraft.edit.text.lines import width_of
from redraft.edit.words import Place, addressed, comment_body, sayings
from redraft.edit.words.grammar import THINGS
from redraft.edit.words.hints import speaks_of

_LIKELY = 0.4  # chance from which a comment that tells a place is taken for a note
_ARROWS = (">>", "->", "=>", "\u2192", "\u00bb")
_LEFT_OUT = re.compile(r"\b(?:up|down|through) to\b|\b(?:omitted|dropped|left out)\b", re.IGNORECASE)
_GOING_ON = (",", "(", "`", '"', "'")
_SIGNS = re.compile(r"[^\w(`'\"]*")
_BETWEEN = re.compile(r"(?:right |just |directly )?(?:in )?between (?!them\b|these\b|those\b|the two\b)", re.IGNORECASE)
_OPENED = re.compile(r"(?:[{(\[:]|\bdo|\bthen|\b(?:class|module|def|function|namespace|interface)\b.*)\s*$")
_CLOSER = re.compile(r"[)}\]]+[;,]?|end")
_HEADING = re.compile(
    r"(?:(?:in|inside|within|test|tests|method|function|func|fn|spec|case|class)\b[\s:]*)?"
    r"(?P<name>[\w$.:#]+?)(?:\(\))?\s*:?",
    re.IGNORECASE,
)
_NEIGHBOUR = ("before", "after", "between", "start", "end")
_LONGEST_LABEL = 3  # words of a comment that labels what was before and after


def divided(block: Block, file: Texts) -> Iterator[Block]:
    """A block cut before each note that tells the place of what follows."""
    if parts := _headed(block, file) or _in_versions(block, file):
        yield from parts
        return
    notes = {at: end for at, end in _notes(block.lines, file) if _cuts(block.lines, at, end, file)}
    notes = notes if any(tells_place(_text(block.lines[at:end]), file) for at, end in notes.items()) else {}
    prose = block.prose
    heads = _heads(block.lines[: min(notes, default=0)], file)
    for start, end in pairwise(sorted({0, *notes, len(block.lines)})):
        lines = block.lines[start:end]
        if start in notes:
            said = as_prose(_text(block.lines[start : notes[start]]), file)
            prose = f"{block.prose}\n\n{said}" if heads and start == min(notes) else said
            lines = _without_closers(block.lines[notes[start] : end], heads)
        elif heads:
            continue
        lines = _without_blank_ends(lines)
        if lines:
            blanks = block.blanks if end == len(block.lines) else 0
            yield replace(block, lines=lines, prose=prose, blanks=blanks, is_told=start in notes)


def _headed(block: Block, file: Texts) -> Sequence[Block]:
    """The blocks that comments cut it into of which each is the name of a declaration that the lines below are in; none
    where there are not several, one at the top."""
    lines = block.lines
    names = {at: name for at in range(len(lines)) if (name := _heading(lines, at, file))}
    if len(names) < 2 or block.explicit or any(not line.is_blank for line in lines[: min(names)]):
        return ()
    found: list[Block] = []
    for (at, name), end in zip(names.items(), (*list(names)[1:], len(lines)), strict=True):
        found.append(_part(block, at + 1, end, f"{block.prose}\n\n" * (not found) + f"In `{name}`:"))
    return found


def _part(block: Block, start: int, end: int, prose: str) -> Block:
    """Some lines of a block as one of its own."""
    lines = _without_blank_ends(block.lines[start:end])
    return replace(block, lines=lines, prose=prose, blanks=block.blanks if end == len(block.lines) else 0)


def _in_versions(block: Block, file: Texts) -> Sequence[Block]:
    """The blocks that comments cut it into which label in turn what was before and what comes after; none where lines
    labelled so are none of the file's."""
    lines = block.lines
    labels = {at: label for at in range(len(lines)) if (label := _version(lines[at], file))}
    turns = list(labels.values())
    if block.explicit or not turns or turns != ["before", "after"] * (len(turns) // 2):
        return ()
    found = [
        _part(block, at + 1, end, f"{block.prose}\n\n{name.title()}:")
        for (at, name), end in zip(labels.items(), (*list(labels)[1:], len(lines)), strict=True)
    ]
    is_known = all(line.is_blank or line.text.strip() in file.stripped for part in found[::2] for line in part.lines)
    is_all = all(line.is_blank for line in lines[: min(labels)]) and all(part.lines for part in found)
    return found if is_known and is_all else ()


def _version(line: Line, file: Texts) -> str:
    """Whether a line is no more than a label of what was "before", or comes "after"; "" for others."""
    body = comment_body(line.text.strip()) if line.text.strip() not in file.stripped else None
    words = (body or "").strip(" :-=*_.()[]<>")
    is_label = bool(words) and len(words.split()) <= _LONGEST_LABEL
    return next((each for each in ("before", "after") if is_label and speaks_of(each, words)), "")


def _heading(lines: Sequence[Line], at: int, file: Texts) -> str:
    """The declaration that a comment is the name of, with code below that does not open it; "" where it is none."""
    text = lines[at].text.strip()
    body = comment_body(text)
    match = _HEADING.fullmatch(body) if body and text not in file.stripped else None
    name = file.known.name(match["name"]) if match else ""
    below = lines[at + 1] if at + 1 < len(lines) else None
    is_inside = below is not None and below.kind == "code" and not below.is_blank and match is not None
    return name if is_inside and match["name"] not in below.text else ""  # type: ignore[index, union-attr]


def _cuts(lines: Sequence[Line], at: int, end: int, file: Texts) -> bool:
    """Whether a note tells a place, or stands outside of the code that follows and does not stand for code."""
    text = _text(lines[at:end])
    return tells_place(text, file) or (_is_outside(lines, at, range(at, end)) and not file.is_marker(f"// {text}"))


def directives(lines: Sequence[Line], chances: Mapping[int, float], file: Texts) -> set[int]:
    """The comments that tell a place and are more likely no code, or look as no other comment does; and those beside
    them in the same manner that stand less deep than the code below."""
    bodies = {at: comment_body(lines[at].text.strip()) or "" for at in chances}
    outside = {at for at in chances if _is_outside(lines, at, chances)}
    found = {
        at
        for at, chance in chances.items()
        if (chance > _LIKELY or at in outside or bodies[at].startswith(_ARROWS)) and tells_place(bodies[at], file)
    }
    leads = {_lead(lines[at].text) for at in found}
    return found | {at for at in outside if _lead(lines[at].text) in leads}


def _is_outside(lines: Sequence[Line], at: int, comments: Collection[int]) -> bool:
    """Whether a comment stands less deep than the code below it."""
    code = (line.text for place, line in enumerate(lines) if place > at and place not in comments)
    below = next((text for text in code if text.strip()), "")
    return width_of(below) > width_of(lines[at].text)


def _lead(text: str) -> str:
    """What stands in front of the words of a comment."""
    return _SIGNS.match(text)[0]  # type: ignore[index]


def tells_place(text: str, file: Texts) -> bool:
    """Whether the words of a comment say where in the file something goes, or what of it is replaced."""
    if _LEFT_OUT.search(text) or (file.is_marker(f"// {text}") and not _BETWEEN.match(text)):
        return False
    said = sayings(addressed(text, file.known), file.known)
    return any(
        (saying.verb in ("add", "replace", "") and any(map(_is_telling, saying.places)))
        or (saying.verb == "replace" and saying.names)
        for saying in said
    )


def _is_telling(place: Place) -> bool:
    """Whether a place has a name of the file, or is the start or end of what a file is one of."""
    return bool(place.names) and (place.relation in ("start", "end") or not {*place.names} <= {*THINGS})


def as_prose(text: str, file: Texts) -> str:
    """The words of a comment as a sentence before a block; one that only names neighbours says that lines are added."""
    words = addressed(text, file.known)
    said = sayings(words, file.known)
    is_bare = bool(said) and not any(saying.verb for saying in said)
    beside = any(place.relation in _NEIGHBOUR for saying in said for place in saying.places)
    return f"Add this {words[:1].lower()}{words[1:]}" if is_bare and beside and words.isascii() else words


def _notes(lines: Sequence[Line], file: Texts) -> Iterator[tuple[int, int]]:
    """The notes of a block, each with the lines of the comment that go on with its sentence."""
    at = 0
    while at < len(lines):
        end = at + 1
        if lines[at].kind == "marker" and comment_body(lines[at].text.strip()) is not None:
            while end < len(lines) and _goes_on(lines[end - 1].text, lines[end].text, file):
                end += 1
            yield at, end
        at = end


def _goes_on(above: str, text: str, file: Texts) -> bool:
    """Whether a line is a comment that goes on with the sentence of the one above: alike signs stand in front."""
    body = comment_body(text.strip())
    if not body or text.strip() in file.stripped or above.rstrip().endswith((":", ".", "*/", "-->")):
        return False
    signs = [_lead(line) for line in (above, text)]
    return signs[0] == signs[1] and (len(signs[0].split()) > 1 or body[:1].islower() or body.startswith(_GOING_ON))


def _text(lines: Sequence[Line]) -> str:
    bodies = (comment_body(line.text.strip()) or line.text.strip() for line in lines)
    return " ".join(body.lstrip(" >*-=").rstrip(" *-=") for body in bodies)


def _heads(lines: Sequence[Line], file: Texts) -> tuple[str, ...]:
    """The lines of the file in which a block opens what its first note is in, if it shows nothing else before that."""
    texts = [line.text for line in lines if line.text.strip()]
    is_known = all(line.kind == "code" and line.text.strip() in file.stripped for line in lines if line.text.strip())
    widths = [len(text) - len(text.lstrip()) for text in texts]
    is_nested = all(a < b for a, b in pairwise(widths))
    return tuple(texts) if is_known and is_nested and all(map(_OPENED.search, texts)) else ()


def _without_closers(lines: tuple[Line, ...], heads: Sequence[str]) -> tuple[Line, ...]:
    """The lines without those at the end that close heads."""
    leads = {text[: len(text) - len(text.lstrip())] for text in heads}
    while lines and (not (text := lines[-1].text).strip() or _CLOSER.fullmatch(text.strip())):
        if text.strip() and text[: len(text) - len(text.lstrip())] not in leads:
            break
        lines = lines[:-1]
    return lines


def _without_blank_ends(lines: Sequence[Line]) -> tuple[Line, ...]:
    written = [at for at, line in enumerate(lines) if not line.is_blank]
    return tuple(lines[written[0] : written[-1] + 1]) if written else ()
