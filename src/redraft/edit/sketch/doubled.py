"""In: a file, an answer and the new file. Out: the doubt whether a line of the answer stands where it should."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from redraft.edit.answer.answer import Answer, Block
from redraft.edit.outline import Outline
from redraft.edit.sketch.items import known_by, outlined
from redraft.edit.sketch.patch import Doubt
from redraft.edit.sketch.spoken import POINTER, is_etc
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import stripped

_SPELLING = re.compile(r"[\s'\"`;,]|\b(?:this|self)\.")
_AROUND = 6  # lines above and below a change in which a second copy is one of the same line
_TELLING = 8  # characters that say whether a line is more than brackets


def refuse_doubled(lines: Sequence[str], answer: Answer, new: Sequence[str], free: Collection[str]) -> None:
    """A line that file and answer both have once, the new file has once."""
    for block in answer.blocks:
        _refuse_lost(block, new)
    held, out = Counter(stripped(lines)), Counter(stripped(new))
    shown = Counter(text for text in stripped(code_of(*answer.blocks)) if text not in free)
    telling = [text for text in shown if text[:_TELLING].strip("{}()[];,")]
    near = _near(lines, new)
    paraphrased = {*map(_spelled, held.keys() - shown.keys())}
    come = [text for text in telling if text not in held and out[text] and _spelled(text) in paraphrased]
    if any(shown[text] == held[text] == 1 < out[text] and text in near for text in telling) or any(
        _stays(text, held, out) for text in come
    ):
        raise Doubt("the answer shows a line of the file in a place of which it shows too little to be sure")


def _refuse_lost(block: Block, new: Sequence[str]) -> None:
    """The lines of a block stand in the new file, in their order."""
    found = (line.rstrip(",") for line in stripped(new))
    for text in stripped(line.text for line in block.lines if line.kind == "code" and not is_etc(line.text)):
        text = POINTER.sub("", text)
        if text.rstrip(",") not in found:
            raise Doubt("a line of the answer would not stand in the new file where the answer shows it")


def _near(lines: Sequence[str], new: Sequence[str]) -> set[str]:
    """The lines of the file around what changes."""
    changes = line_changes(lines, new)
    return {line.strip() for change in changes for line in lines[max(0, change.start - _AROUND) : change.end + _AROUND]}


def _stays(text: str, held: Mapping[str, int], out: Mapping[str, int]) -> bool:
    """Whether a line of the file is there, too, that is the same but for quotes and separators."""
    return any(_spelled(other) == _spelled(text) and out[other] >= count for other, count in held.items())


def _spelled(text: str) -> str:
    return _SPELLING.sub("", text)


def code_of(*blocks: Block) -> list[str]:
    return [line.text for block in blocks for line in block.lines if line.kind == "code"]


def inside_new(file: Outline, answer: Answer, path: str) -> set[str]:
    """The lines inside of declarations that are new: these may be as any of the file."""
    found: set[str] = set()
    names = {known_by(node) for node in file.nodes}
    for shown in (outlined(block, path) for block in answer.blocks):
        for node in shown.nodes:
            if node.end - node.head > 1 and known_by(node) not in names:
                found.update(stripped(shown.lines[node.head : node.end]))
    return found
