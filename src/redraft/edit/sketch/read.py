"""In: a file and an answer that shows parts of its new version. Out: `Sketched`, the new file, or None."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.answer.answer import Answer, Block
from redraft.edit.answer.dots import brings
from redraft.edit.outline import Outline, fragment, outline
from redraft.edit.sketch.doubled import code_of, inside_new, refuse_doubled
from redraft.edit.sketch.fragmentary import by_lines
from redraft.edit.sketch.gaps import PROSE
from redraft.edit.sketch.items import outlined
from redraft.edit.sketch.patch import Doubt, Firm, Patch, patched, runs, taken_out
from redraft.edit.sketch.places import Placement, listed
from redraft.edit.sketch.renamed import renamed
from redraft.edit.sketch.root import by_declarations
from redraft.edit.sketch.scope import Sketch
from redraft.edit.sketch.spoken import (
    ADDS,
    QUOTES,
    SHORTENS,
    TAKES,
    beside,
    gone_of,
    inside,
    is_comment,
    only_adds,
    orders,
    puts,
    puts_beside,
    refuse_unheard,
    removes,
    without_asides,
)
from redraft.edit.text.changes import split_lines
from redraft.edit.text.lines import DOTS_WITHIN, stripped
from redraft.edit.text.strings import in_strings
from redraft.edit.words import Known, directives
from redraft.edit.words.hints import last_lines

_ALL = re.compile(
    r"\b(?:complete|full|whole|entire)\b(?: of\b|.{0,24}\b(?:file|code|script|module|program|listing)\b)", re.IGNORECASE
)
_PRESENTS = re.compile(r"(?i)\b(?:here(?:'s|\u2019s| is)|this is|below is|the following is)\b")
_PLACE = re.compile(
    r"\b(?:above|before|between|inside|into|under|next to|beside|top|beginning|start|first thing|after|below)\b"
    r"(?!\s+(?:it|this|that|them)\b|\W*$)",
    re.IGNORECASE,
)
_GOES = re.compile(
    r"\b(?:[Rr]emove[ds]?|[Dd]elete[ds]?|[Dd]rop(?:s|ped)?|get rid|[Ss]trip(?:s|ped)?|unused"
    r"|(?:no longer|n't|not) (?:need|use|requir|skip|in ))"
)
_HERE = re.compile(
    r"\b(?:here(?:'s| is|\u2019s)|below is) an? (?!updated|changed|better|modified|fixed|version)", re.IGNORECASE
)
_VERSION = re.compile(
    r"\b(?:better|improved|new|shorter|cleaner|faster|simpler) (?:version|one)|\bversion\b", re.IGNORECASE
)
_LABEL = re.compile(r"\W*(?:before|after|old|new|was|now)\W*", re.IGNORECASE)
_TELLING = 8  # characters that say whether a line is more than brackets
_OLD_NOTE = re.compile(r"\W*(?:gone|removed|deleted|dropped|no longer|here (?:was|were)|was)\b", re.IGNORECASE)
_HALF = re.compile(r"[\w\-$@.\"']+\s*[:=]\s*(?:\.\.\.|\u2026)\s*[,;]?$")
_UNSURE = 0.2  # chance from which a comment may be a note to the reader


class Sketched(Struct, frozen=True):
    """The new file; `is_stated`: the words say that what is shown is all, or goes."""

    text: str
    is_stated: bool = False


class _Edit(Struct, frozen=True):
    """A file, the answer, and what is known of the project."""

    file: Outline
    answer: Answer
    known: Known
    path: str


def read_sketch(original: str, answer: Answer, known: Known, path: str, instruction: str = "") -> Sketched | None:
    """What an answer's blocks make of a file, None where a change has no licence."""
    if not answer.blocks or not answer.is_whole:
        return None
    file = outline(split_lines(original), path)
    end = "" if original and not original.endswith("\n") else "\n"
    if (named := renamed(file, answer)) is not None:
        if {*stripped(code_of(*answer.blocks))} <= {*stripped(named.split("\n"))}:
            return Sketched(named + end, is_stated=True)
        blocks = tuple(replace(block, prose="") for block in answer.blocks)
        return read_sketch(named + end, replace(answer, blocks=blocks, after=""), known, path, instruction)
    try:
        return _read(_Edit(file, answer, known, path), original, end, instruction)
    except (Doubt, RecursionError):
        return None


def _read(edit: _Edit, original: str, end: str, instruction: str) -> Sketched:
    file, answer = edit.file, edit.answer
    if orders(answer, edit.known, file.lines):
        raise Doubt("the words order what no block shows")
    if (whole := _whole(edit)) is not None:
        return Sketched(whole, is_stated=True)
    patches = [patch for block in answer.blocks for patch in _patches(edit, block)]
    new = patched(file.lines, _once(patches))
    if tuple(new) == file.lines:
        if all(map(only_adds, answer.blocks)) and {*stripped(code_of(*answer.blocks))} <= {*stripped(file.lines)}:
            return Sketched(original)
        raise Doubt("the answer shows nothing that the file does not have")
    rest = [block for block in answer.blocks if not _goes(file, block)]
    shown = replace(answer, blocks=tuple(block for block in rest if not _is_beside(block, patches)))
    refuse_doubled(file.lines, shown, new, inside_new(file, shown, edit.path))
    refuse_unheard(shown, edit.known, instruction, file.lines, new)
    is_less = bool(Counter(stripped(file.lines)) - Counter(stripped(new)))
    if not is_less and _GOES.search(QUOTES.sub("it", f"{answer.prose}\n{instruction}")):
        raise Doubt("the words say that something goes, and nothing does")
    return Sketched("\n".join(new) + end, is_stated=not rest)


def _whole(edit: _Edit) -> str | None:
    """The only block, where the words say that it is the whole file; raises Doubt where it lacks a declaration."""
    block = edit.answer.blocks[0]
    words = last_lines(block.prose)
    if len(edit.answer.blocks) > 1 or block.has_markers or block.explicit or not _ALL.search(words):
        return None
    if ADDS.search(words) or "example" in block.prose.lower():
        return None
    texts = [line.text for line in without_asides(edit.file, block).lines]
    names = {node.name for node in fragment(texts, edit.path).nodes}
    if any(node.kind in ("function", "class") and node.name not in names for node in edit.file.nodes):
        raise Doubt("the answer is to be the whole file, and lacks a declaration")
    held = {*stripped(edit.file.lines)}
    if len(held.intersection(stripped(texts))) * 2 < len(held) and not _PRESENTS.search(words):
        return None  # words such as "the whole script" may speak of something else
    return "\n".join(texts) + "\n"


def _once(patches: Sequence[Patch]) -> list[Patch]:
    """The patches without those that put a comma twice in one place."""
    return [each for at, each in enumerate(patches) if each.start == each.end or each not in patches[:at]]


def _refuse_open(file: Outline, block: Block, known: Known) -> None:
    """Raises Doubt for a line that shows an old version, or may stand for others."""
    if any(is_comment(line.text) and _LABEL.fullmatch(line.text.strip()) for line in block.lines):
        raise Doubt("a block shows both an old and a new version")
    if any(line.kind == "marker" and _HALF.match(line.text.strip()) for line in block.lines):
        raise Doubt("a line of the answer leaves open what stands there")
    if any(map(_is_open, _new_lines(file, block, known))):
        raise Doubt("a line of the answer may stand for lines of the file")
    if block.doubt > _UNSURE:
        raise Doubt("a comment of the answer may be a note to the reader")


def _new_lines(file: Outline, block: Block, known: Known) -> Iterator[str]:
    """The lines of code that the file does not have, but for those in strings and those whose dots are code."""
    texts = [line.text for line in block.lines]
    held, quoted = {"", *stripped(file.lines)}, in_strings(texts, file.language)
    for at, line in enumerate(block.lines):
        text = line.text.strip()
        if line.kind == "marker" or text in held or at in quoted or text == "...":
            continue
        if not (text.endswith("...") and brings(line.text, texts[:at], known)):
            yield text


def _is_open(text: str) -> bool:
    return bool(DOTS_WITHIN.search(text) or (is_comment(text) and _OLD_NOTE.match(text)))


def _patches(edit: _Edit, block: Block) -> Sequence[Patch]:
    """What one block calls for; raises Doubt."""
    if block.explicit:
        raise Doubt("a part of the answer has signs of a diff")
    file, shown = edit.file, without_asides(edit.file, block)
    texts = [line.text for line in shown.lines]
    if not stripped(code_of(shown)):
        return []
    if _goes(file, shown):
        return [taken_out(file.lines, texts)]
    if not shown.has_markers and runs(stripped(texts), file.lines):
        if TAKES.search(block.prose):
            raise Doubt("a block shows what the file has, and the words speak of changing it")
        return []
    _refuse_open(file, shown, edit.known)
    sketch = Sketch(
        file,
        outlined(shown, edit.path),
        shown,
        only_adds(block),
        bool(_ALL.search(last_lines(block.prose))),
        bool(SHORTENS.search(edit.answer.prose)),
        gone_of(edit.answer, edit.known),
    )
    return _placed(sketch, _placement(edit, block))


def _placement(edit: _Edit, block: Block) -> Placement:
    """Where the words around a block put it."""
    words = last_lines(block.prose)
    around = (block.prose, edit.answer.after) if len(edit.answer.blocks) == 1 else (block.prose,)
    said = chain.from_iterable(directives(text, edit.known) for text in around)
    places = chain.from_iterable(directive.places for directive in said)
    is_open = bool(_PLACE.search(words)) or puts(edit.answer, block, edit.known)
    is_other = TAKES.search(words) or _VERSION.search(words)
    is_new = only_adds(block) or bool(_HERE.search(words)) or not is_other
    line, is_above = beside(edit.file, words) or (None, False)
    return Placement((*places, *inside(edit.file, words)), is_open, is_new, line, is_above)


def _placed(sketch: Sketch, placement: Placement) -> Sequence[Patch]:
    """The patches for a block by its declarations; by its lines where it has none, or these leave doubts."""
    is_bare = not sketch.marks
    if is_bare and not sketch.file.language and (flat := listed(sketch)) is not None:
        return [flat]
    is_text = is_bare and sketch.file.language in PROSE
    found = None if is_text else by_declarations(sketch, placement)
    if found is None:
        return by_lines(sketch, placement)
    try:
        return [*found]
    except Firm:
        raise
    except Doubt:
        telling = (text for text in stripped(sketch.outline.lines) if len(text) >= _TELLING)
        if sketch.adds or {*stripped(sketch.file.lines)}.isdisjoint(telling):
            raise
        return by_lines(sketch, placement)


def _goes(file: Outline, block: Block) -> bool:
    """Whether a block shows what is to go: lines of the file in a row, of which the words order it."""
    return removes(block) and bool(runs(stripped(code_of(block)), file.lines))


def _is_beside(block: Block, patches: Sequence[Patch]) -> bool:
    """Whether a block comes in one piece beside what the file has, as the words say."""
    own = stripped(line.text for line in block.lines)
    return puts_beside(block) and any(each.start == each.end and stripped(each.lines) == own for each in patches)
