"""In: an answer and its file before and after. Out: what a reader has to be able to do to read it, told by rules.

The rules see the right file, which a reader does not; they serve to say where readers fail, not to read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from redraft.data.references import Reference, Referrer
from redraft.edit.text.changes import line_changes, split_lines

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_SIGNS = ("+", "-")
_OWN = (*_SIGNS, "@", "***", "<<<", ">>>", "===")
_USUAL = re.compile(r"existing|rest of|remain|unchanged|same|\bother\b|^\W*(?:\.{3}|…)\W*$", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?://|#(?!include|\[)|--(?!-)|/\*|<!--|;|\{/\*|%|\*(?=\s)|\"\"\")")
_INSIDE = re.compile(r"\w.*[({\[]\s*(?:\.{3}|…|/\*.*\*/)\s*[)}\]]")
_GONE = re.compile(
    r"remov|delet|\bgone\b|drop|no longer|entf[aä]ll|gel[oö]scht|supprim|enlev|elimin|quitad|removid"
    r"|删除|移除|去掉|削除|удал|убра",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:after|before|below|above|beneath|inside|under|between|next to|end of|top of|bottom of|first|last|nach|vor"
    r"|hinter|unter|über|in der|im|après|avant|sous|dans|después|antes|debajo|dentro|depois|abaixo|после|перед|под)\b"
    r"|之后|之前|后面|前面|下面|上面|中|直後|直前|の下|の上|の中",
    re.IGNORECASE,
)
_ALIKE = 0.55
_WHOLE = 0.95


@dataclass(frozen=True)
class _Line:
    """A line of an answer: which block of code it is in, 0 for prose, what it refers to, and that line."""

    text: str
    block: int
    reference: Reference | None
    file: str


@dataclass(frozen=True)
class _Told:
    """An answer by lines, and the lines of the file."""

    lines: Sequence[_Line]
    before: Sequence[str]
    after: Sequence[str]

    @property
    def code(self) -> list[_Line]:
        return [line for line in self.lines if line.block]

    @property
    def own(self) -> list[_Line]:
        """Lines of code that are not the file's."""
        return [line for line in self.code if line.reference is None and line.text.strip()]


def abilities(answer: str, before: str, after: str) -> list[str]:
    """The names of all that hold, in the order of the table."""
    referrer, lines, block, inside = Referrer(before, after), list[_Line](), 0, ""
    for text in answer.split("\n"):
        fence = _FENCE.match(text)
        if fence and (not inside or text.strip() == inside):
            block, inside = block + (not inside), "" if inside else fence[0].strip()
            continue
        found = referrer.find(text)
        lines.append(_Line(text, block if inside else 0, found, referrer.line(found) if found else ""))
    if not block:
        lines = [replace(line, block=1) for line in lines]
    told = _Told(lines, split_lines(before), split_lines(after))
    return [name for name, holds in _RULES.items() if holds(told)]


def _is_signed(line: _Line) -> bool:
    return line.reference is not None and line.reference.put.strip() in _SIGNS


def _has_header(told: _Told) -> bool:
    return any(re.match(r"@@ .*-\d", line.text) for line in told.code)


def _undeclared(told: _Told) -> bool:
    is_patch = any(line.text.startswith("*** ") for line in told.code)
    return not _has_header(told) and (is_patch or any(map(_is_signed, told.code)))


def _gutter(told: _Told) -> bool:
    return sum(bool(line.reference and re.fullmatch(r"\s*\d+\s?\S?\s*", line.reference.put)) for line in told.code) > 1


def _comments(told: _Told) -> list[str]:
    """Comments of the answer's own that are like none of the file."""
    return [line.text for line in told.own if _COMMENT.match(line.text) and not _is_retold(line.text, told)]


def _free_marker(told: _Told) -> bool:
    return any(not _USUAL.search(text) and not _GONE.search(text) for text in _comments(told))


def _is_retold(text: str, told: _Told) -> bool:
    plain = text.strip()
    matcher = SequenceMatcher(None, "", plain, autojunk=False)
    for line in told.before:
        matcher.set_seq1(line.strip())
        if matcher.real_quick_ratio() > _ALIKE and matcher.quick_ratio() > _ALIKE and matcher.ratio() > _ALIKE:
            return True
    return False


def _drift(told: _Told) -> bool:
    own = (
        line.text for line in told.own if not line.text.lstrip().startswith((*_SIGNS, "@", "***", "<<<", ">>>", "==="))
    )
    return any(_is_retold(text, told) for text in own if len(text.strip()) > 3)


def _prose(told: _Told) -> str:
    return "\n".join(line.text for line in told.lines if not line.block)


def _placed(told: _Told) -> bool:
    return any("`" in text and _PLACE.search(text) for text in _prose(told).split("\n"))


def _in_words(told: _Told) -> bool:
    """A new line stands nowhere in the answer."""
    said = "".join("".join(line.text.split()) for line in told.lines)
    changes = line_changes(told.before, told.after)
    return any("".join(new.split()) not in said for h in changes for new in told.after[h.after_start : h.after_end])


def _deletes(told: _Told) -> bool:
    return any(h.after_end == h.after_start for h in line_changes(told.before, told.after))


def _note(told: _Told) -> bool:
    return _deletes(told) and any(_GONE.search(text) for text in _comments(told))


def _old_shown(told: _Told) -> bool:
    """Lines that go away are shown without a sign, as in pairs and where the old version stands as a comment."""
    kept = {line.strip() for line in told.after}
    gone = {line.strip() for line in told.before} - kept - {""}
    return any(
        line.reference is not None and line.reference.put.strip() != "-" and line.file.strip() in gone
        for line in told.code
    )


def _places(told: _Told) -> list[int]:
    """Where the lines of code stand in the file after, those that stand there once."""
    stays = {line: number for number, line in enumerate(told.after) if told.after.count(line) == 1}
    found = list[int]()
    for line in told.code:
        if line.file.strip() and line.file in stays:
            found.append(stays[line.file])
    return found


def _other_order(told: _Told) -> bool:
    found = _places(told)
    return any(there < here - 1 for here, there in pairwise(found))


def _gaps(told: _Told) -> Iterator[tuple[str, str]]:
    """Lines that stand side by side in a block and do not in the file, with no line of the answer's own between."""
    for one, other in pairwise(told.lines):
        plain = one.reference and other.reference and not one.reference.put.strip() and not other.reference.put.strip()
        if plain and one.block and one.block == other.block:
            yield one.file, other.file


def _unmarked(told: _Told) -> bool:
    files = {pair for lines in (told.before, told.after) for pair in pairwise(lines)}
    return any(one.strip() and other.strip() and (one, other) not in files for one, other in _gaps(told))


def _dedented(told: _Told) -> bool:
    found = [line.reference.cut > 0 for line in told.code if line.reference is not None]
    return sum(found) * 2 > len(found)


def _whole(told: _Told) -> bool:
    shown = {line.file for line in told.code}
    lines = [line for line in told.after if line.strip()]
    return sum(line in shown for line in lines) >= _WHOLE * len(lines)


_RULES: dict[str, Callable[[_Told], bool]] = {
    "diff": _has_header,
    "undeclared diff": _undeclared,
    "gutter": _gutter,
    "marker in free words": _free_marker,
    "marker inside a line": lambda told: any(_INSIDE.search(line.text) for line in told.own),
    "context drift": _drift,
    "place told in prose": _placed,
    "change told in words": _in_words,
    "deletion note": _note,
    "old version shown": _old_shown,
    "other order": _other_order,
    "neighbours without a marker": _unmarked,
    "fragment indented otherwise": _dedented,
    "several blocks": lambda told: len({line.block for line in told.code}) > 1,
    "whole file": _whole,
}
ABILITIES = tuple(_RULES)
