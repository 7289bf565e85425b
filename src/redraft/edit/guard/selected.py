"""In: a file with selected lines, and a model's new version of them. Out: that version, set right, and its verdict."""

from collections.abc import Iterator, Sequence

from redraft.edit.guard.check import Verdict, ran_away, unsound
from redraft.edit.guard.faults import new_faults
from redraft.edit.instruction import Instruction
from redraft.edit.outline import outline
from redraft.edit.text.changes import changed_lines, line_changes, split_lines
from redraft.edit.text.lines import is_telling, lead_of
from redraft.edit.text.newlines import with_newlines
from redraft.edit.text.selection import Selection


def set_right(asked: Instruction, answer: str) -> str:
    """The answer without what models put around it: marks, lines beside the selection; indented as that is."""
    lines = split_lines(with_newlines(answer))
    opening, closing = asked.marks
    stripped = [line.strip() for line in lines]
    start = stripped.index(opening) + 1 if opening in stripped else 0
    end = stripped.index(closing, start) if closing in stripped[start:] else len(lines)
    kept = _without_neighbours(asked.selection, lines[start:end])
    return "".join(f"{line}\n" for line in _indented(asked, kept))


def check_selected(asked: Instruction, new: str, finish: str = "stop") -> Verdict:
    """The first guard that the new lines fail, alone or in their file; `finish` is the engine's finish reason."""
    old = asked.selection.text
    if finish == "runaway":
        return Verdict("runaway", ran_away(new))
    if finish == "length":
        return Verdict("truncated", "the model stopped at its limit before the end of the new lines; raise max_tokens")
    if split_lines(new) == split_lines(old):
        return Verdict("no_change", "the answer equals the selected lines")
    if not new.strip():
        return Verdict("truncated", "the answer is empty")
    if leaked := next((mark for mark in asked.marks if mark in new), None):
        return Verdict("marker_leak", f"the answer has the mark of the selection in a line: {leaked}")
    return unsound(asked.selection.plain(old), asked.selection.plain(new), asked.path) or Verdict("applied")


def _without_neighbours(selection: Selection, lines: Sequence[str]) -> Sequence[str]:
    """The lines of an answer that began before the selection, or went on behind it, which are about the selection."""
    before, after = (split_lines(side) for side in selection.surroundings)
    old = split_lines(selection.text)
    head = _repeated(before[::-1], lines[::-1], old[::-1])
    lines = lines[head:]
    return lines[: len(lines) - _repeated(after, lines, old)]


def _repeated(beside: Sequence[str], lines: Sequence[str], old: Sequence[str]) -> int:
    """How many lines at the end of these are those that come next beside the selection, and did not end it before.

    Brackets alone tell nothing.
    """
    for count in range(min(len(beside), len(lines)), 0, -1):
        if beside[count - 1] != lines[-1]:
            continue
        last = [*lines[len(lines) - count :]]
        if last == [*beside[:count]] and last != [*old[len(old) - count :]] and any(map(is_telling, last)):
            return count
    return 0


def _indented(asked: Instruction, lines: Sequence[str]) -> Sequence[str]:
    """The lines, moved to the depth of the selection where they begin at the margin, as models' answers often do."""
    depth = _depth(asked.selection)
    if not depth or _least(lines):
        return lines
    return min(_moved(lines, depth), key=lambda each: _oddness(asked, each))


def _moved(lines: Sequence[str], depth: str) -> Iterator[Sequence[str]]:
    """All of them moved, the first one alone moved, as they are."""
    yield [depth + line if line.strip() else line for line in lines]
    yield [*(depth + line for line in lines[:1]), *lines[1:]]
    yield lines


def _oddness(asked: Instruction, new: Sequence[str]) -> tuple[int, int, int]:
    """New faults of the file; how many lines differ from the selected ones, and how many stand as deep as none."""
    selection = asked.selection
    old = split_lines(selection.text)
    depths = {_least([line]) for line in old if line.strip()}
    texts = selection.plain(selection.text), selection.plain("".join(f"{line}\n" for line in new))
    before, after = (outline(text.split("\n"), asked.path) for text in texts)
    strange = sum(_least([line]) not in depths for line in new) if depths else 0
    return len(new_faults(before, after, asked.path)), changed_lines(line_changes(old, new)), strange


def _depth(selection: Selection) -> str:
    """The indentation of the selected lines; of the next line where they are blank."""
    if selection.text.strip():
        return _least(split_lines(selection.text))
    return _least([line for line in split_lines(selection.surroundings[1]) if line.strip()][:1])


def _least(lines: Sequence[str]) -> str:
    """The indentation that all lines have which are not blank."""
    return min((lead_of(line) for line in lines if line.strip()), key=len, default="")
