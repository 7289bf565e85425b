"""In: a file's lines, an answer's sentences. Out: the lines after what they order: delete, rename, move, add a line."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.merge.lines.insertion import inserted, taken_out
from redraft.edit.merge.lines.lookup import Found, comment_of, nodes_of, single, stands, statement_end
from redraft.edit.merge.lines.written import first_written, last_above
from redraft.edit.merge.places.spots import scope_of, span_of, spot_of
from redraft.edit.outline import Outline, outline
from redraft.edit.text.lines import lead_of, written
from redraft.edit.words import Directive, Known, Place, directives
from redraft.edit.words.directive import END_OF_FILE
from redraft.edit.words.hints import names_another_file, speaks_of
from redraft.edit.words.known import is_word, whole_piece

Lines = tuple[str, ...]


class Left(Struct, frozen=True):
    """What sentences may still take out.

    `had` are the lines of the file before the answer: what has come by it does not go. `settled` are lines, without
    indentation, that blocks show or have taken out: sentences on these tell of the blocks; `shown` are those that they
    show alone: no declaration goes of which they show the head; `kept` are those of blocks that change something.
    """

    known: Known
    had: frozenset[str]
    settled: frozenset[str]
    shown: frozenset[str]
    kept: frozenset[str]

    def shows(self, piece: re.Pattern[str], lines: Lines, everywhere: bool) -> bool:
        """Whether blocks show a piece of text in lines that are there, or, where not all are meant, have taken one of
        these out: then it is not replaced."""
        there = (self.shown if everywhere else self.settled).intersection(map(str.strip, lines))
        return any(map(piece.search, there))

    def may_go(self, found: Found, file: Outline) -> bool:
        head, is_line = file.lines[found.head(file)], found.end == found.start + 1
        if head not in self.had:
            return False
        if is_line:
            return file.lines[found.start].strip() not in self.settled
        return found.node is None or head.strip() not in self.shown

    def resolved(self, name: str, found: list[Found], file: Outline) -> list[Found]:
        """What a name meant before, without what blocks have brought under it."""
        if name not in self.known.declared or name in self.known.overloaded:
            return found
        return [each for each in found if file.lines[each.head(file)] in self.had]


def ordered(lines: Lines, passages: Sequence[str], noted: Sequence[str], left: Left) -> tuple[Lines, tuple[str, ...]]:
    """The lines with each order carried out that has one meaning, and the orders.

    `noted` are names of which notes in the code say that they are gone.
    """
    done: list[str] = []
    about: tuple[Place, ...] = ()
    notes = [Directive("remove", (name,), "", (), False, "") for name in noted]
    for directive in chain(*(directives(text, left.known) for text in passages), notes):
        about = _scope(directive, about)
        if _is_elsewhere(directive, left.known.path):
            continue
        new = _carried_out(lines, directive, left)
        if new is None and about and directive.verb in ("remove", "replace"):
            new = _carried_out(lines, replace(directive, places=(*directive.places, *about)), left)
        if new is not None and new != lines:
            lines = new
            done.append(f"{directive.verb} {', '.join(directive.names or directive.new)}".strip())
    return lines, tuple(done)


def _is_elsewhere(directive: Directive, path: str) -> bool:
    """Whether a piece is to be another one in other files, or not in all of the places that a sentence has."""
    if directive.verb not in ("replace", "rename"):
        return False
    text = directive.text
    for name in (*directive.names, directive.to):
        text = text.replace(name, "")
    return names_another_file(text, path) or (directive.everywhere and speaks_of("exceptions", text))


def _scope(directive: Directive, about: tuple[Place, ...]) -> tuple[Place, ...]:
    """What the sentences are about: the last thing that one is only about, or in which it says that something is."""
    if directive.verb in ("", "change", "keep") and len(directive.names) == 1:
        return (Place("inside", directive.names),)
    return tuple(place for place in directive.places if place.relation == "inside") or about


def _carried_out(lines: Lines, directive: Directive, left: Left) -> Lines | None:
    file = outline(lines, left.known.path)
    if directive.verb == "remove":
        return _removed(file, directive, left)
    if directive.verb == "add" and directive.new:
        return _added(file, directive)
    if len(directive.names) != 1 or not directive.to:
        return None
    if directive.verb == "rename":
        return _renamed(file, directive)
    return _replaced(file, directive, left) if directive.verb == "replace" else None


def _added(file: Outline, directive: Directive) -> Lines | None:
    """Quoted lines at the place that the sentence tells; none where a block brings them, or what they are part of."""
    lines = file.lines
    is_shown = directive.text.rstrip().endswith(":") or not {*map(str.strip, lines)}.isdisjoint(directive.new)
    is_beside = _place(directive, "before", "after", "between") is not None
    if is_shown or not is_beside or any(map(is_word, directive.new)):
        return None
    spot = spot_of(directive.places, file)
    if spot is None:
        return None
    at = file.nodes[spot.like].head if spot.like is not None else min(spot.at, len(lines) - 1)
    lead = spot.lead if spot.lead is not None else lead_of(lines[at])
    return inserted(lines, spot.at, [lead + text for text in directive.new], 0, 0).on(lines)


def _removed(file: Outline, directive: Directive, left: Left) -> Lines | None:
    """The lines without the one thing that each name means, with a blank line beside it, or without a stretch."""
    found = _named(directive, file, left) or [_stretch(directive, file, left)]
    there = [_whole(each, file) for each in found if each is not None and left.may_go(each, file)]
    spans = sorted({(each.start, each.end) for each in there}, reverse=True)
    if not spans or any(above[1] > below[0] for below, above in pairwise(spans)):
        return None
    lines = file.lines
    for start, end in spans:
        lines = _without_span(lines, start, end)
    return lines


def _named(directive: Directive, file: Outline, left: Left) -> Sequence[Found | None]:
    """The one thing that each name means, or all declarations of the names where all are meant."""
    span = span_of(directive.places, file)
    named = [left.resolved(name, stands(name, file, span, in_parts=False), file) for name in directive.names]
    every = [each for found in named for each in found if directive.everywhere and each.node is not None]
    return every or [_one(each, file) for each in named]


def _place(directive: Directive, *relations: str) -> Place | None:
    """The first place that a sentence tells in one of some relations."""
    return next((place for place in directive.places if place.relation in relations), None)


def _one(found: Sequence[Found], file: Outline) -> Found | None:
    """The one thing that is found; of an import that stands in several places that of the file."""
    own = {file.nodes[at].head for at in file.top() if file.nodes[at].kind == "import"}
    return single(found) or single([each for each in found if each.start in own])


def _without_span(lines: Lines, start: int, end: int) -> Lines:
    """The lines without a span, and without the comma above it where the last of a list had none."""
    out = taken_out(lines, start, end)
    rest = out.on(lines)
    at, last = last_above(lines, out.start), lines[end - 1]
    above = "".join(lines[at : at + 1]).rstrip()
    is_last = first_written(lines[out.end :]).lstrip().startswith((")", "]", "}")) and not last.rstrip().endswith(",")
    if not is_last or not above.endswith(",") or lead_of(above) != lead_of(last):
        return rest
    return (*rest[:at], above.removesuffix(","), *rest[at + 1 :])


def _whole(found: Found, file: Outline) -> Found:
    """The declaration of which a line is the head, or the statement; else what is found."""
    if found.node is not None or found.end > found.start + 1:
        return found
    headed = Found.headed(found.start, file)
    return Found(found.start, statement_end(found.start, file)) if headed.node is None else headed


def _stretch(directive: Directive, file: Outline, left: Left) -> Found | None:
    """What lies from one thing to another, or above or below one; or a comment."""
    if remark := _place(directive, "comment", "comment of"):
        return comment_of(remark, file)
    place = _place(directive, "through", "above", "below")
    if place is None or len(place.names) != 1 + (place.relation == "through"):
        return None
    return _reaching(place, _body(directive, file), file, left)


def _reaching(place: Place, within: range, file: Outline, left: Left) -> Found | None:
    """What lies from one thing to another, both counted; all above or below one, in the file or a declaration."""
    firsts, *lasts = (stands(name, file, within) for name in place.names)
    begun = (each for each in firsts if file.lines[each.start].strip().startswith(place.names[0]))
    first = single(firsts) or single([*begun])
    if place.relation == "through" and place.names[1] != END_OF_FILE:
        return single(list(_through([first] if first else firsts, lasts[0], file, left)))
    if first is None:
        return None
    start, end = {
        "through": (first.start, len(file.lines)),
        "above": (within.start, first.start),
        "below": (first.end, within.stop),
    }[place.relation]
    return Found(start, end) if start < end else None


def _through(firsts: Sequence[Found], lasts: Sequence[Found], file: Outline, left: Left) -> Iterator[Found]:
    """What lies from each first thing to the next last one; not where blocks keep all of it, or, of several, a line."""
    for first in firsts:
        end = next((each.end for each in lasts if each.end > first.start), first.start)
        is_kept = [line.strip() in left.kept for line in written(file.lines[first.start : end])]
        if is_kept and not (all(is_kept) if len(firsts) == 1 else any(is_kept[1:-1])):
            yield Found(first.start, end)


def _body(directive: Directive, file: Outline) -> range:
    """The lines inside of the declaration in which a sentence says that something is, else all."""
    scope = scope_of(directive.places, file)
    body = None if scope is None else scope.body
    return range(len(file.lines)) if body is None else range(*body)


def _renamed(file: Outline, directive: Directive) -> Lines | None:
    """A name is another one, in the declaration that the sentence tells, or everywhere."""
    old, new = (re.split(r"\.|::|#|->", name.removesuffix("()"))[-1] for name in (directive.names[0], directive.to))
    if not all(re.fullmatch(r"[\w$-]+[!?]?", name) for name in (old, new)):
        return None
    word = re.compile(_qualified(directive.names[0], old, file) + rf"(?<![\w$]){re.escape(old)}(?![\w$])")
    scope = scope_of(directive.places, file)
    start, end = (0, len(file.lines)) if scope is None else (scope.start, scope.end)
    return (*file.lines[:start], *(word.sub(new, line) for line in file.lines[start:end]), *file.lines[end:])


def _qualified(name: str, old: str, file: Outline) -> str:
    """What stands in front of a function's name where its owner's does in calls: `Row::parse`, not `n.parse`."""
    owner, nodes = name.removesuffix(old).rstrip("."), nodes_of(name, file)
    heads = (file.lines[file.nodes[node].head] for node in nodes)
    calls = f"{owner}::{old}" in "\n".join(file.lines)
    if not owner or not calls or any(re.search(r"\b(?:self|this)\b", head) for head in heads):
        return ""
    return rf"(?:(?<={re.escape(owner)}::)|(?<=Self::)|(?<=self::)|(?<=static::)|(?<=fn )|(?<=function ))"


def _replaced(file: Outline, directive: Directive, left: Left) -> Lines | None:
    """One piece of text instead of another, at its one place where the sentence says, or everywhere."""
    old, lines = whole_piece(directive.names[0]), file.lines
    if nodes_of(directive.to, file) and nodes_of(directive.names[0], file):
        return None  # nothing is declared twice
    span = span_of(directive.places, file)
    found = [at for at in span if old.search(lines[at])]
    if not found or left.shows(old, lines, directive.everywhere):
        return None
    done = (old.sub(lambda _: directive.to, line) for line in left.settled if old.search(line))
    if not directive.everywhere and (len(found) > 1 or not left.shown.isdisjoint(done)):
        return None  # several may be meant, or blocks have done it
    return tuple(old.sub(lambda _: directive.to, line) if at in found else line for at, line in enumerate(lines))
