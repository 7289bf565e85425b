"""In: a chat answer, and the file it is about. Out: `Answer`: its blocks line by line, and the words around them."""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.lists import with_lists
from redraft.edit.answer.block import Block, Line
from redraft.edit.answer.fences import Fence, fences, is_prose, path_comment, path_heading
from redraft.edit.answer.languages import may_stand_in
from redraft.edit.answer.notes import chances, with_run
from redraft.edit.answer.old import without_old
from redraft.edit.answer.remarks import without_remark
from redraft.edit.answer.sentences import is_said
from redraft.edit.answer.signs import Texts, with_roles
from redraft.edit.answer.unfenced import as_fenced
from redraft.edit.text.kind import is_kind
from redraft.edit.text.legible import legible
from redraft.edit.text.lines import is_comment
from redraft.edit.text.newlines import newlined
from redraft.edit.text.thoughts import without_thoughts
from redraft.edit.words import Known
from redraft.edit.words.framing import is_framing, without_courtesies
from redraft.edit.words.hints import speaks_of

_NOTE = 0.6  # chance from which a comment is taken for a note
_PRESENTING = re.compile(
    r"(?i)(?:(?:sure|certainly|okay|ok|of course)\W+)?(?:here(?:'s|\u2019s| is| are)|below is|this is)\b[^`]*:$"
)

__all__ = ["Answer", "Block", "Line", "parse"]


class Answer(Struct, frozen=True, dict=True):
    """What an answer says about one file: blocks of code in order, and what is said before each and after the last.

    `is_whole`: every fence that is opened is closed, so that nothing was cut off. `is_faithful`: there is code alone,
    or sentences that only present it, as from a tool; who speaks of a change, or to the reader in fences, paraphrases
    code.
    """

    blocks: tuple[Block, ...]
    after: str = ""
    is_whole: bool = True
    is_faithful: bool = False

    @property
    def is_titled(self) -> bool:
        """Whether a block is titled with its file, as in a chat: tools do not title what they send."""
        return any(block.title for block in self.blocks)

    @cached_property
    def prose(self) -> str:
        """All sentences of the answer, in order."""
        return "\n".join(self.passages)

    @property
    def passages(self) -> list[str]:
        """What it says before each block, and after the last."""
        return [*(block.prose for block in self.blocks), self.after]

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of all blocks."""
        return [line for block in self.blocks for line in block.lines]

    @cached_property
    def written(self) -> list[list[Line]]:
        """The written lines of each block."""
        return [[line for line in block.lines if line.text.strip()] for block in self.blocks]

    @cached_property
    def code(self) -> list[str]:
        """What all blocks show of the file."""
        return [text for block in self.blocks for text in block.code]

    @cached_property
    def notes(self) -> list[str]:
        """The lines in place of what is not shown."""
        return [line.text for line in self.lines if line.kind == "marker"]

    @property
    def is_talk(self) -> bool:
        """Whether it says more than that this is its code."""
        return bool(self.prose.strip()) and not self.is_faithful


def parse(update: str, file: Sequence[str] = (), path: str = "", known: Known | None = None) -> Answer:
    """The blocks of an answer that are about the file at `path`; none when it is prose only, or about another file."""
    update = newlined(update, "\n".join(file))
    answered = without_thoughts(update.split("\n"), file)
    lines = as_fenced(answered, file)
    texts = Texts(file, known or Known(frozenset(map(str.strip, file))))
    found = fences(lines, path, texts.stripped, is_intended=lines != answered)
    if not found:
        return _without_fences(update, lines, texts, path)
    end = lines[found[-1].end + 1 :]
    answer = _in_fences(found, end, texts, path)
    if not any(map(str.strip, chain(*(fence.before for fence in found), end))):
        return answer
    if lines == answered and is_framing(answer.prose, path):
        blocks = tuple(replace(block, is_faithful=True) for block in answer.blocks)
        return replace(answer, blocks=blocks, is_faithful=True)
    return replace(answer, blocks=tuple(_noted(block, texts) for block in answer.blocks))


def _without_fences(update: str, lines: Sequence[str], file: Texts, path: str) -> Answer:
    """An answer that is words alone, or code alone."""
    if not update.strip() or is_prose(lines, path) or is_said(lines, file.stripped, file.known):
        return Answer((), legible(update))
    presented, code = _presented(lines, file)
    block = _block(Fence("", "", tuple(code)), file, path, presented)
    return Answer((replace(block, is_faithful=True),) if block else (), is_faithful=True)


def _in_fences(found: Sequence[Fence], end: Sequence[str], file: Texts, path: str) -> Answer:
    """The blocks about the file, each with all that is said since the one before."""
    shown: list[Block] = []
    words: list[str] = []
    intended = {id(fence) for fence in _intended_for(found, path)}
    for fence in found:
        words += fence.before
        if id(fence) in intended and (block := _block(fence, file, path, _words(words, path))):
            shown.append(block)
            words = []
    return Answer(tuple(shown), _words((*words, *end), path), all(fence.is_closed for fence in found))


def _presented(lines: Sequence[str], file: Texts) -> tuple[str, Sequence[str]]:
    """The sentence that presents code without fences, and what it presents."""
    first, below = lines[0].strip(), lines[1:]
    is_said = _PRESENTING.match(first) is not None and first not in file.stripped
    return (first, below) if is_said and below and not below[0].strip() else ("", lines)


def _words(lines: Sequence[str], path: str) -> str:
    return legible(without_courtesies("\n".join(lines), path))


def _intended_for(found: Sequence[Fence], path: str) -> Sequence[Fence]:
    """The fences about a file: those titled with it where any is, and those in a language that can stand there."""
    if not path or len(found) < 2:
        return found
    name = PurePosixPath(path.replace("\\", "/")).name
    if name in {PurePosixPath(fence.title).name for fence in found}:
        found = [fence for fence in found if PurePosixPath(fence.title).name in ("", name)]
    suffix = PurePosixPath(name).suffix.lower()
    return [fence for fence in found if may_stand_in(fence.info, suffix)] or found


def _block(fence: Fence, file: Texts, path: str, prose: str) -> Block | None:
    bare = [line.removeprefix("\ufeff") for line in fence.lines]  # a byte-order mark, copied with the file
    shown, heading = _without_title(bare, file, path)
    lines = with_roles(shown, fence.info, file)
    if not any(line.text.strip() for line in lines):
        return None
    end = max(at for at, line in enumerate(lines, 1) if not line.is_blank)
    words = f"{prose}\n\n{heading}:" if heading else prose
    return Block(tuple(lines[:end]), len(lines) - end, fence.info, fence.title, words)


def _noted(block: Block, file: Texts) -> Block:
    """The block without old lines kept as comments, and with comments that are probably notes as markers; a diff says
    itself what is code."""
    if block.explicit:
        return block
    kept = without_old(_listed(block, file), file.known)
    block = replace(block, lines=kept.lines, old=kept.old)
    found = with_run(block.lines, chances(block.lines, file.lines, file.known))
    notes = {at for at, chance in found.items() if chance > _NOTE}
    lines = (
        replace(line, kind="marker") if at in notes else _without_remark(line, file)
        for at, line in enumerate(block.lines)
    )
    doubt = max((chance for at, chance in found.items() if at not in notes), default=0.0)
    return replace(block, lines=tuple(lines), doubt=doubt)


def _without_remark(line: Line, file: Texts) -> Line:
    """A line of code without words to the reader at its end, unless the file has it with them."""
    is_new = line.kind == "code" and not is_comment(line.text) and line.text.strip() not in file.stripped
    return replace(line, text=without_remark(line.text)) if is_new else line


def _listed(block: Block, file: Texts) -> tuple[Line, ...]:
    """The lines, lists of YAML as deep below their keys as those of the file."""
    if not file.known.path.endswith((".yml", ".yaml")) or speaks_of("indents", block.prose):
        return block.lines
    texts = with_lists([line.text for line in block.lines], file.lines)
    if {*texts} <= {*file.lines}:
        return block.lines  # nothing else changes: that is meant
    return tuple(replace(line, text=text) for line, text in zip(block.lines, texts, strict=True))


def _without_title(lines: Sequence[str], file: Texts, path: str) -> tuple[Sequence[str], str]:
    """Models like to open a block with the file's path in a comment, and with where in the file it belongs."""
    first, below = lines[0] if lines else "", lines[1:]
    heading = path_heading(first, path)
    is_named = heading is not None or ((not path or is_kind(path)) and bool(path_comment(first)))
    if not below or not is_named or first.strip() in file.stripped:
        return lines, ""
    return below, heading or ""
