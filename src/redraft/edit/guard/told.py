"""In: a file, what was said about it, and a version of it. Out: the first change of which nothing was said.

For a model that reads an answer itself: it may take back what the answer retells, which `account` does not forgive.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.answer.answer import Answer
from redraft.edit.outline import outline
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling

_PIECE = re.compile(r"[^\W\d_]+?(?=[A-Z_\W\d]|$)|\d+")
_SELDOM = 2  # lines that stand more often in a file tell no place
_FEW = 5  # lines of the file that have a word which tells a place
_MUCH = 3  # lines that a declaration has whose loss counts
_WORD = re.compile(r"\w{3,}")


def untold(original: str, answer: Answer, instruction: str, output: str, path: str = "") -> str | None:
    """What no line, sentence or name of answer and request accounts for; None where all is.

    A change is accounted for that shows a line of the answer, stands beside one, or has a word of its sentences; its
    new lines are made of what file and answer are made of, and no declaration goes whose name nobody names.
    """
    told = _Told(original.split("\n"), answer, instruction, path)
    new = output.split("\n")
    return next(filter(None, (told.against(change, new) for change in line_changes(told.old, new))), None)


class _Told:
    """A file, and what answer and request show, line by line, and say in words."""

    def __init__(self, old: Sequence[str], answer: Answer, instruction: str, path: str) -> None:
        self.old, self._path = old, path
        shown = [line.text for block in answer.blocks for line in block.lines if line.kind != "marker"]
        said = f"{answer.prose}\n{instruction}"
        often = {text for text, count in Counter(map(_bare, old)).items() if count > _SELDOM}
        self._shown = frozenset(map(_bare, shown)) - often - {""}
        lines = Counter(word for line in old for word in _words([line]))
        self._said = {word for word in _words([said]) if lines[word] <= _FEW}
        self._named = _words([said, *shown])
        self._known = _pieces([*old, *shown, said])

    def against(self, change: LineChange, new: Sequence[str]) -> str | None:
        gone, come = self.old[change.start : change.end], new[change.after_start : change.after_end]
        for number, line in enumerate(come, change.after_start + 1):
            if not _pieces([line]) <= self._known:
                return f"line {number} of the output has what neither file nor answer has: {quoted(line)}"
        if not self._accounts(change, gone, come):
            text = next(filter(str.strip, (*gone, *come)))
            return f"near line {change.start + 1} of the file is a change that the answer does not tell: {quoted(text)}"
        return self._lost(change, new) if len(gone) - len(come) >= _MUCH else None

    def _accounts(self, change: LineChange, gone: Sequence[str], come: Sequence[str]) -> bool:
        if [*filter(None, map(_bare, gone))] == [*filter(None, map(_bare, come))]:
            return True
        beside = (_next(reversed(self.old[: change.start])), _next(self.old[change.end :]))
        if any(map(is_telling, come)):
            shows = any(_bare(line) in self._shown for line in (*come, *beside) if is_telling(line))
        else:
            shows = all(_bare(line) in self._shown for line in beside)
        return shows or bool((_words(gone) ^ _words(come)) & self._said)

    def _lost(self, change: LineChange, new: Sequence[str]) -> str | None:
        named = self._named | {node.name for node in outline(new, self._path).nodes}
        for node in outline(self.old, self._path).nodes:
            is_gone = change.start <= node.head and node.end <= change.end and node.end - node.head >= _MUCH
            if is_gone and not {node.name, *_words([node.name])} & named:
                return f"line {node.head + 1} of the file is gone with {node.name}, of which nothing was said"
        return None


def _next(lines: Iterable[str]) -> str:
    return next(filter(is_telling, lines), "")


def _bare(line: str) -> str:
    return "".join(line.split())


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


def _pieces(lines: Iterable[str]) -> set[str]:
    """The parts of the names and words of lines, in small letters."""
    return {piece.lower() for line in lines for piece in _PIECE.findall(line)}
