"""In: a file and an answer that shows parts of its new version. Out: `Sketched`, the new file, or what is in doubt."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.answer.answer import Answer, Block, Line
from redraft.edit.outline import Outline, fragment, outline
from redraft.edit.sketch.declared import Sketch
from redraft.edit.sketch.fragmentary import by_lines
from redraft.edit.sketch.items import written
from redraft.edit.sketch.patch import Doubt, Patch, patched
from redraft.edit.sketch.places import Told
from redraft.edit.sketch.root import by_declarations
from redraft.edit.words import Known, sayings
from redraft.edit.words.hints import last_lines
from redraft.edit.words.saying import Saying

_USAGE = re.compile(r"\W*(?:example(?:s| usage)?|usage(?: examples?)?|how to use(?: it)?)\W*", re.IGNORECASE)
_POINTER = re.compile(
    r"\s+(?:#|//|--|/\*|<!--)\s*(?:(?:<?-+|\u2190|<=+|\^+)\s*.*|(?:new|added|changed|updated|modified|fixed)"
    r"(?: (?:this )?(?:line|here))?\W*)(?:\*/|-->)?\s*$",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"\b(?:add|adds|adding|append|insert|include|introduce|need|needs|new|additional|extra|one more|another)\b", re.IGNORECASE
)
_TAKES = re.compile(
    r"\b(?:replac|chang|updat|modif|remov|delet|drop|rewrit|renam|refactor|instead|fix|adjust|becom|turn|mov|simplif|swap)",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:complete|full|whole|entire)\b(?: of\b|.{0,24}\b(?:file|code|script|module|program|listing)\b)", re.IGNORECASE)
_ETC = re.compile(r"\W*(?:etc|et cetera|and so on|and so forth|snip|same)\W*", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:above|before|between|inside|into|under|next to|beside|top|beginning|start|first thing|after|below)\b"
    r"(?!\s+(?:it|this|that|them)\b|\W*$)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[A-Za-z_]\w{2,}")
_GONE = re.compile(r"\b(?:remov|delet|drop|gone\b|no longer|without\b|get rid|strip)", re.IGNORECASE)
_GOES = re.compile(
    r"\b(?:remov|delet|drop|get rid|strip|unused|(?:no longer|n't|not) (?:need|use|requir|skip|in ))", re.IGNORECASE
)
_LABEL = re.compile(r"\W*(?:before|after|old|new|was|now)\W*", re.IGNORECASE)
_TELLING = 8  # characters that say whether a line is more than brackets
_SHORTENS = re.compile(
    r"\b(?:remov|delet|drop|gone|no longer|simplif|short|extract|replac|rewr|collaps|inlin|clean|strip|merg|instead|refactor)",
    re.IGNORECASE,
)
_MOVES = re.compile(r"\b(?:mov(?:e|ed|es|ing)|reorder|sort(?:ed)?|swap|next to)\b", re.IGNORECASE)
_DOTS = re.compile(r"(?<![\w.])(?:\.\.\.|\u2026)(?![\w.(\[{$@'\"`])")
_TOLD = re.compile(r"\W*(?:gone|removed|deleted|dropped|no longer|here (?:was|were)|was)\b", re.IGNORECASE)
_UNSURE = 0.2  # chance from which a comment may be a note to the reader
_ORDERS = ("remove", "rename", "move", "replace", "before", "after", "example", "run")


class Sketched(Struct, frozen=True):
    """The new file, or None with what is in doubt."""

    text: str | None
    doubt: str = ""


def read_sketch(original: str, answer: Answer, known: Known, path: str, instruction: str = "") -> Sketched:
    """What an answer's blocks make of a file, where every change has a licence."""
    if not answer.blocks or not answer.is_whole:
        return Sketched(None, "the answer shows no code")
    lines = tuple(original.split("\n"))
    is_ended = bool(lines) and lines[-1] == ""
    lines = lines[:-1] if is_ended else lines
    file = outline(lines, path)
    try:
        if _orders(answer, known):
            raise Doubt("the words order what no block shows")
        patches: list[Patch] = []
        for block in answer.blocks:
            patches += _patches(file, block, known, path, answer)
        new = patched(lines, _once(patches))
        if tuple(new) == lines:
            raise Doubt("the answer shows nothing that the file does not have")
        _refuse_doubled(lines, answer, new)
        _refuse_unheard(answer, known, instruction, lines, new)
        if _GOES.search(f"{answer.prose}\n{instruction}") and not Counter(written(lines)) - Counter(written(new)):
            raise Doubt("the words say that something goes, and nothing does")
    except Doubt as doubt:
        return Sketched(None, str(doubt))
    except RecursionError:
        return Sketched(None, "the file is nested too deep")
    return Sketched("\n".join(new) + "\n" * (is_ended or not original))


def _refuse_unheard(
    answer: Answer, known: Known, instruction: str, lines: Sequence[str], new: Sequence[str]
) -> None:
    """What words order to come is there, and of what they say goes there is less."""
    text = "\n".join(new)
    for saying in _said(answer.prose, known):
        missing = next((code for code in saying.new if code.strip() not in text), None)
        if missing is not None:
            raise Doubt(f"the words add {missing!r}, which no block shows")
    if _MOVES.search(f"{answer.prose}\n{instruction}"):
        raise Doubt("the words speak of another order of lines")
    held, out = Counter(_NAMES.findall("\n".join(lines))), Counter(_NAMES.findall(text))
    for sentence in re.split(r"(?<=[.;!?])\s+|\n", f"{answer.prose}\n{instruction}"):
        if _SHORTENS.search(sentence):
            named = [name for name in _NAMES.findall(sentence) if held[name] and _is_code(name, sentence)]
            if named and all(out[name] >= held[name] for name in named):
                raise Doubt(f"the words say of {named[0]!r} that something goes or changes, and all of it stays")


def _is_code(name: str, sentence: str) -> bool:
    return f"`{name}" in sentence or f"{name}`" in sentence or "_" in name or not (name.islower() or name.istitle())


def _refuse_doubled(lines: Sequence[str], answer: Answer, new: Sequence[str]) -> None:
    """A line that file and answer both have once, the new file has once."""
    for block in answer.blocks:
        found = iter(written(new))
        for text in written(line.text for line in block.lines if line.kind == "code" and not _is_etc(line.text)):
            text = _POINTER.sub("", text)
            if _is_usage(text):
                break
            if not any(text.rstrip(",") == other.rstrip(",") for other in found):
                raise Doubt(f"{text!r} of the answer would not stand in the new file where the answer shows it")
    held, shown, out = (Counter(written(texts)) for texts in (lines, _code(answer), new))
    twice = next((text for text in shown if text[:_TELLING].strip("{}()[];,") and shown[text] == held[text] == 1 < out[text]), None)
    if twice is not None:
        raise Doubt(f"the answer shows {twice!r} of the file in a place of which it shows too little to be sure")


def _code(answer: Answer) -> list[str]:
    return [line.text for block in answer.blocks for line in block.lines if line.kind == "code"]


def _once(patches: Sequence[Patch]) -> list[Patch]:
    """The patches without those that put a comma twice in one place."""
    found: list[Patch] = []
    for patch in patches:
        if patch.start == patch.end or patch not in found:
            found.append(patch)
    return found


def _orders(answer: Answer, known: Known) -> bool:
    return any(saying.verb in _ORDERS for saying in _said(answer.prose, known))


def _bears(file: Outline, sketch: Sketch, at: int) -> bool:
    """Whether the file has attributes above a declaration that the answer shows without any."""
    node = sketch.outline.nodes[at]
    found = file.named(node.name)
    return bool(found) and all(file.nodes[old].start < file.nodes[old].head for old in found) and node.start == node.head


def _said(prose: str, known: Known) -> tuple[Saying, ...]:
    return sayings(prose, known)


def _patches(file: Outline, block: Block, known: Known, path: str, answer: Answer) -> Iterator[Patch]:
    if block.explicit:
        raise Doubt("a part of the answer has signs of a diff")
    block = _without_asides(file, block)
    marks = {at for at, line in enumerate(block.lines) if line.kind == "marker"}
    texts = [line.text for line in block.lines]
    if not any(line.kind == "code" and line.text.strip() for line in block.lines):
        return
    if _is_context(file, texts, marks):
        if _TAKES.search(block.prose):
            raise Doubt("a block shows what the file has, and the words speak of changing it")
        return
    if any(_is_comment(text) and _LABEL.fullmatch(text.strip()) for text in texts):
        raise Doubt("a block shows both an old and a new version")
    held = {line.strip() for line in file.lines}
    for line in block.lines:
        text = line.text.strip()
        if line.kind == "code" and text and text not in held:
            if _DOTS.search(text) or (_is_comment(text) and _TOLD.match(text)):
                raise Doubt(f"{text!r} may stand for lines of the file")
    if block.doubt > _UNSURE:
        raise Doubt("a comment of the answer may be a note to the reader")
    words = last_lines(block.prose)
    after = answer.after if block is answer.blocks[-1] or len(answer.blocks) == 1 else ""
    said = (*_said(block.prose, known), *(_said(after, known) if len(answer.blocks) == 1 else ()))
    adds = bool(_ADDS.search(words)) and not _TAKES.search(words)
    whole = bool(_ALL.search(words))
    shortens = bool(_SHORTENS.search(answer.prose))
    sketch = Sketch(file, fragment(texts, path, marks), block, adds, whole, shortens)
    told = Told(tuple(place for saying in said for place in saying.places), bool(_PLACE.search(words)), adds or not words.strip())
    if _GONE.search(answer.prose) and any(_bears(file, sketch, at) for at in sketch.outline.top()):
        raise Doubt("the words say that something goes which the answer only leaves out")
    is_text = file.language in ("markdown", "rst", "") and not marks
    found = None if is_text else by_declarations(sketch, told)
    yield from by_lines(sketch) if found is None else found


def _is_context(file: Outline, texts: Sequence[str], marks: set[int]) -> bool:
    """Whether a block shows nothing but lines of the file in a row: it says where the next one goes, or nothing."""
    own = [*written([text for at, text in enumerate(texts) if at not in marks])]
    held = [*written(file.lines)]
    return not marks and any(held[at : at + len(own)] == own for at, line in enumerate(held) if line == own[0])


def _without_asides(file: Outline, block: Block) -> Block:
    """The block without pointers to what is new behind its lines, and without an example of use at its end."""
    held = {line.strip() for line in file.lines}
    lines: list[Line] = []
    for line in block.lines:
        text = line.text
        if line.kind == "code" and line.text.strip() not in held:
            if not text[:1].isspace() and _is_usage(text):
                break
            if _is_etc(text):
                line = replace(line, kind="marker")
            text = _POINTER.sub("", text)
        lines.append(line if text == line.text else replace(line, text=text))
    while lines and not lines[-1].text.strip():
        lines.pop()
    return replace(block, lines=tuple(lines))


def _is_comment(text: str) -> bool:
    return text.strip()[:1] in ("#", "/", "-", "<", ";", "{")


def _is_etc(text: str) -> bool:
    return _is_comment(text) and _ETC.fullmatch(text.strip()) is not None


def _is_usage(text: str) -> bool:
    return _is_comment(text) and _USAGE.fullmatch(text.strip()) is not None
