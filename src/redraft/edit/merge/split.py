"""In: blocks in the midst of sentences. Out: the blocks, each with its whole sentence before it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from redraft.edit.answer.block import Block
from redraft.edit.words import Known, Place, sayings

_SENTENCE = re.compile(r"\s*(?P<rest>[^\W\d_A-Z](?:[^.!?\n]|\.(?!\s|$)|\n(?!\n))*[.!?:]?)")
_OF_BLOCK = re.compile(
    r"\s*(?:this|that|it|these|they|dies(?:e[rs]?)?|das|es|sie|cela|ceux-ci|celui-ci|ça|ceci|il|elle|ést[ea]|est[eao]s?"
    r"|eso|ello|ist?[oa]|isso|esse|essa|это|он[аои]?|这|它|これ|それ)(?![\w'])"
    r"(?:`[^`\n]*`|[^.!?:\n`]|[.:](?=\w))*[.!](?=\s|$)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(r"[\w`]\s*$")


def finished(blocks: Sequence[Block], after: str, known: Known) -> tuple[Block, ...]:
    """The blocks, where "put", a block and "below `load`." are read as one sentence before the block, and so is "This
    replaces `load`." behind it; `after` are the words behind the last one."""
    behind = [*(block.prose for block in blocks), after][1:]
    out: list[Block] = []
    cut = 0  # signs that belong to the sentence before the block above
    for block, then in zip(blocks, behind, strict=True):
        words = block.prose[cut:]
        rest = _rest(words, then, known) or _about(then, known)
        cut = len(rest)
        out.append(replace(block, prose=f"{words.rstrip()} {rest.strip()}") if rest else replace(block, prose=words))
    return tuple(out)


def _rest(words: str, then: str, known: Known) -> str:
    """How the sentence goes on that a block interrupts, where that says to where something new goes."""
    rest = _SENTENCE.match(then) if _UNFINISHED.search(words) else None
    last = words.rstrip().rpartition("\n")[2]
    if rest is None or not last:
        return ""
    told, whole = sayings(last, known), sayings(f"{last} {rest['rest']}", known)
    is_open = bool(told) and told[-1].verb == "add" and not _has_spot(told[-1].places)
    return rest[0] if is_open and whole and _has_spot(whole[-1].places) else ""


def _about(then: str, known: Known) -> str:
    """A sentence right behind a block that says what the block replaces, or where it goes."""
    found = _OF_BLOCK.match(then)
    told = sayings(found[0].strip(), known) if found else ()
    return found[0] if found and told and (told[0].verb == "replace" or _has_spot(told[0].places)) else ""


def _has_spot(places: Sequence[Place]) -> bool:
    return any(place.relation != "inside" for place in places)
