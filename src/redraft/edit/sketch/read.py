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
from redraft.edit.sketch.items import known_by, written
from redraft.edit.sketch.patch import Doubt, Patch, patched
from redraft.edit.sketch.places import Told, listed
from redraft.edit.sketch.root import by_declarations
from redraft.edit.text.changes import line_changes
from redraft.edit.words import Known, sayings
from redraft.edit.words.hints import last_lines
from redraft.edit.words.saying import Place, Saying

_USAGE = re.compile(r"\W*(?:example(?:s| usage)?|usage(?: examples?)?|how to use(?: it)?)\W*", re.IGNORECASE)
_POINTER = re.compile(
    r"\s+(?:#|//|--|/\*|<!--)\s*(?:(?:<?-+|\u2190|<=+|\^+)\s*.*|(?:new|added|changed|updated|modified|fixed)"
    r"(?: (?:this )?(?:line|here))?\W*)(?:\*/|-->)?\s*$",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"\b(?:add|adds|adding|append|insert|include|introduce|need|needs|new|additional|extra|one more|another)\b",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:replac|chang|updat|modif|remov|delet|drop|rewrit|renam|refactor|instead|fix|adjust|becom|turn|mov|simplif|swap)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:complete|full|whole|entire)\b(?: of\b|.{0,24}\b(?:file|code|script|module|program|listing)\b)", re.IGNORECASE
)
_ETC = re.compile(r"\W*(?:etc|et cetera|and so on|and so forth|snip|same)\W*", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:above|before|between|inside|into|under|next to|beside|top|beginning|start|first thing|after|below)\b"
    r"(?!\s+(?:it|this|that|them)\b|\W*$)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[A-Za-z_]\w{2,}")
_GONE = re.compile(r"\b(?:remov|delet|drop|gone\b|no longer|without\b|get rid|strip)", re.IGNORECASE)
_GOES = re.compile(
    r"\b(?:[Rr]emove[ds]?|[Dd]elete[ds]?|[Dd]rop(?:s|ped)?|get rid|[Ss]trip(?:s|ped)?|unused"
    r"|(?:no longer|n't|not) (?:need|use|requir|skip|in ))"
)
_SPELLING = re.compile(r"[\s'\"`;,]|\b(?:this|self)\.")
_HERE = re.compile(
    r"\b(?:here(?:'s| is|\u2019s)|below is) an? (?!updated|changed|better|modified|fixed|version)", re.IGNORECASE
)
_QUOTES = re.compile(r"`([^`]+)`")
_LOSES = re.compile(
    r"\b(?:remov|delet|drop|lose|gone\b|goes\b|no longer|get rid|strip|unused|take .* out)", re.IGNORECASE
)
_PUTS = re.compile(r"\b(?:put|place|goes|belongs|insert|paste)\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"\b(?P<relation>below|after|under|beneath|above|before)\s+(?:the\s+|your\s+)?(?:`(?P<quoted>[^`]+)`|(?P<word>[\w-]{3,}))",
    re.IGNORECASE,
)
_EDGES = "<>()[]{}:;,./ "
_INSIDE = re.compile(r"\b(?:inside|in|into|within|to)\s+(?:the\s+|your\s+)?`([^`]+)`", re.IGNORECASE)
_LABEL = re.compile(r"\W*(?:before|after|old|new|was|now)\W*", re.IGNORECASE)
_AROUND = 6  # lines above and below a change in which a second copy is one of the same line
_TELLING = 8  # characters that say whether a line is more than brackets
_SHORTENS = re.compile(
    r"\b(?:remov|delet|drop|gone|no longer|simplif|short|extract|replac|rewr|collaps|inlin|clean|strip|merg|instead|refactor)",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:mov(?:e|ed|es|ing) (?:the|it|this|that|these|them|both|all)\b|reorder|sorted|swap|(?:empty|blank) lines?)\b",
    re.IGNORECASE,
)
_DOTS = re.compile(r"(?<![\w.])(?:\.\.\.|\u2026)(?![\w.(\[{$@'\"`])")
_TOLD = re.compile(r"\W*(?:gone|removed|deleted|dropped|no longer|here (?:was|were)|was)\b", re.IGNORECASE)
_UNSURE = 0.2  # chance from which a comment may be a note to the reader
_ORDERS = ("rename", "move", "replace", "before", "after", "example", "run")


class Sketched(Struct, frozen=True):
    """The new file, or None with what is in doubt; `is_whole`: the words say that all of it is shown."""

    text: str | None
    doubt: str = ""
    is_whole: bool = False


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
        if (whole := _whole(file, answer, path)) is not None:
            return Sketched(whole, is_whole=True)
        patches: list[Patch] = []
        for block in answer.blocks:
            patches += _patches(file, block, known, path, answer)
        new = patched(lines, _once(patches))
        adding = all(_only_adds(block) for block in answer.blocks)
        if tuple(new) == lines and adding and {*written(_code(answer))} <= {*written(lines)}:
            return Sketched(original)
        if tuple(new) == lines:
            raise Doubt("the answer shows nothing that the file does not have")
        _refuse_doubled(lines, answer, new, _inside_new(file, answer, path))
        _refuse_unheard(answer, known, instruction, lines, new)
        if _GOES.search(_QUOTES.sub("it", f"{answer.prose}\n{instruction}")) and not Counter(written(lines)) - Counter(
            written(new)
        ):
            raise Doubt("the words say that something goes, and nothing does")
    except Doubt as doubt:
        return Sketched(None, str(doubt))
    except RecursionError:
        return Sketched(None, "the file is nested too deep")
    return Sketched("\n".join(new) + "\n" * (is_ended or not original))


def _whole(file: Outline, answer: Answer, path: str) -> str | None:
    """The only block, where the words say that it is the whole file; raises Doubt where it lacks what the file declares."""
    block = answer.blocks[0]
    if len(answer.blocks) > 1 or block.has_markers or block.explicit or not _ALL.search(last_lines(block.prose)):
        return None
    if _ADDS.search(last_lines(block.prose)) or "example" in block.prose.lower():
        return None
    texts = [line.text for line in _without_asides(file, block).lines]
    shown = fragment(texts, path, ())
    names = {node.name for node in shown.nodes}
    lost = next((node for node in file.nodes if node.kind in ("function", "class") and node.name not in names), None)
    if lost is not None:
        raise Doubt(f"the answer is to be the whole file, and {lost.name!r} (line {lost.head + 1}) is not in it")
    return "\n".join(texts) + "\n"


def _refuse_unheard(answer: Answer, known: Known, instruction: str, lines: Sequence[str], new: Sequence[str]) -> None:
    """What words order to come is there, and of what they say goes there is less."""
    text = "\n".join(new)
    for saying in _said(answer.prose, known):
        if saying.verb == "remove" and not (saying.names or _QUOTES.search(saying.text)):
            raise Doubt("the words order that something goes without its name")
        missing = next((code for code in saying.new if code.strip("[]()@#<>` ;") not in text), None)
        if missing is not None:
            raise Doubt(f"the words add {missing!r}, which no block shows")
    if _MOVES.search(_QUOTES.sub("it", f"{answer.prose}\n{instruction}")):
        raise Doubt("the words speak of another order of lines")
    before = "\n".join(lines)
    gone = (saying for saying in _said(answer.prose, known) if saying.verb == "remove")
    for name in (name for saying in gone for name in saying.names or _QUOTES.findall(saying.text)):
        if name in before and text.count(name) >= before.count(name):
            raise Doubt(f"the words say that {name!r} goes, and all of it stays")
    held, out = Counter(_NAMES.findall(before)), Counter(_NAMES.findall(text))
    for sentence in re.split(r"(?<=[.;!?])\s+|\n", f"{answer.prose}\n{instruction}"):
        if _SHORTENS.search(sentence):
            named = [name for name in _NAMES.findall(sentence) if held[name] and _is_code(name, sentence)]
            if named and all(out[name] >= held[name] for name in named):
                raise Doubt(f"the words say of {named[0]!r} that something goes or changes, and all of it stays")


def _is_code(name: str, sentence: str) -> bool:
    return f"`{name}" in sentence or f"{name}`" in sentence or "_" in name or not (name.islower() or name.istitle())


def _only_adds(block: Block) -> bool:
    """Whether the sentence above a block says that it adds something, and no more."""
    words = last_lines(block.prose)
    return bool(_ADDS.search(words)) and not _TAKES.search(words)


def _inside_new(file: Outline, answer: Answer, path: str) -> set[str]:
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


def _refuse_doubled(lines: Sequence[str], answer: Answer, new: Sequence[str], free: set[str]) -> None:
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
    retold = {_spelled(text) for text in held if text not in shown}
    come = [text for text in shown if text not in held and out[text] and text[:_TELLING].strip("{}()[];,")]
    twice = twice or next((text for text in come if _spelled(text) in retold and _stays(text, held, out)), None)
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


def _gone(answer: Answer, known: Known) -> frozenset[str]:
    """The names of which sentences say that they go."""
    found = {name for saying in _said(answer.prose, known) if saying.verb == "remove" for name in saying.names}
    for sentence in re.split(r"(?<=[.;!?])\s+|\n", answer.prose):
        if _LOSES.search(sentence):
            found.update(name for name in _QUOTES.findall(sentence) if name.strip())
    return frozenset(found)


def _beside(file: Outline, words: str) -> tuple[int, bool] | None:
    """The one line that words put something below, and whether it is above instead."""
    found = [*_BESIDE.finditer(words)]
    if len(found) != 1:
        return None
    name = (found[0]["quoted"] or found[0]["word"]).strip(_EDGES)
    lines = [at for at, line in enumerate(file.lines) if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line)]
    if len(lines) != 1 or not name:
        return None
    at = file.at(lines[0])
    if at is not None and file.nodes[at].head == lines[0] and file.nodes[at].end - lines[0] > 1:
        return None
    return lines[0], found[0]["relation"].lower() in ("above", "before")


def _inside(file: Outline, words: str) -> Iterator[Place]:
    """The container that words name with its brackets, as in: inside `<dependencies>`."""
    for match in _INSIDE.finditer(words):
        name = match[1].strip(_EDGES)
        if name != match[1] and len(file.named(name)) == 1:
            yield Place("inside", (name,))


def _puts(answer: Answer, known: Known) -> bool:
    """Whether the words behind several blocks say where something goes."""
    return len(answer.blocks) > 1 and any(saying.places for saying in _said(answer.after, known))


def _bears(file: Outline, sketch: Sketch, at: int) -> bool:
    """Whether the file has attributes above a declaration that the answer shows without any."""
    node = sketch.outline.nodes[at]
    found = file.named(node.name)
    return (
        bool(found) and all(file.nodes[old].start < file.nodes[old].head for old in found) and node.start == node.head
    )


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
    adds = _only_adds(block)
    whole = bool(_ALL.search(words))
    shortens = bool(_SHORTENS.search(answer.prose))
    sketch = Sketch(file, fragment(texts, path, marks), block, adds, whole, shortens, _gone(answer, known))
    beside = _beside(file, words) if adds or _PUTS.search(words) else None
    told = Told(
        (*(place for saying in said for place in saying.places), *_inside(file, words)),
        bool(_PLACE.search(words)) or _puts(answer, known),
        adds or not words.strip() or bool(_HERE.search(words)),
        *(beside or (None, False)),
    )
    if _GONE.search(answer.prose) and any(_bears(file, sketch, at) for at in sketch.outline.top()):
        raise Doubt("the words say that something goes which the answer only leaves out")
    if not file.language and not marks and (flat := listed(sketch)) is not None:
        yield flat
        return
    is_text = file.language in ("markdown", "rst", "") and not marks
    found = None if is_text else by_declarations(sketch, told)
    if found is None:
        yield from by_lines(sketch)
        return
    try:
        patches = [*found]
    except Doubt:
        if adds or not held & {text.strip() for text in texts if len(text.strip()) >= _TELLING}:
            raise
        patches = [*by_lines(sketch)]
    yield from patches


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
