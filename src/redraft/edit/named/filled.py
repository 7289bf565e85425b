"""In: an answer about an empty file. Out: its one block as the text of the file; None where it leaves any out."""

from redraft.edit.answer.fences import DIFF_WORDS, fences
from redraft.edit.exact.read import Exact
from redraft.edit.named.advice import instead
from redraft.edit.named.naming import without_title
from redraft.edit.words import Known, is_marker


def filled(original: str, update: str, path: str) -> Exact | None:
    """None for a file that holds anything, several blocks or none, markers, and what is no edit of this file."""
    if original.strip():
        return None
    found = fences(update.split("\n"), is_intended=True)
    if len(found) != 1 or not found[0].is_closed or found[0].info in DIFF_WORDS or instead(update, path):
        return None
    lines = without_title(found[0].lines, path)
    if not any(map(str.strip, lines)) or any(is_marker(line, Known()) for line in lines):
        return None
    return Exact("".join(f"{line}\n" for line in lines))
