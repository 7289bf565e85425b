"""In: a chat message. Out: the edit that it asks for in the words of an apply service, None for other messages.

Known are `<code>` with `<update>`, with `<instruction>` before, between or after, as Morph, Relace and FastApply models
take them, and `<code>` with an instruction alone.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from redraft.edit.request import Request
from redraft.serve.refusals import RefusalError

_OPENING = re.compile(r"<(?:code|initial_code|original_code)>")
_CODE_END = re.compile(r"</(?:code|initial_code|original_code)>\s*")
_UPDATE = re.compile(r"\s*<(update|edit_snippet|code_edit|update_snippet)>")
_INSTRUCTION = re.compile(r"<(instructions?)>")
_INSTRUCTIONS = ("instruction", "instructions")
_CLOSING = "</{}>"
_WRAPPED = "<updated-code>"


@dataclass(frozen=True)
class Shape:
    """An edit in a chat message; `is_wrapped` says that the answer is expected between tags."""

    request: Request
    is_wrapped: bool = False

    def answer(self, output: str) -> str:
        return f"{_WRAPPED}{output}{_WRAPPED.replace('<', '</')}" if self.is_wrapped else output


def shape(message: str) -> Shape | None:
    """Raises RefusalError where the tags can be read in several ways, as in a file that holds them itself."""
    opening = _OPENING.search(message)
    if opening is None:
        return None
    before, rest = message[: opening.start()], message[opening.end() :]
    found = list(islice(_joints(rest), 2))
    if not found:
        return _instructed(before, rest)
    joint = found[0]
    closing = _CLOSING.format(joint.tag)
    if len(found) > 1 or closing not in rest:
        said = "the tags of <code> and <update> can be read in several ways: ask /v1/apply instead"
        raise RefusalError(400, said, "ambiguous_tags", "messages")
    update, _, after = rest[joint.end :].rpartition(closing)
    instruction = joint.instruction or _instruction(before) or _instruction(after)
    request = Request(_inner(rest[: joint.start]), update.strip("\n"), instruction.strip())
    return Shape(request, _WRAPPED in before + after)


def _instructed(before: str, rest: str) -> Shape | None:
    """A file and words alone."""
    code, closed, after = rest.rpartition("</code>")
    instruction = _instruction(before) or _instruction(after)
    return Shape(Request(_inner(code), "", instruction.strip())) if closed and instruction.strip() else None


@dataclass(frozen=True)
class _Joint:
    """Where a file ends and its update begins, and what was asked for in between."""

    start: int
    end: int
    tag: str
    instruction: str


def _joints(rest: str) -> Iterator[_Joint]:
    """Each end of a file that an update follows; in time that grows with the text, whatever tags it holds."""
    ends = {name: [end.start() for end in re.finditer(_CLOSING.format(name), rest)] for name in _INSTRUCTIONS}
    follows: dict[int, re.Match[str] | None] = {}
    last = 0
    for code in _CODE_END.finditer(rest):
        if code.start() < last:
            continue
        said, at = slice(0), code.end()
        if opening := _INSTRUCTION.match(rest, at):
            closings = ends[opening[1]]
            number = bisect_left(closings, opening.end())
            if number == len(closings):
                continue
            said = slice(opening.end(), closings[number])
            at = said.stop + len(_CLOSING.format(opening[1]))
        if at not in follows:
            follows[at] = _UPDATE.match(rest, at)
        if (update := follows[at]) is not None:
            last = update.end()
            yield _Joint(code.start(), last, update[1], rest[said])


def _instruction(text: str) -> str:
    """What the first instruction says that is closed."""
    found = []
    for name in _INSTRUCTIONS:
        _, opening, rest = text.partition(f"<{name}>")
        instruction, closing, _ = rest.partition(_CLOSING.format(name))
        if opening and closing:
            found.append((len(text) - len(rest), instruction))
    return min(found)[1] if found else ""


def _inner(code: str) -> str:
    """The file between two tags; where they stand on lines of their own, their newlines are not the file's."""
    if not code.startswith("\n"):
        return code
    inner = code[1:]
    return inner[:-1] if inner.endswith("\n\n") else inner
