"""In: a sentence that says that something goes, and what the file knows. Out: what goes, where grammar finds nothing.

Stretches (`a` through `b`, everything before `c`), all things of one name, comments by what they say or belong to, and
lists behind a word and a colon.
"""

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from redraft.edit.words.directive import END_OF_FILE, Directive, Place
from redraft.edit.words.grammar import pattern, up_to
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.known import Known, only, whole_piece
from redraft.edit.words.lexicon import compiled
from redraft.edit.words.sentences import SIGN, Quote, Sentence

_THROUGH = (
    rf"(?P<first>{SIGN})(?:\s+\w+)?\s*(?:through|thru|up to|down to|until|to)"
    rf"\s*(?:the |and including )?(?P<last>{SIGN})(?!.*:\Z)"
)
_TO_END = (
    rf"from\s*(?:\w+\s+){{0,3}}?(?P<name>{SIGN})(?:\s+\w+){{0,2}}?,?\s*"
    r"(?:to|through|until|till) the (?:very )?(?:end|bottom) of (?:the|this) (?:file|module|script|page|stylesheet)"
)
_EVERYTHING = (
    r"\b(?:everything|all(?: that| code| the code| lines| the lines)?)(?:\s+\w+){0,3}?\s+"
    r"(?:(?P<above>before|above|ahead of|in front of)|(?P<below>after|below|beneath|under|behind|following))"
    rf"\s+(?:\w+\s+){{0,2}}?(?P<name>{SIGN})"
    rf"(?:\s+(?:in|inside|within|of)\s+(?:\w+\s+){{0,2}}?(?P<scope>{SIGN}))?"
    r"(?=.{0,40}?(?:\bgo(?:es|ne)?\b|remov|delet|drop))"
)
_NOUN = (
    r"(?:doc(?:ument(?:ation)?)?[ -]?(?:blocks?|comments?)|docblocks?|java ?doc|kdoc|phpdoc|jsdoc|comments?|remarks?)"
)
_OF = r"(?:above|over|on top of|of|for)"
_WITH = r"(?:with|(?:that|which) (?:says|mentions|has|begins with)|about|saying|mentioning)"
_REMARK = (
    rf"(?:\b{_NOUN}\s+(?:(?P<of>{_OF})|{_WITH})\s+(?:the )?(?P<name>{SIGN})"
    rf"|(?P<tagged>{SIGN}|\b(?:FIXME|TODO|XXX|HACK)\b)[\s-]{_NOUN})"
)
_CUT = r"(?:remov\w+|delet\w+|drop\w*|strip\w*|take out|cut)"
_GOES = r"(?:goes|go|gone|disappears?|vanish\w*)"
_AND = (  # but where it only joins what is said of the same thing
    r"(?:and(?! (?:is|are|was|were|gets?|goes|can|so|therefore|hence)\b)|but|when|why|how|that|which|where|who|says?)"
)
_REMARK_GOES = (
    rf"\b{_CUT}\s+(?:\w+\s+){{0,3}}?{_REMARK}",
    rf"{_REMARK}(?:(?!\b{_AND}\b)[^.,;:]){{0,60}}?\b(?:{_CUT}|{_GOES})\b",
)
_LIST = (
    r"\W*(?:(?!(?:no|not|nothing|never|none)\b)\w+\s+){1,4}(?:to (?:remove|delete|drop)|to go)"
    rf"(?:\s+(?:in|from|of)\s+(?:\w+\s+){{0,2}}{SIGN})?\s*:"
    r"|\W*(?:(?:also|now|what(?:'s| is| has))\s+)?(?:removed|deleted|dropped|gone|thrown out)\s*:"
)
_IT = (
    r"(?:it|them|(?:that|this|those|these) (?:\w+ )?(?:lines?|imports?|statements?|declarations?|functions?|methods?))"
)
_IS_PART = re.compile(r"\b(?:lines?|imports?|statements?)\W*$")  # of what the subject is, if that is declared
_IT_GOES = (  # the subject of a sentence, of which its end says that it goes
    rf"^[('\"]?(?:[^,;:.\ue000-\uf8ff]{{1,60}},\s+)?(?:\w+\s+){{0,3}}?(?P<name>{SIGN})(?!\s*[,:]).{{0,160}}?"
    r"(?:\bso|\band|\bhence|\btherefore|\bthus|;|,(?!\s+(?:\w+ly\s+|just\s+)?\w+(?:s|ing)\b)),?\s+"
    r"(?:(?:I|we)(?:'ve| have)?\s+)?(?:\w+ly\s+|just\s+)?"
    rf"(?:(?:removed?|deleted?|dropp?(?:ed)?|cut)\s+{_IT}\b(?!\s+(?:that|which|who|if|when|where)\b)"
    rf"|(?:took|take|threw|throw)\s+{_IT}\s+out"
    r"|(?:it|they)(?:['\u2019]s|\s+(?:is|are|was|were))?\s+(?:now\s+)?(?:gone|removed|deleted|dropped|goes|go)(?=\W*$))"
)
_UNUSED = (  # nothing calls `load`
    r"\b(?:nothing|nobody|no one|no (?:code|caller|test))\b(?:\s+\w+){0,2}?\s+"
    r"(?:calls?|called|uses?|used|needs?|needed|references?|refers? to)"
    rf"\s+(?:\w+\s+){{0,2}}?(?P<called>{SIGN})|\bno longer (?:calls?|uses?|needs?)\s+(?P<needed>{SIGN})"
)
_IT_IS_REMOVED = (  # what is named elsewhere
    r"\b(?:remov\w*|delet\w*|dropp?\w*)\s+(?:it|them)\b"
    r"(?=\s*(?:$|[.,;:!)]|(?:because|since|as|too|entirely|altogether)\b))"
)
_IS_UNUSED = (  # `load` is unused
    rf"\W*(?:\w+\s+){{0,3}}?(?P<name>{SIGN})(?:\s+\w+)?\s+(?:is|are|was|were|(?:is|are|was|were)n['\u2019]t|had|has)\s+"
    r"(?:\w+\s+){0,3}?(?:unused|dead|obsolete|redundant|superfluous|needed|used|called|callers?|uses?)\b.{0,60}"
)
_IT_WENT = (
    r"\W*(?:(?:so|and|hence|therefore|also|i|we|i['\u2019]ve|we['\u2019]ve|have|just|simply)\s+){0,4}" + _IT_IS_REMOVED
)
_ALSO = (  # `load` is removed, likewise the import of `os`
    r",?\s+(?:likewise|as well as|(?:and )?so (?:is|are)|(?:just )?as (?:is|are)|together with|along with)"
    rf"\s+(?:\w+\s+){{0,4}}?({SIGN}(?:(?:, | and ){SIGN})*)(?=\s*(?:$|[.,;:!)]))"
)
_LEADING = rf"\W*(?:\w+\s+){{0,3}}?{SIGN}(?:(?:, | and ){SIGN})*"  # what an item is about
_SHORT_REMARK = 4  # words behind a name and a colon
_REFUSED = (  # nothing of what is named goes
    r"\b(?:not|never|n't|nothing|none|neither|without|instead of)(?:\s+\w+){0,2}\s+(?:be\s+)?"
    r"(?:remov|delet|drop|gone|go\b|goes)|n[o']t (?:be )?(?:removed|deleted|dropped)"
)


def is_heading(sentence: Sentence, read: Sequence[Directive], known: Known) -> bool:
    """Whether a sentence, and what is read of it, only says that what comes next in a list is gone, or gone from a
    declaration of the file."""
    places = [place for directive in read for place in directive.places]
    is_order = [(directive.verb, *directive.names) for directive in read] == [("remove",)]
    is_order &= all(place.relation == "inside" and all(map(known.name, place.names)) for place in places)
    is_open = is_order and len(sentence.quotes) == sum(len(place.names) for place in places)
    is_open = is_open and sentence.said.endswith(":")
    return is_open or compiled(_LIST).fullmatch(sentence.said) is not None


def also_gone(said: str, at: int) -> str:
    """The signs of what goes likewise, behind what a sentence says that goes."""
    found = compiled(_ALSO).match(said, at)
    return found[1] if found else ""


def as_resolved(directive: Directive, said: Sequence[Directive], above: Sentence | None, known: Known) -> Directive:
    """What says that something goes, and no name, of which what is said above tells what: `load`: removed."""
    if directive.verb != "remove" or directive.names or directive.places:
        return directive
    titled = [title for title in said if not title.verb and title.names and title.text.endswith(":")]
    is_short = len(directive.text.split()) <= _SHORT_REMARK
    unused = _unused(above, known) if compiled(_IT_WENT).match(directive.text) and "`" not in directive.text else ()
    return replace(directive, names=titled[0].names if titled and is_short else unused)


def _unused(sentence: Sentence | None, known: Known) -> tuple[str, ...]:
    """The one declared thing that a sentence names, and says that it is not used."""
    if sentence is None or len(sentence.quotes) != 1:
        return ()
    found = compiled(_IS_UNUSED).fullmatch(sentence.said) or compiled(_UNUSED).search(sentence.said)
    return tuple(each.resolved for each in sentence.quotes if found and known.name(each.resolved))


def removed(sentence: Sentence, known: Known, is_list: bool = False) -> tuple[Directive, ...]:
    """What a sentence says that goes; nothing where it is refused, or where a thing is not of the file.

    `is_list`: the sentence before says that what this one lists is gone. The first way that fits is taken.
    """
    if not (sentence.quotes or compiled(_REMARK).search(sentence.said)):
        return ()
    said = sentence.said[: up_to(pattern("why"), sentence.said)]
    if pattern("stop").search(sentence.said) or compiled(_REFUSED).search(said):
        return ()
    if (found := _unneeded(sentence, known)) is not None:
        return found
    if (place := _remark(sentence, said)) is not None:
        return _gone(sentence, places=(place,))
    is_stated = is_list or speaks_of("removal", sentence.said)
    for words, way in _WAYS if is_stated else _WAYS[:_WITHOUT_A_WORD]:
        if match := compiled(words).search(said):
            return way(sentence, match, known)
    return _all_named(sentence, said, known) if is_stated and (is_list or compiled(_LIST).match(said)) else ()


def _gone(sentence: Sentence, *names: str, places: tuple[Place, ...] = (), each: bool = False) -> tuple[Directive, ...]:
    return (Directive("remove", names, "", places, each, sentence.text),)


def _unneeded(sentence: Sentence, known: Known) -> tuple[Directive, ...] | None:
    unused = compiled(_UNUSED).search(sentence.said)
    if unused is None or not compiled(_IT_IS_REMOVED).search(sentence.said):
        return None
    name = sentence.quote(unused["called"] or unused["needed"]).resolved
    return _gone(sentence, name) if known.name(name) else ()


def _everything(sentence: Sentence, span: re.Match[str], known: Known) -> tuple[Directive, ...]:
    """All above or below a thing, in a scope where one is named."""
    scope = (Place("inside", (sentence.quote(span["scope"]).resolved,)),) if span["scope"] else ()
    name = _thing(sentence.quote(span["name"]), known)
    place = Place("above" if span["above"] else "below", (name,))
    return _gone(sentence, places=(place, *scope)) if name else ()


def _it(sentence: Sentence, it: re.Match[str], known: Known) -> tuple[Directive, ...]:
    name = sentence.quote(it["name"]).resolved
    return _gone(sentence, name) if name and not (_IS_PART.search(it[0]) and known.name(name)) else ()


def _to_end(sentence: Sentence, span: re.Match[str], known: Known) -> tuple[Directive, ...]:
    name = _thing(sentence.quote(span["name"]), known)
    return _gone(sentence, places=(Place("through", (name, END_OF_FILE)),)) if name else ()


def _between(sentence: Sentence, span: re.Match[str], known: Known) -> tuple[Directive, ...]:
    ends = tuple(_thing(sentence.quote(span[end]), known) for end in ("first", "last"))
    return _gone(sentence, places=(Place("through", ends),)) if all(ends) else ()


_WAYS: tuple[tuple[str, Callable[[Sentence, re.Match[str], Known], tuple[Directive, ...]]], ...] = (
    (_EVERYTHING, _everything),
    (_IT_GOES, _it),
    (_TO_END, _to_end),
    (_THROUGH, _between),
)
_WITHOUT_A_WORD = 2  # of them tell that something goes by themselves


def _all_named(sentence: Sentence, said: str, known: Known) -> tuple[Directive, ...]:
    leading = found[0] if sentence.item and (found := compiled(_LEADING).match(said)) else said
    names = [_thing(quote, known) for quote in sentence.quotes_in(leading)]
    return _gone(sentence, *names) if names and all(names) else ()


def _remark(sentence: Sentence, said: str) -> Place | None:
    """The comment that a sentence says goes, by what stands in it or what it belongs to; None where there is none."""
    found = next(filter(None, (compiled(pattern).search(said) for pattern in _REMARK_GOES)), None)
    if found is None:
        return None
    sign = found["name"] or found["tagged"]
    if not re.fullmatch(SIGN, sign):
        return Place("comment", (sign,))
    quote = sentence.quote(sign)
    return (
        Place("comment of", (quote.resolved,))
        if found["of"] is not None and quote.resolved
        else Place("comment", (quote.text,))
    )


def _thing(quote: Quote, known: Known) -> str:
    """What a quote means: a name, a line, a piece of one line; else the quote, where lines have it."""
    if quote.resolved:
        return quote.resolved
    if not quote.text or not known.has(quote.text):
        return ""
    return only(filter(whole_piece(quote.text).search, known.having(quote.text))) or quote.text
