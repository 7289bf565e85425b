"""In: a change of a file, the sentences of the answer, and what was asked. Out: what is spoken of and not done."""

import re
from collections.abc import Iterable, Iterator
from math import log1p

from redraft.edit.answer.answer import Answer
from redraft.edit.features.edit import Edit, alike, most, words
from redraft.edit.text.lines import is_telling, written
from redraft.edit.words import comment_body
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.sentences import BREAK, NAME

_NEAR = 3  # lines beside a change that it touches, too
_ALIKE = 0.55
_LARGE = 60  # lines of a change in which none is looked for in other words
_SHORTEST = 3  # characters of what is quoted
_LONG = 4  # letters of a word of a marker
_SPELLED = re.compile(r"[`\"]([^`\"\n]{3,80})[`\"]|([A-Za-z_$@][\w$]*(?:[A-Z_\d.:/]+\w+)+|\d+(?:[.:/-]\d+)+)")


def of_said(edit: Edit, answer: Answer, instruction: str) -> dict[str, float]:
    removal = any(speaks_of("removal", text) for text in (answer.prose, instruction))
    stays, goes = _removals(edit, (answer.prose, instruction))
    names, asked = (code_names(edit.original, text) for text in (answer.prose, instruction))
    touched = _touched(edit)
    marked = {word.lower() for text in _markers(answer) for word in words(text) if len(word) >= _LONG}
    gone, new = ({word.lower() for line in lines for word in words(line)} for lines in (edit.gone, edit.new))
    return {
        "gone unasked": 0.0 if removal else most(log1p(_really_gone(edit))),
        "nothing taken as asked": float(speaks_of("removal", instruction) and not edit.gone),
        "said to go and stays": most(stays / 2),
        "said to go and goes": most(goes / 2),
        "perhaps said to go and stays": most(len(_leftovers(edit, answer.prose)) / 2),
        "spoken of and untouched": most(len(names - touched) / 2),
        "asked for and untouched": most(len(asked - touched) / 2),
        **_spelled(edit, "told", answer.prose),
        **_spelled(edit, "asked", instruction),
        "marked and gone": most(len((marked & gone) - new) / 2),
        "asked": float(bool(instruction.strip())),
    }


def code_names(original: str, text: str) -> set[str]:
    """Words of the file in a text that are no words of everyday language: `parse_row`, `Store`, MAX."""
    there = set(words(original))
    return {word for word in words(text) if word in there and not (word.islower() and "_" not in word)}


def _removals(edit: Edit, texts: Iterable[str]) -> tuple[int, int]:
    """Of what sentences of a removal name: how much the text has as often as the file, and how much less often."""
    stays = goes = 0
    for sentence in (each for text in texts for each in BREAK.split(text) if speaks_of("removal", each)):
        for name in {*_quoted(sentence), *code_names(edit.original, sentence)}:
            had, has = edit.original.count(name), edit.text.count(name)
            stays += 0 < had <= has
            goes += has < had
    return stays, goes


def _leftovers(edit: Edit, prose: str) -> set[str]:
    """What is quoted in sentences that may tell of a removal, and stands as before."""
    sentences = (each for each in BREAK.split(prose) if speaks_of("leftovers", each))
    names = {name for each in sentences for name in _quoted(each)}
    return {name for name in names if 0 < edit.original.count(name) <= edit.text.count(name)}


def _quoted(text: str) -> Iterator[str]:
    names = (name.strip().removesuffix("()") for name in NAME.findall(text))
    return (name for name in names if len(name) >= _SHORTEST)


def _spelled(edit: Edit, kind: str, text: str) -> dict[str, float]:
    """Of what words spell as code has it and the file lacks: how much comes with the change, and how much does not."""
    found = {piece.strip().removesuffix("()") for pair in _SPELLED.findall(text) for piece in pair if piece.strip()}
    come = {piece for piece in found if piece not in edit.original}
    lost = sum(piece not in edit.text for piece in come)
    return {f"{kind} and comes": most((len(come) - lost) / 2), f"{kind} and absent": most(lost / 2)}


def _touched(edit: Edit) -> set[str]:
    """The words of all changes and of the lines beside them."""
    lines: list[str] = []
    for each in edit.changes:
        lines += edit.after[max(0, each.after_start - _NEAR) : each.after_end + _NEAR]
        lines += edit.before[max(0, each.start - _NEAR) : each.end + _NEAR]
    return {*words("\n".join(lines))}


def _really_gone(edit: Edit) -> int:
    """How many lines go that stand nowhere else and have no like among those that come in their place."""
    there = set(map(str.strip, edit.after))
    count = 0
    for each in edit.changes:
        new = written(edit.come(each))
        old = [line for line in edit.old(each) if is_telling(line) and line.strip() not in there]
        is_large = max(len(new), len(old)) >= _LARGE
        count += sum(is_large or all(alike(line, other) < _ALIKE for other in new) for line in old)
    return count


def _markers(answer: Answer) -> Iterator[str]:
    return (comment_body(text.strip()) or text for text in answer.notes)
