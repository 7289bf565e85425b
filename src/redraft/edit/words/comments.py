"""In: one line of a sketch. Out: the words of the comment, brackets or dots that it consists of."""

import re

LONGEST = 200  # characters; longer comments are no markers

_WRAPPERS = (
    ("{/*", "*/}"),
    ("{{!--", "--}}"),
    ("{{/*", "*/}}"),
    ("<!--", "-->"),
    ("<%--", "--%>"),
    ("<%#", "%>"),
    ("{% comment %}", "{% endcomment %}"),
    ("/*", "*/"),
    ("(*", "*)"),
    ("{-", "-}"),
    ("{#", "#}"),
    ("--[[", "]]"),
    ('"""', '"""'),
    ("'''", "'''"),
)
_MOST_NESTED = 4  # comments within comments
_LEADERS = ("///", "//", "--", ";;", "::", "%%", "#", ";", "%", "!", "*", "'", '"', "REM ", "rem ", "dnl ")
_NO_COMMENT = re.compile(
    r"#(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|warning|nullable|import|(?:end)?region)\b|#[\[!]"
    r"|#\s+(?:include\s*[<\"]|define\s+\w|undef\s+\w+$|ifn?def\s+\w+$|if\s+(?:!?defined\b|[(!\d])|else$|endif$|pragma\s)"
    r"|\*[^\s*]|\*\*\w|--\w|![\w(]|%[\w{]|::\w|['\"]\w.*['\"]|;\w"
)
_INSIDE = re.compile(r"(?:\*|///|//!)\s?(?![*/])|([\"']).*\1")
DOTS = r"(?:\.{2,}|…+|(?:\. ){2,}\.|\[(?:\.{2,}|…)\])"
_ONLY_DOTS = re.compile(rf"[\s(\[<{{*/-]*{DOTS}[\s)\]>}}*/-]*")
_OPENING_DOTS = re.compile(rf"{DOTS}(\s*)(.*)", re.DOTALL)
_CLOSING_DOTS = re.compile(rf"(.*?)\s*{DOTS}\s*", re.DOTALL)
DECORATION = " \t()[]<>{}*-=~_/#"


def comment_body(text: str) -> str | None:
    """The words of a line that is one whole comment in some language; None for other lines."""
    body = None
    for _ in range(_MOST_NESTED):
        inner = _unwrapped(text)
        if inner is None:
            break
        body = text = inner
    leader = next((leader for leader in _LEADERS if text.startswith(leader)), None)
    return body if leader is None else text[len(leader) :].strip()


def is_code(text: str) -> bool:
    """Whether a line begins like a comment of another language but is code or a command's option."""
    return bool(_NO_COMMENT.match(text))


def is_inside(text: str) -> bool:
    """Whether a line begins as those within a longer comment or a documentation comment do."""
    return bool(_INSIDE.match(text))


def only_dots(text: str) -> bool:
    """Whether a text is an ellipsis and signs around it."""
    return bool(_ONLY_DOTS.fullmatch(text))


def without_dots(text: str) -> tuple[str, bool, bool]:
    """A text without the ellipses at its ends, and whether one stood in front and behind."""
    before = behind = False
    if opening := _OPENING_DOTS.fullmatch(text):
        before, text = True, opening[2]
    if closing := _CLOSING_DOTS.fullmatch(text):
        behind, text = True, closing[1]
    return text.strip(), before, behind


def _unwrapped(text: str) -> str | None:
    for opening, closing in _WRAPPERS:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening) + len(closing):
            inner = text[len(opening) : len(text) - len(closing)]
            return None if closing in inner else inner.strip()
    return None
