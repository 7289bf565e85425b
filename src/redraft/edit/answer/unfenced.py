"""In: the lines of a chat answer without fences. Out: the code that it quotes, or that it is all words."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from redraft.edit.answer.fences import Fence
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known

_QUOTED = re.compile(r"\s{0,3}>\s?(.*)")
_TICKED = re.compile(r"``[^`]+``|`[^`]+`")
_LISTED = re.compile(r"[()\[\],]\s*$")
_CODE_LIKE = re.compile(r"[;{}=<>]\s*$|^\s*(?:[@#<{}\[]|//|/\*)|[=!<>]=|[^\s:]=[^\s]|\w\(\w*\)")
_SAID = re.compile(r"(?:[^\W\d_][\w'\u2019-]*[,;:]?\s+){2}[^\W\d_]|[\u3040-\u30ff\u4e00-\u9fff]{4}")
_FENCE = re.compile(r"(?:```|~~~)")
_LEADS_IN = (":", "\uff1a", ":**", ":*")
_TABLE_RULE = re.compile(r"[\s|:-]+")


def unfenced(lines: Sequence[str], file: Collection[str]) -> list[Fence]:
    """The quoted stretches among sentences, as fences; none where the lines are no answer so written.

    `file` are the lines of the file, stripped: where one of them stands outside of these stretches, all is code.
    """
    if any(line.lstrip().startswith(("```", "~~~")) for line in lines):
        return []
    kinds = list(_kinds(lines))
    outside = [line for line, kind in zip(lines, kinds, strict=True) if kind == "said" and line.strip()]
    if not outside or not _is_said(outside, file) or not any(kind == "code" for kind in kinds):
        return []
    found, last = [], 0
    for start, end in _stretches(kinds):
        above = next((line for line in reversed(lines[:start]) if line.strip()), "")
        if not above.rstrip().endswith(_LEADS_IN):
            return []
        found.append(Fence("", "", _bare(lines[start:end]), tuple(lines[last:start]), end=end - 1))
        last = end
    return found


def is_said(lines: Sequence[str], file: Collection[str], known: Known) -> bool:
    """Whether an answer is sentences that quote the file, and no code."""
    written = [line for line in lines if line.strip() and not _TABLE_RULE.fullmatch(line)]
    quotes = (quote.strip("`").strip() for line in written for quote in _TICKED.findall(line))
    return any(known.line(quote) or known.holding(quote) for quote in quotes) and _is_said(written, file)


def _is_said(written: Sequence[str], file: Collection[str]) -> bool:
    """Whether lines are sentences, none of the file and none like code, but for what they quote."""
    if any(line.strip() in file and is_telling(line) for line in written):
        return False
    plain = [_TICKED.sub("code", line).strip() for line in written]
    said = [_SAID.search(line) is not None or "`" in line for line in written]
    if any(
        _CODE_LIKE.search(line) or (_LISTED.search(line) and not one) for line, one in zip(plain, said, strict=True)
    ):
        return False
    return 2 * sum(said) >= len(said)


def _kinds(lines: Sequence[str]) -> Iterator[str]:
    """For each line whether it is said or code; a blank line is what the line above is."""
    kind = "said"
    for line in lines:
        if line.strip():
            kind = "code" if _QUOTED.fullmatch(line) else "said"
        yield kind


def _stretches(kinds: Sequence[str]) -> Iterator[tuple[int, int]]:
    at = 0
    for kind, run in groupby(kinds):
        count = len(list(run))
        if kind == "code":
            yield at, at + count
        at += count


def _bare(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines without the signs that set them off."""
    bare = [match[1] if (match := _QUOTED.fullmatch(line)) else "" for line in lines]
    fenced = [at for at, line in enumerate(bare) if _FENCE.match(line)]
    return tuple(bare[fenced[0] + 1 : fenced[1]] if len(fenced) == 2 and not fenced[0] else bare)  # a fence in quotes
