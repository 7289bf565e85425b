"""In: a comment that words name by what it says or belongs to, and the file. Out: its lines."""

from collections.abc import Iterator

from redraft.edit.merge.common.lookup import Found, nodes_of, single
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_comment
from redraft.edit.words import Place
from redraft.edit.words.known import whole_piece

_ENDS = {"/*": "*/", "<!--": "-->"}


def comment_of(place: Place, file: Outline) -> Found | None:
    """The one comment in which a text stands, or that of the one declaration; None where there are several or none."""
    runs = list(_comments(file))
    if place.relation == "comment":
        piece = whole_piece(place.names[0])
        return single([run for run in runs if any(map(piece.search, file.lines[run.start : run.end]))])
    nodes = [file.nodes[at] for at in nodes_of(place.names[0], file)]
    return single([run for node in nodes for run in runs if node.start <= run.start and run.end <= node.head])


def _comments(file: Outline) -> Iterator[Found]:
    """Comments of whole lines, those below each other as one."""
    start, closing = None, ""
    for at, line in enumerate((*file.lines, "")):
        text = line.strip()
        if start is not None and not (closing or is_comment(text)):
            yield Found(start, at)
            start = None
        if not closing and is_comment(text):
            start = at if start is None else start
            closing = next((end for sign, end in _ENDS.items() if text.startswith(sign)), "")
        if closing and closing in text:
            closing = ""
