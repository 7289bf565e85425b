"""In: the words of a comment. Out: whether they are one of the usual English wordings of a lazy marker."""

import re

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


def is_usual(text: str) -> bool:
    """Whether a comment's words are a usual marker: `rest of the file unchanged`, `existing code`, `snip`."""
    return bool(_PHRASE.fullmatch(text.strip(" \t.:;,!-()[]")))
