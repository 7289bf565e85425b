"""In: a file and an answer that shows parts of its new version. Out: `Sketched`, the new file, or what is in doubt."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.answer.answer import Answer, Block
from redraft.edit.answer.dots import brings
from redraft.edit.outline import Outline, fragment, outline
from redraft.edit.sketch.declared import Sketch
from redraft.edit.sketch.doubled import code_of, inside_new, refuse_doubled
from redraft.edit.sketch.fragmentary import by_lines
from redraft.edit.sketch.gaps import PROSE
from redraft.edit.sketch.items import written
from redraft.edit.sketch.patch import Doubt, Firm, Patch, patched, taken_out
from redraft.edit.sketch.places import Placement, listed
from redraft.edit.sketch.renamed import renamed
from redraft.edit.sketch.root import by_declarations
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
    said_in,
    without_asides,
)
from redraft.edit.text.lines import DOTS_WITHIN
from redraft.edit.text.strings import in_strings
from redraft.edit.words import Known
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
_GONE = re.compile(r"\b(?:remov|delet|drop|gone\b|no longer|without\b|get rid|strip)", re.IGNORECASE)
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
_TOLD = re.compile(r"\W*(?:gone|removed|deleted|dropped|no longer|here (?:was|were)|was)\b", re.IGNORECASE)
_HALF = re.compile(r"[\w\-$@.\"']+\s*[:=]\s*(?:\.\.\.|\u2026)\s*[,;]?$")
_GUESS = re.compile(
    r"\S\s*(?:#|//|--|/\*)\s.*\b(?:whatever|or similar|something like|your (?:own|actual|real))\b", re.IGNORECASE
)
_UNSURE = 0.2  # chance from which a comment may be a note to the reader


class Sketched(Struct, frozen=True):
    """The new file, or None with what is in doubt; `is_told`: the words say that what is shown is all, or goes."""

    text: str | None
    doubt: str = ""
    is_told: bool = False


def read_sketch(original: str, answer: Answer, known: Known, path: str, instruction: str = "") -> Sketched:
    """What an answer's blocks make of a file, where every change has a licence."""
    if not answer.blocks or not answer.is_whole:
        return Sketched(None, "the answer shows no code")
    lines = tuple(original.split("\n"))
    is_ended = bool(lines) and lines[-1] == ""
    lines = lines[:-1] if is_ended else lines
    file = outline(lines, path)
    if (named := renamed(file, answer)) is not None:
        named += "\n" * is_ended
        if {*written(code_of(answer))} <= {*written(named.split("\n"))}:
            return Sketched(named, is_told=True)
        blocks = tuple(replace(block, prose="") for block in answer.blocks)
        return read_sketch(named, replace(answer, blocks=blocks, after=""), known, path, instruction)
    try:
        if orders(answer, known, lines):
            raise Doubt("the words order what no block shows")
        if (whole := _whole(file, answer, path)) is not None:
            return Sketched(whole, is_told=True)
        patches: list[Patch] = []
        for block in answer.blocks:
            patches += _patches(file, block, known, path, answer)
        new = patched(lines, _once(patches))
        adding = all(only_adds(block) for block in answer.blocks)
        if tuple(new) == lines and adding and {*written(code_of(answer))} <= {*written(lines)}:
            return Sketched(original)
        if tuple(new) == lines:
            raise Doubt("the answer shows nothing that the file does not have")
        rest = [block for block in answer.blocks if not _goes(file, block)]
        held = [block for block in rest if not _is_beside(block, patches)]
        shown = replace(answer, blocks=tuple(held))
        refuse_doubled(lines, shown, new, inside_new(file, shown, path))
        refuse_unheard(shown, known, instruction, lines, new)
        if _GOES.search(QUOTES.sub("it", f"{answer.prose}\n{instruction}")) and not Counter(written(lines)) - Counter(
            written(new)
        ):
            raise Doubt("the words say that something goes, and nothing does")
    except Doubt as doubt:
        return Sketched(None, str(doubt))
    except RecursionError:
        return Sketched(None, "the file is nested too deep")
    return Sketched("\n".join(new) + "\n" * (is_ended or not original), is_told=not rest)


def _whole(file: Outline, answer: Answer, path: str) -> str | None:
    """The only block, where the words say that it is the whole file; raises Doubt where it lacks a declaration."""
    block = answer.blocks[0]
    if len(answer.blocks) > 1 or block.has_markers or block.explicit or not _ALL.search(last_lines(block.prose)):
        return None
    if ADDS.search(last_lines(block.prose)) or "example" in block.prose.lower():
        return None
    texts = [line.text for line in without_asides(file, block).lines]
    shown = fragment(texts, path, ())
    names = {node.name for node in shown.nodes}
    lost = next((node for node in file.nodes if node.kind in ("function", "class") and node.name not in names), None)
    if lost is not None:
        raise Doubt(f"the answer is to be the whole file, and {lost.name!r} (line {lost.head + 1}) is not in it")
    held = {*written(file.lines)}
    if len(held & {*written(texts)}) * 2 < len(held) and not _PRESENTS.search(last_lines(block.prose)):
        return None  # words such as "the whole script" may speak of something else
    return "\n".join(texts) + "\n"


def _once(patches: Sequence[Patch]) -> list[Patch]:
    """The patches without those that put a comma twice in one place."""
    found: list[Patch] = []
    for patch in patches:
        if patch.start == patch.end or patch not in found:
            found.append(patch)
    return found


def _bears(file: Outline, sketch: Sketch, at: int) -> bool:
    """Whether the file has attributes above a declaration that the answer shows without any."""
    node = sketch.outline.nodes[at]
    found = file.named(node.name)
    return (
        bool(found) and all(file.nodes[old].start < file.nodes[old].head for old in found) and node.start == node.head
    )


def _refuse_open(file: Outline, block: Block, known: Known) -> None:
    """Raises Doubt for a line that shows an old version, may stand for others, or is a guess."""
    if any(is_comment(line.text) and _LABEL.fullmatch(line.text.strip()) for line in block.lines):
        raise Doubt("a block shows both an old and a new version")
    held = {line.strip() for line in file.lines}
    texts = [line.text for line in block.lines]
    quoted = in_strings(texts, file.language)
    for at, line in enumerate(block.lines):
        is_stub = line.text.rstrip().endswith("...") and brings(line.text, texts[:at], known)
        if line.kind == "code" and (at in quoted or is_stub or line.text.strip() == "..."):
            continue
        text = line.text.strip()
        is_new = line.kind == "code" and text and text not in held
        if (line.kind == "marker" and _HALF.match(text)) or (is_new and _GUESS.search(text)):
            raise Doubt(f"{text!r} leaves open what stands there")
        if is_new and (DOTS_WITHIN.search(text) or (is_comment(text) and _TOLD.match(text))):
            raise Doubt(f"{text!r} may stand for lines of the file")
    if block.doubt > _UNSURE:
        raise Doubt("a comment of the answer may be a note to the reader")


def _patches(file: Outline, block: Block, known: Known, path: str, answer: Answer) -> Iterator[Patch]:
    if block.explicit:
        raise Doubt("a part of the answer has signs of a diff")
    whole_block, block = block, without_asides(file, block)
    marks = {at for at, line in enumerate(block.lines) if line.kind == "marker"}
    texts = [line.text for line in block.lines]
    if not any(line.kind == "code" and line.text.strip() for line in block.lines):
        return
    if _goes(file, block):
        yield taken_out(file.lines, texts)
        return
    if _is_context(file, texts, marks):
        if TAKES.search(block.prose):
            raise Doubt("a block shows what the file has, and the words speak of changing it")
        return
    _refuse_open(file, block, known)
    words = last_lines(block.prose)
    after = answer.after if block is answer.blocks[-1] or len(answer.blocks) == 1 else ""
    said = (*said_in(block.prose, known), *(said_in(after, known) if len(answer.blocks) == 1 else ()))
    adds = only_adds(block)
    whole = bool(_ALL.search(words))
    shortens = bool(SHORTENS.search(answer.prose))
    sketch = Sketch(file, fragment(texts, path, marks), block, adds, whole, shortens, gone_of(answer, known))
    told_line = beside(file, words)
    placement = Placement(
        (*(place for directive in said for place in directive.places), *inside(file, words)),
        bool(_PLACE.search(words)) or puts(answer, whole_block, known),
        adds or bool(_HERE.search(words)) or not (TAKES.search(words) or _VERSION.search(words)),
        *(told_line or (None, False)),
    )
    if _GONE.search(answer.prose) and any(_bears(file, sketch, at) for at in sketch.outline.top()):
        raise Doubt("the words say that something goes which the answer only leaves out")
    if not file.language and not marks and (flat := listed(sketch)) is not None:
        yield flat
        return
    is_text = file.language in PROSE and not marks
    found = None if is_text else by_declarations(sketch, placement)
    if found is None:
        yield from by_lines(sketch, placement)
        return
    try:
        patches = [*found]
    except Firm:
        raise
    except Doubt:
        held = {line.strip() for line in file.lines}
        if adds or not held & {text.strip() for text in texts if len(text.strip()) >= _TELLING}:
            raise
        patches = [*by_lines(sketch, placement)]
    yield from patches


def _goes(file: Outline, block: Block) -> bool:
    """Whether a block shows what is to go: lines of the file in a row, of which the words order it."""
    return removes(block) and _is_context(file, [line.text for line in block.lines if line.kind == "code"], set())


def _is_beside(block: Block, patches: Sequence[Patch]) -> bool:
    """Whether a block comes in one piece beside what the file has, as the words say."""
    own = [*written([line.text for line in block.lines])]
    return puts_beside(block) and any(each.start == each.end and [*written(each.lines)] == own for each in patches)


def _is_context(file: Outline, texts: Sequence[str], marks: set[int]) -> bool:
    """Whether a block shows nothing but lines of the file in a row: it says where the next one goes, or nothing."""
    own = [*written([text for at, text in enumerate(texts) if at not in marks])]
    held = [*written(file.lines)]
    return not marks and any(held[at : at + len(own)] == own for at, line in enumerate(held) if line == own[0])
