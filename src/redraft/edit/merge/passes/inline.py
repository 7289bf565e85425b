"""In: a block of an answer and the file. Out: the block with the file's own lines for what markers inside leave out.

`int size() { /* as before */ }` stands for a declaration, `run(a, ...)` for the one line of the file that begins and
ends so. A comment between two lines of the file that have others between them there stands for these.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec.structs import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.answer.notes import chances
from redraft.edit.merge.common.indentation import reindented
from redraft.edit.merge.common.tokens import tokens
from redraft.edit.merge.context.docstrings import with_docstrings, with_documentations
from redraft.edit.merge.passes.abbreviated import Places, abbreviated, quoted, with_comments
from redraft.edit.outline import Node, Outline
from redraft.edit.outline.grammars import PROSE
from redraft.edit.text.lines import are_followed, is_comment, is_telling
from redraft.edit.words import Known, is_marker, split_inline
from redraft.edit.words.comments import is_code, is_inside
from redraft.edit.words.hints import speaks_of

_DOTS = re.compile(r"(?<!\.)\.{3}(?![\w.])|\u2026")  # not what takes or spreads arguments
_QUOTES = str.maketrans("'`", '""')
_OPENING = ("{", ":", "(", "[", "do", "then", "|", ">")
_ALIKE = 0.5
_WORD = re.compile(r"\w+")
_TRAILING = re.compile(r"(\s*\S.*?)\s+(\{?/\*.*\*/\}?|//.*|#.*|<!--.*-->|\.{3}|\u2026)\s*")
_ONLY_DOTS = ("...", "\u2026")
_CODE = re.compile(r"[=;{}@]|\)$")
_REMARK = re.compile(
    r"(.*\S)\s+(?:#|//|--|\{?/\*|<!--)\s*(?:(?:<[-=]*|\u2190)\s*)?"
    r"(?:new|added|changed|updated|modified|fixed|now|was(?: \S+){1,3}|(?:no longer|not) \S+|\S+ (?:is|are) gone)"
    r"(?: (?:line|here|code|field|parameter|argument|import))?[.!]?\s*(?:\*/\}?|-->)?",
    re.IGNORECASE,
)
_ARROW = re.compile(
    r"(.*\S)(?:\s+(?:#|//|--|/\*|<!--|;+|%)\s*(?:<[-=]+|[\u2190\u27f5\u2b05\U0001f448])|"
    r"\s{2,}(<[-=]{2,}|[\u2190\u27f5\u2b05\U0001f448]))\ufe0f?\s*([^;{}()=\[\]]*?)\s*(?:\*/|-->)?\s*"
)
_BESIDE_HEAD = re.compile(r"\s*(?:[{})\]]|end\b|where\b|throws\b|->|:|=)")  # what goes on with a head at its level
_NEAR = 4  # lines below a comment among which the next line of the file may be shown
_MORE = Line("", "marker")
_ASSIGNED = re.compile(r"(\s*)([\w.\"'$@-]+(?: [\w.\"'$@-]+)?\s*(?:=|:)(?!=))")
_REACH = 400  # lines in which the line below a comment is looked for
_LONGEST_REMARK = 8  # words behind an arrow
_LONGEST_LABEL = 3  # words of a comment that only names what stands there
_LIKELY = 0.6  # chance from which a sentence is taken for a word to the reader
_BEGUN = 4  # letters that a line with dots has to begin with, at least


def expanded(block: Block, file: Outline, known: Known, asides: bool = False) -> Block:
    """The block with roles and lines that only the file can tell.

    `asides`: the answer says that remarks behind its lines are none of the file's.
    """
    if block.explicit:
        return _with_context(block, file, known)
    own = [_without_aside(line, known) for line in block.lines] if asides else block.lines
    shown = list(own)
    texts = [line.text if line.kind == "code" or is_comment(line.text) else "" for line in shown]
    places = Places(file)
    lines = [new for at, line in enumerate(shown) for new in _expanded(line, texts, at, places, known)]
    if any(line is _MORE for line in lines) and _lead(texts[-1]) > _lead(lines[0].text):
        lines.append(_MORE)
    if block.is_faithful:
        return replace(block, lines=tuple(lines))  # its comments are the file's new ones
    if not speaks_of("comments", block.prose):
        lines = [*with_documentations(lines, file)]
        lines = [*with_docstrings(lines, file)] if file.language == "python" else lines
    return replace(block, lines=tuple(_with_bodies([*_with_markers(lines, file, known)], file)))


def _with_context(block: Block, file: Outline, known: Known) -> Block:
    """A diff with the file's own lines for what it abbreviates around its changes."""
    texts = [line.text if line.kind == "code" and not line.added else "" for line in block.lines]
    places = Places(file)
    lines = (
        [line] if not texts[at] else _expanded(line, texts, at, places, known) for at, line in enumerate(block.lines)
    )
    return replace(block, lines=tuple(new for found in lines for new in found))


def _with_bodies(lines: Sequence[Line], file: Outline) -> Iterator[Line]:
    """The lines with the bodies of declarations of which the head alone is shown, before something at its level."""
    heads: dict[str, list[Node]] = {}
    for node in file.nodes:
        heads.setdefault(file.lines[node.head].strip(), []).append(node)
    for at, line in enumerate(lines):
        nodes = heads.get(line.text.strip(), ()) if line.kind == "code" else ()
        if len(nodes) == 1 and nodes[0].name in line.text and _is_left_out(lines, at, nodes[0], file):
            found = file.lines[nodes[0].head : nodes[0].end]
            yield from (replace(line, text=text) for text in reindented(found, found[:1], line.text))
        else:
            yield line


def _is_left_out(lines: Sequence[Line], at: int, node: Node, file: Outline) -> bool:
    """Whether nothing of a body is shown below a head, though the file has it there, deeper than the head."""
    written = [line for line in lines[at + 1 :] if line.text.strip()]
    code = next((number for number, line in enumerate(written) if line.kind != "marker"), None)
    if code is None or node.body is None or node.is_container or _BESIDE_HEAD.match(written[code].text):
        return False
    inside = [line for line in file.lines[slice(*node.body)] if line.strip()]
    is_deep = bool(inside) and all(_lead(line) > _lead(file.lines[node.head]) for line in inside)
    return is_deep and all(_lead(line.text) <= _lead(lines[at].text) for line in written[: code + 1])


def _expanded(line: Line, texts: Sequence[str], at: int, places: Places, known: Known) -> Iterator[Line]:
    if line.kind == "marker" and (place := quoted(line.text, texts, at, places)) is not None:
        yield from _quoted(place, texts[at + 1 :], places)
        return
    if line.kind != "code" or line.text.strip() in known.lines:
        yield line
        return
    if (code := _before_marker(line.text, known)) is not None:
        yield from (replace(line, text=code), replace(line, text="", kind="marker"))
        return
    line = line if line.text.lstrip().startswith("* ") else _without_remark(line, known)
    parts = split_inline(line.text, known)
    found = abbreviated(texts, at, places) or (_declared(parts[0], texts, at, places.file) if parts else None)
    if found is None or line.text.strip() in known.lines:
        yield line
    elif _has_body_below(texts, at, found):
        yield from (_MORE, replace(line, text=reindented(found[:1], found[:1], line.text)[0]))
        if next(filter(str.strip, texts[at + 1 :])).strip() in map(str.strip, found[2:]):
            yield _MORE
    else:
        yield from (replace(line, text=text) for text in reindented(found, found[:1], line.text))


def _quoted(place: int, below: Sequence[str], places: Places) -> Iterator[Line]:
    """A line of the file quoted by its beginning; behind a comment a marker, unless what comes next follows there."""
    lines = places.file.lines
    yield Line(lines[place], "code")
    shown = next((text.strip() for text in below if text.strip()), "")
    there = next((text.strip() for text in lines[place + 1 :] if text.strip()), "")
    if is_comment(lines[place]) and (shown != there or not shown):
        yield Line("", "marker")


def _has_body_below(texts: Sequence[str], at: int, found: Sequence[str]) -> bool:
    """Whether a line is the head alone of what it abbreviates: some of the body is shown below it, deeper."""
    below = next(filter(str.strip, texts[at + 1 :]), "")
    is_deeper = _lead(below) > _lead(texts[at]) and below.lstrip()[0].isalnum()
    return is_deeper and len(found) > 1 and found[0].rstrip().endswith(_OPENING)


def _without_aside(line: Line, known: Known) -> Line:
    """The line without a comment at its end that the file has nowhere."""
    match = _TRAILING.fullmatch(line.text) if line.kind == "code" and line.text.strip() not in known.lines else None
    if match is None or any(True for _ in known.having(match[2])):
        return line
    return replace(line, text=match[1])


def _without_remark(line: Line, known: Known) -> Line:
    """The line without words to the reader at its end: `// new`, `# was 120`, `// <- changed`, `<-- here`."""
    if remark := _REMARK.fullmatch(line.text):
        return replace(line, text=remark[1])
    arrow = _ARROW.fullmatch(line.text)
    is_said = arrow is not None and len(arrow[3].split()) <= _LONGEST_REMARK
    if arrow is None or not is_said or (arrow[2] and any(True for _ in known.having(arrow[2]))):
        return line
    return replace(line, text=arrow[1])


def _before_marker(text: str, known: Known) -> str | None:
    """The line of the file before a marker at the end of a line, or before words that its own value stays."""
    match = _TRAILING.fullmatch(text)
    if match is None:
        return None
    if match[1].strip() in known.lines:
        return match[1] if match[2] in _ONLY_DOTS or is_marker(match[2], known) else None
    assigned = _ASSIGNED.match(match[1])
    if assigned is None or not speaks_of("yours", match[2]):
        return None
    found = {line for line in known.having(assigned[2]) if line.startswith(assigned[2])}
    return assigned[1] + found.pop() if len(found) == 1 else None


def _declared(before: str, shown: Sequence[str], at: int, file: Outline) -> tuple[str, ...] | None:
    """The lines of the one declaration of the file that begins like the text before a marker."""
    wanted = _header(before)
    found = [node for node in file.nodes if wanted and _header(file.lines[node.head])[: len(wanted)] == wanted]
    exact = [node for node in found if _header(file.lines[node.head]) == wanted]
    chosen = exact if len(exact) == 1 else found
    return with_comments(shown, at, file, chosen[0].head, chosen[0].end) if len(chosen) == 1 else None


def _header(text: str) -> tuple[str, ...]:
    found = tokens(text)
    while found and (found[-1] in "{([=:" or found[-2:] == ("=", ">")):
        found = found[:-1]
    return found


def _with_markers(lines: Sequence[Line], file: Outline, known: Known) -> Iterator[Line]:
    places: dict[str, list[int]] = {}
    for at, text in enumerate(file.lines):
        places.setdefault(text.strip(), []).append(at)
    likely = chances(lines, file.lines, known)
    for at, line in enumerate(lines):
        is_note = line.kind == "code" and is_comment(line.text) and not known.has_version(line.text.strip())
        is_note = is_note and is_telling(line.text) and not _documents(lines, at) and file.language not in PROSE
        is_label = len(_WORD.findall(line.text)) <= _LONGEST_LABEL and not is_code(line.text.strip())
        is_note = is_note and (is_label or likely.get(at, 0.0) > _LIKELY)  # where a label stands tells what it is
        above, below = _near(lines, at, -1), _near(lines, at, 1)
        is_note_of_gap = is_note and not _is_within_insertion(lines[at + 1 : at + _NEAR], places.get(above, []), file)
        gap = _gap(above, below, places, file) if is_note_of_gap else ()
        is_marker = _stands_for(line.text, gap) or (
            is_note
            and (_is_paragraph(lines, at, places) or _is_body(lines, at, places, file) or _is_last(lines, at, places))
        )
        yield replace(line, kind="marker") if is_marker else line


def _is_within_insertion(below: Sequence[Line], tops: Sequence[int], file: Outline) -> bool:
    """Whether the line of the file that follows the one above a comment is shown near below it: nothing is left out."""
    return are_followed(tops, file.lines, {line.text.strip() for line in below})


def _documents(lines: Sequence[Line], at: int) -> bool:
    """Whether a line goes on with the sentences of a documentation."""
    beside = [line.text.strip() for line in lines[max(0, at - 1) : at + 1] if line.kind == "code"]
    return len(beside) > 1 and all(map(is_inside, beside))


def _near(lines: Sequence[Line], at: int, step: int) -> str:
    """The next written line of code above or below, "" where there is none."""
    at += step
    while 0 <= at < len(lines) and not lines[at].text.strip():
        at += step
    return lines[at].text.strip() if 0 <= at < len(lines) and lines[at].kind == "code" else ""


def _stands_for(note: str, gap: Sequence[str]) -> bool:
    """Whether a comment leaves out lines: it is no new version of one of them, and names one or there are several."""
    code = [line for line in gap if line.strip() and not is_comment(line)]
    if not code or any(is_comment(line) and _is_alike(line, note) for line in gap):
        return False
    words = {word for word in _WORD.findall(note) if len(word) >= _BEGUN}
    return len(code) > 1 or any(words & set(_WORD.findall(line)) for line in code)


def _is_paragraph(lines: Sequence[Line], at: int, places: dict[str, list[int]]) -> bool:
    """Whether a comment stands apart between lines of the file: a word to the reader, and none to the code."""
    beside = [lines[n].text.strip() if 0 <= n < len(lines) else "" for n in (at - 1, at + 1)]
    above, below = _near(lines, at, -1), _near(lines, at, 1)
    is_known = all(text in places for text in (above, below) if text)
    # At the top of the file nothing can be left out.
    return not any(beside) and is_known and bool(above or min(places.get(below, [0])))


def _is_last(lines: Sequence[Line], at: int, places: dict[str, list[int]]) -> bool:
    """Whether a comment ends a block, or what it stands in, behind a line of the file: no code follows it."""
    text = lines[at].text.strip()
    rest = [line.text.strip() for line in lines[at + 1 :] if line.text.strip()]
    is_prose = not text.startswith("*") and not _CODE.search(text) and not any(map(is_comment, rest[:1]))
    return (
        is_prose
        and not any(is_telling(text) or text[0] in "([{" for text in rest[:1])
        and _near(lines, at, -1) in places
    )


def _is_body(lines: Sequence[Line], at: int, places: dict[str, list[int]], file: Outline) -> bool:
    """Whether a comment is all that is shown of a body which has code in the file."""
    above = _near(lines, at, -1)
    below = next((line.text for line in lines[at + 1 :] if line.text.strip()), "")
    if not above or above not in places or _lead(below) >= _lead(lines[at].text):
        return False
    start = next(n for n in range(at - 1, -1, -1) if lines[n].text.strip())
    if _lead(lines[start].text) >= _lead(lines[at].text):
        return False
    inside = [node for node in file.nodes if node.head in places[above] and node.body is not None]
    return any(any(line.strip() for line in file.lines[slice(*(node.body or (0, 0)))]) for node in inside)


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip()) if text.strip() else 0


def _is_alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.strip(), other.strip(), autojunk=False).ratio() >= _ALIKE


def _gap(above: str, below: str, places: dict[str, list[int]], file: Outline) -> Sequence[str]:
    """The lines that the file has between two that tell their place there, none of them further out."""
    tops, ends = places.get(above, []), places.get(below, [])
    if not (above and below) or not (is_telling(above) or is_telling(below)) or min(len(tops), len(ends)) != 1:
        return ()
    pairs = [(a, b) for a in tops for b in ends if a < b <= a + _REACH]
    top, end = min(pairs, key=lambda pair: pair[1] - pair[0], default=(0, 1))
    level, gap = min(_lead(file.lines[top]), _lead(file.lines[end])), file.lines[top + 1 : end]
    return gap if all(_lead(line) >= level for line in gap if line.strip()) else ()
