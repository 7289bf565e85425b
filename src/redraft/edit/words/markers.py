"""In: one line of a sketch, and what the file knows. Out: whether it is a marker for code of the file."""

import re

from redraft.edit.words.comments import (
    DECORATION,
    LONGEST,
    comment_body,
    is_code,
    is_inside,
    only_dots,
    without_dots,
)
from redraft.edit.words.kinds import STRONG, kinds_of
from redraft.edit.words.known import Known, is_identifier

_SPREAD = re.compile(r"\.\.\.[\w$.@(\[{]+[\w$.\])}()]*[,;)\]}]*")
_CODE = re.compile(r">>|[=;{}@$\\|^~+]|&&|->|\w\(\w|://|\w\[|'\w+'|\"\w+\"|<\w+>.")
_BRACKETED_DOTS = re.compile(r"^[\s(]*\[(?:\.{3}|\u2026)\]")
_SELECTOR = re.compile(r"(\w+)\((?:\w+:)+\)")  # a name as Swift writes it: `priority(_:)`
_IN = re.compile(r"(?:still |back |further (?:up|down) )*(?:in|inside|within)\s+", re.IGNORECASE)
_THE = re.compile(r"(?:the|both|all)\s", re.IGNORECASE)
_ASSIGNING = re.compile(r"[={}]|;$|=>")
_AND = re.compile(r"\s*(?:,|/|&|\+|\s(?:and|or|plus)\s)+\s*", re.IGNORECASE)
_ASIDE = re.compile(r"(.*?)\s*(?:\(([^()]+)\)|(?:\s-+\s|:\s|\u2013|\u2014)\s*([^:]+)|,\s*([^:,]+))[.\s]*")
_EXISTING = re.compile(r"(?:(?:all|the|your|our|any) )*existing (?:[a-z-]+ )?[a-z]+s", re.IGNORECASE)
_MOST_NAMES = 20
_LONGEST_REST = 3  # words of a kind in `rest of the class body`
_RULES = " \t*-=~_/#"
_NAMED = 4  # words of the file's identifiers that may stand beside one
_GUESSES = 2  # unknown words that may stand beside a word of sameness


def is_marker(line: str, known: Known) -> bool:
    """True for `# ... existing code ...`, `// open, flush: nothing new`, `# other services unchanged`, `...`."""
    text = line.strip()
    if not text or len(text) > LONGEST or text in known.lines or is_code(text):
        return False
    body = comment_body(text)
    if body is None:
        return _bare(text, known)
    if is_inside(text):
        _, before, behind = without_dots(body.strip(DECORATION))
        return only_dots(body) or (before and behind)
    return says_marker(body, known)


def says_marker(body: str, known: Known) -> bool:
    """Whether the words of a comment are a marker's."""
    plain = _plain(body)
    if only_dots(body) or only_dots(plain):
        return True
    words, before, behind = without_dots(_SELECTOR.sub(r"\1()", plain))
    if before and (behind or plain[:3] != ".. ") and not (_ASSIGNING if behind else _CODE).search(words):
        return True
    if _CODE.search(words):
        return False
    return _says(words, known, before, behind) or (body[:1] in "([" and body[-1:] in ")]" and _is_of_file(words, known))


def _is_of_file(text: str, known: Known) -> bool:
    """Whether the words in brackets are only what code consists of: `(function body)`, `(imports, State)`."""
    kinds = kinds_of(text, known)
    said = re.sub("[GHreW]", "", kinds)
    return bool(said) and not said.strip("ND") and kinds.count("W") <= _GUESSES


def _plain(body: str) -> str:
    """The words without signs around them; `main()` keeps its brackets."""
    plain = _BRACKETED_DOTS.sub("... ", body).strip(DECORATION)
    return f"{plain}()" if body.rstrip(_RULES).endswith(f"{plain}()") else plain


def _bare(text: str, known: Known) -> bool:
    if only_dots(text):
        return ".." not in text or "..." in text or ". ." in text
    enclosed = text[0] in "([<{" and text[-1] in ")]>}"
    plain = text.strip(DECORATION) if enclosed else text
    if _SPREAD.fullmatch(plain) or _CODE.search(plain) or text[:3] == ".. ":
        return False
    words, before, behind = without_dots(plain)
    if before or behind:
        return _says(words, known, before, behind)
    return enclosed and " " in plain and _says(plain, known, False, False)


def _says(text: str, known: Known, before: bool, behind: bool) -> bool:
    """Whether the words say that code stays or is left out here."""
    return _stays(text, known, before, behind) or _only_names(text, known, before or behind)


def _only_names(text: str, known: Known, dotted: bool) -> bool:
    """`open, flush and close`; one name alone is a heading, unless it is called or dots stand beside it."""
    bare = _IN.sub("", text.rstrip(" :"), count=1) if _IN.match(text) else text
    pieces = [piece for piece in _AND.split(bare) if piece]
    if not pieces or len(pieces) > _MOST_NAMES or not all(_is_name(piece, known) for piece in pieces):
        return False
    led = not text.endswith(".") and bool(_THE.match(bare) or bare != text)  # the end of a sentence may look like one
    clear = led and any(is_identifier(word) for word in bare.split())
    return dotted or len(pieces) > 1 or bare.endswith("()") or clear


def _is_name(piece: str, known: Known) -> bool:
    """One declared name, and what it is called where an article stands in front: `the interface Config`."""
    kinds = kinds_of(piece, known).replace("G", "")
    return kinds == "D" or (_THE.match(piece) is not None and kinds.strip("N") == "D" and len(kinds) <= _GUESSES)


def _stays(text: str, known: Known, before: bool, behind: bool) -> bool:
    kinds = kinds_of(text, known)
    said = re.sub("[GHB]", "", kinds)
    unknown = sum(kind in "XI" for kind in said)
    if not said or _aside(text, known):
        return bool(said)
    if "T" in said and not (before and behind):
        return False
    if before:
        return _has(said, STRONG) and unknown <= _GUESSES
    if behind:
        return said[0] in STRONG and unknown <= 1
    return _says_same(said, kinds, unknown) or _says_rest(said, kinds, unknown) or _EXISTING.fullmatch(text) is not None


def _aside(text: str, known: Known) -> bool:
    """Whether a remark in brackets or after a dash or colon at the end says that all before it stays."""
    match = _ASIDE.fullmatch(text)
    if match is None or not match[1] or (match[4] and not _is_short(match[1], known)):
        return False
    kinds = kinds_of(match[2] or match[3] or match[4], known)
    said = re.sub("[GHKB]", "", kinds)
    return said in ("S", "O", "SN", "NS") or (said == "s" and "K" in kinds)


def _is_short(text: str, known: Known) -> bool:
    kinds = kinds_of(text, known)
    return "T" not in kinds and sum(kind in "XI" for kind in kinds) <= _GUESSES


def _says_same(said: str, kinds: str, unknown: int) -> bool:
    """`web and db unchanged`, `imports stay the same`, `unchanged`, `ditto`, `methods omitted`."""
    if not kinds.strip("sG"):
        return True
    clear, guessed = _has(said, "NDREC"), unknown + said.count("W")
    if "S" in said:
        most = _NAMED if not unknown else _GUESSES if clear else -1
        return not said.strip("SOK") or (_is_at_edge(said, kinds) and guessed <= most)
    if said.endswith("O") or (said.strip("NREre") == "O" and _has(said, "REr")):
        return not said.strip("O") or (_has(said, "NDRECW") and not _has(said, "XIK") and guessed <= _GUESSES)
    return said.endswith("s") and not guessed and _has(said, "KRrE")


def _is_at_edge(said: str, kinds: str) -> bool:
    """Whether what stays the same is said last, or first."""
    return said[-1] == "S" or (said[0] == "S" and "B" not in kinds)


def _has(said: str, kinds: str) -> bool:
    """Whether some of the words are of one of some kinds."""
    return not set(said).isdisjoint(kinds)


def _says_rest(said: str, kinds: str, unknown: int) -> bool:
    """`rest of main()`, `existing fields`, `other services here`; bare `other methods` is a heading."""
    if "B" in kinds or unknown > 2 * (kinds[-1] == "H") or (said.count("W") > 1 and kinds[-1] != "H"):
        return False
    if said.lstrip("K").startswith("R"):
        return len(said) <= _LONGEST_REST and ("W" not in said or kinds[-1] == "H")
    things = _has(said, "NDWC")
    if said.lstrip("KRr").startswith("E"):
        return things or (kinds[-1] == "H" and unknown > 0)
    if said.endswith("E"):
        return not said.strip("KNDE") and things
    if said.startswith(("r", "e")):
        return things and kinds[-1] == "H"
    return False
