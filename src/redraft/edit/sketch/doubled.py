"""In: a file, an answer and the new file. Out: the doubt whether a line of the answer stands where it should."""

import re
from collections import Counter
from collections.abc import Sequence

from redraft.edit.answer.answer import Answer
from redraft.edit.outline import Outline, fragment
from redraft.edit.sketch.items import known_by, written
from redraft.edit.sketch.patch import Doubt
from redraft.edit.sketch.spoken import POINTER, is_etc, is_usage
from redraft.edit.text.changes import line_changes

_SPELLING = re.compile(r"[\s'\"`;,]|\b(?:this|self)\.")
_AROUND = 6  # lines above and below a change in which a second copy is one of the same line
_TELLING = 8  # characters that say whether a line is more than brackets


def refuse_doubled(lines: Sequence[str], answer: Answer, new: Sequence[str], free: set[str]) -> None:
    """A line that file and answer both have once, the new file has once."""
    for block in answer.blocks:
        found = iter(written(new))
        for text in written(line.text for line in block.lines if line.kind == "code" and not is_etc(line.text)):
            text = POINTER.sub("", text)
            if is_usage(text):
                break
            if not any(text.rstrip(",") == other.rstrip(",") for other in found):
                raise Doubt(f"{text!r} of the answer would not stand in the new file where the answer shows it")
    held, shown, out = (Counter(written(texts)) for texts in (lines, code_of(answer), new))
    shown = Counter({text: count for text, count in shown.items() if text not in free})
    near = _near(lines, new)
    twice = next(
        (
            text
            for text in shown
            if text[:_TELLING].strip("{}()[];,") and shown[text] == held[text] == 1 < out[text] and text in near
        ),
        None,
    )
    paraphrased = {_spelled(text) for text in held if text not in shown}
    come = [text for text in shown if text not in held and out[text] and text[:_TELLING].strip("{}()[];,")]
    twice = twice or next((text for text in come if _spelled(text) in paraphrased and _stays(text, held, out)), None)
    if twice is not None:
        raise Doubt(f"the answer shows {twice!r} of the file in a place of which it shows too little to be sure")


def _near(lines: Sequence[str], new: Sequence[str]) -> set[str]:
    """The lines of the file around what changes."""
    changes = line_changes(lines, new)
    return {line.strip() for change in changes for line in lines[max(0, change.start - _AROUND) : change.end + _AROUND]}


def _stays(text: str, held: Counter[str], out: Counter[str]) -> bool:
    """Whether a line of the file is there, too, that is the same but for quotes and separators."""
    return any(_spelled(other) == _spelled(text) and out[other] >= count for other, count in held.items())


def _spelled(text: str) -> str:
    return _SPELLING.sub("", text)


def code_of(answer: Answer) -> list[str]:
    return [line.text for block in answer.blocks for line in block.lines if line.kind == "code"]


def inside_new(file: Outline, answer: Answer, path: str) -> set[str]:
    """The lines inside of declarations that are new: these may be as any of the file."""
    found: set[str] = set()
    names = {known_by(node) for node in file.nodes}
    for block in answer.blocks:
        marks = {at for at, line in enumerate(block.lines) if line.kind == "marker"}
        shown = fragment([line.text for line in block.lines], path, marks)
        for node in shown.nodes:
            if known_by(node) not in names and node.end - node.head > 1:
                found.update(written(shown.lines[node.head : node.end]))
    return found
