"""In: one line of a sketch by rules. Out: whether it is a lazy marker.

Manifests name sketches by hash, and these depend on what is a marker here: it stays as it is. Readers use edit.words.
"""

import re

_WRAPPERS = (
    ("{/*", "*/}"),
    ("{{!--", "--}}"),
    ("{{/*", "*/}}"),
    ("<!--", "-->"),
    ("<%--", "--%>"),
    ("<%#", "%>"),
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
_DECORATION = " \t()[]<>{}*-=~_/#"
_DOTS = r"(?:\.{2,}|…|(?:\. ){2,}\.)"

_NOUN = (
    r"(?:code|file|function|method|class|component|import|implementation|script|body|module|logic|template|style|"
    r"content|definition|declaration|propert(?:y|ie)|prop|field|test|case|handler|route|rule|section|line|setting|"
    r"config(?:uration)?|constant|variable|type|interface|struct(?:ure)?|enum|statement|helper|util(?:ity|itie)|html|"
    r"css|jsx|markup|text|part|item|entr(?:y|ie)|element|option|member|export|parameter|argument|state|hook|selector|"
    r"document|quer(?:y|ie)|table|column|key|value|command|step|job|package|dependenc(?:y|ie)|block|loop|program|"
    r"stuff|thing|constructor|initiali[sz]er|getter|setter|accessor|operator|trait|attribute|annotation|comment)s?"
)
_SAME = (
    r"(?:(?:the )?same|unchanged|unmodified|untouched|as(?: it)? (?:is|was)|as before|as above|omitted|elided|here|"
    r"goes? here|intact)"
)
_VERB = (
    r"(?:(?:has |have )?(?:remain|stay|is|are|was|were|be|been|go|goes|continue|kept|left|keep|follow)s?(?: exactly)?)"
)
_TAIL = rf"(?:,? *(?:{_VERB} )?{_SAME}(?: (?:as )?(?:before|above|for brevity|in the original|here))*)"
_OLD = (
    r"(?:existing|unchanged|previous|original|omitted|current|unmodified|same|remaining|other|rest of|remainder of|"
    r"all other|all existing|your existing)"
)
_WORDS = r"(?:[\w'`./,&:()-]+ ){0,5}?"

_PHRASES = (
    rf"(?:the )?(?:rest|remainder)(?: of)? {_WORDS}{_NOUN}(?: \S+)?{_TAIL}?",
    rf"(?:the )?(?:rest|remainder|everything else|all else){_TAIL}",
    rf"(?:keep |leave |include )?(?:the |your |all )*(?:existing|unchanged|unmodified|omitted) {_WORDS}{_NOUN}{_TAIL}?",
    rf"(?:the |your |all )*{_OLD} {_WORDS}{_NOUN}{_TAIL}",
    rf"{_WORDS}{_NOUN} (?:{_VERB} )?(?:the same|unchanged|unmodified|omitted|elided|as before)(?: .*)?",
    r"(?:unchanged|unmodified|omitted|snip|snipped|as before|as above)(?: for brevity| here)?",
    r"no changes?(?: here| needed| required)*",
    r"same as (?:before|above|in the original|the original|original)",
    r"(?:keep|leave) (?:everything|all|the rest|it|this|as is)\b.*",
)
_PHRASE = re.compile("|".join(_PHRASES), re.IGNORECASE)
_LAZY_WORD = re.compile(
    r"\b(?:existing|unchanged|unmodified|rest|remain(?:s|ing|der)?|previous|omitted|same|other|more|keep|original|snip|"
    r"truncated|elided|code|before|as is|etc|continue[sd]?)\b",
    re.IGNORECASE,
)
_ONLY_DOTS = re.compile(rf"[\s(\[<{{*/-]*{_DOTS}[\s)\]>}}*/-]*")
_OPENING_DOTS = re.compile(rf"{_DOTS}(\s*)(.*)", re.DOTALL)
_CLOSING_DOTS = re.compile(rf"(.*?)\s*{_DOTS}\s*", re.DOTALL)
_SPREAD = re.compile(r"\.\.\.[\w$.@(\[{]+[\w$.\])}()]*[,;)\]}]*")


def is_marker(line: str) -> bool:
    """True for lines such as `# ... existing code ...`, `/* rest of the file unchanged */`, `{/* ... */}`, `...`."""
    text = line.strip()
    if not text or len(text) > 200:
        return False
    body = comment_body(text)
    if body is None:
        return _bare_is_lazy(text)
    return _comment_is_lazy(body)


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


def _unwrapped(text: str) -> str | None:
    for opening, closing in _WRAPPERS:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening) + len(closing):
            return text[len(opening) : len(text) - len(closing)].strip()
    return None


def _comment_is_lazy(body: str) -> bool:
    if _ONLY_DOTS.fullmatch(body):
        return True
    plain = body.strip(_DECORATION)
    if opening := _OPENING_DOTS.fullmatch(plain):
        return bool(opening[1]) or bool(_LAZY_WORD.search(opening[2]))
    if closing := _CLOSING_DOTS.fullmatch(plain):
        return bool(_LAZY_WORD.match(closing[1])) or _is_phrase(closing[1])
    return _is_phrase(plain)


def _bare_is_lazy(text: str) -> bool:
    if _ONLY_DOTS.fullmatch(text):
        return ".." not in text or "..." in text or ". ." in text
    enclosed = text[0] in "([<{" and text[-1] in ")]>}"
    plain = text.strip(_DECORATION) if enclosed else text
    if _SPREAD.fullmatch(plain):
        return False
    if opening := _OPENING_DOTS.fullmatch(plain):
        return text[:3] != ".. " and bool(_LAZY_WORD.search(opening[2])) and not re.search(r"[=;{(]", opening[2])
    if closing := _CLOSING_DOTS.fullmatch(plain):
        return _is_phrase(closing[1])
    return enclosed and _is_phrase(plain)


def _is_phrase(text: str) -> bool:
    return bool(_PHRASE.fullmatch(text.strip(" \t.:;,!-()[]")))
