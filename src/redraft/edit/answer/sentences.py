"""In: the lines of a chat answer without fences. Out: whether they are sentences, and no code."""

import re
from collections.abc import Collection, Sequence

from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known

_TICKED = re.compile(r"``[^`]+``|`[^`]+`")
_LISTED = re.compile(r"[()\[\],]\s*$")
_CODE_LIKE = re.compile(r"[;{}=<>]\s*$|^\s*(?:[@#<{}\[]|//|/\*)|[=!<>]=|[^\s:]=[^\s]|\w\(\w*\)")
_SAID = re.compile(r"(?:[^\W\d_][\w'\u2019-]*[,;:]?\s+){2}[^\W\d_]|[\u3040-\u30ff\u4e00-\u9fff]{4}")
_TABLE_RULE = re.compile(r"[\s|:-]+")


def is_said(lines: Sequence[str], file: Collection[str], known: Known) -> bool:
    """Whether an answer is sentences that quote the file, and no code."""
    written = [line for line in lines if line.strip() and not _TABLE_RULE.fullmatch(line)]
    quotes = (quote.strip("`").strip() for line in written for quote in _TICKED.findall(line))
    return any(known.line(quote) or known.holding(quote) for quote in quotes) and are_sentences(written, file)


def are_sentences(written: Sequence[str], file: Collection[str]) -> bool:
    """Whether lines are sentences, none of the file and none like code, but for what they quote."""
    if any(line.strip() in file and is_telling(line) for line in written):
        return False
    others = [line for line in written if not _SAID.search(line) and "`" not in line]
    if any(_CODE_LIKE.search(_TICKED.sub("code", line).strip()) for line in written):
        return False
    return 2 * len(others) <= len(written) and not any(_LISTED.search(line.strip()) for line in others)
