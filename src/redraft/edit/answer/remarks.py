"""In: a line of an answer. Out: the line without words to the reader at its end, such as `// new` or `# was 120`."""

import re

_NOTE = re.compile(
    r"(.*\S)\s+(?:#|//|--|\{?/\*|<!--)\s*(?:(?:<[-=]*|\u2190)\s*)?"
    r"(?:new|added|changed|updated|modified|fixed|now|was(?: \S+){1,3}|(?:no longer|not) \S+|\S+ (?:is|are) gone)"
    r"(?: (?:line|here|code|field|parameter|argument|import))?[.!]?\s*(?:\*/\}?|-->)?",
    re.IGNORECASE,
)
_ARROW = re.compile(
    r"(.*\S)(?:\s+(?:#|//|--|/\*|<!--|;+|%)\s*(?:<[-=]+|[\u2190\u27f5\u2b05\U0001f448])|"
    r"\s{2,}(?:<[-=]{2,}|[\u2190\u27f5\u2b05\U0001f448]))\ufe0f?\s*([^;{}()=\[\]]*?)\s*(?:\*/|-->)?\s*"
)
_LONGEST = 8  # words behind an arrow
_LONGEST_LINE = 500  # signs of a line that is looked at


def without_remark(text: str) -> str:
    if len(text) > _LONGEST_LINE or text.lstrip().startswith("* "):
        return text
    if note := _NOTE.fullmatch(text):
        return note[1]
    arrow = _ARROW.fullmatch(text)
    return arrow[1] if arrow is not None and len(arrow[2].split()) <= _LONGEST else text
