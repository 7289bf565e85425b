"""In: an edit that was refused, and why. Out: what to send back to the chat model that wrote the answer."""

import re
from pathlib import PurePath

from redraft.edit.text.changes import line_changes, split_lines

_AROUND = 3  # lines above and below the line in question
_MOST = 24  # lines of the file in a message
_LINE = re.compile(r"\bline (\d+) of the file|\bline (\d+) '|\blines? (\d+)(?:-| and | or )(\d+) of the file")
_INSTALL = re.compile(r"; [^;]* needs? [^;]*pip install.*|, or name a chat model to ask.*|; redraft model get.*", re.S)
_FORM = """\
Please send this change again as SEARCH/REPLACE blocks, one for each place. Copy the lines under SEARCH from the file
exactly as they are, with one or two unchanged lines above and below the change, and leave nothing out in between:

{path}
<<<<<<< SEARCH
the lines as they are now
=======
the lines as they should be
>>>>>>> REPLACE
"""


def asking(path: str, original: str, message: str, output: str | None) -> str:
    """A short message: what was unclear, the lines of the file in question, and in which form to answer."""
    name = f"`{path}`" if path else "the file"
    reason = _INSTALL.sub("", message).strip().rstrip(".")
    parts = [f"Your answer could not be applied to {name}: {reason}."]
    if shown := _shown(path, original, reason, output):
        parts.append(shown)
    return "\n\n".join([*parts, _FORM.format(path=path or "path/of/the/file")])


def _shown(path: str, original: str, reason: str, output: str | None) -> str:
    lines = split_lines(original.replace("\r\n", "\n"))
    numbers = [int(number) for found in _LINE.findall(reason) for number in found if number]
    if not numbers and output is not None:
        changes = line_changes(lines, split_lines(output.replace("\r\n", "\n")))
        numbers = [number for change in changes[:1] for number in (change.start + 1, change.end)]
    numbers = [number for number in numbers if 0 < number <= len(lines)]
    if not numbers:
        return ""
    start = max(min(numbers) - 1 - _AROUND, 0)
    end = min(max(numbers) + _AROUND, start + _MOST, len(lines))
    fence = "````" if any("```" in line for line in lines[start:end]) else "```"
    code = "\n".join([f"{fence}{PurePath(path).suffix.removeprefix('.')}", *lines[start:end], fence])
    return f"Lines {start + 1} to {end} of {f'`{path}`' if path else 'the file'} are now:\n\n{code}"
