"""In: a file, what was said about it, and a version of it. Out: the first change of which nothing was said.

For a model that reads an answer itself: it may take back what the answer paraphrases, which `account` does not forgive.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise

from redraft.edit.align.likeness import overlap, quoted, tokens
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Line
from redraft.edit.outline import outline
from redraft.edit.outline.nodes import Node
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import bare, is_telling

_PIECE = re.compile(r"[^\W\d_]+?(?=[A-Z_\W\d]|$)|\d+")
_WORD = re.compile(r"\w{3,}")
_CODE = re.compile(r"`+([^`\n]+)`+|\b(\w+(?=\()|\w*[a-z][A-Z_]\w+|\w+_\w+)")
_GOING = re.compile(
    r"(?i)\b(?:remov|delet|drop|rid of|no longer|unused|replac|renam|mov|instead|inlin|simplif|collaps|merg"
    r"|switch|convert|entf|l\u00f6sch|ersetz|umbenenn|supprim|enlev|retir|elimin|borr|apag|rempla|reempla|substitu"
    r"|\u0443\u0434\u0430\u043b|\u0443\u0431\u0435\u0440|\u0437\u0430\u043c\u0435\u043d)"
    r"|\u524a\u9664|\u5220|\u79fb\u9664|\u66ff\u6362|\u7f6e\u304d\u63db"
)
_SELDOM = 2  # lines that stand more often in a file tell no place
_FEW = 5  # lines of the file that have a word which tells a place
_ALIKE = 0.5  # of what two lines are made of, shared by versions of one
_LEAST = 3  # lines of a declaration whose loss counts


def unmentioned(original: str, answer: Answer, request: str, output: str, path: str = "") -> str | None:
    """What no line, sentence or name of answer and request accounts for; None where all is.

    A change is accounted for that shows a line of the answer, stands beside one, or has a word of its sentences. Where
    more lines go than come, the answer has to show what is left side by side, or to name what goes. New lines are made
    of what file and answer are made of, and no declaration goes whose name nobody names.
    """
    old, new = original.split("\n"), output.split("\n")
    mentions = _Mentions(old, answer, request)
    changes = line_changes(old, new)
    if found := next(filter(None, (mentions.against(change, new) for change in changes)), None):
        return found
    return _lost(outline(old, path).nodes, outline(new, path).nodes, _thinned(old, new, changes), mentions.named)


class _Mentions:
    """A file, and what answer and request show, line by line, and say in words."""

    def __init__(self, old: Sequence[str], answer: Answer, request: str) -> None:
        self._old = old
        blocks, said = [block.lines for block in answer.blocks], f"{answer.prose}\n{request}"
        lines = [line for block in blocks for line in block if line.kind != "marker"]
        shown = [line.text for line in lines]
        removed = [line.text for line in lines if line.kind == "removed"]
        self._shown = frozenset(map(bare, shown)) - _usual(map(bare, old), _SELDOM) - {""}
        self._removed = frozenset(map(bare, removed))
        self._beside = frozenset(chain(*map(_pairs, blocks)))
        self._edges = frozenset(chain(*map(_edges, blocks)))
        code = set(re.findall(r"\w+", " ".join(map("".join, _CODE.findall(said)))))
        self._said = code | (_words([said]) - _usual(chain(*(_words([line]) for line in old)), _FEW))
        self._going = self._said if _GOING.search(said) else set()
        self.named = _words([said, *removed]) | code
        self._known = _pieces([*old, *shown, said])

    def against(self, change: LineChange, new: Sequence[str]) -> str | None:
        gone, come = self._old[change.start : change.end], new[change.after_start : change.after_end]
        for number, line in enumerate(come, change.after_start + 1):
            if not _pieces([line]) <= self._known:
                return f"line {number} of the new file has what neither file nor answer has: {quoted(line)}"
        going, coming = [*filter(is_telling, gone)], [*filter(is_telling, come)]
        is_less = len(going) > len(coming)
        is_stated = self._mentions_loss(change, going, coming) if is_less else self._mentions(change, gone, come)
        if is_stated:
            return None
        text = next(filter(str.strip, (*gone, *come)))
        return f"near line {change.start + 1} of the file is a change that the answer does not tell: {quoted(text)}"

    def _mentions(self, change: LineChange, gone: Sequence[str], come: Sequence[str]) -> bool:
        if [*filter(None, map(str.rstrip, gone))] == [*filter(None, map(str.rstrip, come))]:
            return True
        lines = filter(is_telling, (*come, *self._around(change)))
        return not self._shown.isdisjoint(map(bare, lines)) or bool((_words(gone) ^ _words(come)) & self._said)

    def _mentions_loss(self, change: LineChange, going: Sequence[str], coming: Sequence[str]) -> bool:
        left = [*map(bare, coming)]
        if {*map(bare, going)} - {*left} <= self._removed:
            return True
        above, below = map(bare, self._around(change))
        run = [*filter(None, (above, *left, below))]
        apart = {*pairwise(run)} - self._beside
        for at, pair in ((0, (above, *left[:1])), (-1, (*left[-1:], below))):
            is_edge = bool(coming) and left[at] in self._edges
            if is_edge and overlap(tokens(going[at]), tokens(coming[at])) >= _ALIKE:
                apart.discard(pair)
        return (len(run) > 1 and not apart) or bool((_words(going) - _words(coming)) & self._going)

    def _around(self, change: LineChange) -> tuple[str, str]:
        """The next written lines above and below, "" for none."""
        return _next(reversed(self._old[: change.start])), _next(self._old[change.end :])


def _thinned(old: Sequence[str], new: Sequence[str], changes: Sequence[LineChange]) -> set[int]:
    """The lines of the file in changes by which more lines go than come."""
    found: set[int] = set()
    for change in changes:
        gone, come = old[change.start : change.end], new[change.after_start : change.after_end]
        if sum(map(is_telling, gone)) > sum(map(is_telling, come)):
            found.update(change.gone)
    return found


def _lost(old: Sequence[Node], new: Sequence[Node], thinned: Collection[int], named: Collection[str]) -> str | None:
    """A declaration of some lines that the version has less often, and whose name nobody names."""
    kept, had = Counter(node.name for node in new), Counter(node.name for node in old)
    for node in old:
        is_less = node.name and kept[node.name] < had[node.name] and node.end - node.head >= _LEAST
        if is_less and node.head in thinned and not {node.name, *_words([node.name])} & set(named):
            return f"line {node.head + 1} of the file is gone with {node.name}, of which nothing was said"
    return None


def _pairs(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Written lines that a block shows one below the other, what it takes out aside."""
    shown = [line for line in lines if line.kind == "marker" or (line.kind != "removed" and is_telling(line.text))]
    for above, below in pairwise(shown):
        if "marker" not in (above.kind, below.kind):
            yield bare(above.text), bare(below.text)


def _edges(lines: Sequence[Line]) -> set[str]:
    """The first and the last written line of a block."""
    shown = [bare(line.text) for line in lines if line.kind != "removed" and is_telling(line.text)]
    return {*shown[:1], *shown[-1:]}


def _usual(texts: Iterable[str], most: int) -> set[str]:
    """The texts that come more often."""
    return {text for text, count in Counter(texts).items() if count > most}


def _next(lines: Iterable[str]) -> str:
    return next(filter(is_telling, lines), "")


def _words(texts: Iterable[str]) -> set[str]:
    return {*_WORD.findall("\n".join(texts))}


def _pieces(lines: Iterable[str]) -> set[str]:
    """The parts of the names and words of lines, in small letters."""
    return {*map(str.lower, _PIECE.findall("\n".join(lines)))}
