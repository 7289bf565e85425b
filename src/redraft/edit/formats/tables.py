"""In: the lines of an answer. Out: the edits that it writes as tables of what was and what is.

| before | after |
|---|---|
| `a = 1` | `a = 2` |
"""

import re
from collections.abc import Sequence

from redraft.edit.formats.edit import Edit, Pair, role_of

_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?")
_CELLS = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"(`+)(.+)\1")
_OLD = {"vorher", "alt", "bisher", "avant", "antes", "actual", "prima", "было", "修改前", "变更前", "変更前", "旧"}
_NEW = {"nachher", "neu", "après", "después", "ahora", "depois", "dopo", "стало", "修改后", "变更后", "変更後", "新"}


def tables(lines: Sequence[str]) -> list[Edit]:
    """The tables with a column for the old and one for the new, in the rows that have code in both."""
    found: list[Edit] = []
    for at in range(1, len(lines)):
        columns = _columns(lines[at - 1]) if _RULE.fullmatch(lines[at]) else None
        if columns is None:
            continue
        end = next((here for here in range(at + 1, len(lines)) if "|" not in lines[here]), len(lines))
        rows = [_cells(line) for line in lines[at + 1 : end]]
        pairs = [pair for cells in rows if (pair := _pair(cells, columns)) is not None]
        found += [Edit(at - 1, end, tuple(pairs))] if pairs else []
    return found


def _columns(head: str) -> tuple[int, int] | None:
    words = [cell.strip("*` ").lower() for cell in _cells(head)]
    old = [at for at, word in enumerate(words) if word in _OLD or role_of(word) == "old"]
    new = [at for at, word in enumerate(words) if word in _NEW or role_of(word) == "new"]
    return (old[0], new[0]) if len(old) == len(new) == 1 else None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELLS.split(line.strip().removeprefix("|").removesuffix("|"))]


def _pair(cells: Sequence[str], columns: tuple[int, int]) -> Pair | None:
    texts = [_CODE.fullmatch(cells[at]) for at in columns if at < len(cells)]
    found = [match[2].strip().replace("\\|", "|") for match in texts if match]
    return Pair((found[0],), (found[1],)) if len(found) == 2 and found[0] != found[1] else None
