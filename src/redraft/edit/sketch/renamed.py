"""In: a file and an answer. Out: the file under the new name that the words give to something of it."""

import re
from collections.abc import Sequence
from itertools import product

from redraft.edit.answer.answer import Answer
from redraft.edit.outline import Outline
from redraft.edit.sketch.doubled import code_of
from redraft.edit.sketch.spoken import QUOTES

_RENAMES = re.compile(r"(?i)\brenam|\bcall(?:ed)? it\b|\bnamed? it\b")
_MORE = re.compile(r"(?i)\b(?:remov|delet|drop|replac|mov(?:e|ing)|swap|instead|add(?:s|ed|ing)?\b|extract|split)")
_NAME = re.compile(r"[A-Za-z_$][\w$]*[?!]?")


def renamed(file: Outline, answer: Answer) -> str | None:
    """The file's text with the one new name instead of the one old name that the words quote.

    None where they quote no such pair or order more, and where the answer does not show each line with the old name
    under the new one.
    """
    if not _RENAMES.search(answer.prose) or _MORE.search(QUOTES.sub("it", answer.prose)):
        return None
    quoted = {match[0] for text in QUOTES.findall(answer.prose) if (match := _NAME.match(text))}
    code = "\n".join(code_of(*answer.blocks))
    shown, held = {*_NAME.findall(code)}, {node.name for node in file.nodes}
    pairs = product(quoted & held - shown, quoted & shown - held)
    texts = [text for old, new in pairs if (text := _shown_with(file.lines, code, old, new)) is not None]
    return texts[0] if len(texts) == 1 else None


def _shown_with(lines: Sequence[str], code: str, old: str, new: str) -> str | None:
    """The lines with another name; None where one that changes is not shown."""
    pattern = re.compile(rf"(?<![\w$]){re.escape(old)}(?![\w$])")
    texts = [pattern.sub(lambda _: new, line) for line in lines]
    is_shown = all(text.strip() in code for text, line in zip(texts, lines, strict=True) if text != line)
    return "\n".join(texts) if is_shown else None
