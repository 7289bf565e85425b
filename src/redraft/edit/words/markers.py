"""In: one line of a sketch, and what the file knows. Out: whether it is a marker for code of the file, and which."""

import re

from redraft.edit.words.comments import (
    DECORATION,
    DOTS,
    LONGEST,
    comment_body,
    is_code,
    only_dots,
    without_dots,
)
from redraft.edit.words.kinds import Token, languages, tokens
from redraft.edit.words.known import Known, is_identifier
from redraft.edit.words.usual import is_usual

_SPREAD = re.compile(r"\.\.\.[\w$.@(\[{]+[\w$.\])}()]*[,;)\]}]*")
_CODE = re.compile(r"[=;{]|\w\(\w")
_LONGEST_GUESS = 3  # words that are neither names nor of a kind, beside a word of sameness
_INLINE = re.compile(
    r"(?P<before>.*?[\S])(?P<marker>\s*(?:\{/\*.*?\*/\}|/\*.*?\*/|<!--.*?-->|//.*|(?<=\s)\#.*|\.{3}|…)\s*)"
    r"(?P<after>(?:[})\]>;,]|</\w+>|end\b)*\s*)"
)

__all__ = ["comment_body", "is_marker", "named", "split_inline"]


def is_marker(line: str, known: Known) -> bool:
    """True for `# ... existing code ...`, `// open, flush: nothing new`, `# other services unchanged`, `...`."""
    text = line.strip()
    if not text or len(text) > LONGEST or text in known.lines or is_code(text):
        return False
    body = comment_body(text)
    return _bare(text, known) if body is None else _comment(body, known)


def named(line: str, known: Known) -> tuple[str, ...]:
    """The names of the file that a marker mentions, in order."""
    text = line.strip()[:LONGEST]
    body = comment_body(text) or text.strip(DECORATION)
    found = {
        name: None
        for language in (*languages(body), "en")
        for token in tokens(body, language, known)
        if token.kind == "D" and (name := known.name(token.text))
    }
    return tuple(found)


def split_inline(line: str, known: Known) -> tuple[str, str, str] | None:
    """A line with a marker inside, cut around it: `int size() { /* as before */ }`, `def f(): ...`; else None."""
    text = line.rstrip()
    if len(text) > LONGEST or text.strip() in known.lines or only_dots(text.strip()) or is_marker(text, known):
        return None
    match = _INLINE.fullmatch(text)
    if match is None:
        return None
    marker = match["marker"].strip()
    body = comment_body(marker)
    if marker in ("...", "…"):
        stands = _may_stand_for_code(match["before"], match["after"], known)
    else:
        stands = body is not None and (only_dots(body) or _comment(body, known)) and _opens(match["before"])
    return (match["before"], marker, match["after"]) if stands else None


def _may_stand_for_code(before: str, after: str, known: Known) -> bool:
    if before.endswith((".", "(", ",", "[")) and not before.endswith("{"):
        return False
    return (_opens(before) and any(known.name(word) for word in re.findall(r"[\w$]+", before))) or bool(
        re.fullmatch(r"\s*<[\w.-]+(?:\s[^<>]*)?>", before) and after.startswith("</")
    )


def _opens(before: str) -> bool:
    return before.rstrip().endswith(("{", ":", "=>", "->", "=", ">", "do", "then", "[", "("))


def _comment(body: str, known: Known) -> bool:
    if only_dots(body):
        return True
    text, before, behind = without_dots(body.strip(DECORATION))
    if before and (body.strip(DECORATION)[:4].rstrip(".…") != body.strip(DECORATION)[:4].rstrip()) and not text:
        return True
    if before:
        spaced = re.match(rf"{DOTS}\s", body.strip(DECORATION)) is not None
        return spaced or _says(text, known, dotted=True)
    return is_usual(text) or _says(text, known, dotted=behind)


def _bare(text: str, known: Known) -> bool:
    if only_dots(text):
        return ".." not in text or "..." in text or ". ." in text
    enclosed = text[0] in "([<{" and text[-1] in ")]>}"
    plain = text.strip(DECORATION) if enclosed else text
    if _SPREAD.fullmatch(plain) or _CODE.search(plain):
        return False
    words, before, behind = without_dots(plain)
    if text[:3] == ".. ":
        return False
    if before or behind:
        return is_usual(words) or _says(words, known, dotted=True)
    return enclosed and (is_usual(plain) or (" " in plain and _says(plain, known, dotted=False)))


def _says(text: str, known: Known, dotted: bool) -> bool:
    """Whether the words say in some language that code stays or is left out here."""
    if any(_stays(tokens(text, language, known), dotted) for language in languages(text)):
        return True
    return _only_names(tokens(text, "en", known), dotted)


def _only_names(found: list[Token], dotted: bool) -> bool:
    kinds = "".join(token.kind for token in found if token.kind not in "GH")
    if not kinds or kinds.strip("DN") or "D" not in kinds:
        return False
    clear = [token for token in found if token.kind == "D" and is_identifier(token.text)]
    return dotted or len(clear) == len(kinds) or (len(kinds) > 1 and len(clear) > 0) or kinds.count("D") > 1


def _stays(found: list[Token], dotted: bool) -> bool:
    kinds = "".join(token.kind for token in found)
    said = kinds.replace("G", "").replace("H", "")
    if not said or "?" in kinds:
        return False
    unknown = sum(kind in "XI" for kind in said)
    if dotted:
        return bool(set("SOREK") & set(said)) and unknown <= _LONGEST_GUESS
    if "S" in said or "O" in said:
        return _says_same(said, kinds, unknown)
    if "R" in said and not unknown and "W" not in said:
        return (
            "H" in kinds or "K" in said or (said[0] == "R" and said[-1] in "DNC" and len(said) > 1 and _is_rest(found))
        )
    if "E" in said and not unknown:
        return said.strip("KR")[:1] == "E" and bool(set("NDW") & set(said)) and ("H" in kinds or "W" not in said)
    return False


def _is_rest(found: list[Token]) -> bool:
    first = next(token.text.lower() for token in found if token.kind == "R")
    return not re.fullmatch(r"(?:all |the )*others?|further|remaining", first)


def _says_same(said: str, kinds: str, unknown: int) -> bool:
    if said in ("S", "O"):
        return True
    if not unknown:
        return bool(set("NDREKOCSW") & set(said))
    ends = said[-1] in "SO" or said[0] in "SO"
    return ends and unknown + said.count("W") <= 2 and bool(set("NDREC") & set(said))
