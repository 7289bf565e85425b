"""In: an answer, and a file. Out: the same, with the imports that its sentences bring as blocks of their own."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Block, Line
from redraft.edit.words.known import is_import
from redraft.edit.words.sentences import CODE

_END = re.compile(r"(?<=[.!?])\s+|\n")
_BRINGS = re.compile(r"(?i)\b(?:add|adds|adding|import|imports|include|insert|put|need|needs|require|requires)\b")
_NOT = re.compile(
    r"(?i)\b(?:no longer|not|remov\w*|delet\w*|drop\w*|replac\w*|chang\w*|renam\w*|instead|already|unused|if|unless"
    r"|when|could|would|might|may|optional\w*|was|were|had|has|have been|like|such as|keep\w*|assum\w*|other|elsewhere"
    r"|where)\b|n't need|there's"
    r"|\b(?:below|above|after|before|under|underneath|beneath|behind|inside|within|beside|next to)\b"
)


def with_imports_in_prose(answer: Answer, file: Sequence[str]) -> Answer:
    """Each import that a sentence quotes and says to come, in an answer that shows code, is read as if it was shown."""
    if not answer.blocks or any(block.explicit for block in answer.blocks):
        return answer
    shown = (line.text for line in answer.lines)
    there = {*map(bare_import, chain(file, shown))}
    new: dict[str, str] = {}
    parts = [_without(prose, there, new) for prose in answer.passages]
    if not new:
        return answer
    blocks = [replace(block, prose=prose) for block, prose in zip(answer.blocks, parts, strict=False)]
    imports = Block(tuple(Line(text, "code") for text in new.values()), 0, "", "", "Add the import:")
    return replace(answer, blocks=(*blocks, imports), after=parts[-1])


def _without(prose: str, there: set[str], new: dict[str, str]) -> str:
    """Sentences without those that bring an import, which goes to `new`."""
    for sentence in _sentences(prose):
        plain = CODE.sub("``", sentence)
        if not _BRINGS.search(plain) or _NOT.search(plain):
            continue
        imports = [text.strip() for text in CODE.findall(sentence) if is_import(text) and " " in text.strip()]
        if imports:
            new.update((bare_import(text), text) for text in imports if bare_import(text) not in there)
            prose = prose.replace(sentence, "", 1)
    return prose


def _sentences(prose: str) -> Iterator[str]:
    """The sentences; what is quoted ends none."""
    start, masked = 0, CODE.sub(lambda code: "`" * len(code[0]), prose)
    for end in _END.finditer(masked):
        yield prose[start : end.start()]
        start = end.end()
    yield prose[start:]


def bare_import(text: str) -> str:
    return text.strip().rstrip(";")
