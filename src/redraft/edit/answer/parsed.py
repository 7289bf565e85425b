"""In: a file and an answer. Out: the answer parsed, once however many ask, and what its words may mean in the file."""

from collections import Counter
from functools import lru_cache

from redraft.edit.answer.answer import Answer, parse
from redraft.edit.answer.prose_imports import with_imports_in_prose
from redraft.edit.outline import Outline, outline
from redraft.edit.text.changes import split_lines
from redraft.edit.text.lines import words_in
from redraft.edit.words import Known


# The reader asks, the guards of a model's file, and what it drafts from.
@lru_cache(maxsize=8)
def parsed(original: str, update: str, path: str = "") -> Answer:
    lines = split_lines(original)
    answer = parse(update, lines, path, known_of(outline(lines, path), path))
    return with_imports_in_prose(answer, lines)


@lru_cache(maxsize=16)
def known_of(file: Outline, path: str) -> Known:
    """What the words of an answer may mean in a file at a path."""
    words = frozenset(word for line in file.lines for word in words_in(line))
    names = Counter(node.name for node in file.nodes if node.name)
    overloaded = frozenset(name for name, count in names.items() if count > 1)
    return Known(frozenset(line.strip() for line in file.lines), frozenset(names), words, overloaded, path)
