"""In: a change. Out: the first thing of which the words say that it goes, and that stays."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from redraft.edit.align.likeness import quoted
from redraft.edit.text.lines import bare
from redraft.edit.words import comment_body
from redraft.edit.words.sentences import CODE
from redraft.laws.change import Broken, Change
from redraft.laws.words import directives_of

_ORDER = re.compile(
    r"(?i)\W*(?:(?:now|then|and|also|first|next|finally|please|you can|simply|just)\W+)*"
    r"(?:remove|delete|drop|get rid of)\b(?!.*\bfrom\b)|.*\b(?:remove|delete|drop) (?:this|these|the following)\b"
)
_GONE = re.compile(
    r"(?i)\W*(?:`?([\w.]+)`?(?:\(\))? (?:is |was |has been )?(?:now )?(?:removed|deleted|gone)"
    r"|(?:removed|deleted):? (?:the )?(?:(?:function|method|class|old) )*`?([\w.]+)`?(?:\(\))?)\W*"
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n(?!\s*(?:[-*+]|\d+[.)])\s)")
_GOES = re.compile(
    r"\b(?:remov(?:e|ed|es|ing|als?)|delet(?:e|ed|es|ing|ions?)|drop(?:s|ped)?"
    r"|disappears?|gone|goes(?: away)?|can go|got rid of|get rid of)\b",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"\b(?:not|never|n't|keep|kept|stays?|remains?|if|unless|instead|would|could|might|without)\b", re.IGNORECASE
)
_ELSEWHERE = re.compile(
    r"\b(?:from|in|into|of|to|at|by|with|inside|after|before|between|for|on|above|below|than|like)\W+(?:\w+\W+){0,2}$"
)


def unfollowed(change: Change) -> Broken | None:
    return _kept_block(change) or _kept_name(change) or _kept_where_marked(change)


def _kept_where_marked(change: Change) -> Broken | None:
    """What a comment of the answer says is gone, where the text declares it still."""
    said = (_GONE.fullmatch(comment_body(text.strip()) or "") for text in change.lines("marker", "code"))
    for name in (match[1] or match[2] for match in said if match):
        if all(any(node.name == name for node in file.nodes) for file in (change.old, change.new)):
            return _stays(f"{quoted(name)} goes, and it stays")
    return None


def _kept_name(change: Change) -> Broken | None:
    """What the words name and say that goes, where the text has it as often as the file."""
    before, after = "\n".join(change.before), "\n".join(change.after)
    for name in _going(change):
        if name in before and after.count(name) >= before.count(name):
            at = next((at for at, line in enumerate(change.before) if name in line), 0)
            return _stays(f"{quoted(name)} goes, and line {at + 1} of the file, where it stands, stays")
    return None


def _kept_block(change: Change) -> Broken | None:
    """What the words right above a block say that goes, where the block shows it and all of it stays."""
    for block in change.answer.blocks:
        lines = [line for line in block.lines if line.text.strip()]
        shown = _joined(line.text for line in lines)
        is_ordered = _ORDER.match(_SENTENCE.split(block.prose.strip())[-1])
        if {line.kind for line in lines} != {"code"} or not is_ordered:
            continue
        if shown in _joined(change.before) and shown in _joined(change.after):
            first = next((at for at, line in enumerate(change.before) if bare(line) == bare(lines[0].text)), 0)
            return _stays(f"line {first + 1} of the file goes, {quoted(lines[0].text)}, and it stays")
    return None


def _stays(what: str) -> Broken:
    return Broken("orders", f"the words say that {what}: show it with a '-' in a diff")


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"\n{bare(line)}\n" for line in lines if line.strip())


def _going(change: Change) -> Iterator[str]:
    """What the words say that goes: as they are read, and what they quote beside a word of removal."""
    yield from (name for said in directives_of(change) if said.verb == "remove" for name in said.names)
    for sentence in chain(*map(_SENTENCE.split, change.prose)):
        said = CODE.sub("``", sentence)
        if _GOES.search(said) and not _STAYS.search(said):
            quotes = CODE.finditer(sentence)
            yield from (each[1] for each in quotes if not _ELSEWHERE.search(sentence[: each.start()]))
