"""In: the prose of an answer, and what the file knows. Out: the operations and places that its sentences name."""

import fnmatch
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import cast, get_args

from msgspec import Struct

from redraft.edit.text.kind import is_path_of
from redraft.edit.words.directive import Directive, Place, Relation, Verb
from redraft.edit.words.grammar import (
    BECOMES,
    LABELS,
    THINGS,
    is_everywhere,
    label_pattern,
    operation_rules,
    pattern,
    place_rules,
)
from redraft.edit.words.known import Known, is_word
from redraft.edit.words.removals import also_gone, as_resolved, is_heading, removed
from redraft.edit.words.sentences import SIGN, Quote, Sentence, sentences, with_names

_OF_OPERATIONS = ("before", "after", "example")  # labels that a sentence which orders something has by the way
_AIMED = ("rename", "replace", "change")  # verbs that may say what something becomes
_SHORT_SENTENCE = 2  # spaces in a label that may end with a full stop
_LONGEST_LABEL = 160  # characters of a label
_LAST = re.compile(rf"[^\s,\ue000-\uf8ff].*{SIGN}$", re.DOTALL)
_MORE = re.compile(  # another object, whose place is not the operation's
    rf",?\sand\s+(?:also\s+)?(?:its|their|all|any|every)\s+(?!{SIGN})"
    r"|,\s(?:and\s)?(?:adjust|adapt|updat|chang|touch|fix|clean|simplif|reword|extend)i?ed\s",
    re.IGNORECASE,
)
_ARROW = re.compile(rf"({SIGN})\s*(?:{BECOMES})\s*({SIGN})")
_BY_PLACE = ("above", "below", "comment", "comment of")  # what is meant is not what is named
_SHORTEST_PATTERN = 5  # characters of `test_*`


class _Operation(Struct, frozen=True):
    verb: Verb
    begin: int
    start: int
    end: int
    names: str


@lru_cache(maxsize=256)
def directives(text: str, known: Known) -> tuple[Directive, ...]:
    """What the sentences of a text say, in order; a sentence that says no operation, place or label says nothing."""
    said, listed, above = list[Directive](), False, 0
    found = tuple(sentences(text, known))
    for before, sentence in zip((None, *found), found, strict=False):
        listed, above = listed and (sentence.item > 0 or not above), sentence.item
        read = _all_read(sentence, known, listed and sentence.item <= 1)
        said += [as_resolved(read[0], said[-1:], before, known)] if len(read) == 1 else read
        listed = is_heading(sentence, read, known) or (listed and sentence.item > 0)
    return tuple(said)


def _all_read(sentence: Sentence, known: Known, is_list: bool) -> Sequence[Directive]:
    """What a sentence says by the grammar, or where that names nothing, what goes by it."""
    gone = removed(sentence, known, is_list)
    if any(place.relation in _BY_PLACE for directive in gone for place in directive.places):
        return gone
    found = tuple(_said(with_names(sentence, pattern("kinds"), known), known))
    is_told = any(
        directive.verb not in ("remove", "") for directive in found if not is_list or directive.names or directive.new
    )
    is_told = is_told or (not is_list and any(directive.names or directive.new for directive in found))
    is_through = any(place.relation == "through" for directive in found for place in directive.places)
    return found if is_told or is_through else gone or found


def _said(sentence: Sentence, known: Known) -> Iterator[Directive]:
    label, operations = _label(sentence), _operations(sentence)
    if label and not (label in _OF_OPERATIONS and any(operation.names for operation in operations)):
        is_place = label in ("before", "after")
        places = tuple(_places(sentence, known, 0, len(sentence.said), "")) if is_place else ()
        yield Directive(label, (), "", places, False, sentence.text)
        return
    stopped = pattern("stop").search(sentence.said) is not None
    if operations and not stopped:
        yield from _tell(sentence, operations, known)
    elif not stopped and (arrow := _becomes(sentence, known)):
        yield arrow
    elif sentence.label or (pattern("goes").match(sentence.said) and not stopped):
        yield from _tell_place(sentence, known, stopped or pattern("not").search(sentence.said) is not None)


def _becomes(sentence: Sentence, known: Known) -> Directive | None:
    """`a` becomes `b`, in a sentence that says nothing else: one piece of the file's text is another one."""
    arrows = _ARROW.findall(sentence.said)
    old, new = (sentence.quote(sign).text for sign in arrows[0]) if len(arrows) == 1 else ("", "")
    if not old or not known.has(old):
        return None
    places = tuple(_places(sentence, known, 0, len(sentence.said), "".join(arrows[0])))
    return Directive("replace", (old,), new, places, is_everywhere(sentence.said), sentence.text)


def _label(sentence: Sentence) -> Verb | None:
    said = sentence.said
    for label in LABELS if len(said) <= _LONGEST_LABEL else ():
        anywhere = label in ("keep", "whole")
        if not (sentence.label or anywhere) or not label_pattern(label).fullmatch(said):
            continue
        if not anywhere and said.rstrip(")\"' ").endswith((".", "!")) and said.count(" ") > _SHORT_SENTENCE:
            continue
        if label != "whole" or not (pattern("stop").search(said) or pattern("not").search(said)):
            return _verb(label)
    return None


def _verb(text: str) -> Verb:
    assert text in get_args(Verb)
    return cast(Verb, text)


def _operations(sentence: Sentence) -> list[_Operation]:
    """The commands and reports of a sentence in its order, none within another, none that is refused."""
    said = sentence.said
    since = opening.end() if (opening := pattern("reason").match(said)) else 0
    until = next((match.start() for match in pattern("why").finditer(said, since)), len(said))
    found: list[_Operation] = []
    for rule in operation_rules():
        for match in rule.found(said, since, until):
            clause = _clause(said[:until], match.start("verb"), match.end()).replace(match["verb"], "", 1)
            if rule.name != "keep" and pattern("not").search(clause):
                continue
            names = match["names"] or ""
            kind = match["kind"] or ""
            is_part = bool(kind) and pattern("part").fullmatch(kind) is not None
            is_named = any(is_word(sentence.quote(sign).text) for sign in re.findall(SIGN, names)[-1:])
            names = "" if is_part and is_named else _listed(names, said[match.end() :])
            names += also_gone(said, match.end()) if names and rule.name == "remove" else ""
            found.append(_Operation(_verb(rule.name), match.start(), match.start("verb"), match.end(), names))
    found.sort(key=lambda operation: (operation.start, -len(operation.names), operation.begin))
    kept: list[_Operation] = []
    for operation in found:
        if not kept or (operation.start >= kept[-1].end and operation.end > kept[-1].end):
            kept.append(operation)
    return kept


def _listed(names: str, rest: str) -> str:
    """The names of a list; of one without an `and` only the first, unless it ends the clause."""
    if "," in names and not (_LAST.search(names) or re.match(r"\s*(?:$|[.;:)])", rest)):
        return names[:1]
    return names


def _clause(said: str, start: int, end: int) -> str:
    first = max(said.rfind(sign, 0, start) for sign in (",", ";", ":", "(")) + 1
    ends = [place for sign in (",", ";") if (place := said.find(sign, end)) >= 0]
    return said[first : min(ends, default=len(said))]


def _tell(sentence: Sentence, operations: list[_Operation], known: Known) -> Iterator[Directive]:
    everywhere = is_everywhere(sentence.said)
    for number, operation in enumerate(operations):
        first = operation.start if number else 0
        last = operations[number + 1].start if number + 1 < len(operations) else len(sentence.said)
        span = pattern("span").search(sentence.said, first, last)
        if operation.verb in ("remove", "keep") and span:
            ends = tuple(_line(sentence.quote(sign), known) for sign in (span["first"], span["last"]))
            place = (Place("through", ends),) if all(ends) else ()
            yield Directive(operation.verb, (), "", place, False, sentence.text)
            continue
        aim = pattern("aim").search(sentence.said, operation.begin, last) if operation.verb in _AIMED else None
        to = sentence.quote(aim["to"]).text if aim and aim["to"] not in operation.names else ""
        names = _names_of(sentence, operation, known)
        if to and operation.verb != "rename" and len(old := _quotes(sentence, operation)) == 1 and known.has(old[0]):
            names = (old[0],)  # a piece of text, not what is called so
        last = next((why.start() for why in pattern("why").finditer(sentence.said, operation.end, last)), last)
        last = more.start() if (more := _MORE.search(sentence.said, operation.end, last)) else last
        verb = _settled(operation, bool(to), bool(names))
        spent = operation.names + (aim["to"] if aim else "")
        places = tuple(_places(sentence, known, first, last, spent))
        if verb not in ("move", "change") or places or names:
            new = _new(sentence, operation, known) if verb == "add" and not names else ()
            yield Directive(verb, names, to if names else "", places, everywhere and bool(names), sentence.text, new)


def _new(sentence: Sentence, operation: _Operation, known: Known) -> tuple[str, ...]:
    """The quoted code that an operation names; nothing where the file has any of it."""
    quotes = [sentence.quote(sign) for sign in re.findall(SIGN, operation.names)]
    return tuple(each.text for each in quotes) if all(_is_new(each, known) for each in quotes) else ()


def _is_new(quote: Quote, known: Known) -> bool:
    return not (quote.resolved or known.has(quote.text) or is_path_of(quote.text, known.path))


def _quotes(sentence: Sentence, operation: _Operation) -> tuple[str, ...]:
    return tuple(sentence.quote(sign).text for sign in re.findall(SIGN, operation.names))


def _settled(operation: _Operation, has_aim: bool, has_names: bool) -> Verb:
    """The verb as its object shows it: what is changed to something is replaced, what moves but is not there is new."""
    if operation.verb == "change" and has_aim and operation.names:
        return "replace"
    return "add" if operation.verb == "move" and operation.names and not has_names else operation.verb


def _tell_place(sentence: Sentence, known: Known, doubtful: bool) -> Iterator[Directive]:
    """A heading or a lead-in without a verb: the names it consists of, the places that it tells, or its subject."""
    said = sentence.said
    if sentence.quotes and (heading := pattern("heading").fullmatch(said)):
        if names := _names_of(sentence, _Operation("", 0, 0, 0, heading["names"]), known):
            yield Directive("", names, "", (), False, sentence.text)
        return
    subject = pattern("subject").match(said) if sentence.quotes else None
    names = _names_of(sentence, _Operation("", 0, 0, 0, subject["names"]), known) if subject else ()
    places = tuple(_places(sentence, known, 0, len(said), subject["names"] if subject and names else ""))
    if places and not (doubtful and not said.endswith(":")):
        verb: Verb = "add" if pattern("puts").search(said) and not doubtful else ""
        unknown = tuple(quote.text for quote in sentence.quotes if _is_new(quote, known))
        new = unknown if verb == "add" and len(unknown) == 1 else ()
        yield Directive(verb, (), "", tuple(_owned(place, names) for place in places), False, sentence.text, new)
    elif names and said.endswith(":"):
        yield Directive("", names, "", (), False, sentence.text)


def _owned(place: Place, names: tuple[str, ...]) -> Place:
    """`load` gets a line at the end: at the end of `load`."""
    return Place(place.relation, names) if place.relation in ("start", "end") and not place.names else place


def _places(sentence: Sentence, known: Known, first: int, last: int, spent: str) -> Iterator[Place]:
    """The places told in a stretch of a sentence, each name for the most telling relation only."""
    taken: list[tuple[int, int]] = []
    for rule in place_rules():
        for match in rule.found(sentence.said, first, last):
            names = match["names"] or ""
            if set(names) & set(spent) or any(match.start() < end and match.end() > start for start, end in taken):
                continue
            thing = next((thing for thing in THINGS if match[thing]), "")
            relation = cast(Relation, "inside" if rule.name == "line" else rule.name)
            is_edge = relation in ("start", "end")
            is_own = is_edge and len(names) == 1 and is_path_of(sentence.quote(names).text, known.path)
            resolved = ("file",) if is_own else _resolved(sentence, names, thing, match[0], known)
            is_beside_all = thing == "file" and relation in ("before", "after")
            if (resolved or (is_edge and not names)) and not is_beside_all:
                taken.append(match.span())
                is_open = relation == "between" and len(names) == 1 and pattern("imports").search(match[0])
                yield Place(relation, ("imports", *resolved) if is_open else resolved)


def _resolved(sentence: Sentence, names: str, thing: str, said: str, known: Known) -> tuple[str, ...]:
    if names:
        imports = pattern("imports").search(said) is not None
        found = tuple(_line(sentence.quote(sign), known, imports) for sign in re.findall(SIGN, names))
        return found if all(found) else ()
    if thing == "line":
        return (f"line {number[0]}",) if (number := re.search(r"\d+", said)) else ()
    return (thing,) if thing else ("tests",) if pattern("tests").search(said) else ()


def _names_of(sentence: Sentence, operation: _Operation, known: Known) -> tuple[str, ...]:
    """The names of an operation: all of them, or none where one is not of the file."""
    found = [_all_resolved(sentence.quote(sign), known) for sign in re.findall(SIGN, operation.names)]
    if pattern("imports").search(sentence.said):
        quotes = _quotes(sentence, operation)
        found = [names or list(filter(None, [known.imported(text)])) for names, text in zip(found, quotes, strict=True)]
    if operation.verb == "remove":  # a local is no declared name
        quotes = _quotes(sentence, operation)
        is_local = [text.isidentifier() and known.has(text) for text in quotes]
        found = [names or [text] * local for names, text, local in zip(found, quotes, is_local, strict=True)]
    if operation.verb in ("rename", "replace"):
        quotes = _quotes(sentence, operation)
        found = [names or [text] * known.has(text) for names, text in zip(found, quotes, strict=True)]
    whole = all(found) or operation.verb in ("keep", "change", "add")
    return tuple(name for names in found for name in names) if whole else ()


def _all_resolved(quote: Quote, known: Known) -> list[str]:
    """What a quote means; `test_*` means all declared names that it fits."""
    is_pattern = re.fullmatch(r"\w*\*\w*", quote.text) and len(quote.text) >= _SHORTEST_PATTERN
    if quote.resolved or not is_pattern:
        return [quote.resolved] if quote.resolved else []
    return sorted(fnmatch.filter(known.declared, quote.text))


def _line(quote: Quote, known: Known, imports: bool = False) -> str:
    """What a quote means, or the quote where lines have it, or the one line that has it within its words."""
    imported = known.imported(quote.text) if imports else ""
    found = imported or quote.resolved or (quote.text if known.has(quote.text) else known.holding(quote.text))
    return (is_word(quote.text) and known.declares(found)) or found  # of a name that is cut short the declaration
