"""In: one line of a sketch, and what the file knows. Out: what a note says that is gone from the file."""

import re
from collections.abc import Iterator
from functools import cache

from redraft.edit.words.comments import LONGEST, comment_body, is_code, is_inside
from redraft.edit.words.known import Known, is_identifier
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
_TICKED = re.compile(r"`([^`]+)`")
_SURE = re.compile(r"`[^`]+`|\S+\(\)|['\"][^'\"]+['\"]")
_EDGE = " \t.,:;!-\u2013\u2014\u2192=>*#/_~"
_QUOTES = " `'\""


def deletion(line: str, known: Known) -> tuple[str, ...] | None:
    """The names of which a comment or bracketed line says that they are gone, `# fetch_all() is gone`; none where it
    says only that something is, `# (3 lines removed)`; else None."""
    text = line.strip()
    if not text or len(text) > LONGEST or text in known.lines or is_code(text):
        return None
    body = comment_body(text)
    if body is None:
        body = text[1:-1] if text[0] in "([<" and text[-1] in ")]>" else ""
    if (old := _OLD.fullmatch(body)) and (known.line(old["code"]) or known.holding(old["code"])):
        return ()
    if _OLD_BELOW.fullmatch(body):
        return ()
    body = _bare(body)
    found = next(_readings(body, known), None) if _reader("said").search(body) else None
    return None if found == () and is_inside(text) else found


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


def _readings(body: str, known: Known) -> Iterator[tuple[str, ...]]:
    if _reader("count").fullmatch(body):
        yield ()
    for order in ("ahead", "behind"):
        if said := _reader(order).fullmatch(body):
            what = said["what"].strip(_EDGE)
            what += ">" * (what.count("<") - what.count(">"))  # `List<T>`
            found = (_gone(text, said, known) for text in {what: 0, what.split(",")[0]: 1})
            yield from (names for names in found if names is not None)
    if _reader("pure").fullmatch(body):
        yield ()


def _gone(what: str, said: re.Match[str], known: Known) -> tuple[str, ...] | None:
    """What is gone by its names; each has to be of the file."""
    if ticked := [known.resolved(code) or known.holding(code) for code in _TICKED.findall(what)]:
        others = _reader("the").sub(" ", _TICKED.sub(" ", what)).split()
        return tuple(ticked) if all(ticked) else () if said["done"] and len(others) <= 1 else None
    pieces = [*filter(None, _reader("and").split(what))]
    names = tuple(_name(piece, known) for piece in pieces)
    return names if names and all(names) and all(_is_intended(piece, said) for piece in pieces) else None


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
        "count": rf"(?:\d+\s*{lines}\s*{sure}|{sure}:?\s*\d+\s*{lines}){why}",
        "ahead": rf"{verb}(?:\s*:\s*|\s+|(?=`)):?\s*(?P<what>.+?)(?:\s*(?:{cause}).*)?",
        "behind": rf"(?P<what>.+?)\s*[:,\u2013\u2014(-]?\s*{verb}\)?{why}",
        "the": rf"(?<!\w){words['the']}(?!\w)",
        "noun": rf"(?<!\w){words['noun']}(?!\w)",
        "and": rf"\s*(?:[,/&+]|{words['and']})+\s*",
    }
