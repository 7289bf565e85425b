"""In: a block that shows the opened head of a declaration and nothing else, and the file. Out: the file with it."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from redraft.edit.answer.block import Block
from redraft.edit.merge.common.indentation import reindented
from redraft.edit.merge.common.patch import Patch, patched
from redraft.edit.merge.common.tokens import unwrapped
from redraft.edit.merge.options.option import Option
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import is_comment, width_of

_OPENED = re.compile(r".*(?:[{:=]|=>|->|\b(?:do|then|begin|is|as))\s*", re.IGNORECASE)
_MARK = re.compile(r"\s*((?:@|#\[|\[)[\w.:]+)(?:\(.*\))?\]?\s*")  # an annotation of one line
_LEAD = re.compile(r"\s*(?:@|#\[|\[\w)")
_CONTROL = re.compile(
    r"\s*(?:if|elif|else|for|while|switch|catch|with|try|do|match|when|unless|until|case|default|return)\b|\s*}"
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
# Likeness of two heads under different names, what a name adds to it, and what the next one has to be behind.
_ALIKE, _NAMED, _CLEAR = 0.6, 0.2, 0.05
_COST = 0.1
_BRACE = "{"  # on a line of its own it need not be shown


def with_head(file: Outline, block: Block) -> Option | None:
    """The file with the head that a block shows for that of a declaration, whose body stays; None where it is no head.

    Of heads under other names the one that is clearly the most alike is meant.
    """
    texts = [line.text for line in block.lines]
    own = next((at for at, text in enumerate(texts) if not _is_lead(text)), len(texts))
    is_opened = is_head(texts[own:])
    texts += [] if is_opened else [_BRACE]
    at = None if block.has_markers or block.explicit or not is_head(texts[own:]) else _meant(texts[own:], file)
    if at is None or (found := file.nodes[at]).body is None:
        return None
    if not is_opened and _head(found, file)[-1].strip() != _BRACE:
        return None
    there = {line.strip() for line in _lead(found, file)}
    keeps = not own or (not any(map(is_comment, texts[:own])) and any(map(is_comment, there)))
    new = [text for text in texts[:own] if text.strip() not in there]
    start, shown = (found.head, [*new, *texts[own:]]) if keeps else (_first(texts[0], found, file), texts)
    patch = Patch(start, found.body[0], reindented(tuple(shown), texts[own : own + 1], file.lines[found.head]))
    if unwrapped(shown) == unwrapped(file.lines[start : found.body[0]]):
        patch = Patch(start, start, ())
    # What a declaration holds is known under its new name, too.
    named = frozenset(each.name for each in file.nodes if found.start <= each.start < found.end)
    lead = _renewed(_lead(found, file), new) if keeps else ()
    patches = [*([Patch(found.start, found.head, lead)] if lead else []), patch]
    return Option(patched(file.lines, patches) or (), _COST, f"head of {found.name}", named, at=found.body[0])


def _is_lead(text: str) -> bool:
    return is_comment(text) or _LEAD.match(text) is not None


def _lead(node: Node, file: Outline) -> Sequence[str]:
    return file.lines[node.start : node.head]


def _renewed(lead: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """What leads a declaration without annotations of which a new version comes; empty where there is none."""
    marks = {mark[1] for text in new if (mark := _MARK.fullmatch(text))}
    kept = tuple(line for line in lead if (mark := _MARK.fullmatch(line)) is None or mark[1] not in marks)
    return kept if len(kept) < len(lead) else ()


def _first(text: str, node: Node, file: Outline) -> int:
    """The line of what leads a declaration with which a block begins: a comment may be shown from its middle on."""
    return next((at for at in range(node.start, node.head) if file.lines[at].strip() == text.strip()), node.start)


def is_head(texts: Sequence[str]) -> bool:
    """Whether lines are one head that opens something and end there."""
    text = " ".join(texts).rstrip()
    depths = [*accumulate(sum((sign in "([") - (sign in ")]") for sign in line) for line in texts)] or [0]
    first = width_of(texts[0]) if texts else 0
    goes_on = all(
        depth > 0 or width_of(line) > first or line.strip() == "{"
        for depth, line in zip(depths, texts[1:], strict=False)
    )
    is_one = goes_on and not any(sign in text[:-1] for sign in "{};") and all(line.strip() for line in texts)
    is_one = is_one and _CONTROL.match(text) is None
    return depths[-1] == 0 and is_one and _OPENED.fullmatch(text) is not None and _WORD.search(text) is not None


def _meant(head: Sequence[str], file: Outline) -> int | None:
    """The declaration that has the most alike head: one of a name that is shown, or a very much alike one."""
    shown = " ".join(head)
    words = set(_WORD.findall(shown))
    ranked: list[tuple[float, int]] = []
    for at, node in enumerate(file.nodes):
        if node.body is not None and node.name and is_head(own := _head(node, file)):
            both = SequenceMatcher(None, shown, " ".join(own), autojunk=False)
            is_likely = node.name in words or both.real_quick_ratio() >= _ALIKE <= both.quick_ratio()
            if is_likely and ((alike := both.ratio()) >= _ALIKE or node.name in words):
                ranked.append((alike + _NAMED * (node.name in words), at))
    ranked.sort()
    if not ranked or (len(ranked) > 1 and ranked[-2][0] > ranked[-1][0] - _CLEAR):
        return None
    return ranked[-1][1]


def _head(node: Node, file: Outline) -> list[str]:
    assert node.body is not None
    return [line for line in file.lines[node.head : node.body[0]] if line.strip()]
