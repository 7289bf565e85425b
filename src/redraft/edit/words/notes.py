"""In: one line of a sketch, and what the file knows. Out: what a note says that is gone from the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from redraft.edit.words.comments import DOTS, LONGEST, comment_body, is_code
from redraft.edit.words.known import Known, is_identifier
from redraft.edit.words.lexicon import UNSPACED, table

_SURE = re.compile(r"`[^`]+`|\S+\(\)|['\"][^'\"]+['\"]")
_EDGE = " \t.,:;!-\u2013\u2014\u2192=>*#/_~"
_QUOTES = " `'\""
_SHORTEST = 3  # letters of a line's beginning that tell which line it is
_MOST_WORDS = 3  # of what is gone but has no name


@dataclass(frozen=True)
class Deletion:
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
    body = _bare(body)
    for language in table("gone"):
        if body and _reader(language)["said"].search(body):
            found = next(_readings(body, language, known), None)
            if found is not None:
                return found
    return None


def _bare(body: str) -> str:
    """The words of a note without brackets around all of them and signs at its ends."""
    bare = body.strip(_EDGE)
    while bare[:1] in ("(", "[", "<") and bare[-1:] in (")", "]", ">") and bare[-2:] != "()":
        bare = bare[1:-1].strip(_EDGE)
    return bare


def _readings(body: str, language: str, known: Known) -> Iterator[Deletion]:
    reader = _reader(language)
    if counted := reader["count"].fullmatch(body):
        yield Deletion(count=int(counted["n"] or counted["m"]))
    for order in ("ahead", "behind"):
        if said := reader[order].fullmatch(body):
            what = said["what"].strip(_EDGE)
            yield from filter(None, (_gone(text, said, language, known) for text in {what: 0, what.split(",")[0]: 1}))
    if reader["pure"].fullmatch(body):
        yield Deletion()


def _gone(what: str, said: re.Match[str], language: str, known: Known) -> Deletion | None:
    """What is gone by its line, its first and last line, or its names; each has to be of the file."""
    reader = _reader(language)
    if line := known.line(what.strip(_QUOTES)):
        return Deletion(first=line, last=line)
    ends = reader["range"].fullmatch(what)
    if ends and (first := _end(ends["first"], known)) and (last := _end(ends["last"], known)):
        return Deletion(first=first, last=last)
    pieces = [piece for piece in reader["and"].split(what) if piece]
    names = [_name(piece, language, known) for piece in pieces]
    if names and all(names) and all(_is_meant(piece, said, language) for piece in pieces):
        lines = [name for name in names if name in known.lines and name not in known.declared]
        return Deletion(first=lines[0], last=lines[0]) if len(lines) == len(names) == 1 else Deletion(tuple(names))
    told = said["done"] and language not in UNSPACED and (":" in said[0] or reader["the"].match(what))
    words = re.findall(r"\w+", reader["the"].sub(" ", what))
    return Deletion() if told and 0 < len(words) <= _MOST_WORDS and _are_of(words, known) else None


def _name(piece: str, language: str, known: Known) -> str:
    """The name in `the old ping helper`, `Methode load()`, `handler`."""
    bare = _reader(language)["the"].sub(" ", piece).strip()
    for text in (piece, bare, " ".join(_reader(language)["noun"].sub(" ", bare).split())):
        if found := known.meant(text.strip(_QUOTES)) or known.name(text[:1].lower() + text[1:]):
            return found
    return ""


def _is_meant(piece: str, said: re.Match[str], language: str) -> bool:
    """Whether a word is surely a name: `deleted rows` may be rows that were deleted, whatever the file declares."""
    word, reader = piece.split()[-1], _reader(language)
    if not word.endswith("s") or ":" in said[0] or (said.re is reader["behind"] and " " in (said["done"] or "")):
        return True
    return bool(
        _SURE.search(piece) or is_identifier(word) or reader["noun"].search(piece) or reader["the"].match(piece)
    )


def _are_of(words: list[str], known: Known) -> bool:
    return all(word.lower() in known.parts or word in known.declared for word in words)


def _end(text: str, known: Known) -> str:
    """The line of the file that is, or alone begins with, a text; or the name that it is."""
    text = text.strip(_QUOTES)
    if found := known.line(text) or known.name(text):
        return found
    begun = [line for line in known.lines if line.startswith(text)] if len(text) >= _SHORTEST else []
    return begun[0] if len(begun) == 1 else ""


@cache
def _reader(language: str) -> dict[str, re.Pattern[str]]:
    words = table("gone")[language]
    unspaced = language in UNSPACED
    left, right = ("", "") if unspaced or language == "ko" else (r"(?<!\w)", r"(?!\w)")
    gap = r"\s*" if unspaced else r"(?:\s*[:\uff1a]\s*|\s+|(?=`))"
    done, doing = words["done"], words.get("doing", words["done"])
    verb = rf"{left}(?:(?P<done>{done})|{doing}){right}"
    sure = rf"{left}(?:{done}|{doing}){right}" if unspaced else rf"{left}{done}{right}"
    cause = rf"[;\u2013\u2014]|\s[-(]|\s{words['why']}(?!\w)"
    why = rf"(?:\s*(?:[,:]|{cause}).*)?"
    lines = words["lines"]
    patterns = {
        "said": rf"{left}(?:{done}|{doing}){right}",
        "pure": rf"(?:{words['the']}\s)*{sure}(?:\s*(?:,|{cause}).*)?",
        "count": rf"(?:(?P<n>\d+)\s*{lines}\s*{sure}|{sure}:?\s*(?P<m>\d+)\s*{lines}){why}",
        "ahead": rf"{verb}{gap}[:\uff1a]?\s*(?P<what>.+?)(?:\s*(?:{cause}).*)?",
        "behind": rf"(?P<what>.+?)\s*[:,\u2013\u2014(-]?\s*{verb}\)?{why}",
        "the": rf"{left}{words['the']}{right}",
        "noun": rf"{left}{words['noun']}{right}",
        "and": rf"\s*(?:[,/&+]|{words['and']})+\s*",
        "range": (
            rf"(?:{words['from']}\s?)?(?P<first>\S.*?)"
            rf"(?:\s*{DOTS}\s*|\s?{words['to']}\s?)(?P<last>\S.*?)(?:{words.get('until', '')})?"
        ),
    }
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}
