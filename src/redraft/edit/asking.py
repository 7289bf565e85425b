"""In: an edit that was refused, and why. Out: what to send back to the chat model that wrote the answer."""

import re
from collections.abc import Sequence
from pathlib import PurePath

from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes, split_lines
from redraft.edit.text.newlines import with_newlines
from redraft.edit.twins import twins

_AROUND = 3  # lines above and below the line in question
_MOST = 24  # lines of the file in a message
_LINE = re.compile(r"\bline (\d+) of the file|\bline (\d+) '|\blines? (\d+)(?:-| and | or )(\d+) of the file")
_COPY = """\
Please send this change again as SEARCH/REPLACE blocks, one for each place. Copy the lines under SEARCH from the file
exactly as they are, with one or two unchanged lines above and below the change, and leave nothing out in between:"""
_CHOOSE = """\
Please say which place is meant, and send this change again as SEARCH/REPLACE blocks, one for each place that is meant.
Copy all the lines of the place under SEARCH, exactly as they are above:"""
_FORM = """\
{ask}

{path}
<<<<<<< SEARCH
the lines as they are now
=======
the lines as they should be
>>>>>>> REPLACE
"""


def asking(request: Request, message: str, output: str | None) -> str:
    """A short message: what was unclear, the lines of the file in question, and in which form to answer.

    Where lines stand several times it asks which place is meant, and shows of each what stands there alone.
    """
    path, original = request.path, with_newlines(request.original.removeprefix("\ufeff"))
    reason = message.strip().rstrip(".")
    parts = [f"Your answer could not be applied to {_called(path)}: {reason}."]
    places = twins(original, request.update, path, reason)
    if places:
        lines = split_lines(original)
        parts += [f"{number}. {_lines(path, lines, *place)}" for number, place in enumerate(places, 1)]
    elif shown := _shown(path, original, reason, output):
        parts.append(shown)
    form = _FORM.format(ask=_CHOOSE if places else _COPY, path=path or "path/of/the/file")
    return "\n\n".join([*parts, form])


def _shown(path: str, original: str, reason: str, output: str | None) -> str:
    lines = split_lines(original)
    numbers = [int(number) for found in _LINE.findall(reason) for number in found if number]
    if not numbers and output is not None:
        changes = line_changes(lines, split_lines(with_newlines(output)))
        numbers = [number for change in changes[:1] for number in (change.start + 1, change.end)]
    numbers = [number for number in numbers if 0 < number <= len(lines)]
    if not numbers:
        return ""
    start = max(min(numbers) - 1 - _AROUND, 0)
    end = min(max(numbers) + _AROUND, start + _MOST, len(lines))
    return _lines(path, lines, start + 1, end)


def _lines(path: str, lines: Sequence[str], first: int, last: int) -> str:
    shown = lines[first - 1 : last]
    fence = "````" if any("```" in line for line in shown) else "```"
    code = "\n".join([f"{fence}{PurePath(path).suffix.removeprefix('.')}", *shown, fence])
    which, are = (f"Line {first}", "is") if first == last else (f"Lines {first} to {last}", "are")
    return f"{which} of {_called(path)} {are} now:\n\n{code}"


def _called(path: str) -> str:
    return f"`{path}`" if path else "the file"
