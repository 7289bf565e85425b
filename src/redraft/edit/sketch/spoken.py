"""In: the words of an answer. Out: what they say of its blocks: what comes, what goes, and where."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from redraft.edit.answer.answer import Answer, Block, Line
from redraft.edit.outline import Outline
from redraft.edit.sketch.patch import Doubt
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known, directives
from redraft.edit.words.directive import Directive, Place
from redraft.edit.words.hints import last_lines

POINTER = re.compile(
    r"\s+(?:#|//|--|/\*|<!--)\s*(?:(?:<?-+|\u2190|<=+|\^+)\s*.*|(?:new|added|changed|updated|modified|fixed)"
    r"(?: (?:this )?(?:line|here))?\W*)(?:\*/|-->)?\s*$",
    re.IGNORECASE,
)
ADDS = re.compile(
    r"\b(?:add|adds|adding|append|insert|include|introduce|need|needs|new|additional|extra|one more|another)\b",
    re.IGNORECASE,
)
TAKES = re.compile(
    r"\b(?:replac|chang|updat|modif|remov|delet|drop|rewrit|renam|refactor|instead|fix|adjust|becom|turn|mov|simplif|swap|supersed|outdated|typo)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_ETC = re.compile(r"\W*(?:etc|et cetera|and so on|and so forth|snip|same)\W*", re.IGNORECASE)
_NAMES = re.compile(r"[A-Za-z_]\w{2,}")
_WORDS = re.compile(r"\w+")
QUOTES = re.compile(r"`([^`]+)`")
_LOSES = re.compile(
    r"\b(?:remov|delet|drop|lose|gone\b|goes\b|no longer|get rid|strip|unused|take .* out)", re.IGNORECASE
)
_BESIDE = re.compile(
    r"\b(?P<relation>below|after|under|beneath|above|before)\s+(?:(?:the|your|existing|last|current|other)\s+)*(?:`(?P<quoted>[^`]+)`|[\"\u201c](?P<said>[^\"\u201c\u201d]+)[\"\u201d]|(?P<word>[\w-]{3,}))",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"(?i)\b(?:(?:a|an|one|the) (?:second|third|fourth|another|additional|further|separate)|another|one more)\b"
)
_BEHIND = re.compile(
    r"(?i)\b(?:after|below|beneath|under|underneath|beside|next to|alongside|before|above|following)"
    r" (?:(?:the|your|our|any|all) )?(?:existing|first|current|last|present|old|previous|original)\b"
)
_ARITY = re.compile(r"/\d+$")
_EDGES = "<>()[]{}:;,./ "
_INSIDE = re.compile(r"\b(?:inside|in|into|within|to)\s+(?:the\s+|your\s+)?`([^`]+)`", re.IGNORECASE)
_REMOVES = re.compile(
    r"(?i)(?:^\W*|\b(?:so|then|just|and|now|can|should|please|simply|safely|also)\s+)(?:remove|delete|drop|get rid of)"
    r"\s+(?:this|that|these|those|the|both|it|them)\b(?!.*\bfrom\b)"
)
_PUTS_IT = re.compile(r"(?i)\b(?:put|place|insert|paste|add) (?:it|this|that|them|these)\b")
PUTS = re.compile(r"\b(?:put|place|goes|belongs|insert|paste)\b", re.IGNORECASE)
SHORTENS = re.compile(
    r"\b(?:remov|delet|drop|gone|no longer|simplif|short|extract|replac|rewr|collaps|inlin|clean|strip|merg|instead"
    r"|refactor)",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:mov(?:e|ed|es|ing) (?:the|it|this|that|these|them|both|all)\b|reorder|sorted|swap|(?:empty|blank) lines?)\b",
    re.IGNORECASE,
)
_ORDERS = ("rename", "move", "replace", "before", "after")
_OF_OTHER_CODE = ("example", "run")


def removes(block: Block) -> bool:
    """Whether the sentence right above a block orders that what it shows goes."""
    words = last_lines(block.prose).rstrip().rstrip(":")
    return _REMOVES.search(_SENTENCE.split(words)[-1]) is not None


def orders(answer: Answer, known: Known, file: Sequence[str]) -> bool:
    """Whether the words order more than that a block takes the place of what it shows a new version of, or lead to one
    that shows nothing of the file: a command to run, an example of use."""
    held = {line.strip() for line in file if is_telling(line)}
    for directive in directives(answer.prose, known):
        blocks = [block for block in answer.blocks if directive.text in block.prose]
        if directive.verb in _ORDERS and not _is_of_block(directive, blocks):
            return True
        if directive.verb in _OF_OTHER_CODE and any(
            held.isdisjoint(line.text.strip() for line in block.lines) for block in blocks
        ):
            return True
    return False


def _is_of_block(directive: Directive, blocks: Sequence[Block]) -> bool:
    """Whether an order is about the only block that follows it, and names nothing but what that begins with."""
    is_shown = len(blocks) == 1 and _headed(blocks[0]).issuperset(directive.names)
    return is_shown and directive.verb in ("replace", "after")


def _headed(block: Block) -> set[str]:
    """The words of the first line that is shown: whatever happens to them, the block shows it."""
    first = next((line.text for line in block.lines if line.kind == "code" and line.text.strip()), "")
    return {*_WORDS.findall(first)}


def gone_of(answer: Answer, known: Known) -> frozenset[str]:
    """The names of which sentences say that they go."""
    removals = (directive for directive in directives(answer.prose, known) if directive.verb == "remove")
    sentences = filter(_LOSES.search, _SENTENCE.split(answer.prose))
    quoted = filter(str.strip, chain.from_iterable(map(QUOTES.findall, sentences)))
    return frozenset((*chain.from_iterable(each.names for each in removals), *quoted))


def beside(file: Outline, words: str) -> tuple[int, bool] | None:
    """The one line that words put something below, and whether it is above instead; they say that they put something,
    or quote the line."""
    found = [*_BESIDE.finditer(words)]
    is_put = ADDS.search(words) or PUTS.search(words)
    if len(found) != 1 or TAKES.search(words) or not (is_put or found[0]["quoted"] or found[0]["said"]):
        return None
    name = _ARITY.sub("", found[0]["quoted"] or found[0]["said"] or found[0]["word"]).strip(_EDGES)
    lines = [at for at, line in enumerate(file.lines) if re.search(rf"(?i)(?<![\w-]){re.escape(name)}(?![\w-])", line)]
    if len(lines) != 1 or not name:
        return None
    at = file.at(lines[0])
    if at is not None and file.nodes[at].head == lines[0] and file.nodes[at].end - lines[0] > 1:
        return None
    return lines[0], found[0]["relation"].lower() in ("above", "before")


def inside(file: Outline, words: str) -> Iterator[Place]:
    """The container that words name with its brackets, as in: inside `<dependencies>`."""
    for match in _INSIDE.finditer(words):
        name = match[1].strip(_EDGES)
        if name != match[1] and len(file.named(name)) == 1:
            yield Place("inside", (name,))


def puts(answer: Answer, block: Block, known: Known) -> bool:
    """Whether the words behind one of several blocks say where something goes."""
    at = answer.blocks.index(block)
    below = answer.blocks[at + 1].prose if at + 1 < len(answer.blocks) else ""
    if _PUTS_IT.search(below):
        return True
    return len(answer.blocks) > 1 and any(directive.places for directive in directives(answer.after, known))


def only_adds(block: Block) -> bool:
    """Whether the sentence above a block says that it adds something, and no more."""
    words = last_lines(block.prose)
    return bool(ADDS.search(words)) and not TAKES.search(words)


def puts_beside(block: Block) -> bool:
    """Whether the sentence above a block puts it beside what is there."""
    words = last_lines(block.prose)
    is_another = _ANOTHER.search(words) and (ADDS.search(words) or PUTS.search(words))
    return bool(is_another or _BEHIND.search(words)) and not TAKES.search(words)


def refuse_unheard(answer: Answer, known: Known, instruction: str, lines: Sequence[str], new: Sequence[str]) -> None:
    """What words order to come is there, and of what they say goes there is less."""
    before, after, words = "\n".join(lines), "\n".join(new), f"{answer.prose}\n{instruction}"
    for directive in directives(answer.prose, known):
        _refuse_undone(directive, before, after)
    if _MOVES.search(QUOTES.sub("it", words)):
        raise Doubt("the words speak of another order of lines")
    held, out = Counter(_NAMES.findall(before)), Counter(_NAMES.findall(after))
    known_names = held.keys() - {name for block in answer.blocks for name in _headed(block)}
    for sentence in filter(SHORTENS.search, _SENTENCE.split(words)):
        named = [name for name in _NAMES.findall(sentence) if name in known_names and _is_code(name, sentence)]
        if named and all(out[name] >= held[name] for name in named):
            raise Doubt("the words say that something goes or changes, and all of it stays")


def _refuse_undone(directive: Directive, before: str, after: str) -> None:
    if any(code.strip("[]()@#<>` ;") not in after for code in directive.new):
        raise Doubt("the words add what no block shows")
    if directive.verb != "remove":
        return
    names = directive.names or QUOTES.findall(directive.text)
    if not names:
        raise Doubt("the words order that something goes without its name")
    if any(0 < before.count(name) <= after.count(name) for name in names):
        raise Doubt("the words say that something goes, and all of it stays")


def _is_code(name: str, sentence: str) -> bool:
    return f"`{name}" in sentence or f"{name}`" in sentence or "_" in name or not (name.islower() or name.istitle())


def is_comment(text: str) -> bool:
    return text.strip()[:1] in ("#", "/", "-", "<", ";", "{")


def is_etc(text: str) -> bool:
    return is_comment(text) and _ETC.fullmatch(text.strip()) is not None


def without_asides(file: Outline, block: Block) -> Block:
    """The block without pointers to what is new behind its lines."""
    held = {line.strip() for line in file.lines}
    lines: list[Line] = []
    for line in block.lines:
        text = line.text
        if line.kind == "code" and text.strip() not in held:
            line = replace(line, kind="marker" if is_etc(text) else "code", text=POINTER.sub("", text))
        lines.append(line)
    while lines and not lines[-1].text.strip():
        lines.pop()
    return replace(block, lines=tuple(lines))
