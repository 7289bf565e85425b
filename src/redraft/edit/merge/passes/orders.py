"""In: a file's lines, an answer's sentences. Out: the lines after what they order: delete, rename, move, add a line."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.merge.common.insertion import inserted
from redraft.edit.merge.common.lookup import Found, nodes_of, single, stands, statement_end, unused_local
from redraft.edit.merge.common.patch import patched, taken_out
from redraft.edit.merge.passes.comments import comment_of
from redraft.edit.merge.places.spots import scope_of, span_of, spot_of
from redraft.edit.outline import Outline, outline
from redraft.edit.text.lines import lead_of
from redraft.edit.words import Directive, Known, Place, directives
from redraft.edit.words.directive import END_OF_FILE
from redraft.edit.words.hints import names_another_file, speaks_of
from redraft.edit.words.known import is_word, whole_piece

Lines = tuple[str, ...]


class _Left(Struct, frozen=True):
    """What sentences may still take out: lines of the file before, but no single ones that blocks have settled, and
    no declaration of which they show the head. `declared` are the names of the file before, `overloaded` those of
    several declarations, `kept` lines of blocks that change something."""

    had: Collection[str]
    settled: Collection[str]
    shown: Collection[str]
    declared: Collection[str]
    overloaded: Collection[str]
    kept: Collection[str]

    def shows(self, piece: re.Pattern[str], lines: Lines, everywhere: bool) -> bool:
        """Whether blocks show a piece of text in lines that are there, or, where not all are meant, have taken one of
        these out: then it is not replaced."""
        there = {line.strip() for line in lines}
        return any(piece.search(text) for text in (self.shown if everywhere else self.settled) if text in there)

    def may_go(self, found: Found, head: int, lines: Lines) -> bool:
        is_settled = found.end == found.start + 1 and lines[found.start].strip() in self.settled
        is_shown = found.node is not None and found.end > found.start + 1 and lines[head].strip() in self.shown
        return lines[head] in self.had and not (is_settled or is_shown)

    def resolved(self, name: str, found: Sequence[Found], file: Outline) -> list[Found]:
        """What a name meant before, without what blocks have brought under it."""
        own = [each for each in found if file.lines[_head(each, file)] in self.had]
        return own if name in self.declared and name not in self.overloaded else [*found]


def ordered(
    lines: Lines,
    said: Sequence[str],
    noted: Sequence[str],
    known: Known,
    path: str,
    before: Lines,
    settled: Collection[str] = (),
    shown: Collection[str] = (),
    kept: Collection[str] = (),
) -> tuple[Lines, tuple[str, ...]]:
    """The lines with each order carried out that has one meaning, and the orders.

    `noted` are names of which notes in the code say that they are gone; `before` is the file before the answer: what
    has come by it does not go. `settled` are lines, without indentation, that blocks show or have taken out: sentences
    on these tell of the blocks; `shown` are those that they show alone, `kept` those of blocks that change something.
    """
    done: list[str] = []
    about: tuple[Place, ...] = ()
    left = _Left(frozenset(before), settled, shown, known.declared, known.overloaded, kept)
    notes = [Directive("remove", (name,), "", (), False, "") for name in noted]
    for directive in (*(directive for text in said for directive in directives(text, known)), *notes):
        about = _scope(directive, about)
        if _is_elsewhere(directive, path):
            continue
        new = _carried_out(lines, directive, path, left)
        if new is None and about and directive.verb in ("remove", "replace"):
            new = _carried_out(lines, replace(directive, places=(*directive.places, *about)), path, left)
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


def _carried_out(lines: Lines, directive: Directive, path: str, left: _Left) -> Lines | None:
    if directive.verb == "remove":
        return _removed(lines, directive, path, left)
    if directive.verb == "rename" and len(directive.names) == 1 and directive.to:
        return _renamed(lines, directive, path)
    if directive.verb == "replace" and len(directive.names) == 1 and directive.to:
        return _replaced(lines, directive, path, left)
    if directive.verb == "add" and directive.new and directive.places:
        return _added(lines, directive, path)
    return None


def _added(lines: Lines, directive: Directive, path: str) -> Lines | None:
    """Quoted lines at the place that the sentence tells; none where a block brings them, or what they are part of."""
    there = {line.strip() for line in lines}
    is_beside = any(place.relation in ("before", "after", "between") for place in directive.places)
    is_shown = directive.text.rstrip().endswith(":") or not there.isdisjoint(directive.new)
    if not is_beside or is_shown or any(map(is_word, directive.new)):
        return None
    file = outline(lines, path)
    spot = spot_of(directive.places, file)
    if spot is None:
        return None
    at = file.nodes[spot.like].head if spot.like is not None else min(spot.at, len(lines) - 1)
    lead = spot.lead if spot.lead is not None else lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    return patched(lines, [inserted(lines, spot.at, [lead + text for text in directive.new], 0, 0)])


def _removed(lines: Lines, directive: Directive, path: str, left: _Left) -> Lines | None:
    """The lines without the one thing that each name means, with a blank line beside it, or without a stretch."""
    file = outline(lines, path)
    span = span_of(directive.places, file)
    named = [left.resolved(name, stands(name, file, span, in_parts=False), file) for name in directive.names]
    every = [each for found in named for each in found if directive.everywhere and each.node is not None]
    found: list[Found | None] = [*every] or [_one(each, file) for each in named] or [_stretch(directive, file, left)]
    there = [_whole(each, file) for each in found if each is not None and left.may_go(each, _head(each, file), lines)]
    gone = {at for each in there for at in range(each.start, each.end)}
    locals_ = [each for name in directive.names for each in unused_local(name, file, gone)]
    there += [each for each in locals_ if left.may_go(each, each.start, lines)]
    spans = sorted({(each.start, each.end) for each in there}, reverse=True)
    if not spans or any(above[1] > below[0] for below, above in pairwise(spans)):
        return None
    for start, end in spans:
        lines = _without_span(lines, start, end)
    return lines


def _one(found: Sequence[Found], file: Outline) -> Found | None:
    """The one thing that is found; of an import that stands in several places that of the file."""
    own = {file.nodes[at].head for at in file.top() if file.nodes[at].kind == "import"}
    return single(found) or single([each for each in found if each.start in own])


def _without_span(lines: Lines, start: int, end: int) -> Lines:
    """The lines without a span, and without the comma above it where the last of a list had none."""
    out = taken_out(lines, start, end)
    above = next((at for at in range(out.start - 1, -1, -1) if lines[at].strip()), None)
    below = next((line for line in lines[out.end :] if line.strip()), "")
    rest = patched(lines, [out]) or ()
    if above is None or not below.lstrip().startswith((")", "]", "}")) or lines[end - 1].rstrip().endswith(","):
        return rest
    is_list = lines[above].rstrip().endswith(",") and lead_of(lines[above]) == lead_of(lines[end - 1])
    return (*rest[:above], lines[above].rstrip().removesuffix(","), *rest[above + 1 :]) if is_list else rest


def _whole(found: Found, file: Outline) -> Found:
    """The declaration of which a line is the head, or the statement; else what is found."""
    heads = {node.head: at for at, node in reversed(list(enumerate(file.nodes)))}
    if found.node is not None or found.end > found.start + 1:
        return found
    if found.start not in heads:
        return Found(found.start, statement_end(found.start, file))
    node = file.nodes[heads[found.start]]
    return Found(node.start, node.end, heads[found.start])


def _head(found: Found, file: Outline) -> int:
    return found.start if found.node is None else file.nodes[found.node].head


def _stretch(directive: Directive, file: Outline, left: _Left) -> Found | None:
    """What lies from one thing to another, both counted; all above or below one, in the file or a declaration; or a
    comment."""
    if remark := next((place for place in directive.places if place.relation in ("comment", "comment of")), None):
        return comment_of(remark, file)
    place = next((place for place in directive.places if place.relation in ("through", "above", "below")), None)
    if place is None or len(place.names) != 1 + (place.relation == "through"):
        return None
    within = _body(directive, file)
    firsts, *lasts = (stands(name, file, within) for name in place.names)
    begun = (each for each in firsts if file.lines[each.start].strip().startswith(place.names[0]))
    first = single(firsts) or single([*begun])
    if place.relation == "through" and place.names[1] != END_OF_FILE:
        return single(list(_through([first] if first else firsts, lasts[0], file, left)))
    if first is None:
        return None
    if place.relation == "through":
        return Found(first.start, len(file.lines))
    stretch = Found(within.start, first.start) if place.relation == "above" else Found(first.end, within.stop)
    return stretch if stretch.start < stretch.end else None


def _through(firsts: Sequence[Found], lasts: Sequence[Found], file: Outline, left: _Left) -> Iterator[Found]:
    """What lies from each first thing to the next last one; not where blocks keep all of it, or, of several, a line."""
    for first in firsts:
        end = next((each.end for each in lasts if each.end > first.start), first.start)
        is_kept = [line.strip() in left.kept for line in file.lines[first.start : end] if line.strip()]
        if is_kept and not (all(is_kept) if len(firsts) == 1 else any(is_kept[1:-1])):
            yield Found(first.start, end)


def _body(directive: Directive, file: Outline) -> range:
    """The lines inside of the declaration in which a sentence says that something is, else all."""
    scope = scope_of(directive.places, file)
    body = None if scope is None else file.nodes[scope].body
    return range(len(file.lines)) if body is None else range(*body)


def _renamed(lines: Lines, directive: Directive, path: str) -> Lines | None:
    """A name is another one, in the declaration that the sentence tells, or everywhere."""
    old, new = (re.split(r"\.|::|#|->", name.removesuffix("()"))[-1] for name in (directive.names[0], directive.to))
    if not re.fullmatch(r"[\w$-]+[!?]?", new) or not re.fullmatch(r"[\w$-]+[!?]?", old):
        return None
    file = outline(lines, path)
    word = re.compile(_qualified(directive.names[0], old, file) + rf"(?<![\w$]){re.escape(old)}(?![\w$])")
    scope = scope_of(directive.places, file)
    span = range(len(lines)) if scope is None else range(file.nodes[scope].start, file.nodes[scope].end)
    return tuple(word.sub(new, line) if at in span else line for at, line in enumerate(lines))


def _qualified(name: str, old: str, file: Outline) -> str:
    """What stands in front of a function's name where its owner's does in calls: `Row::parse`, not `n.parse`."""
    owner, nodes = name.removesuffix(old).rstrip("."), nodes_of(name, file)
    calls = any(f"{owner}::{old}" in line for line in file.lines) if owner else False
    if not calls or any(re.search(r"\b(?:self|this)\b", file.lines[file.nodes[node].head]) for node in nodes):
        return ""
    return rf"(?:(?<={re.escape(owner)}::)|(?<=Self::)|(?<=self::)|(?<=static::)|(?<=fn )|(?<=function ))"


def _replaced(lines: Lines, directive: Directive, path: str, left: _Left) -> Lines | None:
    """One piece of text instead of another, at its one place where the sentence says, or everywhere."""
    old, file = whole_piece(directive.names[0]), outline(lines, path)
    if nodes_of(directive.to, file) and nodes_of(directive.names[0], file):
        return None  # nothing is declared twice
    span = span_of(directive.places, file)
    found = [at for at in span if old.search(lines[at])]
    done = (old.sub(lambda _: directive.to, line) for line in left.settled if old.search(line))
    if not directive.everywhere and any(line in left.shown for line in done):
        return None  # blocks have done it
    if not found or (len(found) > 1 and not directive.everywhere) or left.shows(old, lines, directive.everywhere):
        return None
    return tuple(old.sub(lambda _: directive.to, line) if at in found else line for at, line in enumerate(lines))
