"""In: a case. Out: a line for what came of it; `Fallen` where answer parser, exact format or law break their word.

A property knows what a reader promises and nothing of how it reads. An error that is no `RedraftError` goes through.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from fuzz.cases import FORMATS, Case
from fuzz.once import are_mixed, tells_nothing
from fuzz.spelling import bare, escapes, spellings, unspaced
from redraft.advised import advised
from redraft.budget import SECONDS, within
from redraft.by_format import exactly
from redraft.edit.answer.parsed import parsed
from redraft.edit.exact.place import MADE
from redraft.edit.exact.read import files_of, read_exact, read_steps
from redraft.edit.exact.steps import Replacement, Step, Whole
from redraft.edit.exact.whole import given_back
from redraft.edit.guard.check import WRITTEN
from redraft.edit.guard.declared import duplicates
from redraft.edit.guard.faults import new_faults
from redraft.edit.guard.leaks import leaked
from redraft.edit.named.reading import read as parts_of
from redraft.edit.outline import Outline, fragment, outline
from redraft.edit.prompts.fence import fence
from redraft.edit.request import Request
from redraft.edit.text.changes import split_lines
from redraft.errors import RedraftError
from redraft.helped import helped
from redraft.laws import broken, broken_text
from redraft.laws.change import Change
from redraft.laws.laws import LAWS
from redraft.laws.spaced import spaced
from redraft.laws.unchanged import undone
from redraft.reading import merged
from redraft.result import Result
from redraft.writing import as_read

# Lines that belong to a format and to no file, unless the file or the new text has them.
_MARK = re.compile(
    r"\s*(?:<{7} SEARCH|-{7} SEARCH|>{7} REPLACE|\+{7} REPLACE|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|end_of_edit"
    r"|\*\*\* (?:(?:Begin|End) Patch|(?:Update|Add) File: .*)|</?(?:old_|new_)(?:str|string|text)>|</?tool_call>)\s*"
)
_GUTTER = re.compile(r"^ *\d+ ?[|\u2192]", re.MULTILINE)
_HUNK = re.compile(r"@@|[`~]{3,}")  # what the parser writes edits of exact formats as
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\d+")
_NAMES_A_LINE = re.compile(r"\blines?\b|['\"`]")
_NO_WIDTH = re.compile("[\u200b\u2060\ufeff]")
_BLANKS = (
    "blanks at the ends of lines",
    "one common shift of indentation",
    "number of blank lines",
    "line endings",
    MADE,
)


class Fallen(AssertionError):  # noqa: N818
    """A property that does not hold: `property` is its name."""

    def __init__(self, name: str, detail: object = "") -> None:
        super().__init__(f"{name}: {detail}")
        self.property = name


def hold(name: str, holds: object, detail: object = "") -> None:
    if not holds:
        raise Fallen(name, detail)


def answer(case: Case) -> str:
    """Blocks hold lines of the answer or of the file, each one line long; how the answer's lines end means nothing."""
    file = split_lines(case.original)
    found = parsed(case.original, case.update, case.path)
    shown = spellings(case.update) + "".join(map(bare, file))
    for block in found.blocks:
        hold("a block has code", any(line.text.strip() for line in block.lines), block)
        hold("a block does not end in blank lines", not block.lines[-1].is_blank, block)
        for line in block.lines:
            hold("a line is one line", "\n" not in line.text, line)
            is_given = _HUNK.match(line.text) or bare(line.text.lstrip("+- ")) in shown
            hold("a line is the answer's or the file's", is_given, line)
    if "\r" not in case.update:
        for end in ("\r\n", "\r")[: 1 + ("\r" not in case.original)]:
            again = parsed(case.original, case.update.replace("\n", end), case.path)
            hold("how lines end says nothing", again == found)
    files_of(case.update)
    parts = parts_of(case.update, lambda path: path == case.path or path == "a.py")
    return f"{len(found.blocks)} blocks, {found.is_whole}, {found.is_faithful}, {len(parts)} parts"


def exact(case: Case) -> str:
    """What an exact format makes of a file: sound, made once, with all that is new, and all else as it was."""
    result, steps = _exactly(case)
    if result is None:
        return "a sketch"
    is_sound(result)
    if result.status in WRITTEN:
        shows(case, result.output or "", steps, result.healed)
    if result.status == "applied":
        text = result.output or ""
        has_no_marks(case, text)
        ends_as_before(case, text)
        if "\r" not in case.update.replace("\r\n", ""):  # which ends lines in some files and not in others
            keeps(case, text, steps)
            is_made_once(case, text, steps)
    healed = ", ".join(result.healed)
    return f"{result.status}: {healed} {_QUOTED.sub('_', result.message)}"


def whole(case: Case) -> str:
    """A full copy of the file gives the file, with a fence around it or not; else as any other exact format."""
    ticks = fence(case.original)
    fenced = f"{ticks}\n{case.original}{'' if case.original.endswith(chr(10)) else chr(10)}{ticks}\n"
    is_mixed = "\r" in case.original.replace("\r\n", "")
    for copy in () if is_mixed or not case.original.lstrip("\ufeff").strip() else (case.original, fenced):
        form, plain = as_read(Request(case.original, copy, path=case.path))
        found = exactly(plain)
        output = None if found is None else form.restored(found).output
        hold("a copy of the file is the file", output == case.original, (copy, output))
    return exact(case)


def laws(case: Case) -> str:
    """A law says one line that names one, and says nothing of a file that stays as it is."""
    given = parsed(case.original, case.update, case.path)
    change = Change.of(case.original, given, case.text, case.path)
    found = {name: law(change) for name, law in LAWS.items()} | {"undone": undone(change)}
    for name, law in found.items():
        hold("a law says one line", law is None or (law.message and "\n" not in law.message), law)
        hold("a law names a line", law is None or _NAMES_A_LINE.search(law.message), (name, law))
    hold("what stays breaks no law", broken(case.original, given, case.original, case.path) is None)
    hold("what stays breaks no law of texts", broken_text(case.original, case.original, case.path, case.update) is None)
    hold("what is shown is there", all(at < len(change.after) and change.after[at].strip() for at in change.shown))
    text = spaced(case.original, given, case.text, case.path)
    hold("spacing changes blank lines and commas alone", unspaced(text) == unspaced(case.text), text)
    return ", ".join(name for name, law in found.items() if law is not None)


def reader(case: Case) -> str:
    """Whatever decides, a result is sound, and one that is applied has no mark that nobody wrote."""
    form, plain = as_read(Request(case.original, case.update, path=case.path))
    result = helped(plain, form.restored(merged(plain)))
    is_sound(result)
    if result.status == "applied":
        ends_as_before(case, result.output or "")
        hold("applied changes something", result.output != case.original)
    return f"{result.decided_by} {result.status}: {_QUOTED.sub('_', result.message)}"


def outlines(case: Case) -> str:
    """Nodes own lines, and lie in their parents; guards name lines that are there."""
    before, after = (outline(split_lines(text), case.path) for text in (case.original, case.update))
    for found in (before, after, fragment(split_lines(case.update), case.path, {0, 3})):
        is_nested(found)
    places = duplicates(before, after)
    hold("a guard names declarations that are there", all(0 <= at < len(after.nodes) for at in places))
    leaked(before, after)
    faults = new_faults(before, after, case.path)
    hold("a fault is in a line", all(0 <= line < len(after.lines) for line in faults), faults)
    return f"{len(before.nodes)} and {len(after.nodes)} nodes"


TARGETS: Mapping[str, Callable[[Case], str]] = {
    "answer": answer,
    **dict.fromkeys(FORMATS, exact) | {"whole": whole},
    "laws": laws,
    "reader": reader,
    "outline": outlines,
}


def check(target: str, case: Case, seconds: float = SECONDS) -> str:
    """What comes of a case; raises Fallen, and whatever a reader raises that is no RedraftError."""
    try:
        return within(seconds, lambda: TARGETS[target](case))
    except RedraftError as error:
        hold("an error is one line", "\n" not in str(error), repr(str(error)))
        return f"{type(error).__name__}: {_QUOTED.sub('_', str(error))}"


def _exactly(case: Case) -> tuple[Result | None, Sequence[Step]]:
    """What the door makes of an answer in exact formats, and its steps; None for a sketch."""
    form, plain = as_read(Request(case.original, case.update, path=case.path))
    if not plain.update.strip() or (found := exactly(plain)) is None:
        return None, ()
    result = helped(plain, form.restored(advised(plain, found)))
    asked = plain.original, plain.update, plain.place
    is_read = result.status in WRITTEN and given_back(*asked[:2]) is None
    is_read = is_read and read_exact(*asked) is not None  # a sketch may fill a file of nothing
    return result, read_steps(*asked) if is_read else ()


def is_sound(result: Result) -> None:
    hold("a message is one line", "\n" not in result.message, repr(result.message))
    hold("who is refused is told why", result.status == "applied" or result.message, result)
    hold("what is written is there", result.status not in WRITTEN or result.output is not None, result)
    if result.status in WRITTEN:
        hold("what is written can be encoded", _is_encoded(result.output or ""), result)


def _is_encoded(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def keeps(case: Case, text: str, steps: Sequence[Step]) -> None:
    """Lines that no step speaks of stay, byte for byte and in their order."""
    if not steps or not all(isinstance(step, Replacement) and not _joins(step) for step in steps):
        return
    old = "\n".join(spellings(line) for step in steps for line in getattr(step, "old", "").split("\n"))
    spans = [step.span for step in steps if isinstance(step, Replacement) and step.span]
    lines = [line for step in steps for line in getattr(step, "old", "").split("\n") if line.strip()]
    pieces = [bare(text) for line in lines for text in escapes(line) if text.strip()]
    left = (line.rstrip("\r") for line in _lines(text, case))
    for at, line in enumerate(_lines(case.original, case)):
        plain = bare(line)
        is_spoken_of = plain in old or any(piece in plain for piece in pieces)
        if is_spoken_of or any(start <= at < end for start, end in spans):
            continue
        hold("what no step speaks of stays", line.rstrip("\r") in left, (line, text))


def _lines(text: str, case: Case) -> list[str]:
    """The lines of a text as those of the file are parted: by carriage returns where these are all that there is."""
    return text.split("\r" if "\r" in case.original and "\n" not in case.original else "\n")


def _joins(step: Replacement) -> bool:
    """Whether a break at an end of the old text goes, and the line beside it becomes another."""
    ends = (step.old[:1], step.new[:1]), (step.old[-1:], step.new[-1:])
    return step.is_piece and any(old == "\n" != new for old, new in ends)


def shows(case: Case, text: str, steps: Sequence[Step], healed: Collection[str] = ()) -> None:
    """All new lines are there, but for those that a later step changes: as lines where the old ones are lines."""
    if any(slip not in _BLANKS for slip in healed):
        return
    there, whole = bare(text), set(map(bare, _lines(text.lstrip("\ufeff"), case)))
    for at, step in enumerate(steps):
        old = {bare(line) for line in getattr(step, "old", "").split("\n")}
        new = step.new if isinstance(step, Replacement) else step.text or ""
        is_whole = isinstance(step, Whole) or not step.is_piece or _is_of_lines(step.old, case.original)
        later = [bare(line) for each in steps[at + 1 :] for line in getattr(each, "old", "").split("\n")]
        for shown in new.split("\n"):
            line = bare(_GUTTER.sub("", shown))
            is_changed = line in old or any(line in other or (other and other in line) for other in later)
            is_there = any(each in (whole if is_whole else there) for each in (line, bare(shown)))
            hold("what is new is there", is_changed or is_there, (line, text))


def _is_of_lines(old: str, original: str) -> bool:
    """Whether a text that may be a piece of lines can only be whole ones, and no break at its beginning goes."""
    return original.count(old) == 1 and not old.startswith("\n") and {*old.split("\n")} <= {"", *original.split("\n")}


def has_no_marks(case: Case, text: str) -> None:
    for line in _lines(text, case):
        hold("no mark is written", not _MARK.fullmatch(line) or line.strip() in case.original, line)
    if not _NO_WIDTH.search(case.original):
        hold("no sign of no width comes in", not _NO_WIDTH.search(text.lstrip("\ufeff")), repr(text))


def ends_as_before(case: Case, text: str) -> None:
    """A file with one kind of ending has no other one afterwards."""
    if "\r\n" in case.original and "\n" not in case.original.replace("\r\n", ""):
        hold("line endings stay", "\n" not in text.replace("\r\n", ""), repr(text))
    if "\r" not in case.original:
        hold("no carriage return comes in", "\r" not in text, repr(text))


def is_made_once(case: Case, text: str, steps: Sequence[Step]) -> None:
    if not case.original.lstrip("\ufeff").strip():
        return  # what a file of nothing is filled with may be a sketch
    if are_mixed(steps) or any(isinstance(step, Replacement) and tells_nothing(step, case) for step in steps):
        return
    again, _ = _exactly(Case(case.path, text, case.update))
    if again is not None and again.status == "applied":
        hold("twice is once", again.output == text, (text, again.output))


def is_nested(found: Outline) -> None:
    for at, node in enumerate(found.nodes):
        is_there = 0 <= node.start <= node.head < node.end <= len(found.lines)
        is_there &= node.body is None or node.head < node.body[0] <= node.body[1] <= node.end
        hold("a node owns lines", is_there, node)
        around = None if node.parent is None else found.nodes[node.parent]
        is_in = around is None or (around.start <= node.start and node.end <= around.end and at in around.children)
        hold("a node lies in its parent", is_in, node)
