"""In: one line of a sketch, and what the file knows. Out: what a note says that is gone from the file."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from redraft.edit.words.comments import DOTS, LONGEST, comment_body, is_code, is_inside
from redraft.edit.words.known import Known, is_identifier, only
from redraft.edit.words.lexicon import compiled, table
from redraft.edit.words.markers import says_marker

_OLD = re.compile(
    r"[\[(]?\s*(?:old|before|was|previously|formerly|removed|deleted)(?: (?:line|code|version|value))?"
    r"\s*[\])]?\s*:\s*(?P<code>\S.*)",
    re.IGNORECASE,
)
_OLD_BELOW = re.compile(
    r"(?:old|before|was)\b(?: (?:code|version|lines?|condition|value))?,? ?(?:(?:remove|drop|delete)\b.{0,30})?:",
    re.IGNORECASE,
)
_SAID = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{6,}?)(?:\s?(?:\.{3}|\u2026))?[\"\u201d]")
_TICKED = re.compile(r"`([^`]+)`")
_SURE = re.compile(r"`[^`]+`|\S+\(\)|['\"][^'\"]+['\"]")
_EDGE = " \t.,:;!-\u2013\u2014\u2192=>*#/_~"
_QUOTES = " `'\""
_SHORTEST = 3  # letters of a line's beginning that tell which line it is
_MOST_OF_A_LIST = 16  # words of what is gone that has identifiers in it
_MOST_WORDS = 3  # of what is gone but has no name


class Deletion(Struct, frozen=True):
    """What is gone: declared names, what lies from `first` to `last` (lines or names), or a `count` of lines here.

    One that holds nothing says that something is gone here.
    """

    names: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    count: int | None = None


def deletion(line: str, known: Known) -> Deletion | None:
    """What a comment or bracketed line says is gone: `# fetch_all() is gone`, `# (3 lines removed)`; else None."""
    text = line.strip()
    if not text or len(text) > LONGEST or text in known.lines or is_code(text):
        return None
    body = comment_body(text)
    if body is None:
        body = text[1:-1] if text[0] in "([<" and text[-1] in ")]>" else ""
    if (old := _OLD.fullmatch(body)) and (code := known.line(old["code"]) or known.holding(old["code"])):
        return Deletion(first=code, last=code)
    if _OLD_BELOW.fullmatch(body):
        return Deletion()
    body = _bare(body)
    found = next(_readings(body, known), None) if _reader("said").search(body) else None
    return None if found == Deletion() and is_inside(text) else found


def tells_removal(line: str, known: Known) -> bool:
    """Whether a comment says that something is gone, in whatever words, and of nothing that it stays."""
    text = line.strip()
    body = comment_body(text)
    if body is None or text in known.lines or is_code(text) or says_marker(body, known):
        return False
    return _reader("gone").search(body) is not None


def _bare(body: str) -> str:
    """The words of a note without brackets around all of them and signs at its ends."""
    bare = body.strip(_EDGE)
    while bare[:1] in ("(", "[", "<") and bare[-1:] in (")", "]", ">") and bare[-2:] != "()":
        bare = bare[1:-1].strip(_EDGE)
    return bare


def _readings(body: str, known: Known) -> Iterator[Deletion]:
    if counted := _reader("count").fullmatch(body):
        yield Deletion(count=int(counted["n"] or counted["m"]))
    for order in ("ahead", "behind"):
        if said := _reader(order).fullmatch(body):
            what = said["what"].strip(_EDGE)
            what += ">" * (what.count("<") - what.count(">"))  # `List<T>`
            yield from filter(None, (_gone(text, said, known) for text in {what: 0, what.split(",")[0]: 1}))
    if _reader("pure").fullmatch(body):
        yield Deletion()


def _gone(what: str, said: re.Match[str], known: Known) -> Deletion | None:
    """What is gone by its line, its first and last line, or its names; each has to be of the file."""
    if stretch := _stretch(what, known):
        return stretch
    if ticked := [known.resolved(code) or known.holding(code) for code in _TICKED.findall(what)]:
        others = _reader("the").sub(" ", _TICKED.sub(" ", what)).split()
        return _found(ticked, known) if all(ticked) else Deletion() if said["done"] and len(others) <= 1 else None
    pieces = [*filter(None, _reader("and").split(what))]
    names = [_name(piece, known) for piece in pieces]
    if names and all(names) and all(_is_intended(piece, said) for piece in pieces):
        return _found(names, known)
    return Deletion() if said["done"] and _speaks_of_the_file(what, ":" in said[0], known) else None


def _stretch(what: str, known: Known) -> Deletion | None:
    """One line, or what lies from one to another."""
    if line := known.line(what.strip(_QUOTES)):
        return Deletion(first=line, last=line)
    ends = _reader("range").fullmatch(what)
    if ends and (first := _end(ends["first"], known)) and (last := _end(ends["last"], known)):
        return Deletion(first=first, last=last)
    return None


def _speaks_of_the_file(what: str, is_headed: bool, known: Known) -> bool:
    """Whether words that name nothing quote a line of the file, or are such as its names are made of."""
    if any(any(known.having(text)) for text in _SAID.findall(what)):
        return True
    words = re.findall(r"\w+", _reader("the").sub(" ", what))
    if any(map(is_identifier, words)) and len(words) <= _MOST_OF_A_LIST:
        return sum(_are_of([word], known) for word in words) * 2 >= len(words)
    is_clear = is_headed or _reader("the").match(what) is not None
    return is_clear and 0 < len(words) <= _MOST_WORDS and _are_of(words, known)


def _found(names: list[str], known: Known) -> Deletion:
    """One line by itself; else names, among which may be lines."""
    is_line = len(names) == 1 and names[0] in known.lines and names[0] not in known.declared
    return Deletion(first=names[0], last=names[0]) if is_line else Deletion(tuple(names))


def _name(piece: str, known: Known) -> str:
    """The name in `the old ping helper`, `Methode load()`, `handler`."""
    bare = _reader("the").sub(" ", piece).strip()
    for text in (piece, bare, " ".join(_reader("noun").sub(" ", bare).split())):
        if found := known.resolved(text.strip(_QUOTES)) or known.name(text[:1].lower() + text[1:]):
            return found
    return ""


def _is_intended(piece: str, said: re.Match[str]) -> bool:
    """Whether a word is surely a name: `deleted rows` may be rows that were deleted, whatever the file declares."""
    word = piece.split()[-1]
    if not word.endswith("s") or ":" in said[0] or (said.re is _reader("behind") and " " in (said["done"] or "")):
        return True
    return bool(
        _SURE.search(piece) or is_identifier(word) or _reader("noun").search(piece) or _reader("the").match(piece)
    )


def _are_of(words: list[str], known: Known) -> bool:
    return all(word.lower() in known.parts or word in known.declared for word in words)


def _end(text: str, known: Known) -> str:
    """The line of the file that is, or alone begins with, a text; or the name that it is."""
    text = text.strip(_QUOTES)
    if found := known.line(text) or known.name(text):
        return found
    return only(line for line in known.having(text) if line.startswith(text)) if len(text) >= _SHORTEST else ""


def _reader(name: str) -> re.Pattern[str]:
    return compiled(_patterns()[name])


@cache
def _patterns() -> dict[str, str]:
    words = table("gone")
    done, doing, lines = words["done"], words["doing"], words["lines"]
    sure = rf"(?<!\w){done}(?!\w)"
    verb = rf"(?<!\w)(?:(?P<done>{done})|{doing})(?!\w)"
    cause = rf"[;\u2013\u2014]|\s[-(]|\s{words['why']}(?!\w)"
    why = rf"(?:\s*(?:[,:]|{cause}).*)?"
    return {
        "said": rf"(?<!\w)(?:{done}|{doing})(?!\w)",
        "gone": sure,
        "pure": rf"(?:{words['the']}\s)*{sure}(?:\s*(?:,|{cause}).*)?",
        "count": rf"(?:(?P<n>\d+)\s*{lines}\s*{sure}|{sure}:?\s*(?P<m>\d+)\s*{lines}){why}",
        "ahead": rf"{verb}(?:\s*:\s*|\s+|(?=`)):?\s*(?P<what>.+?)(?:\s*(?:{cause}).*)?",
        "behind": rf"(?P<what>.+?)\s*[:,\u2013\u2014(-]?\s*{verb}\)?{why}",
        "the": rf"(?<!\w){words['the']}(?!\w)",
        "noun": rf"(?<!\w){words['noun']}(?!\w)",
        "and": rf"\s*(?:[,/&+]|{words['and']})+\s*",
        "range": rf"(?:{words['from']}\s?)?(?P<first>\S.*?)(?:\s*{DOTS}\s*|\s?{words['to']}\s?)(?P<last>\S.*?)",
    }
