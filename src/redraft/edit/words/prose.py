"""In: the prose of an answer, and what the file knows. Out: the operations and places that its sentences name."""

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import cast

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
    up_to,
)
from redraft.edit.words.known import Known, is_word
from redraft.edit.words.removals import also_gone, as_resolved, is_heading, removed
from redraft.edit.words.sentences import SIGN, Quote, Sentence, sentences

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
    if not _relations(gone).isdisjoint(_BY_PLACE):
        return gone
    found = tuple(_by_grammar(sentence, known))
    named = [directive for directive in found if directive.names or directive.new]
    is_other = any(directive.verb not in ("remove", "") for directive in (named if is_list else found))
    is_stated = is_other or (bool(named) and not is_list) or "through" in _relations(found)
    return found if is_stated else gone or found


def _relations(directives: Iterable[Directive]) -> set[Relation]:
    return {place.relation for directive in directives for place in directive.places}


def _by_grammar(sentence: Sentence, known: Known) -> Iterator[Directive]:
    label, operations = _label(sentence), _operations(sentence)
    if label and not (label in _OF_OPERATIONS and any(operation.names for operation in operations)):
        is_place = label in ("before", "after")
        places = tuple(_places(sentence, known, 0, len(sentence.said), "")) if is_place else ()
        yield Directive(label, (), "", places, False, sentence.text)
        return
    stopped = pattern("stop").search(sentence.said) is not None
    if operations and not stopped:
        yield from _of_operations(sentence, operations, known)
    elif not stopped and (arrow := _becomes(sentence, known)):
        yield arrow
    elif sentence.label or (pattern("goes").match(sentence.said) and not stopped):
        yield from _of_place(sentence, known, stopped or pattern("not").search(sentence.said) is not None)


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
            return label
    return None


def _operations(sentence: Sentence) -> list[_Operation]:
    """The commands and reports of a sentence in its order, none within another, none that is refused."""
    said = sentence.said
    since = opening.end() if (opening := pattern("reason").match(said)) else 0
    until = up_to(pattern("why"), said, since)
    found = [
        _operation(sentence, cast(Verb, rule.name), match)
        for rule in operation_rules()
        for match in rule.found(said, since, until)
        if rule.name == "keep" or not _is_refused(said[:until], match)
    ]
    kept: list[_Operation] = []
    for operation in sorted(found, key=lambda each: (each.start, -len(each.names), each.begin)):
        if not kept or (operation.start >= kept[-1].end and operation.end > kept[-1].end):
            kept.append(operation)
    return kept


def _operation(sentence: Sentence, verb: Verb, match: re.Match[str]) -> _Operation:
    names = match["names"] or ""
    is_part = pattern("part").fullmatch(match["kind"] or "") is not None
    is_named = any(is_word(quote.text) for quote in sentence.quotes_in(names)[-1:])
    names = "" if is_part and is_named else _listed(names, sentence.said[match.end() :])
    names += also_gone(sentence.said, match.end()) if names and verb == "remove" else ""
    return _Operation(verb, match.start(), match.start("verb"), match.end(), names)


def _is_refused(said: str, match: re.Match[str]) -> bool:
    """Whether the clause that a verb stands in says that it is not done."""
    first = max(said.rfind(sign, 0, match.start("verb")) for sign in ",;:(") + 1
    ends = [place for sign in ",;" if (place := said.find(sign, match.end())) >= 0]
    clause = said[first : min(ends, default=len(said))].replace(match["verb"], "", 1)
    return pattern("not").search(clause) is not None


def _listed(names: str, rest: str) -> str:
    """The names of a list; of one without an `and` only the first, unless it ends the clause."""
    if "," in names and not (_LAST.search(names) or re.match(r"\s*(?:$|[.;:)])", rest)):
        return names[:1]
    return names


def _of_operations(sentence: Sentence, operations: list[_Operation], known: Known) -> Iterator[Directive]:
    ends = [0, *(operation.start for operation in operations[1:]), len(sentence.said)]
    found = (_of_operation(sentence, *each, known) for each in zip(operations, ends, ends[1:], strict=False))
    yield from (each for each in found if each.verb not in ("move", "change") or each.places or each.names)


def _of_operation(sentence: Sentence, operation: _Operation, first: int, last: int, known: Known) -> Directive:
    """What an operation says within a stretch of its sentence."""
    said = sentence.said
    span = pattern("span").search(said, first, last)
    if operation.verb in ("remove", "keep") and span:
        ends = tuple(_line(sentence.quote(sign), known) for sign in (span["first"], span["last"]))
        return Directive(operation.verb, (), "", (Place("through", ends),) if all(ends) else (), False, sentence.text)
    sign, to = _aim(sentence, operation, last)
    names = _names_of(sentence, operation.names, operation.verb, known)
    old = [quote.text for quote in sentence.quotes_in(operation.names)]
    if to and operation.verb != "rename" and len(old) == 1 and known.has(old[0]):
        names = (old[0],)  # a piece of text, not what is called so
    last = up_to(_MORE, said, operation.end, up_to(pattern("why"), said, operation.end, last))
    verb = _settled(operation, bool(to), bool(names))
    places = tuple(_places(sentence, known, first, last, operation.names + sign))
    if names:
        return Directive(verb, names, to, places, is_everywhere(said), sentence.text)
    is_new = verb == "add" and all(_is_new(quote, known) for quote in sentence.quotes_in(operation.names))
    return Directive(verb, (), "", places, False, sentence.text, tuple(old) if is_new else ())


def _is_new(quote: Quote, known: Known) -> bool:
    return not (quote.resolved or known.has(quote.text) or is_path_of(quote.text, known.path))


def _settled(operation: _Operation, has_aim: bool, has_names: bool) -> Verb:
    """The verb as its object shows it: what is changed to something is replaced, what moves but is not there is new."""
    if operation.verb == "change" and has_aim and operation.names:
        return "replace"
    return "add" if operation.verb == "move" and operation.names and not has_names else operation.verb


def _of_place(sentence: Sentence, known: Known, doubtful: bool) -> Iterator[Directive]:
    """A heading or a lead-in without a verb: the names it consists of, the places that it tells, or its subject."""
    said = sentence.said
    heading = pattern("heading").fullmatch(said)
    subject = heading or pattern("subject").match(said)
    signs = subject["names"] if subject else ""
    names = _names_of(sentence, signs, "", known)
    places = () if heading else tuple(_places(sentence, known, 0, len(said), signs if names else ""))
    is_lead = said.endswith(":")
    if places and (is_lead or not doubtful):
        verb: Verb = "add" if pattern("puts").search(said) and not doubtful else ""
        yield Directive(verb, (), "", places, False, sentence.text, _only_new(sentence, known) if verb else ())
    elif names and (heading or is_lead):
        yield Directive("", names, "", (), False, sentence.text)


def _aim(sentence: Sentence, operation: _Operation, last: int) -> tuple[str, str]:
    """The sign of what an operation makes of its object, and its text, where it is not the object itself."""
    aim = pattern("aim").search(sentence.said, operation.begin, last) if operation.verb in _AIMED else None
    if aim is None:
        return "", ""
    return aim["to"], sentence.quote(aim["to"]).text if aim["to"] not in operation.names else ""


def _only_new(sentence: Sentence, known: Known) -> tuple[str, ...]:
    """The quoted code that the file does not have, where it is one piece."""
    unknown = tuple(quote.text for quote in sentence.quotes if _is_new(quote, known))
    return unknown if len(unknown) == 1 else ()


def _places(sentence: Sentence, known: Known, first: int, last: int, spent: str) -> Iterator[Place]:
    """The places named in a stretch of a sentence, each name for the most telling relation only."""
    taken: list[tuple[int, int]] = []
    said = sentence.said
    for rule, match in ((each, match) for each in place_rules() for match in each.found(said, first, last)):
        is_taken = any(match.start() < end and match.end() > start for start, end in taken)
        is_spent = not set(spent).isdisjoint(match["names"] or "")
        place = None if is_taken or is_spent else _place(sentence, rule.name, match, known)
        if place is not None:
            taken.append(match.span())
            yield place


def _place(sentence: Sentence, rule: str, match: re.Match[str], known: Known) -> Place | None:
    """The place that a rule finds; None where its name is not of the file, or it is one beside the whole file."""
    names, thing = match["names"] or "", next(filter(match.group, THINGS), "")
    relation = cast(Relation, "inside" if rule == "line" else rule)
    is_edge = relation in ("start", "end")
    if thing == "file" and relation in ("before", "after"):
        return None
    if is_edge and len(names) == 1 and is_path_of(sentence.quote(names).text, known.path):
        return Place(relation, ("file",))
    resolved = _resolved(sentence, names, thing, match[0], known)
    if relation == "between" and len(names) == 1 and resolved and pattern("imports").search(match[0]):
        return Place(relation, ("imports", *resolved))
    return Place(relation, resolved) if resolved or (is_edge and not names) else None


def _resolved(sentence: Sentence, names: str, thing: str, said: str, known: Known) -> tuple[str, ...]:
    if names:
        imports = pattern("imports").search(said) is not None
        found = tuple(_line(quote, known, imports) for quote in sentence.quotes_in(names))
        return found if all(found) else ()
    if thing == "line":
        return (f"line {number[0]}",) if (number := re.search(r"\d+", said)) else ()
    return (thing,) if thing else ("tests",) if pattern("tests").search(said) else ()


def _names_of(sentence: Sentence, signs: str, verb: Verb, known: Known) -> tuple[str, ...]:
    """The names of an operation: all of them, or none where one is not of the file."""
    found = [_all_resolved(quote, sentence, verb, known) for quote in sentence.quotes_in(signs)]
    whole = all(found) or verb in ("keep", "change", "add")
    return tuple(chain(*found)) if whole else ()


def _all_resolved(quote: Quote, sentence: Sentence, verb: Verb, known: Known) -> list[str]:
    """What a quote means; `test_*` means all declared names that it fits. A local is no declared name, but goes."""
    text = quote.text
    is_pattern = re.fullmatch(r"\w*\*\w*", text) and len(text) >= _SHORTEST_PATTERN
    if quote.resolved or (is_pattern and (fitting := sorted(fnmatch.filter(known.declared, text)))):
        return [quote.resolved] if quote.resolved else fitting
    imported = known.imported(text) if pattern("imports").search(sentence.said) else ""
    is_text = verb in ("rename", "replace") or (verb == "remove" and text.isidentifier())
    return [imported or text] if imported or (is_text and known.has(text)) else []


def _line(quote: Quote, known: Known, imports: bool = False) -> str:
    """What a quote means, or the quote where lines have it, or the one line that has it within its words."""
    imported = known.imported(quote.text) if imports else ""
    found = imported or quote.resolved or (quote.text if known.has(quote.text) else known.holding(quote.text))
    return (is_word(quote.text) and known.declares(found)) or found  # of a name that is cut short the declaration
