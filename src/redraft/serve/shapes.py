"""In: a chat message. Out: the edit that it asks for in the words of an apply service, None for other messages.

Known are `<code>` with `<update>`, with `<instruction>` before, between or after, as Morph, Relace and FastApply models
take them, and `<code>` with an instruction alone.
"""

import re
from dataclasses import dataclass

from redraft.edit.request import Request
from redraft.serve.refusals import RefusalError

_INSTRUCTION = r"<(instructions?)>(?P<{}>.*?)</\1>"
_BETWEEN = re.compile(
    r"</(?:code|initial_code|original_code)>\s*"
    r"(?:<(instructions?)>(?P<told>(?:(?!</\1>).)*)</\1>\s*)?"
    r"<(?P<tag>update|edit_snippet|code_edit|update_snippet)>",
    re.DOTALL,
)
_OPENING = re.compile(r"<(?:code|initial_code|original_code)>")
_TOLD = re.compile(r"<(instructions?)>(?P<told>.*?)</\1>", re.DOTALL)
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
    found = list(_BETWEEN.finditer(rest))
    if not found:
        return _instructed(before, rest)
    closing = _CLOSING.format(found[0]["tag"])
    if len(found) > 1 or closing not in rest:
        said = "the tags of <code> and <update> can be read in several ways: ask /v1/apply instead"
        raise RefusalError(400, said, "ambiguous_tags", "messages")
    update, _, after = rest[found[0].end() :].rpartition(closing)
    told = found[0]["told"] or _told(before) or _told(after)
    request = Request(_inner(rest[: found[0].start()]), update.strip("\n"), told.strip())
    return Shape(request, _WRAPPED in before + after)


def _instructed(before: str, rest: str) -> Shape | None:
    """A file and words alone."""
    code, closed, after = rest.rpartition("</code>")
    told = _told(before) or _told(after)
    return Shape(Request(_inner(code), "", told.strip())) if closed and told.strip() else None


def _told(text: str) -> str:
    found = _TOLD.search(text)
    return found["told"] if found else ""


def _inner(code: str) -> str:
    """The file between two tags; where they stand on lines of their own, their newlines are not the file's."""
    if not code.startswith("\n"):
        return code
    inner = code[1:]
    return inner[:-1] if inner.endswith("\n\n") else inner
