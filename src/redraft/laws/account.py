"""In: a change. Out: the first line of code that the answer shows and the text lacks."""

import re
from collections.abc import Iterator

from redraft.edit.align.likeness import head, overlap, quoted, tokens
from redraft.edit.answer.block import Block
from redraft.edit.sketch.spoken import removes
from redraft.edit.text.lines import is_comment, is_telling, is_title
from redraft.edit.words import directives
from redraft.edit.words.hints import names_another_file
from redraft.laws.change import Broken, Change, about, spelling

_ALIKE = 0.5  # of what two lines are made of: a line of the file that the answer paraphrases
_WORD = re.compile(r"[^\W\d]\w*|\d+")
_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'|(?<![\w.])\d[\w.]*")  # who paraphrases a line keeps these
_DOTS = re.compile(r"\.{3}|\u2026|/\*")  # of a line that is shown in part
_NOT_MEANT = ("before", "example", "run")  # what words say of a block that is none of the file's


def unaccounted(change: Change) -> Broken | None:
    """None where each line of code that the answer shows is in the text, or paraphrases one that is."""
    words = frozenset(word for line in change.after for word in _WORD.findall(line))
    for number, block in enumerate(change.answer.blocks):
        if not is_intended(change, number):
            continue
        defined = [*_defined(block, change)]
        for line in (*code_of(block, change.path), *defined):
            if not change.stands(line) and (line in defined or not _is_paraphrased(line, change, words)):
                return Broken(
                    "account",
                    f"the answer shows {quoted(line)}, and the new file would lack it: show the lines around it as they"
                    " stand in the file",
                )
    return None


def left_out(change: Change) -> Broken | None:
    """None where something of each block is in the text, word for word: who does not know where one goes leaves it
    out."""
    shown = {place.block for place in change.shown.values()}
    for number, block in enumerate(change.answer.blocks):
        code = [*code_of(block, change.path)]
        is_there = number in shown and any(map(change.stands, code))
        if code and not is_there and is_code(change, number):
            return Broken(
                "account",
                f"the new file would have nothing of the block that begins with {quoted(code[0])}: say where it goes,"
                " or that it belongs elsewhere",
            )
    return None


def is_intended(change: Change, number: int) -> bool:
    """Whether a block is code of the file's new version, and the text has some of it where there are others."""
    is_alone = len(change.answer.blocks) == 1
    return is_code(change, number) and (is_alone or any(place.block == number for place in change.shown.values()))


def is_code(change: Change, number: int) -> bool:
    """Whether a block is code of the file's new version: no use of it, no output, and not how the file was."""
    block = change.answer.blocks[number]
    if names_another_file(block.prose, change.path):
        return False
    said = directives(block.prose, change.known)[-1:]
    if any(directive.verb in _NOT_MEANT for directive in said):
        return False
    old = frozenset(map(spelling, change.before))
    more = len(change.answer.blocks) > 1 or any(directive.verb == "remove" for directive in said) or removes(block)
    return not (more and all(spelling(line) in old for line in code_of(block, change.path)))


def code_of(block: Block, path: str) -> Iterator[str]:
    """The lines of a block that are code: no words to the reader, no brackets alone, none that is shown in part."""
    code = (line.text for line in block.lines if line.kind == "code")
    texts = (text for text in code if not is_comment(text) or is_title(text, path))
    yield from (text for text in texts if is_telling(text) and not _DOTS.search(text))


def _defined(block: Block, change: Change) -> Iterator[str]:
    """The lines without a sign in a diff that define what the file does not have: these are new, too."""
    if any(line.added or line.kind == "removed" for line in block.lines):
        for line in block.lines:
            is_new = line.kind == "code" and not line.added and about(line.text).kind == "definition"
            if is_new and about(line.text) not in {about(other) for other in change.before}:
                yield line.text


def _is_paraphrased(line: str, change: Change, words: frozenset[str]) -> bool:
    """Whether a line is like one of the text, and has no word that the text lacks, or names the same thing."""
    is_known = words.issuperset(_WORD.findall(line))
    if not words.issuperset(word for text in _LITERAL.findall(line) for word in _WORD.findall(text)):
        return False
    mine, about = tokens(line.strip()), head(line.strip())
    for other in change.after:
        if (is_known or head(other.strip()) == about) and overlap(mine, tokens(other.strip())) >= _ALIKE:
            return True
    return False
