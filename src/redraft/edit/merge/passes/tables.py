"""In: sentences with a table of what is and what comes, and a file. Out: the file with each row of it carried out.

A row is carried out where its old code has one place in the file, or one in each declaration that the row names. Where
one of them has none, no row is.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.merge.common.indentation import reindented
from redraft.edit.merge.passes.abbreviated import Places, abbreviated
from redraft.edit.outline import Outline
from redraft.edit.words.known import whole_piece

_BETWEEN = re.compile(r"(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)")  # a bar that is not part of code
_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*")
_CODE = re.compile(r"`([^`]+)`")
_OLD = re.compile(
    r"\W*(?:old|before|current|now|from|was|is|previous|original|today|alt|bisher|vorher|aktuell|jetzt|avant|ancien|actuel"
    r"|antes|actual|anterior|antigo|atual|prima|было|старое|сейчас)\b|\W*(?:旧|原|之前|现在|当前|現在|修改前|変更前)",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\W*(?:new|after|to|becomes?|then|neu|nachher|danach|nouveau|apr[eè]s|nuevo|despu[eé]s|novo|depois|dopo|стало|новое)\b"
    r"|\W*(?:新|之后|改为|修改后|変更後)",
    re.IGNORECASE,
)

_SAME = re.compile(
    r"\W*(?:(?:the )?same|unchanged|stays|as is|unverändert|bleibt|inchangé|igual|sin cambios|sem alterações)?\W*"
    r"|без изменений|不变|保持不变|変更なし|そのまま",
    re.IGNORECASE,
)


class _Row(Struct, frozen=True):
    old: str
    new: str
    names: tuple[str, ...]  # what other cells quote


def tabled(lines: tuple[str, ...], said: str, file: Outline) -> tuple[str, ...]:
    """The lines of a file with its outline, with the rows of tables carried out; as they are where one cannot be."""
    rows = list(_rows(said.split("\n")))
    places = Places(file)
    out = list(lines)
    for row in rows:
        found = list(_changes(row, places))
        if not found or any(out[at] != file.lines[at] for at, _ in found):
            return lines
        for at, text in found:
            out[at] = text
    return tuple(out)


def _rows(said: Sequence[str]) -> Iterator[_Row]:
    """The rows below heads that name what is old and what is new, without those of which nothing changes."""
    for at, (head, rule) in enumerate(pairwise(said)):
        names = _cells(head)
        old = [column for column, name in enumerate(names) if _OLD.match(name)]
        new = [column for column, name in enumerate(names) if _NEW.match(name)]
        if not _RULE.fullmatch(rule) or len(old) != 1 or len(new) != 1:
            continue
        for line in said[at + 2 :]:
            cells = _cells(line)
            if not cells:
                break
            if len(cells) != len(names):
                yield _Row("", "", ())
                break
            codes = [_CODE.findall(cell) for cell in cells]
            if _SAME.fullmatch(cells[new[0]]):
                continue
            others = (name for column, found in enumerate(codes) if column not in (*old, *new) for name in found)
            yield _Row(_only(codes[old[0]]), _only(codes[new[0]]), tuple(others))


def _cells(line: str) -> list[str]:
    """The cells of a row; none where a line is none."""
    if not line.strip().startswith("|"):
        return []
    found = _BETWEEN.split(line.strip().removeprefix("|").removesuffix("|"))
    return [cell.strip().replace("\\|", "|") for cell in found]


def _only(found: Sequence[str]) -> str:
    return found[0].strip() if len(found) == 1 else ""


def _changes(row: _Row, places: Places) -> Iterator[tuple[int, str]]:
    """The lines that a row changes, and what they become."""
    file = places.file
    if not row.old or not row.new:
        return
    cut = abbreviated([row.old], 0, places)
    if cut is not None and len(cut) == 1 and file.lines.count(cut[0]) == 1:
        yield file.lines.index(cut[0]), reindented((row.new,), (row.new,), cut[0])[0]
        return
    piece = whole_piece(row.old)
    found = [at for at, line in enumerate(file.lines) if len(piece.findall(line)) == 1]
    if len(found) > 1 and row.names:
        beside = [at for at in found if any(name in file.lines[at] for name in row.names)]
        found = beside or [at for name in row.names for at in _inside(name, found, file)]
        if beside and len(beside) > 1:
            return
    elif len(found) > 1:
        return
    for at in found:
        yield at, piece.sub(lambda _: row.new, file.lines[at])


def _inside(name: str, found: Sequence[int], file: Outline) -> list[int]:
    """The one of some lines that lies in the one declaration of a name."""
    nodes = [node for node in file.nodes if node.name == name.removesuffix("()") and node.body is not None]
    inside = [at for at in found if nodes and nodes[0].head <= at < nodes[0].end]
    return inside if len(nodes) == 1 and len(inside) == 1 else []
