"""In: a change. Out: the first line of code that the answer shows and the text lacks."""

import re
from collections.abc import Iterator

from redraft.edit.align.likeness import head, quoted
from redraft.edit.answer.block import Block
from redraft.edit.sketch.spoken import removes
from redraft.edit.text.lines import is_comment, is_telling, is_title
from redraft.edit.words.hints import names_another_file
from redraft.laws.change import Broken, Change, about, likeness, spelling

_ALIKE = 0.5  # of what two lines are made of: a line of the file that the answer paraphrases
_WORD = re.compile(r"[^\W\d]\w*|\d+")
_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'|(?<![\w.])\d[\w.]*")  # who paraphrases a line keeps these
_DOTS = re.compile(r"\.{3}|\u2026|/\*")  # of a line that is shown in part
_NOT_MEANT = ("before", "example", "run")  # what words say of a block that is none of the file's


def unaccounted(change: Change) -> Broken | None:
    """None where each line of code that the answer shows is in the text, or paraphrases one that is."""
    words = frozenset(_WORD.findall("\n".join(change.after)))
    for number, block in enumerate(change.answer.blocks):
        if not _is_intended(change, number):
            continue
        defined = [*_defined(block, change)]
        for line in (*shown_code(block, change.path), *defined):
            if not change.stands(line) and (line in defined or not _is_paraphrased(line, change, words)):
                message = f"the answer shows {quoted(line)}, and the new file would lack it"
                return Broken("account", f"{message}: show the lines around it as they stand in the file")
    return None


def left_out(change: Change) -> Broken | None:
    """None where something of each block is in the text, word for word: who does not know where one goes leaves it
    out."""
    for block in _blocks(change, is_there=False):
        if code := [*shown_code(block, change.path)]:
            message = f"the new file would have nothing of the block that begins with {quoted(code[0])}"
            return Broken("account", f"{message}: say where it goes, or that it belongs elsewhere")
    return None


def written_blocks(change: Change) -> Iterator[Block]:
    """The blocks of code of which the text has something, word for word."""
    return _blocks(change, is_there=True)


def _blocks(change: Change, is_there: bool) -> Iterator[Block]:
    for number, block in enumerate(change.answer.blocks):
        has_some = number in change.shown_blocks and any(map(change.stands, shown_code(block, change.path)))
        if has_some == is_there and is_code(change, number):
            yield block


def _is_intended(change: Change, number: int) -> bool:
    """Whether a block is code of the file's new version, and the text has some of it where there are others."""
    return is_code(change, number) and (len(change.answer.blocks) == 1 or number in change.shown_blocks)


def is_code(change: Change, number: int) -> bool:
    """Whether a block is code of the file's new version: no use of it, no output, and not how the file was."""
    block = change.answer.blocks[number]
    verbs = [directive.verb for directive in change.said_of(number)]
    if names_another_file(block.prose, change.path) or not set(verbs).isdisjoint(_NOT_MEANT):
        return False
    is_old = change.had_spelled.issuperset(map(spelling, shown_code(block, change.path)))
    return not (is_old and (len(change.answer.blocks) > 1 or "remove" in verbs or removes(block)))


def shown_code(block: Block, path: str) -> Iterator[str]:
    """The lines of a block that are code: no words to the reader, no brackets alone, none that is shown in part."""
    return (line.text for line in block.lines if line.kind == "code" and _is_shown_code(line.text, path))


def _is_shown_code(text: str, path: str) -> bool:
    return (not is_comment(text) or is_title(text, path)) and is_telling(text) and not _DOTS.search(text)


def _defined(block: Block, change: Change) -> Iterator[str]:
    """The lines without a sign in a diff that define what the file does not have: these are new, too."""
    unsigned = (line.text for line in block.lines if block.explicit and line.kind == "code" and not line.added)
    defined = [text for text in unsigned if about(text).kind == "definition"]
    had = frozenset(map(about, change.before if defined else ()))
    return (text for text in defined if about(text) not in had)


def _is_paraphrased(line: str, change: Change, words: frozenset[str]) -> bool:
    """Whether a line is like one of the text, and has no word that the text lacks, or names the same thing."""
    is_known = words.issuperset(_WORD.findall(line))
    if not words.issuperset(_WORD.findall(" ".join(_LITERAL.findall(line)))):
        return False
    named = head(line.strip())
    similar = (other for other in change.after if is_known or head(other.strip()) == named)
    return any(likeness(line, other) >= _ALIKE for other in similar)
