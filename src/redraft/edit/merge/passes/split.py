"""In: blocks in the midst of sentences. Out: the blocks, each with its whole sentence before it."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from redraft.edit.answer.block import Block
from redraft.edit.words import Known, Place, sayings
from redraft.edit.words.known import is_import

_SENTENCE = re.compile(r"\s*(?P<rest>[^\W\d_A-Z](?:[^.!?\n]|\.(?!\s|$)|\n(?!\n))*[.!?:]?)")
_OF_BLOCK = re.compile(
    r"\s*(?:(?:place|put|insert|add|paste|setze?|stelle?|mets|place[rz]|pon|coloca|inser[et]|вставь|поставь)\s+)?(?:this|that|it|these|them|they|dies(?:e[rs]?)?|das|es|sie|cela|ceux-ci|celui-ci|ça|ceci|il|elle|ést[ea]|est[eao]s?"
    r"|eso|ello|ist?[oa]|isso|esse|essa|это|он[аои]?|这|它|これ|それ)(?![\w'])"
    r"(?:`[^`\n]*`|[^.!?:\n`]|[.:](?=\w))*(?:[.!](?=\s|$)|:(?= \S))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?:`[^`]*`|[^`,])+(?=, )")  # what comes behind it may be a doubt of other things
_UNFINISHED = re.compile(r"[\w`]\s*$")
_IN_BRACKETS = re.compile(r"\s*\((?P<said>(?:`[^`\n]*`|\([^()\n]*\)|[^()`])*)\)(?=[.\s]|$)")


def finished(blocks: Sequence[Block], after: str, known: Known) -> tuple[Block, ...]:
    """The blocks, where "put", a block and "below `load`." are read as one sentence before the block, and so are "This
    replaces `load`." and "(instead of `load`)" behind it; `after` are the words behind the last one."""
    behind = [*(block.prose for block in blocks), after][1:]
    out: list[Block] = []
    cut = 0  # signs that belong to the sentence before the block above
    for block, then in zip(blocks, behind, strict=True):
        words = block.prose[cut:]
        out.append(replace(block, prose=words))
        is_placed = any(_has_spot(saying.places) for saying in sayings(words, known))
        if rest := _rest(words, then, known) or _about(then, known, is_placed):
            out[-1] = replace(block, prose=f"{words.rstrip()} {rest.strip()}")
        elif found := _IN_BRACKETS.match(then):
            rest = found[0] if _adds_beside(out, found["said"], known) else ""
        cut = len(rest)
    return tuple(out)


def _adds_beside(out: list[Block], said: str, known: Known) -> bool:
    """Adds what brackets behind the last block say to the sentence before it, or of imports before those, where they
    tell a spot that it does not; whether they do."""
    told = sayings(f"{said.strip()}:", known)
    places = [place for saying in told for place in saying.places]
    if not _has_spot(places):
        return False
    of_imports = all(known.imported(name) for place in places for name in place.names)
    for at in reversed(range(len(out))):
        words = out[at].prose.rstrip()
        if of_imports == _are_imports(out[at]) and not any(_has_spot(each.places) for each in sayings(words, known)):
            out[at] = replace(out[at], prose=f"{words.rstrip(':')} ({said}):")
            return True
        if not of_imports:
            break
    return False


def _are_imports(block: Block) -> bool:
    return all(is_import(line.text) for line in block.lines if line.text.strip())


def _rest(words: str, then: str, known: Known) -> str:
    """How the sentence goes on that a block interrupts, where that says to where something new goes."""
    rest = _SENTENCE.match(then) if _UNFINISHED.search(words) else None
    last = words.rstrip().rpartition("\n")[2]
    if rest is None or not last:
        return ""
    told, whole = sayings(last, known), sayings(f"{last} {rest['rest']}", known)[-1:]
    is_open = bool(told) and told[-1].verb == "add" and not _has_spot(told[-1].places)
    is_instead = any(place.relation == "instead" for saying in whole for place in saying.places)
    return rest[0] if is_instead or (is_open and whole and _has_spot(whole[-1].places)) else ""


def _about(then: str, known: Known, is_placed: bool) -> str:
    """A sentence right behind a block that says what the block replaces, or where it goes, if that is not said yet."""
    found = _OF_BLOCK.match(then)
    first = _CLAUSE.match(found[0]) if found else None
    for said in (found[0], first[0] if first else "") if found else ():
        told = sayings(said.strip(), known)
        if told and (told[0].verb == "replace" or (not is_placed and _has_spot(told[0].places))):
            return said
    return ""


def _has_spot(places: Sequence[Place]) -> bool:
    return any(place.relation != "inside" for place in places)
