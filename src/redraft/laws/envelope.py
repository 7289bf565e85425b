"""In: a change. Out: the first new line that belongs to the answer and not to the file."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from redraft.edit.align.likeness import quoted
from redraft.edit.text.lines import bare
from redraft.edit.words import comment_body
from redraft.laws.change import Broken, Change

_CALLS = (
    r"old_text|new_text|old_string|new_string|old_str|new_str|replace_in_file|write_to_file|file_path|function_calls"
    r"|tool_call|tool_use|apply_diff|apply_patch|search_and_replace|str_replace\w*|edit_file|antml:\w+"
)
_CALL = re.compile(rf"\s*</?(?:{_CALLS})\b[^<>]*>")
_TAG = re.compile(r"\s*</?(?:edits?|search|replace|diff|path|content|invoke|parameter|find|file)(?:\s[^<>]*)?>\s*$")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w+#.:/ -]*$")
_SEPARATOR = re.compile(r"\s*(?:[-<]{5,} ?SEARCH|[+>]{5,} ?REPLACE|-{5,} ={5,}|<{7}|>{7})\s*$")
_HEADER = re.compile(
    r"\*\*\* (?:Begin Patch|End Patch|End of File|(?:Update|Add|Delete) File: )|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@"
    r"|:start_line:|\s*end_of_edit$|edit \d+:\d+$"
)
_NUMBER = re.compile(r"\s*\d+\s?[\u2192\u2502]|\s*\d+ \| ")
_ANCHOR = re.compile(r"\d+#[A-Z]{2}:")
_SIGN = re.compile(r"\s*\+ \S")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#39|#x27);")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`")
_ESCAPED_QUOTE = re.compile(r"\\\".*\\\"")
_ESCAPED_BREAK = re.compile(r"\w\\n\w")
_HARD_SPACE = re.compile(r"[ \t]*\u00a0")
_NO_WIDTH = re.compile("[\u200b\u2060\ufeff]")
_SAID = re.compile(r"(?:[^\W\d_][\w'\u2019-]*[,;]? +){2}[^\W\d_]")  # words from the margin on
_TICKED = re.compile(r"(?:^| )`[^`]+`(?=[ .,:!?]|$)")
_REMARKS = re.compile(
    r"(?i)\W*(?:(?:etc|and so on|and so forth|usw|blah(?: blah)*|snip|you get the idea|as above)\W*"
    r"|(?:example usage|usage example|how to use(?: it)?|expected output)\W*"
    r"|(?:(?:please )?(?:add|insert|put|paste|place)) (?:this|these|the (?:following|above|below|code|line))\b.*"
    r"|(?:before|after|old|new)(?: code| version)?\W*|(?:removed|deleted): .*)"
)
_MARKUP = frozenset(
    ("html", "xml", "vue", "svelte", "astro", "tsx", "javascript", "php", "markdown", "typescript", "fsharp", "csharp")
)  # in which tags, or entities, stand outside of strings: elements, comments on types
_PROSE = frozenset((".md", ".mdx", ".markdown", ".rst", ".adoc", ".org", ".txt", ".tex", ".rmd", ".qmd"))
_SHELLS = frozenset(("bash", "fish", "make", "dockerfile", "perl", "powershell", "vim", "cmake"))
_SETTINGS = frozenset(("", "ini", "yaml", "toml"))


def enveloped(change: Change) -> Broken | None:
    """None where no new line is a tag, fence, header, sign, number or escape that the file has none of."""
    for at in sorted(change.touched):
        line = change.after[at]
        if change.had[bare(line)]:
            continue
        found = (what for what, is_one in _KINDS.items() if is_one(line, change))
        if what := next((what for what in found if not _is_usual(change, what)), ""):
            return Broken("envelope", f"line {at + 1} of the new file would be {quoted(line)}, which has {what}")
    return None


@lru_cache(maxsize=16)
def _is_usual(change: Change, what: str) -> bool:
    """Whether the file has lines of a kind."""
    return any(_KINDS[what](line, change) for line in change.before)


def _has_tag(line: str, change: Change) -> bool:
    return bool(_CALL.match(line)) or (change.new.language not in _MARKUP and bool(_TAG.match(line)))


def _has_fence(line: str, change: Change) -> bool:
    """In other kinds of files fences may stand in strings and comments: `guard/leaks.py` looks at these."""
    return change.new.language in _SETTINGS and _kind(change) not in _PROSE and bool(_FENCE.match(line))


def _has_separator(line: str, change: Change) -> bool:
    return bool(_SEPARATOR.match(line) or _HEADER.match(line))


def _has_number(line: str, change: Change) -> bool:
    return bool(_ANCHOR.match(line)) or (_kind(change) not in _PROSE - {".txt"} and bool(_NUMBER.match(line)))


def _has_sign(line: str, change: Change) -> bool:
    return change.new.language in _SETTINGS - {""} and bool(_SIGN.match(line))


def _has_entity(line: str, change: Change) -> bool:
    is_page = change.new.language in ("html", "xml", "vue", "svelte", "astro", "php", "markdown", "tsx")
    return not is_page and _kind(change) != ".txt" and bool(_ENTITY.search(_STRING.sub("", _code(line))))


def _code(line: str) -> str:
    """A line without a comment of a whole line: documentation has entities."""
    return "" if line.lstrip()[:2] in ("//", "/*", "* ", "# ", "--") else line


def _has_escape(line: str, change: Change) -> bool:
    if change.new.language in _SHELLS or _kind(change) in _PROSE - {".txt"}:
        return False
    if _ESCAPED_QUOTE.search(line) and not re.search(r"(?<!\\)[\"'`]", line):
        return True
    return change.new.language in _SETTINGS and bool(_ESCAPED_BREAK.search(_STRING.sub("", line)))


def _says_more(line: str, change: Change) -> bool:
    body = comment_body(line.strip()) or ""
    return _REMARKS.fullmatch(body) is not None or (_is_aside(body) and _has_asides(change))


def _is_sentence(line: str, change: Change) -> bool:
    """Of an answer without fences, what is said to the reader, above, between and below the code."""
    if not change.answer.is_faithful or _kind(change) in _PROSE or comment_body(line):
        return False
    said = _TICKED.sub(" x", line)
    is_said = _SAID.match(said) and (said != line or line.rstrip().endswith((".", ":", "!", "?")))
    return bool(is_said) and not any(map(_has_quotes, change.after))


def _has_quotes(line: str) -> bool:
    """Whether a string of several lines begins or ends, as a docstring: there sentences are the file's own."""
    return '"""' in line or "'''" in line


def _is_aside(body: str) -> bool:
    return body[:1] in "([" and body[-1:] in ")]" and " " in body


def _has_asides(change: Change) -> bool:
    """Whether the answer has markers in brackets."""
    return any(_is_aside(comment_body(text.strip()) or "") for text in change.lines("marker"))


def _has_hard_space(line: str, change: Change) -> bool:
    return bool(_HARD_SPACE.match(line))


def _has_no_width(line: str, change: Change) -> bool:
    return bool(_NO_WIDTH.search(line))


def _kind(change: Change) -> str:
    return PurePosixPath(change.path.replace("\\", "/")).suffix.lower()


_KINDS: Mapping[str, Callable[[str, Change], bool]] = {
    "a tag of the answer: leave it out of the code": _has_tag,
    "marks around the answer's code: leave them out of the code": _has_fence,
    "a mark of the edit's format: leave it out of the code": _has_separator,
    "a line number in front: remove the numbers": _has_number,
    "a diff '+' in front: remove it": _has_sign,
    "an HTML escape: write the plain character": _has_entity,
    "backslashes where plain quotes or line breaks belong: remove the backslashes": _has_escape,
    "words for the reader and not for the program: leave it out of the code": _says_more,
    "a sentence: set the code off in a fence": _is_sentence,
    "no-break spaces (U+00A0): write plain ones": _has_hard_space,
    "a sign of no width (as U+200B): leave it out": _has_no_width,
}
